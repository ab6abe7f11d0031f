import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readRow } from '../../src/core/push.ts';
import { rawDataOf, readRawData } from '../../src/core/raw-data.ts';
import { Random } from './random.ts';
import { randomRow } from './random-rows.ts';

/** What is kept of a valid row, and what it is read as. */
function keep(sent: unknown, places = 2): { rawData: string; read: string | undefined } {
  const { row, sent: object } = accept(sent, places);
  const rawData = rawDataOf(object, row, places);
  return { rawData, read: readRawData(rawData, row, places) };
}

function accept(sent: unknown, places: number) {
  const reading = readRow(sent, { places });
  if (reading.row === undefined) assert.fail(JSON.stringify(reading.errors));
  return reading;
}

const RENT = { externalId: 'INV-1', date: '2026-01-31', description: 'Rent', amount: 12.5 };

describe('6 raw data', () => {
  const layouts: [json: string, layout: string][] = [
    ['{"externalId":"1","date":"2026-01-31","description":"Rent","amount":5}', 'idtm'],
    ['{"amount":-0,"description":"a\\tb","date":"2026-01-31","externalId":" 1 "}', 'mtdi'],
    [
      '{"externalId":"1","date":"2026-01-31","description":"é\\u2028😀","contact":null,' +
        '"amount":1e2}',
      'idtcm',
    ],
    [
      '{"accountCode":"4000","externalId":"1","contact":"A","date":"2026-01-31",' +
        '"description":"Rent","amount":9999999999.99}',
      'aicdtm',
    ],
  ];
  for (const [json, layout] of layouts) {
    it(`6 is the layout ${layout} for ${json}`, () => {
      const sent: unknown = JSON.parse(json);
      assert.deepEqual(keep(sent), { rawData: layout, read: JSON.stringify(sent) });
    });
  }

  const others: [what: string, change: string][] = [
    ['an unknown member', '"memo":1'],
    ['a member of a journal line', '"debit":null'],
    ['__proto__', '"__proto__":{"contact":"A"}'],
    ['toJSON', '"toJSON":null'],
    ['white space around a text', '"description":" Rent"'],
    ['another line end', '"description":"a\\r\\nb"'],
    ['a contact of only white space', '"contact":" "'],
    ['an empty account code', '"accountCode":""'],
    ['noise in an amount', '"amount":0.30000000000000004'],
  ];
  for (const [what, change] of others) {
    it(`6 is JSON because of ${what}`, () => {
      const sent: unknown = JSON.parse(`${JSON.stringify(RENT).slice(0, -1)},${change}}`);
      const json = JSON.stringify(sent);
      assert.deepEqual(keep(sent), { rawData: json, read: json });
    });
  }

  it('6 is JSON for what only a program can push', () => {
    class Row {
      readonly #memo = 'kept';
      toJSON() {
        return { ...this, memo: this.#memo };
      }
    }
    for (const sent of [
      { ...RENT, contact: undefined },
      Object.assign(new Row(), RENT),
      Object.assign(Object.create({ contact: 'Ann' }), RENT),
      Object.assign(Object.create(null), RENT),
    ]) {
      const json = JSON.stringify(sent);
      assert.deepEqual(keep(sent), { rawData: json, read: json });
    }
  });

  it('6 can be read again from the transaction, to the byte, for generated rows', () => {
    const random = new Random(20260131);
    const counts = { layout: 0, json: 0 };
    for (let count = 0; count < 20_000; count += 1) {
      const places = random.whole(0, 4);
      const members = Object.entries(randomRow(random));
      if (random.once(2)) members.sort(() => random.fraction() - 0.5);
      const row = Object.fromEntries(members);
      const sent: unknown = random.once(4) ? row : JSON.parse(JSON.stringify(row));
      if (readRow(sent, { places }).row === undefined) continue;
      const { rawData, read } = keep(sent, places);
      assert.equal(read, JSON.stringify(sent));
      counts[rawData.startsWith('{') ? 'json' : 'layout'] += 1;
    }
    assert.ok(counts.layout > 300 && counts.json > 500, JSON.stringify(counts));
  });

  it('6 is not read if it does not fit its transaction', () => {
    const { row } = accept({ ...RENT, contact: 'Ann' }, 2);
    for (const wrong of ['', 'idt', 'idtm', 'idtmcc', 'idtmcx', 'idtmc ', '[]', '12']) {
      assert.equal(readRawData(wrong, row, 2), undefined, wrong);
    }
    assert.equal(readRawData('idtmc', row, 2), JSON.stringify({ ...RENT, contact: 'Ann' }));
  });
});
