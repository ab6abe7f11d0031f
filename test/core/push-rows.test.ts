import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  ROW_ERROR_CODES,
  ROW_WARNING_CODES,
  type RowError,
  readRow,
  shownExternalId,
  tidyRow,
} from '../../src/core/push.ts';
import type { ValidRow } from '../../src/core/row-members.ts';

/** Codes that other tests meet. */
const ELSEWHERE: readonly string[] = ['not_an_object', 'currency_mismatch', 'voided_row'];
const POUND = { code: 'GBP', places: 2 };
const HALF = '\ud83d';
const RIGHT = { externalId: 'INV-1', date: '2026-01-31', description: 'Rent', amount: 12.5 };
const READ: ValidRow = {
  externalId: 'INV-1',
  date: '2026-01-31',
  description: 'Rent',
  contact: null,
  accountCode: null,
  reference: null,
  bankAccount: null,
  projectCode: null,
  amountMinor: 1250,
};

describe('contract 6: rejected rows, with every error', () => {
  // A change to a valid row (undefined removes a member), and `field code` of each error.
  const cases: [change: object, errors: string][] = [
    [{ externalId: undefined }, 'externalId required'],
    [{ externalId: null }, 'externalId required'],
    [{ externalId: 7 }, 'externalId invalid_type'],
    [{ externalId: true }, 'externalId invalid_type'],
    [{ externalId: ['INV-1'] }, 'externalId invalid_type'],
    [{ externalId: {} }, 'externalId invalid_type'],
    [{ externalId: '' }, 'externalId blank'],
    [{ externalId: '   ' }, 'externalId blank'],
    [{ externalId: '\u00a0\u3000' }, 'externalId blank'],
    [{ externalId: '\t' }, 'externalId blank; externalId invalid_characters'],
    [{ externalId: 'x'.repeat(256) }, 'externalId too_long'],
    [{ externalId: ' '.repeat(256) }, 'externalId blank; externalId too_long'],
    [{ externalId: '😀'.repeat(256) }, 'externalId too_long'],
    [{ externalId: 'a\nb' }, 'externalId invalid_characters'],
    [{ externalId: 'a\u0000' }, 'externalId invalid_characters'],
    [{ externalId: 'a\u0085b' }, 'externalId invalid_characters'],
    [{ externalId: HALF }, 'externalId invalid_characters'],
    [
      { externalId: `${'x'.repeat(256)}\u0007` },
      'externalId too_long; externalId invalid_characters',
    ],
    [{ date: undefined }, 'date required'],
    [{ date: null }, 'date required'],
    [{ date: 20260131 }, 'date invalid_type'],
    [{ date: false }, 'date invalid_type'],
    [{ date: ['2026-01-31'] }, 'date invalid_type'],
    [{ date: '' }, 'date invalid_date'],
    [{ date: ' ' }, 'date invalid_date'],
    [{ date: '2026-02-30' }, 'date invalid_date'],
    [{ date: '2025-02-29' }, 'date invalid_date'],
    [{ date: '31/01/2026' }, 'date invalid_date'],
    [{ date: '2026-1-31' }, 'date invalid_date'],
    [{ date: '2026-01-31T00:00:00Z' }, 'date invalid_date'],
    [{ date: ' 2026-01-31' }, 'date invalid_date'],
    [{ date: '2026-01-31\n' }, 'date invalid_date'],
    [{ date: '1899-12-31' }, 'date invalid_date'],
    [{ date: '2200-01-01' }, 'date invalid_date'],
    [{ date: '0000-00-00' }, 'date invalid_date'],
    [{ description: undefined }, 'description required'],
    [{ description: null }, 'description required'],
    [{ description: 0 }, 'description invalid_type'],
    [{ description: {} }, 'description invalid_type'],
    [{ description: '' }, 'description blank'],
    [{ description: ' \t\r\n\v\f\ufeff' }, 'description blank'],
    [{ description: 'x'.repeat(1001) }, 'description too_long'],
    [{ description: '😀'.repeat(1001) }, 'description too_long'],
    [{ description: 'a\u0000b' }, 'description invalid_characters'],
    [{ description: 'a\vb' }, 'description invalid_characters'],
    [{ description: 'a\fb' }, 'description invalid_characters'],
    [{ description: 'a\u001bb' }, 'description invalid_characters'],
    [{ description: 'a\u007fb' }, 'description invalid_characters'],
    [{ description: 'a\u0085b' }, 'description invalid_characters'],
    [{ description: `Rent ${HALF}` }, 'description invalid_characters'],
    [
      { description: `${'x'.repeat(1001)}${HALF}` },
      'description too_long; description invalid_characters',
    ],
    [{ contact: 5 }, 'contact invalid_type'],
    [{ contact: false }, 'contact invalid_type'],
    [{ contact: [] }, 'contact invalid_type'],
    [{ contact: 'x'.repeat(256) }, 'contact too_long'],
    [{ contact: 'A\nB' }, 'contact invalid_characters'],
    [{ contact: 'A\tB' }, 'contact invalid_characters'],
    [{ contact: '\u0000' }, 'contact invalid_characters'],
    [{ contact: HALF }, 'contact invalid_characters'],
    [{ contact: `${HALF}${'x'.repeat(255)}` }, 'contact too_long; contact invalid_characters'],
    [{ accountCode: 3701 }, 'accountCode invalid_type'],
    [{ accountCode: {} }, 'accountCode invalid_type'],
    [{ accountCode: 'x'.repeat(65) }, 'accountCode too_long'],
    [{ accountCode: 'D\n3701' }, 'accountCode invalid_characters'],
    [{ accountCode: 'D\u009f' }, 'accountCode invalid_characters'],
    [{ accountCode: HALF }, 'accountCode invalid_characters'],
    [{ amount: undefined }, 'amount required'],
    [{ amount: null }, 'amount required'],
    [{ amount: '12.50' }, 'amount invalid_type'],
    [{ amount: '' }, 'amount invalid_type'],
    [{ amount: true }, 'amount invalid_type'],
    [{ amount: [12.5] }, 'amount invalid_type'],
    [{ amount: {} }, 'amount invalid_type'],
    [{ amount: 1.005 }, 'amount amount_precision'],
    [{ amount: 1e-7 }, 'amount amount_precision'],
    [{ amount: 9999999999.985 }, 'amount amount_precision'],
    [{ amount: 10000000000 }, 'amount amount_out_of_range'],
    [{ amount: -10000000000 }, 'amount amount_out_of_range'],
    [{ amount: 10000000000.001 }, 'amount amount_out_of_range'],
    [{ amount: 1e21 }, 'amount amount_out_of_range'],
    [JSON.parse('{ "amount": 1e400 }'), 'amount amount_out_of_range'],
    [JSON.parse('{ "amount": -1e400 }'), 'amount amount_out_of_range'],
    [{ debit: 12.5 }, 'debit journal_line'],
    [{ debit: 0 }, 'debit journal_line'],
    [{ debit: false }, 'debit journal_line'],
    [{ debit: '' }, 'debit journal_line'],
    [{ credit: 12.5 }, 'credit journal_line'],
    [{ journalId: 'J1' }, 'journalId journal_line'],
    [{ journalNumber: 1 }, 'journalNumber journal_line'],
    [{ journalLines: [] }, 'journalLines journal_line'],
    [{ lines: [{ amount: 1 }] }, 'lines journal_line'],
    [{ debit: 1, credit: 0 }, 'debit journal_line; credit journal_line'],
    [{ reference: 1 }, 'reference invalid_type'],
    [{ reference: 'x'.repeat(256) }, 'reference too_long'],
    [{ bankAccount: 'x'.repeat(65) }, 'bankAccount too_long'],
    [{ projectCode: 'a\tb' }, 'projectCode invalid_characters'],
    [
      { projectCode: `${'x'.repeat(65)}\u0007` },
      'projectCode too_long; projectCode invalid_characters',
    ],
    [
      { externalId: '', date: 'x', description: null, contact: 1, accountCode: 1, amount: '1' },
      'externalId blank; date invalid_date; description required; contact invalid_type; ' +
        'accountCode invalid_type; amount invalid_type',
    ],
  ];
  for (const [change, errors] of cases) {
    it(`6 ${show(change)}: ${errors}`, () => {
      const reading = readRow({ ...RIGHT, ...change }, POUND);
      assert.equal(reading.row, undefined);
      assert.deepEqual(
        codesOf(reading.row === undefined ? reading.errors : []),
        errors.split('; '),
      );
    });
  }

  for (const value of [null, 1, 'row', true, [], [RIGHT], undefined]) {
    it(`6 ${JSON.stringify(value)} is not an object, so the error has no field`, () => {
      const reading = readRow(value, POUND);
      assert.equal(reading.row, undefined);
      if (reading.row === undefined) {
        assert.deepEqual(
          reading.errors.map(({ field, code }) => [field, code]),
          [[null, 'not_an_object']],
        );
      }
    });
  }

  it('6 an empty object lacks all four required fields', () => {
    const reading = readRow({}, POUND);
    const wanted = ['externalId', 'date', 'description', 'amount'].map(
      (each) => `${each} required`,
    );
    assert.deepEqual(codesOf(reading.row === undefined ? reading.errors : []), wanted);
  });

  it('6 every message is a sentence', () => {
    for (const [change] of cases) {
      const reading = readRow({ ...RIGHT, ...change }, POUND);
      for (const { message } of reading.row === undefined ? reading.errors : []) {
        assert.match(message, /^.{10,}\.$/);
      }
    }
  });

  it('6 a date is rejected with the reason', () => {
    const about = (date: string) => {
      const reading = readRow({ ...RIGHT, date }, POUND);
      return reading.row === undefined ? reading.errors[0]?.message : '';
    };
    assert.equal(about('2026-02-29'), 'There is no 29 February 2026.');
    assert.equal(about('2200-01-01'), 'The year 2200 is not between 1900 and 2199.');
    assert.equal(about('1/2/26'), 'Write the date as YYYY-MM-DD, not "1/2/26".');
    assert.ok((about('x'.repeat(9999))?.length ?? 999) < 120);
  });

  it('6 an amount is rejected with the decimal places or the range of its currency', () => {
    const message = (amount: number, places: number) => {
      const reading = readRow({ ...RIGHT, amount }, { places });
      return reading.row === undefined ? reading.errors[0]?.message : '';
    };
    assert.match(message(1.005, 2) ?? '', /2 decimal places/);
    assert.match(message(1.0005, 3) ?? '', /3 decimal places/);
    assert.match(message(1e12, 2) ?? '', /-9999999999\.99 to 9999999999\.99/);
    assert.match(message(1e12, 0) ?? '', /-999999999999 to 999999999999/);
  });

  it('6 the cases above have every error code of the contract, but those of marks', () => {
    const met = cases.flatMap(([, errors]) => errors.split('; ').map((each) => each.split(' ')[1]));
    const wanted = ROW_ERROR_CODES.filter((code) => !ELSEWHERE.includes(code));
    assert.deepEqual([...new Set(met)].sort(), [...wanted].sort());
    const warnings = ['duplicate_in_batch', 'other_provider', 'other_key', 'recoded'];
    assert.deepEqual([...ROW_WARNING_CODES], [...warnings, 'unknown_field']);
  });

  it('6 a row has at most 20 errors', () => {
    const worst = {
      externalId: `${' '.repeat(256)}\t`,
      date: 1,
      description: `${'x'.repeat(1001)}\u0000`,
      contact: `${'x'.repeat(256)}\u0000`,
      accountCode: `${'x'.repeat(65)}\u0000`,
      amount: 1.005,
      ...Object.fromEntries(
        ['debit', 'credit', 'journalId', 'journalNumber', 'journalLines', 'lines'].map((mark) => [
          mark,
          1,
        ]),
      ),
    };
    const reading = readRow(worst, POUND);
    const codes = codesOf(reading.row === undefined ? reading.errors : []);
    assert.ok(codes.length <= 20);
    assert.equal(codes.length, 3 + 1 + 2 + 2 + 2 + 1 + 6);
  });
});

