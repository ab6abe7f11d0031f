import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NEGATIVE_FORMS } from '../../src/rows/amount-writing.ts';
import { readDateFormat } from '../../src/rows/date-formats.ts';
import { DECIMAL_SIGNS, THOUSANDS_SIGNS } from '../../src/rows/decimals.ts';
import { ENCODINGS } from '../../src/rows/encodings.ts';
import {
  type AmountRule,
  type AmountShape,
  type FieldRule,
  type Mapping,
  type NotRowRule,
  ruleOf,
} from '../../src/rows/mapping.ts';
import { readMapping, writeMapping } from '../../src/rows/mapping-file.ts';
import { Random } from '../core/random.ts';

const COLUMNS = ['Datum', 'Trans No', '#3', 'Größe: "x"', 'a=b', '-', 'true', '__proto__'];
const WORDS = ['', 'S', 'H', 'CR', 'Money out', '−'];
const FORMATS = ['YYYY-MM-DD', 'DD/MM/YYYY', 'D. MMM YY@hr', 'DDMM@2016', 'ddd D MMM YYYY HH:mm'];

/** Any mapping that a file can express. */
function anyMapping(random: Random): Mapping {
  const maybe = <Value>(value: Value) => (random.once(2) ? value : undefined);
  const guard = { column: random.pick(COLUMNS), is: random.pick(COLUMNS) };
  return {
    encoding: maybe(random.pick(ENCODINGS)),
    delimiter: maybe(random.pick([',', ';', '\t', '|', ' '])),
    decimal: maybe(random.pick(DECIMAL_SIGNS)),
    thousands: maybe(random.pick(THOUSANDS_SIGNS)),
    headerless: maybe({ columns: random.whole(1, 10_000), skipLines: random.whole(0, 10_000) }),
    currency: maybe(guard),
    status: maybe({ column: guard.column, is: some(random, WORDS) }),
    fields: {
      externalId: anyId(random),
      date: anyDate(random),
      ...(random.once(2) ? { contact: anyText(random) } : {}),
      description: anyText(random),
      amount: anyAmount(random),
    },
    notRows: some(random, ['', ...WORDS]).map((word) => anyNotRow(random, word)),
  };
}

function some<Value>(random: Random, values: readonly Value[]): Value[] {
  return Array.from({ length: random.whole(1, 3) }, () => random.pick(values));
}

/** A column of its own, or made from several. */
function anyId(random: Random): FieldRule {
  if (random.once(2)) return ruleOf('externalId', [random.pick(COLUMNS)]);
  return { ...ruleOf('externalId', some(random, COLUMNS)), isMade: true };
}

function anyText(random: Random): FieldRule {
  return ruleOf('description', some(random, COLUMNS));
}

function anyDate(random: Random): FieldRule {
  const format = readDateFormat(random.pick(FORMATS));
  assert.ok(format);
  return { ...ruleOf('date', [random.pick(COLUMNS)]), format };
}

function anyAmount(random: Random): FieldRule {
  const shape = random.pick<AmountShape>([
    { kind: 'signed', isTurned: random.once(2) },
    { kind: 'indicator', isInCell: true, out: some(random, WORDS), in: some(random, WORDS) },
    { kind: 'indicator', isInCell: false, out: some(random, WORDS), in: some(random, WORDS) },
    { kind: 'two', isOutTurned: random.once(2), isInTurned: random.once(2) },
  ]);
  const isOne = shape.kind === 'signed' || (shape.kind === 'indicator' && shape.isInCell);
  const columns = [random.pick(COLUMNS), ...(isOne ? [] : [random.pick(COLUMNS)])];
  const amount: AmountRule = {
    shape,
    ...(random.once(2) ? { negative: some(random, NEGATIVE_FORMS) } : {}),
    ...(random.once(2) ? { currency: random.pick(['£', 'EUR']) } : {}),
  };
  return { ...ruleOf('amount', columns), amount };
}

function anyNotRow(random: Random, word: string): NotRowRule {
  return random.pick<NotRowRule>([
    { begins: word === '' ? 'Total' : word },
    { sum: true },
    { text: true },
    { column: random.pick(COLUMNS), is: word },
  ]);
}

/** A mapping without the functions of its date format, and without absent members. */
function plain(mapping: Mapping): unknown {
  return JSON.parse(JSON.stringify(mapping));
}

test('8 a mapping that is written and read again is the same, and so is its text', () => {
  for (let seed = 1; seed <= 2000; seed += 1) {
    const mapping = anyMapping(new Random(seed));
    const text = JSON.stringify(writeMapping(mapping));
    const again = readMapping(JSON.parse(text));
    assert.deepEqual(plain(again), plain(mapping), `seed ${seed}: ${text}`);
    assert.equal(JSON.stringify(writeMapping(again)), text, `seed ${seed}`);
  }
});

test('8 a mapping is written as a person would write it', () => {
  const format = readDateFormat('DD/MM/YYYY');
  assert.ok(format);
  const mapping: Mapping = {
    delimiter: '\t',
    decimal: ',',
    fields: {
      externalId: { ...ruleOf('externalId', ['a', 'b']), isMade: true },
      date: { ...ruleOf('date', ['d']), format },
      description: ruleOf('description', ['t']),
      contact: ruleOf('contact', ['c', 'e']),
      amount: ruleOf('amount', ['s']),
    },
  };
  assert.deepEqual(writeMapping(mapping), {
    delimiter: 'tab',
    decimal: ',',
    fields: {
      externalId: { made: ['a', 'b'] },
      date: { column: 'd', format: 'DD/MM/YYYY' },
      description: 't',
      contact: { columns: ['c', 'e'] },
      amount: 's',
    },
  });
});
