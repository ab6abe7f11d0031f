/**
 * A row as the OpenAPI document describes it, and as a push reads it: generated rows are accepted
 * by both or by neither, except for what the description of the schema lists.
 */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { checks } from '../../src/core/checks.js';
import { toMinor } from '../../src/core/money.ts';
import { explainRow, readRow, tidyRow } from '../../src/core/push.ts';
import { OPTIONAL_FIELDS } from '../../src/core/row-members.ts';
import { JOURNAL_MARKS, VOID_MARKS } from '../../src/core/transactions.ts';
import { Random } from '../core/random.ts';
import { randomRow } from '../core/random-rows.ts';
import { DOCUMENT } from './example-world.ts';
import { OpenApiChecker } from './openapi-check.ts';

const PLACES = 2;
const SCHEMA = { $ref: '#/components/schemas/PushRow' };
const ROWS = (() => {
  const random = new Random(20260131);
  return Array.from({ length: 8_000 }, () => randomRow(random));
})();

const checker = new OpenApiChecker(DOCUMENT, true);
const isDescribed = (row: unknown) => checker.findSchemaFaults(SCHEMA, row).length === 0;
const isRead = (row: unknown) => readRow(row, { places: PLACES }).row !== undefined;

describe('a generated row', () => {
  test('is valid about as often as not, in each of the ways that this test compares', () => {
    const counts = { read: 0, described: 0, both: 0 };
    for (const row of ROWS) {
      const [read, described] = [isRead(row), isDescribed(row)];
      counts.read += Number(read);
      counts.described += Number(described);
      counts.both += Number(read && described);
    }
    for (const count of Object.values(counts)) {
      assert.ok(count > ROWS.length / 10 && count < (ROWS.length * 9) / 10, JSON.stringify(counts));
    }
    assert.ok(counts.both < counts.read && counts.both < counts.described);
  });

  test('has errors exactly if its check fails or its amount does not fit', () => {
    for (const row of ROWS) {
      const tidy = tidyRow(row);
      const isRight = checks.PushRow(tidy) && typeof toMinor(tidy.amount, PLACES) === 'number';
      assert.equal(explainRow(tidy, PLACES).length === 0, isRight, show(row));
      const hasRightOthers = !isMarked(row) && typeof (row['currency'] ?? '') === 'string';
      assert.equal(isRead(row), isRight && hasRightOthers, show(row));
    }
  });

  test('is read if it is as described, but for its amount and marks', () => {
    for (const row of ROWS) {
      if (!isDescribed(row) || isRead(row)) continue;
      assert.ok(!hasFittingAmount(row) || isMarked(row), show(row));
    }
  });

  test('is as described if it is read, once its texts are trimmed', () => {
    for (const row of ROWS) if (isRead(row)) assert.ok(isDescribed(trimmed(row)), show(row));
  });
});

test('half of a surrogate pair is refused by the description too, and a pair is not', () => {
  const row = { externalId: 'a', date: '2026-01-31', description: 'x', amount: 1 };
  for (const name of ['externalId', 'description', ...OPTIONAL_FIELDS]) {
    assert.equal(isDescribed({ ...row, [name]: 'x\ud83d\ude00' }), true, name);
    assert.equal(isDescribed({ ...row, [name]: 'x\ud83d' }), false, name);
    assert.equal(isDescribed({ ...row, [name]: '\ude00x' }), false, name);
  }
});

describe('the description of PushRow', () => {
  const { description } = DOCUMENT.components.schemas['PushRow'] ?? {};
  const marks = [...JOURNAL_MARKS, ...VOID_MARKS].map((mark) => `\`${mark}\``);
  for (const words of ['is trimmed first', 'decimal places of the currency', ...marks]) {
    test(`says what its schema cannot: ${words}`, () => {
      assert.ok(String(description).includes(words));
    });
  }
});

function hasFittingAmount(row: Readonly<Record<string, unknown>>): boolean {
  const { amount } = row;
  return typeof amount === 'number' && typeof toMinor(amount, PLACES) === 'number';
}

/** Whether it has a mark of a journal line, or of a payment that is no more but has an amount. */
function isMarked(row: Readonly<Record<string, unknown>>): boolean {
  return (
    JOURNAL_MARKS.some((mark) => (row[mark] ?? null) !== null) ||
    (row['amount'] !== 0 && VOID_MARKS.some((mark) => row[mark] === true))
  );
}

function trimmed(row: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const texts = ['description', ...OPTIONAL_FIELDS].flatMap((name) => {
    const value = row[name];
    return typeof value === 'string' ? [[name, value.trim().replace(/\r\n?/g, '\n')]] : [];
  });
  return { ...row, ...Object.fromEntries(texts) };
}

function show(row: unknown): string {
  return JSON.stringify(row).slice(0, 500);
}
