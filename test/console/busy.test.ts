import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { it, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { openDatabase } from '../../src/database/database.ts';
import { folderFor } from '../store/workshop.ts';
import { fieldsOf, push, textOf } from './desk.ts';
import { follow, openImport } from './importing.ts';
import { markOf } from './office.ts';

const FILE = `Date,Transaction ID,Supplier Name,Description,Money out
${Array.from({ length: 700 }, (_, at) => `21/04/2026,T${at},Ann,Rent,12.50\n`).join('')}`;

/** Longer than a request waits for another process. */
const HELD_MS = 700;

/** A console on a file that another process can hold. */
async function openShared(test: TestContext) {
  const database = join(folderFor(test), 'budgetd.db');
  const office = await openImport(test, { database, create: true, exclusive: true });
  const other = openDatabase({ file: database, create: false, busyTimeoutMs: 1000 });
  test.after(() => other.close());
  /** Sends a form while the other process writes, and follows where it leads. */
  const send = async (path: string, fields: Readonly<Record<string, string>>) => {
    other.exec('begin immediate');
    const sent = office.browser.send(path, fields);
    await delay(HELD_MS / 4);
    const { status } = await office.browser.get('/healthz');
    assert.equal(status, 200, 'others do not wait for the other process');
    await delay(HELD_MS);
    other.exec('rollback');
    return follow(office.browser, await sent);
  };
  return { ...office, send, database, other };
}

it('an import waits while another process writes', async (test) => {
  const { choose, send } = await openShared(test);
  const { path, page } = await choose('april.csv', FILE);
  const done = await send(path, { form: markOf(page.text) });
  assert.match(textOf(done.text), /700 transactions imported/);
});

it('an import has no rejected rows before its end, and none of a lost file stay', async (test) => {
  const { browser, choose, database, other } = await openShared(test);
  const refused = Array.from({ length: 60 }, () => '31/02/2026,X,Ann,Rent,12.50\n').join('');
  const { path, page } = await choose('april.csv', FILE + refused);
  assert.match((await browser.get(`${path}/rejected`)).text, /31\/02\/2026/);
  other.exec('begin immediate');
  const sent = browser.send(path, { form: markOf(page.text) });
  let during = await browser.get(`${path}/rejected`);
  for (let at = 0; at < 100 && during.status === 200; at += 1) {
    during = await browser.get(`${path}/rejected`);
  }
  assert.deepEqual([during.status, during.location], [303, path]);
  for (const name of ['2.csv', '3.csv', '4.csv']) await browser.upload(name, FILE);
  assert.equal((await browser.get(path)).status, 404);
  other.exec('rollback');
  await sent;
  const activity = await browser.get('/activity?kind=pushes');
  assert.match(textOf(activity.text), /Imported april\.csv ?: 700 new/);
  const left = readdirSync(`${database}-uploads`).map((name) => name.split('.')[1]);
  assert.deepEqual(left, ['held', 'held', 'held']);
});

it('a change of several and a run of the rules wait while another process writes', async (test) => {
  const office = await openShared(test);
  const { browser, send } = office;
  const rows = Array.from({ length: 300 }, (_, at) => ({
    ...{ externalId: `R${at}`, date: '2026-01-09', description: 'Rent' },
    ...{ amount: 1, accountCode: '7500' },
  }));
  push(office, rows);
  const run = await browser.get('/rules/run?only=code');
  const fields = { ...fieldsOf(run.text, '/rules/run'), rule: 'code~301' };
  const allocated = await send('/rules/run', fields);
  assert.match(textOf(allocated.text), /301 transactions allocated/);
  const look = await browser.get('/transactions/bulk?do=clear&scope=all&filters=');
  const apply = '/transactions/bulk/apply';
  const cleared = await send(apply, fieldsOf(look.text, apply));
  assert.match(textOf(cleared.text), /301 transactions cleared/);
});