describe('contract 6: accepted rows, and how they are read', () => {
  const cases: [change: object, read: Partial<ValidRow>, why: string][] = [
    [{}, {}, 'a valid row'],
    [{ externalId: ' INV-1 ' }, { externalId: ' INV-1 ' }, 'externalId is not changed'],
    [{ externalId: 'x'.repeat(255) }, { externalId: 'x'.repeat(255) }, '255 characters'],
    [{ externalId: '😀'.repeat(255) }, { externalId: '😀'.repeat(255) }, '255 code points'],
    [{ externalId: 'é' }, { externalId: 'é' }, 'not normalised'],
    [{ externalId: 'e\u0301' }, { externalId: 'e\u0301' }, 'not composed'],
    [{ externalId: '__proto__' }, { externalId: '__proto__' }, 'a name of JavaScript'],
    [{ date: '2024-02-29' }, { date: '2024-02-29' }, 'a leap day'],
    [{ date: '1900-01-01' }, { date: '1900-01-01' }, 'the first date'],
    [{ date: '2199-12-31' }, { date: '2199-12-31' }, 'the last date'],
    [{ description: '  Rent \n' }, { description: 'Rent' }, 'white space around it is trimmed'],
    [
      { description: '\u000b\u00a0Rent\ufeff' },
      { description: 'Rent' },
      'all that String.trim removes',
    ],
    [{ description: 'a\r\nb\rc\nd' }, { description: 'a\nb\nc\nd' }, 'CRLF and CR become LF'],
    [{ description: 'a\r\r\nb' }, { description: 'a\n\nb' }, 'each CR and each CRLF'],
    [{ description: 'a\tb' }, { description: 'a\tb' }, 'tab and newline are allowed'],
    [
      { description: ` ${'x'.repeat(1000)} ` },
      { description: 'x'.repeat(1000) },
      'lengths are counted after trimming',
    ],
    [
      { description: 'x\r\n'.repeat(500).trimEnd() },
      { description: 'x\n'.repeat(500).trimEnd() },
      'and after CRLF becomes LF',
    ],
    [{ description: '😀'.repeat(1000) }, { description: '😀'.repeat(1000) }, '1000 code points'],
    [{ contact: null }, { contact: null }, 'null stays null'],
    [{ contact: undefined }, { contact: null }, 'absent means null'],
    [{ contact: '' }, { contact: null }, 'empty means null'],
    [{ contact: ' \t\r\n ' }, { contact: null }, 'white space means null, although a tab is Cc'],
    [{ contact: `\t${'x'.repeat(255)}\n` }, { contact: 'x'.repeat(255) }, 'trimmed, then counted'],
    [{ contact: ' Ann ' }, { contact: 'Ann' }, 'padding is removed'],
    [{ accountCode: 'D3701    ' }, { accountCode: 'D3701' }, 'a padded code'],
    [{ accountCode: '    ' }, { accountCode: null }, 'a blank code'],
    [{ accountCode: null }, { accountCode: null }, 'null stays null'],
    [{ accountCode: 'x'.repeat(64) }, { accountCode: 'x'.repeat(64) }, '64 characters'],
    [{ amount: 0 }, { amountMinor: 0 }, 'an amount of 0'],
    [{ amount: -0 }, { amountMinor: 0 }, 'minus zero'],
    [{ amount: -12.5 }, { amountMinor: -1250 }, 'money in'],
    [{ amount: 0.1 + 0.2 }, { amountMinor: 30 }, 'float noise'],
    [{ amount: 9999999999.99 }, { amountMinor: 999999999999 }, 'the largest'],
    [{ debit: null, credit: null, lines: null }, {}, 'journal members that are null are ignored'],
    [{ journalId: undefined }, {}, 'and undefined ones'],
    [
      { reference: ' R 1 ', bankAccount: 'B', projectCode: ' ' },
      { reference: 'R 1', bankAccount: 'B' },
      'texts are trimmed',
    ],
  ];
  for (const [change, read, why] of cases) {
    it(`6 ${show(change)}: ${why}`, () => {
      const sent = { ...RIGHT, ...change };
      const row = { ...READ, ...read };
      assert.deepEqual(readRow(sent, POUND), { row, sent, warnings: [] });
    });
  }

  it('6 the amount is in minor units of the currency', () => {
    const minor = (amount: number, places: number) => readRow({ ...RIGHT, amount }, { places }).row;
    assert.equal(minor(1500, 0)?.amountMinor, 1500);
    assert.equal(minor(1.5, 0), undefined);
    assert.equal(minor(1.005, 3)?.amountMinor, 1005);
    assert.equal(minor(1.0005, 4)?.amountMinor, 10005);
  });
});

