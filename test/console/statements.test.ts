/** How many statements a page runs: a page of many rows reads together what its rows have. */

import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import { importYear } from '../library/house.ts';
import { fieldsOf } from './desk.ts';
import { addUser, Browser, openOffice } from './office.ts';
import { countStatements } from './statements.ts';

const ROWS = 50;
/** Of them on a page of the list. */
const ON_PAGE = 40;

/** An organisation with 50 allocated transactions, and the statements of each page. */
async function openRows(t: TestContext) {
  const office = await openOffice(t);
  const { a } = importYear(office);
  await addUser(office, 'member');
  const browser = await Browser.of(office, 'member@example.org');
  const push = (amount: number) => {
    const rows = Array.from({ length: ROWS }, (_, at) => ({
      externalId: `INV-${at}`,
      date: '2026-01-31',
      description: 'Rent',
      accountCode: at % 2 === 0 ? 'A' : 'B',
      amount,
    }));
    office.service.transactions.push(office.org, rows);
  };
  push(1);
  await office.service.transactions.allocateByAccountCode(office.org);
  // Runs nothing in between.
  await office.service.finishRules();
  return {
    service: office.service,
    push,
    browser,
    line: a,
    texts: countStatements(t, office.service.access(office.org).db),
  };
}

it('a page of the transactions runs at most 10 statements', async (t) => {
  const { browser, texts } = await openRows(t);
  const page = await browser.get('/transactions');
  assert.equal(
    [...page.text.matchAll(/<td role="cell" class="lines"><bdi>[AB] Line/g)].length,
    ON_PAGE,
  );
  assert.ok(texts.length <= 10, texts.join('\n'));
});

it('a look at a change of 50 transactions runs no statement for each of them', async (t) => {
  const { browser, line, texts } = await openRows(t);
  const page = await browser.get(`/transactions/bulk?do=allocate&scope=all&line=${line}`);
  assert.match(page.text, /<b>50 transactions<\/b>/);
  assert.ok(texts.length <= 15, texts.join('\n'));
});

it('a review runs no statement for each transaction that waits', async (t) => {
  const { browser, service, push, texts } = await openRows(t);
  push(2);
  await service.finishRules();
  texts.length = 0;
  const page = await browser.get('/review');
  assert.match(page.text, /1 of 50 to review/);
  assert.ok(texts.length <= 25, texts.join('\n'));
});

it('saving a grid writes amounts of lines that change, and nothing else of lines', async (t) => {
  const office = await openOffice(t);
  const { projectId, a } = importYear(office);
  await addUser(office, 'owner');
  const browser = await Browser.of(office, 'owner@example.org');
  const path = `/projects/${projectId}/edit`;
  const hidden = fieldsOf((await browser.get(path)).text, path);
  const details = { name: 'Shelter', startDate: '2026-01-01', endDate: '2026-12-31' };
  const texts = countStatements(t, office.service.access(office.org).db);
  const sent = await browser.send(path, { ...hidden, ...details, [`${a}.2026-01`]: '17' });
  assert.equal(sent.status, 303);
  assert.deepEqual(
    texts.flatMap((text) => /^(?:insert into|update|delete from) budget_\w+/.exec(text) ?? []),
    ['delete from budget_amounts', 'insert into budget_amounts'],
  );
});
