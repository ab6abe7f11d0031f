/** From the first link to the first undo, in a browser, with the script and without it. */

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { createService } from '../../src/index.ts';
import { createSetUpLink } from '../../src/operations/links.ts';
import { type Chromium, chooseLine, skip } from './chromium.ts';
import { PASSWORD } from './office.ts';
import { openChromium } from './shared-chromium.ts';

const ROWS = [
  { externalId: 'INV-1', date: '2026-03-04', description: 'Rent', contact: 'Ann', amount: 120 },
  { externalId: 'INV-2', date: '2026-04-05', description: 'Heat', contact: 'Bob', amount: 45.5 },
];

describe('the whole path in a browser', { skip }, () => {
  let browser: Chromium;
  before(async () => {
    browser = await openChromium();
  });

  for (const javaScriptEnabled of [true, false]) {
    it(`from the first link to undo, script: ${javaScriptEnabled}`, async (test) => {
      const service = await createService({ database: ':memory:' });
      test.after(() => service.close());
      const { url } = await service.listen({ port: 0 });
      const token = createSetUpLink(service.source, service.actor());
      const faults: string[] = [];
      const page = await browser.open({ javaScriptEnabled, locale: 'en-GB' }, faults);

      await page.goto(`${url}/set-up?token=${token}`);
      await page.fill('[name=name]', 'Riverside Trust');
      await page.selectOption('[name=currency]', 'GBP');
      await page.fill('[name=email]', 'owner@example.org');
      await page.fill('[name=password]', PASSWORD);
      await page.click('main button');
      assert.match(await page.innerText('header'), /Riverside Trust/);

      // Whoever has to sign in comes to the page that was asked for.
      await page.context().clearCookies();
      await page.goto(`${url}/projects/new`);
      await page.fill('[name=email]', 'owner@example.org');
      await page.fill('[name=password]', PASSWORD);
      await page.click('main button');

      await page.fill('[name=name]', 'Youth work');
      await page.fill('[name=startDate]', '2026-01-01');
      await page.fill('[name=endDate]', '2026-06-30');
      await page.click('main button.primary');
      await addLine(page, 'Rent', '7500');
      await addLine(page, 'Heat', '7600');
      await page.locator('input.cell').nth(2).fill('100');
      await page.locator('input.cell').nth(9).fill('1,050.50');
      await page.click('text=Save project');
      assert.match(await page.innerText('.flash'), /Youth work is saved/);
      const report = new URL(page.url()).pathname;

      await page.goto(`${url}/settings/keys/new`);
      await page.fill('[name=name]', 'ERP');
      for (const box of await page.locator('input[type=checkbox]').all()) await box.check();
      await page.click('main form button.primary');
      const key = await page.innerText('#secret');
      const push = async (rows: readonly object[]) => {
        const answer = await fetch(`${url}/api/v1/transactions`, {
          method: 'POST',
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          body: JSON.stringify({ rows }),
        });
        assert.equal(answer.status, 200);
      };
      await push(ROWS);

      await page.goto(`${url}/transactions?tab=open`);
      await page.click('.what a >> text=Ann');
      const line = page.locator('.split-form [name=line]');
      await chooseLine(line.first(), 'Rent');
      await page.locator('.split-form [name=amount]').first().fill('100');
      await page.click('text=Add a line');
      await chooseLine(line.nth(1), 'Heat');
      await page.click('.split-form button.primary');
      assert.match(await page.innerText('.flash'), /allocated/);

      await push([{ ...ROWS[0], amount: 240 }]);
      await page.goto(`${url}/review`);
      assert.match(await page.innerText('main'), /240\.00/);
      await page.click('text=Settle and next');
      assert.match(await page.innerText('.flash'), /is settled/);

      await page.goto(url + report);
      const sheet = await page.innerText('table.report');
      assert.match(sheet, /Heat\t1,051\t40\t.*Rent\t100\t200\t100\nover/s);

      await page.goto(`${url}/transactions?tab=open`);
      await page.locator('tbody [name=id]').first().check();
      await chooseLine(page.locator('.bulk [name=line]'), 'Heat');
      await page.click('button[value=allocate]');
      assert.match(await page.innerText('.flash'), /1 transaction/);
      await page.click('.flash button');
      assert.match(await page.innerText('.flash'), /1 transaction is as before/);
      await page.goto(`${url}/transactions?tab=open`);
      assert.match(await page.innerText('tbody'), /Bob/);
      assert.deepEqual(faults, []);
      await page.context().close();
    });
  }
});

async function addLine(page: Page, name: string, code: string): Promise<void> {
  await page.click('text=Save and add an expense line');
  await page.fill('[name=name]', name);
  await page.fill('[name=accountCodes]', code);
  await page.click('text=Save line');
}