describe('contract 6: inherited and unknown members', () => {
  it('6 a value inherited through __proto__ is ignored', () => {
    const inherited: unknown = JSON.parse(`{ "__proto__": ${JSON.stringify(RIGHT)} }`);
    const heir: unknown = Object.assign(Object.create(RIGHT), { externalId: 'INV-1' });
    for (const row of [inherited, heir]) {
      const reading = readRow(row, POUND);
      assert.equal(reading.row, undefined);
      const codes = codesOf(reading.row === undefined ? reading.errors : []);
      assert.ok(codes.includes('amount required'));
    }
  });

  it('6 so is one that every object inherits; a row without a prototype is valid', () => {
    const row = Object.assign(Object.create(null), RIGHT);
    assert.deepEqual(readRow(row, POUND), { row: READ, sent: row, warnings: [] });
  });

  it('6 an inherited journal member is ignored', () => {
    const row = Object.assign(Object.create({ debit: 1 }), RIGHT);
    assert.deepEqual(readRow(row, POUND), { row: READ, sent: row, warnings: [] });
  });

  it('6 an unknown member gives a warning with its name', () => {
    const row: unknown = JSON.parse(
      JSON.stringify(RIGHT).replace('{', '{ "memo": null, "__proto__": 1, "Amount": 2, "": 3, '),
    );
    const reading = readRow(row, POUND);
    assert.deepEqual(reading.row, READ);
    const warnings = reading.row === undefined ? [] : reading.warnings;
    assert.deepEqual(
      warnings.map(({ field, code }) => [field, code]),
      ['memo', '__proto__', 'Amount', ''].map((field) => [field, 'unknown_field']),
    );
  });

  it('6 a warning has the start of a long name of an unknown member', () => {
    const reading = readRow({ ...RIGHT, ['x'.repeat(1e6)]: 1 }, POUND);
    const warnings = reading.row === undefined ? [] : reading.warnings;
    assert.deepEqual(
      warnings.map(({ field }) => field),
      [`${'x'.repeat(99)}…`],
    );
  });

  it('6 a row has at most 20 warnings', () => {
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`m${index}`, 1]));
    const reading = readRow({ ...many, ...RIGHT }, POUND);
    assert.equal(reading.row === undefined ? 0 : reading.warnings.length, 20);
  });

  it('6 of a row with a thousand members only those of a transaction are copied', () => {
    const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`m${index}`, 1]));
    assert.deepEqual(tidyRow({ ...many, ...RIGHT, description: ' Rent ' }), RIGHT);
  });

  it('6 a rejected row has errors but no warnings', () => {
    const reading = readRow({ ...RIGHT, memo: 1, amount: null }, POUND);
    assert.deepEqual(Object.keys(reading), ['errors']);
  });

  it('6 the result has the externalId of the row if it is a string, else null', () => {
    const shown: [row: unknown, wanted: string | null][] = [
      [{ externalId: 'INV-1' }, 'INV-1'],
      [{ externalId: '' }, ''],
      [{ externalId: '\u0000' }, '\u0000'],
      [{ externalId: 'x'.repeat(300) }, 'x'.repeat(300)],
      [{ externalId: 7 }, null],
      [{ externalId: null }, null],
      [{}, null],
      [Object.create({ externalId: 'inherited' }), null],
      [null, null],
      [undefined, null],
      ['INV-1', null],
      [[], null],
    ];
    for (const [row, wanted] of shown) assert.equal(shownExternalId(row), wanted);
  });
});

function codesOf(errors: readonly RowError[]): string[] {
  return errors.map(({ field, code }) => `${field} ${code}`);
}

function show(change: object): string {
  const text = JSON.stringify(change, (_, value) => {
    if (value === undefined) return 'absent';
    return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value;
  });
  return text.length > 60 ? `${text.slice(0, 40)}… (${text.length})` : text;
}
