/** Lines that are called the same, and more lines than a page lists, in a browser. */

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { formatId } from '../../src/core/ids.ts';
import { listTransactionAllocations } from '../../src/operations/allocations.ts';
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
  await Promise.all([page.waitForEvent('load'), page.click('.actions [value=show]')]);
  assert.equal(await field.inputValue(), 'A Rent (Youth work)');
  await browser.leave(page);
});

it('with more lines than a page lists, fields still find them', { skip }, async (test) => {
  const { access, service, url } = await openDesk(test, 'owner');
  for (const [name, year] of [['Large', 2026] as const, ['Past', 2025] as const]) {
    const budgetLines = Array.from({ length: 400 }, (_, at) => {
      return { code: `${name[0]}${1000 + at}`, name: `Costs of thing ${at}` };
    });
    const days = { startDate: `${year}-01-01`, endDate: `${year}-12-31` };
    importProjects(access, { name, ...days, budgetLines }, service.actor());
  }
  const faults: string[] = [];
  const page = await (await openChromium()).signIn(url, {}, faults);
  const linesOf = (number: number) =>
    listTransactionAllocations(access, formatId('txn', number)).items.map(
      ({ lineCode }) => lineCode,
    );
  const options = page.locator('.choices:not([hidden]) li');
  await page.goto(`${url}/transactions?tab=open`);
  await page.locator('[data-day]').first().fill('thing 37');
  await options.first().waitFor();
  assert.deepEqual((await options.allInnerTexts()).slice(0, 2), [
    'L1037 Costs of thing 37',
    'L1370 Costs of thing 370',
  ]);
  await page.keyboard.press('Enter');
  await page.waitForURL(/done=/);
  assert.match(await page.innerText('.flash'), /allocated to L1037 Costs of thing 37/);

  await page.goto(`${url}/transactions?tab=open&open=${formatId('txn', 1)}`);
  const field = page.getByRole('combobox', { name: 'Budget line 1' });
  await field.click();
  await page.locator('text=And 102 more: type a part of the code or name').waitFor();
  await field.fill('399');
  await page.keyboard.press('Enter');
  await page.fill('#amount-0', '40');
  await Promise.all([page.waitForEvent('load'), page.click('text=Add a line')]);
  const second = page.getByRole('combobox', { name: 'Budget line 2' });
  await second.fill('thing 398');
  await options.first().waitFor();
  await second.press('Enter');
  await page.click('[value=save]');
  await page.waitForURL(/done=/);
  assert.deepEqual(linesOf(1), ['L1399', 'L1398']);
  assert.deepEqual(faults, []);
  await page.context().close();
});

it('a list of lines with long words is in the window, in each field', { skip }, async (test) => {
  const { access, service, url } = await openDesk(test, 'owner');
  const days = { startDate: '2026-01-01', endDate: '2026-12-31' };
  const name = 'Payments of the city council to housing associations 2026';
  const budgetLines = [{ code: 'D3415', name: `Stamp Duty and Fees ${'x'.repeat(60)}` }];
  importProjects(access, { name, ...days, budgetLines }, service.actor());
  const browser = await openChromium();
  for (const width of [1280, 320]) {
    const page = await browser.signIn(url, { viewport: { width, height: 700 } }, []);
    for (const [path, field] of [
      ['/transactions?tab=open', '[data-day]'],
      ['/transactions?tab=open', '#line'],
      [`/transactions?open=${formatId('txn', 1)}`, '#line-0'],
      ['/rules/new', '#line-0'],
    ] as const) {
      await page.goto(url + path);
      await page.locator(field).first().click();
      const box = await page.locator('.choices:not([hidden])').boundingBox();
      const { x = -1, width: own = 0 } = box ?? {};
      assert.ok(x >= 0 && x + own <= width, `${width}, ${path}: ${x}, ${own}`);
      const wide = await page.evaluate('document.documentElement.scrollWidth');
      assert.equal(wide, width, path);
    }
    await browser.leave(page);
  }
});
