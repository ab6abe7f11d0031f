import assert from 'node:assert/strict';
import { join } from 'node:path';
import { it } from 'node:test';
import { Checkpoints } from '../../src/database/checkpoints.ts';
import { guardWrites } from '../../src/database/database.ts';
import { folderFor } from '../store/workshop.ts';
import { follow, openImport } from './importing.ts';
import { markOf } from './office.ts';

const ROWS = 8_000;
const FILE = `Date,Transaction ID,Supplier Name,Description,Money out
${Array.from({ length: ROWS }, (_, at) => `21/04/2026,T${at},Ann,Rent,12.50\n`).join('')}`;

/** A thread that takes long for each checkpoint, as on a slow disk. */
const SLOW = `import { parentPort } from 'node:worker_threads';
parentPort.on('message', () => setTimeout(() => parentPort.postMessage(null), 1000));`;

it('an import waits between its steps for the checkpoint that is being made', async (test) => {
  const { browser, choose, access } = await openImport(test, {
    database: join(folderFor(test), 'budgetd.db'),
    create: true,
  });
  const { path, page } = await choose('april.csv', FILE);
  const script = new URL(`data:text/javascript,${encodeURIComponent(SLOW)}`);
  const checkpoints = new Checkpoints(access.db, 'of no file', { pages: 200, script });
  test.after(() => checkpoints.close());
  let [begun, beside, seen, isBeingMade] = [0, 0, checkpoints.whenMade(), false];
  guardWrites(access.db, () => {
    if (isBeingMade) beside += 1;
    const made = checkpoints.whenMade();
    if (made === seen) return;
    [begun, seen, isBeingMade] = [begun + 1, made, true];
    made.then(() => {
      isBeingMade = false;
    });
  });
  let shown = await follow(browser, await browser.send(path, { form: markOf(page.text) }));
  while (shown.text.includes('so far.')) shown = await browser.get(path);
  assert.match(shown.text, /8,000 transactions imported/);
  assert.ok(begun > 0, 'a checkpoint was made');
  assert.equal(beside, 0, 'no write while one was made');
});
