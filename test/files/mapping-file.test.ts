import assert from 'node:assert/strict';
import { test } from 'node:test';
import { explainInput } from '../../src/core/input-errors.ts';
import { checks } from '../../src/files/checks.js';
import { MappingDocument } from '../../src/files/inputs.ts';
import { readMapping } from '../../src/files/mapping/mapping-file.ts';
import { MappingError } from '../../src/files/problems.ts';
import { ENCODINGS } from '../../src/files/text/encodings.ts';
import { NEGATIVE_FORMS } from '../../src/files/values/amount-writing.ts';
import { DECIMAL_SIGNS, THOUSANDS_SIGNS } from '../../src/files/values/decimals.ts';
import { Random } from '../core/random.ts';
import { mappingOf, TEXTS } from './readings.ts';

const COLUMNS = ['Datum', 'Trans No', '#3', 'Größe: "x"', 'a=b', '-', 'true', '__proto__'];
const WORDS = ['', 'S', 'H', 'CR', 'Money out', '−'];
const FORMATS = ['YYYY-MM-DD', 'DD/MM/YYYY', 'D. MMM YY@hr', 'DDMM@2016', 'ddd D MMM YYYY HH:mm'];

/** Any document of a mapping file, without the white space that reading removes. */
function anyDocument(random: Random): unknown {
  const maybe = <Value>(value: Value) => (random.once(2) ? value : undefined);
  const guard = { column: random.pick(COLUMNS), is: random.pick(COLUMNS) };
  const document = {
    encoding: maybe(random.pick([...ENCODINGS, 'latin1'])),
    delimiter: maybe(random.pick([',', ';', 'tab', '\t', '|', ' '])),
    decimal: maybe(random.pick(DECIMAL_SIGNS)),
    thousands: maybe(random.pick(THOUSANDS_SIGNS)),
    headerless: maybe({ columns: random.whole(1, 10_000), skipLines: random.whole(0, 10_000) }),
    fewestValues: maybe(random.whole(1, 10_000)),
    header: maybe(some(random, COLUMNS)),
    currency: maybe(guard),
    status: maybe({ column: guard.column, is: some(random, WORDS) }),
    fields: {
      externalId: anyOf(random, [column(random), { made: some(random, COLUMNS) }]),
      date: anyOf(random, [
        column(random),
        { column: column(random), format: random.pick(FORMATS) },
      ]),
      contact: maybe(anyText(random)),
      description: anyText(random),
      amount: anyAmount(random),
      accountCode: random.once(2) ? null : maybe(column(random)),
    },
    notRows: maybe(some(random, WORDS).map((word) => anyNotRow(random, word))),
  };
  return JSON.parse(JSON.stringify(document));
}

function some<Value>(random: Random, values: readonly Value[]): Value[] {
  return Array.from({ length: random.whole(1, 3) }, () => random.pick(values));
}

function anyOf(random: Random, values: readonly unknown[]): unknown {
  return random.pick(values);
}

function column(random: Random): string {
  return random.pick(COLUMNS);
}

function anyText(random: Random): unknown {
  return anyOf(random, [column(random), { columns: some(random, COLUMNS) }]);
}

function anyAmount(random: Random): unknown {
  const [out, into] = [some(random, WORDS), some(random, WORDS)];
  const side = () => anyOf(random, [column(random), { column: column(random), negate: true }]);
  const shape = random.pick<object>([
    { column: column(random), negate: random.once(2) },
    { column: column(random), indicator: { out, in: into } },
    { column: column(random), indicator: { column: column(random), out, in: random.pick(WORDS) } },
    { out: side(), in: side() },
  ]);
  const negative = random.once(2) ? some(random, NEGATIVE_FORMS) : undefined;
  return { ...shape, negative, currency: random.once(2) ? '£' : undefined };
}

function anyNotRow(random: Random, word: string): unknown {
  return anyOf(random, [
    { begins: word === '' ? 'Total' : word },
    { sum: true },
    { text: true },
    { column: column(random), is: word },
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
    const document = spoil(random, anyDocument(random));
    const errors = explainInput(MappingDocument, document);
    const text = JSON.stringify(document);
    assert.equal(checks.MappingDocument(document), errors.length === 0, text);
    for (const { message } of errors) assert.match(message, /^(?:must |has no ")./, text);
    wrong += errors.length === 0 ? 0 : 1;
  }
  assert.ok(wrong > 300 && wrong < 990, String(wrong));
});

test('8 a mapping means what its file says, apart from white space around names', async () => {
  for (let seed = 1; seed <= 2000; seed += 1) {
    const document = anyDocument(new Random(seed));
    const text = JSON.stringify(document);
    assert.deepEqual(await readMapping(JSON.parse(text)), document, `seed ${seed}: ${text}`);
    const spaced = JSON.stringify(document, (name, value) => {
      return SPACED.has(name) && typeof value === 'string' && value ? ` ${value}\t` : value;
    });
    assert.deepEqual(await readMapping(JSON.parse(spaced)), document, `seed ${seed}: ${spaced}`);
  }
});

const SPACED = new Set(['column', 'begins', 'is', 'externalId', 'description', 'contact']);

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
