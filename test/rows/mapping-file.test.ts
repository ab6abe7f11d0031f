import assert from 'node:assert/strict';
import { test } from 'node:test';
import { explainInput } from '../../src/core/input-errors.ts';
import { NEGATIVE_FORMS } from '../../src/rows/amount-writing.ts';
import { checks } from '../../src/rows/checks.js';
import { readDateFormat } from '../../src/rows/date-formats.ts';
import { DECIMAL_SIGNS, THOUSANDS_SIGNS } from '../../src/rows/decimals.ts';
import { ENCODINGS } from '../../src/rows/encodings.ts';
import { MappingDocument } from '../../src/rows/inputs.ts';
import {
  type AmountRule,
  type AmountShape,
  type FieldRule,
  type Mapping,
  type NotRowRule,
  ruleOf,
} from '../../src/rows/mapping.ts';
import { readMapping, writeMapping } from '../../src/rows/mapping-file.ts';
import { MappingError } from '../../src/rows/problems.ts';
import { Random } from '../core/random.ts';
import { mappingOf, TEXTS } from './readings.ts';

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

const JUNK: readonly unknown[] = [0, -1, 1.5, '', ' ', 'x', true, null, [], ['x', 1], {}, { x: 1 }];

/** Any document that is nearly a mapping: one of its values is another, missing or surplus. */
function spoil(random: Random, document: unknown): unknown {
  const part = typeof document === 'object' && document !== null ? Object.entries(document) : [];
  if (part.length === 0 || random.once(6)) return random.pick(JUNK);
  const [name, value] = random.pick(part);
  if (Array.isArray(document)) {
    return document.map((each, at) => (at === Number(name) ? spoil(random, value) : each));
  }
  if (random.once(6)) return Object.fromEntries(part.filter(([own]) => own !== name));
  if (random.once(6)) return { ...Object.fromEntries(part), [random.pick(EXTRA)]: 'x' };
  return { ...Object.fromEntries(part), [name]: spoil(random, value) };
}

const EXTRA = ['charset', 'column', 'negate', 'made', 'constructor'];

test('8 the check of a mapping file and what explains a wrong one always agree', () => {
  const random = new Random(8);
  let wrong = 0;
  for (let turn = 0; turn < 1000; turn += 1) {
    const document = spoil(random, JSON.parse(JSON.stringify(writeMapping(anyMapping(random)))));
    const errors = explainInput(MappingDocument, document);
    const text = JSON.stringify(document);
    assert.equal(checks.MappingDocument(document), errors.length === 0, text);
    for (const { message } of errors) assert.match(message, /^(?:must |has no ")./, text);
    wrong += errors.length === 0 ? 0 : 1;
  }
  assert.ok(wrong > 300 && wrong < 990, String(wrong));
});

/** A mapping without the functions of its date format, and without absent members. */
function plain(mapping: Mapping): unknown {
  return JSON.parse(JSON.stringify(mapping));
}

test('8 a mapping that is written and read again is the same, and so is its text', async () => {
  for (let seed = 1; seed <= 2000; seed += 1) {
    const mapping = anyMapping(new Random(seed));
    const text = JSON.stringify(writeMapping(mapping));
    const again = await readMapping(JSON.parse(text));
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

const WRONG: readonly [name: string, document: unknown, says: RegExp][] = [
  [
    'no column at all',
    { fields: { ...TEXTS, amount: {} } },
    /must name its column, or one for "out"/,
  ],
  ['out alone', { fields: { amount: { out: 'a' } } }, /one for "out" and one for "in"/],
  ['a column and two', { fields: { amount: { column: 'a', out: 'b', in: 'c' } } }, /must name its/],
  [
    'an indicator and negate',
    { fields: { amount: { column: 'a', negate: true, indicator: { out: 'S', in: 'H' } } } },
    /use either indicator or negate/,
  ],
  [
    'half an indicator',
    { fields: { amount: { column: 'a', indicator: { out: 'S' } } } },
    /indicator\.in/,
  ],
  [
    'another form',
    { fields: { amount: { column: 'a', negative: 'red' } } },
    /list some of: trailing minus, brack/,
  ],
  ['made of nothing', { fields: { externalId: { made: [] } } }, /must not be empty/],
  ['made elsewhere', { fields: { contact: { made: ['a'] } } }, /only externalId has made/],
  [
    'a rule of two kinds',
    { fields: {}, notRows: [{ begins: 'a', sum: true }] },
    /each must be \{"begins"/,
  ],
  ['no thousands sign', { fields: {}, thousands: '_' }, /thousands must be \. or ,/],
  ['no columns', { fields: {}, headerless: { columns: 0 } }, /columns must be a whole number/],
  ['a currency without a column', { fields: {}, currency: { is: 'EUR' } }, /currency\.column/],
];

for (const [name, document, says] of WRONG) {
  test(`8 a mapping file is refused: ${name}`, async () => {
    await assert.rejects(mappingOf(document), (error) => {
      assert.ok(error instanceof MappingError, String(error));
      assert.match(error.message, says);
      return true;
    });
  });
}
