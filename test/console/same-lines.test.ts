/** Lines that are called the same in two projects, in a browser with the script. */

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { importProjects } from '../../src/operations/projects.ts';
import { chooseLine, skip } from './chromium.ts';
import { openDesk } from './desk.ts';
import { openChromium } from './shared-chromium.ts';

it('a chosen line names its project if another has such a line', { skip }, async (test) => {
  const { access, service, url } = await openDesk(test, 'owner');
  importProjects(
    access,
    {
      ...{ name: 'Café', startDate: '2026-01-01', endDate: '2026-12-31' },
      budgetLines: [{ code: 'A', name: 'Rent' }, { name: 'Tea' }],
    },
    service.actor(),
  );
  const browser = await openChromium();
  const page = await browser.signIn(url, {}, []);
  await page.goto(`${url}/rules/new`);
  const line = page.locator('[name=line]').first();
  const field = page.getByRole('combobox', { name: 'Budget line 1' });
  for (const [typed, shown] of [
    ['Rent Café', 'A Rent (Café)'],
    ['Tea', 'Tea'],
    ['Rent Youth', 'A Rent (Youth work)'],
  ] as const) {
    await chooseLine(line, typed);
    assert.equal(await field.inputValue(), shown);
  }
  await page.fill('[name=contact]', 'Ann');
  await page.click('.actions [value=show]');
  assert.equal(await field.inputValue(), 'A Rent (Youth work)');
  await browser.leave(page);
});
