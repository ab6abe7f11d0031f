import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { guardWrites } from '../../src/database/database.ts';
import { fieldsOf, textOf } from './desk.ts';
import { follow, openImport } from './importing.ts';
import { markOf } from './office.ts';

const ROWS = 500;
const FILE = `Date,Transaction ID,Supplier Name,Description,Money out
${Array.from({ length: ROWS }, (_, at) => `21/04/2026,T${at},Ann,Rent,12.50\n`).join('')}`;

/** Imports a file up to a full disk, which then has room again. */
async function stop(test: TestContext) {
  const { browser, choose, access } = await openImport(test);
  const stored = () =>
    access.db
      .prepare(`SELECT status, count(*) FROM transactions WHERE provider = 'csv'
      GROUP BY status`)
      .raw()
      .all();
  const { path, page } = await choose('april.csv', FILE);
  assert.match(page.text, /Import 500 transactions/);
  let writes = 0;
  guardWrites(access.db, () => {
    // The second step finds the disk full.
    const pages = Number(access.db.pragma('page_count', { simple: true }));
    if (++writes > 1) access.db.pragma(`max_page_count = ${pages}`);
  });
  const stopped = await follow(browser, await browser.send(path, { form: markOf(page.text) }));
  assert.equal(stopped.status, 503);
  assert.match(textOf(stopped.text), /The import stopped After about \d+ rows: .*disk.* The/);
  const [[status, count] = []] = stored() as [string, number][];
  assert.equal(status, 'unallocated');
  assert.ok(Number(count) > 0 && Number(count) < ROWS, String(count));
  guardWrites(access.db, () => {});
  access.db.pragma('max_page_count = 1000000');
  const [, way = ''] =
    /href="([^"]*)">Activity</.exec(stopped.text.split('The import stopped')[1] ?? '') ?? [];
  assert.match((await browser.get(way)).text, new RegExp(`Exclude ${count} new transactions`));
  return { browser, choose, stored, path, stopped, first: Number(count) };
}

it('an import that stops half-way can be continued, and be taken back whole', async (test) => {
  const { browser, stored, path, stopped, first } = await stop(test);
  const [, link = ''] = /href="(\/import\/[^"]*)">Look again/.exec(stopped.text) ?? [];
  const again = await browser.get(link);
  const rest = ROWS - first;
  assert.match(again.text, new RegExp(`Import ${rest} transactions`));
  const done = await follow(browser, await browser.send(path, { form: markOf(again.text) }));
  assert.match(done.text, new RegExp(`<h1>${rest} transactions imported`));
  assert.match(textOf(done.text), new RegExp(`${first} were stored already`));
  assert.match(textOf(done.text), /Exclude 500 new transactions\?/);
  assert.doesNotMatch(textOf(done.text), /stored before this import/);
  const undone = await browser.send('/undo', fieldsOf(done.text, '/undo'));
  assert.match((await follow(browser, undone)).text, /500 transactions excluded\./);
  assert.deepEqual(stored(), [['excluded', ROWS]]);
});

it('an import of a file that was stored in part before says what it takes back', async (test) => {
  const { browser, choose, stored, first } = await stop(test);
  const { path, page } = await choose('april.csv', FILE);
  const done = await follow(browser, await browser.send(path, { form: markOf(page.text) }));
  const rest = ROWS - first;
  assert.match(textOf(done.text), new RegExp(`Exclude ${rest} new transactions`));
  assert.match(
    textOf(done.text),
    /Transactions that were stored before this import stay: exclude those in Act/,
  );
  await browser.send('/undo', fieldsOf(done.text, '/undo'));
  assert.deepEqual(stored(), [
    ['excluded', rest],
    ['unallocated', first],
  ]);
});

it('pages that read a file in several ways leave one file of rejected rows', async (test) => {
  const { browser, send } = await openImport(test);
  const rows = Array.from({ length: 1_500 }, (_, at) => {
    return `${at % 3 === 0 ? 'x'.repeat(300) : 'T'}${at},2026-04-21,Rent,12.50\n`;
  });
  const text = `externalId,date,description,amount\n${rows.join('')}`;
  const { location } = await send('april.csv', text);
  const way = `${location}?money-out=negative&row=all`;
  const pages = await Promise.all(
    Array.from({ length: 4 }, async (_, at) => {
      await delay(60 * at);
      return browser.get(at % 2 === 0 ? `${way}&again=1` : way);
    }),
  );
  assert.ok(pages.some(({ status }) => status === 422));
  for (const { status, text: shown } of pages) {
    if (status === 422)
      assert.match(shown, /another page is now reading this file with other answers/);
    else assert.equal(status, 200);
  }
  const last = await browser.get(way);
  assert.match(last.text, /Import 1,?000 transactions/);
  const { text: rejected } = await browser.get(`${location}/rejected`);
  assert.match(rejected, /^externalId,date,description,amount,line,code,reason\r?\nx+0,/);
  assert.equal(rejected.trim().split('\n').length, 501);
});
