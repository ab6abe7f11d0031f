/** How many statements a page runs: a page of many rows reads together what its rows have. */

import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import { importYear } from '../library/house.ts';
import { addUser, Browser, openOffice } from './office.ts';

const ROWS = 50;

it('a page of 50 transactions runs at most 10 statements', async (t) => {
  const office = await openOffice(t);
  importYear(office);
  await addUser(office, 'member');
  const browser = await Browser.of(office, 'member@example.org');
  const rows = Array.from({ length: ROWS }, (_, at) => ({
    externalId: `INV-${at}`,
    date: '2026-01-31',
    description: 'Rent',
    accountCode: at % 2 === 0 ? 'A' : 'B',
    amount: 1,
  }));
  office.service.transactions.push(office.org, rows);
  await office.service.transactions.allocateByAccountCode(office.org);
  const texts = countStatements(t, office.service.access(office.org).db);
  const page = await browser.get('/transactions');
  assert.equal(
    [...page.text.matchAll(/<td role="cell" class="lines"><bdi>[AB] Line/g)].length,
    ROWS,
  );
  assert.ok(texts.length <= 10, texts.join('\n'));
});

/** The texts of all statements that read or write from now on, until the test ends. */
function countStatements(
  test: TestContext,
  db: { prepare(text: string): object },
): readonly string[] {
  const texts: string[] = [];
  const methods = Object.getPrototypeOf(db.prepare('select 1'));
  for (const name of ['get', 'all', 'run', 'iterate']) {
    const own = methods[name];
    methods[name] = function (this: { source: string }, ...values: unknown[]) {
      if (!/^(?:begin|commit)/i.test(this.source)) texts.push(this.source);
      return own.apply(this, values);
    };
    test.after(() => {
      methods[name] = own;
    });
  }
  return texts;
}
