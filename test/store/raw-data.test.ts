import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Failure } from '../../src/core/failures.ts';
import { readId } from '../../src/core/ids.ts';
import { readRawData } from '../../src/core/raw-data.ts';
import { changeAll } from '../../src/store/acts.ts';
import { undoing } from '../../src/store/undo.ts';
import { Random } from '../core/random.ts';
import { randomRow } from '../core/random-rows.ts';
import { fillHashes } from './fill-hashes.ts';
import { excludeTransaction, resolveReview, restoreTransaction } from './single-changes.ts';
import { row, START_MS, Workshop } from './workshop.ts';

/** The JSON that the raw data of a transaction means. */
function readRaw(shop: Workshop, id: number): string {
  const { externalId, ...transaction } = shop.transaction(id);
  assert.ok(externalId !== null);
  const rawData = String(shop.hidden(id)['raw_data']);
  const { places } = shop.organisation.currency;
  return readRawData(rawData, { externalId, ...transaction }, places) ?? assert.fail(rawData);
}

describe('contract 6: raw data, the last accepted row as it was sent', () => {
  const rawOf = (shop: Workshop) => JSON.parse(readRaw(shop, 1));

  it('6 includes spaces and unknown fields', () => {
    const shop = new Workshop();
    const sent: unknown = JSON.parse(
      '{ "externalId": "INV-1", "date": "2026-01-31", "description": "  Rent ", "amount": 1.50, ' +
        '"memo": { "deep": [1, null] }, "__proto__": { "x": 1 }, "debit": null }',
    );
    shop.push([sent]);
    assert.deepEqual(JSON.stringify(rawOf(shop)), JSON.stringify(sent));
  });

  it('6 is replaced by the next accepted row, even if no returned field changes', () => {
    const shop = new Workshop();
    shop.push([row({ memo: 1 })]);
    shop.nowMs += 5;
    shop.push([row({ memo: 2 })]);
    assert.equal(rawOf(shop).memo, 2);
    assert.equal(shop.transaction(1).updatedAtMs, START_MS);
    shop.push([row({ memo: 3, amount: null })]);
    assert.equal(rawOf(shop).memo, 2);
    shop.push([row({ memo: 4, amount: 5 }), row({ memo: 5, amount: 5 })]);
    assert.equal(rawOf(shop).memo, 5);
  });

  it('6 is the layout of the row where the transaction tells the rest', () => {
    const shop = new Workshop();
    const [line = 0] = shop.project();
    const write = 'update transactions set raw_data = \'{ "a": 1 }\'';
    const rawData = () => shop.hidden(1)['raw_data'];
    shop.allocate(shop.pushOne({}), [[line, 10_000]]);
    assert.equal(rawData(), 'idtm');
    shop.nowMs += 5;
    shop.push([row({ contact: null })]);
    assert.equal(rawData(), 'idtmc');
    shop.push([row({ contact: null, amount: 7, date: '2026-02-02' })]);
    assert.equal(rawData(), 'idtmc');
    // As another program would write it.
    shop.db.exec(write);
    fillHashes(shop.db);
    const before = shop.transaction(1);
    shop.push([row({ contact: null, amount: 7, date: '2026-02-02' })]);
    assert.equal(rawData(), 'idtmc');
    assert.deepEqual(shop.transaction(1), before);
    shop.check();
  });

  it('6 can be read after any pushes and changes, to the byte', () => {
    const random = new Random(20260131);
    const shop = new Workshop();
    const [line = 0] = shop.project();
    const sent = new Map<string, string>();
    for (let count = 0; count < 300; count += 1) {
      const batch = Array.from({ length: random.whole(1, 6) }, () => {
        const externalId = random.pick(['A', 'B', 'C', 'D']);
        const contact = random.pick([null, 'Ann', ' Ann']);
        return { ...randomRow(random), ...(random.once(2) && { contact }), externalId };
      });
      for (const [index, result] of shop.push(batch).results.entries()) {
        if (result.status !== 'rejected' && result.id !== null) {
          sent.set(result.id, JSON.stringify(batch[index]));
        }
      }
      shop.nowMs += 1;
      for (const [id, json] of sent) {
        const transactionId = readId('txn', id) ?? 0;
        assert.equal(readRaw(shop, transactionId), json);
        changeSomehow(shop, random, transactionId, line);
        assert.equal(readRaw(shop, transactionId), json);
      }
    }
    shop.check();
    assert.equal(sent.size, 4);
  });
});

/** Allocates, reviews, excludes, restores or undoes, if that is possible. */
function changeSomehow(shop: Workshop, random: Random, transactionId: number, line: number): void {
  const target = { transactionId };
  const { amountMinor, updatedAtMs } = shop.transaction(transactionId);
  const resolution = random.pick(['keep', 'rescale', 'clear'] as const);
  const change = random.pick([
    () => shop.allocate(transactionId, [[line, Math.sign(amountMinor)]]),
    () => resolveReview(shop, { ...target, resolution }, shop.actor()),
    () => excludeTransaction(shop, { ...target, reason: 'Twice' }, shop.actor()),
    () => restoreTransaction(shop, target, shop.actor()),
    () => changeAll(shop, undoing(shop, updatedAtMs), shop.actor()),
  ]);
  try {
    change();
  } catch (error) {
    assert.ok(error instanceof Failure, String(error));
  }
}
