/** The table of fields in contract 6, one line per case. Members are JSON text, as sent. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { PushAnswer, RejectedPush, TransactionList } from '../../src/api/contract.ts';
import { only, startApi } from './harness.ts';
import { PUSH } from './requests.ts';

const api = await startApi();

/** A row with these JSON texts as members; undefined omits the member. */
function rowText(externalId: string, members: Readonly<Record<string, string | undefined>>) {
  const all = {
    externalId: JSON.stringify(externalId),
    date: '"2026-01-15"',
    description: '"Rent"',
    amount: '12.5',
    ...members,
  };
  const parts = Object.entries(all).flatMap(([name, text]) => {
    return text === undefined ? [] : [`${JSON.stringify(name)}:${text}`];
  });
  return `{${parts.join()}}`;
}

const text = (value: string) => JSON.stringify(value);
const astral = (count: number) => text('😀'.repeat(count));
const letters = (count: number) => text('x'.repeat(count));

type Case = [name: string, members: Record<string, string | undefined>, errors: string[]];

const REJECTED: Case[] = [
  ['externalId absent', { externalId: undefined }, ['externalId required']],
  ['externalId null', { externalId: 'null' }, ['externalId required']],
  ['externalId a number', { externalId: '1' }, ['externalId invalid_type']],
  ['externalId true', { externalId: 'true' }, ['externalId invalid_type']],
  ['externalId a list', { externalId: '["x"]' }, ['externalId invalid_type']],
  ['externalId an object', { externalId: '{}' }, ['externalId invalid_type']],
  ['externalId empty', { externalId: '""' }, ['externalId blank']],
  ['externalId of spaces', { externalId: '"  \\u00a0\\u3000\\ufeff"' }, ['externalId blank']],
  ['externalId of 256', { externalId: letters(256) }, ['externalId too_long']],
  ['externalId of 256 astral', { externalId: astral(256) }, ['externalId too_long']],
  ['externalId with NUL', { externalId: '"a\\u0000b"' }, ['externalId invalid_characters']],
  ['externalId with tab', { externalId: '"a\\tb"' }, ['externalId invalid_characters']],
  ['externalId ending in newline', { externalId: '"a\\n"' }, ['externalId invalid_characters']],
  ['externalId with DEL', { externalId: '"a\\u007f"' }, ['externalId invalid_characters']],
  ['externalId with a C1 control', { externalId: '"\\u0085"' }, ['externalId invalid_characters']],
  ['externalId, half a pair', { externalId: '"a\\ud83d"' }, ['externalId invalid_characters']],
  ['externalId, other half', { externalId: '"\\ude00a"' }, ['externalId invalid_characters']],
  [
    'externalId wrong in two ways',
    { externalId: text(`\u0001${'x'.repeat(255)}`) },
    ['externalId invalid_characters', 'externalId too_long'],
  ],
  ['date absent', { date: undefined }, ['date required']],
  ['date null', { date: 'null' }, ['date required']],
  ['date a number', { date: '20260115' }, ['date invalid_type']],
  ['date a list', { date: '["2026-01-15"]' }, ['date invalid_type']],
  ['date empty', { date: '""' }, ['date invalid_date']],
  ['date blank', { date: '" "' }, ['date invalid_date']],
  ['date with spaces around it', { date: '" 2026-01-15 "' }, ['date invalid_date']],
  ['date, 30 February', { date: '"2024-02-30"' }, ['date invalid_date']],
  ['date, 29 February', { date: '"2025-02-29"' }, ['date invalid_date']],
  ['date, 29 February 2100', { date: '"2100-02-29"' }, ['date invalid_date']],
  ['date, 31 April', { date: '"2026-04-31"' }, ['date invalid_date']],
  ['date, day 0', { date: '"2026-01-00"' }, ['date invalid_date']],
  ['date, month 13', { date: '"2026-13-01"' }, ['date invalid_date']],
  ['date, month 0', { date: '"2026-00-01"' }, ['date invalid_date']],
  ['date before 1900', { date: '"1899-12-31"' }, ['date invalid_date']],
  ['date after 2199', { date: '"2200-01-01"' }, ['date invalid_date']],
  ['date unpadded', { date: '"2026-1-5"' }, ['date invalid_date']],
  ['date compact', { date: '"20260115"' }, ['date invalid_date']],
  ['date British', { date: '"15/01/2026"' }, ['date invalid_date']],
  ['date-time', { date: '"2026-01-15T00:00:00Z"' }, ['date invalid_date']],
  ['date with newline', { date: '"2026-01-15\\n"' }, ['date invalid_date']],
  ['date in other digits', { date: '"２０２６-01-15"' }, ['date invalid_date']],
  ['date with a sign', { date: '"+2026-01-15"' }, ['date invalid_date']],
  ['description absent', { description: undefined }, ['description required']],
  ['description null', { description: 'null' }, ['description required']],
  ['description a number', { description: '5' }, ['description invalid_type']],
  ['description empty', { description: '""' }, ['description blank']],
  ['description of white space', { description: '" \\t\\r\\n\\u2003"' }, ['description blank']],
  ['description of 1001', { description: letters(1001) }, ['description too_long']],
  ['description of 1001 astral', { description: astral(1001) }, ['description too_long']],
  ['description with NUL', { description: '"a\\u0000"' }, ['description invalid_characters']],
  ['description with ESC', { description: '"a\\u001b[0m"' }, ['description invalid_characters']],
  ['description with \\v', { description: '"a\\u000bb"' }, ['description invalid_characters']],
  ['description with NEL', { description: '"a\\u0085b"' }, ['description invalid_characters']],
  ['description, half a pair', { description: '"\\udfff"' }, ['description invalid_characters']],
  ['contact a number', { contact: '5' }, ['contact invalid_type']],
  ['contact false', { contact: 'false' }, ['contact invalid_type']],
  ['contact an object', { contact: '{"name":"x"}' }, ['contact invalid_type']],
  ['contact of 256', { contact: letters(256) }, ['contact too_long']],
  ['contact of 256 astral', { contact: astral(256) }, ['contact too_long']],
  ['contact with newline inside', { contact: '"a\\nb"' }, ['contact invalid_characters']],
  ['contact with tab inside', { contact: '"a\\tb"' }, ['contact invalid_characters']],
  ['contact, half a pair', { contact: '"\\ud800"' }, ['contact invalid_characters']],
  ['accountCode a number', { accountCode: '7100' }, ['accountCode invalid_type']],
  ['accountCode a list', { accountCode: '[]' }, ['accountCode invalid_type']],
  ['accountCode of 65', { accountCode: letters(65) }, ['accountCode too_long']],
  ['accountCode of 65 astral', { accountCode: astral(65) }, ['accountCode too_long']],
  ['accountCode with NUL', { accountCode: '"\\u0000"' }, ['accountCode invalid_characters']],
  ['accountCode, half a pair', { accountCode: '"\\ud800"' }, ['accountCode invalid_characters']],
  ['amount absent', { amount: undefined }, ['amount required']],
  ['amount null', { amount: 'null' }, ['amount required']],
  ['amount a text', { amount: '"12.50"' }, ['amount invalid_type']],
  ['amount true', { amount: 'true' }, ['amount invalid_type']],
  ['amount a list', { amount: '[1]' }, ['amount invalid_type']],
  ['amount an object', { amount: '{}' }, ['amount invalid_type']],
  ['amount 1.005', { amount: '1.005' }, ['amount amount_precision']],
  ['amount 0.001', { amount: '0.001' }, ['amount amount_precision']],
  ['amount -0.009', { amount: '-0.009' }, ['amount amount_precision']],
  ['amount 1e-4', { amount: '1e-4' }, ['amount amount_precision']],
  ['amount 1e-5 of a penny off', { amount: '12.5000001' }, ['amount amount_precision']],
  ['amount 1e-5 of a penny below', { amount: '12.4999999' }, ['amount amount_precision']],
  ['amount a penny too large', { amount: '10000000000' }, ['amount amount_out_of_range']],
  ['amount too small', { amount: '-10000000000' }, ['amount amount_out_of_range']],
  ['amount too large and odd', { amount: '9999999999.991' }, ['amount amount_out_of_range']],
  ['amount far too large, odd', { amount: '123456789012.345' }, ['amount amount_out_of_range']],
  ['amount 1e21', { amount: '1e21' }, ['amount amount_out_of_range']],
  ['amount 1e308', { amount: '-1e308' }, ['amount amount_out_of_range']],
  ['amount 1e400', { amount: '1e400' }, ['amount amount_out_of_range']],
  ['amount -1e400', { amount: '-1e400' }, ['amount amount_out_of_range']],
  ['debit', { debit: '1' }, ['debit journal_line']],
  ['credit 0', { credit: '0' }, ['credit journal_line']],
  ['journalId empty', { journalId: '""' }, ['journalId journal_line']],
  ['journalNumber', { journalNumber: '"J1"' }, ['journalNumber journal_line']],
  ['journalLines empty', { journalLines: '[]' }, ['journalLines journal_line']],
  ['lines false', { lines: 'false' }, ['lines journal_line']],
  ['debit and credit', { debit: '1', credit: '1' }, ['credit journal_line', 'debit journal_line']],
  [
    'every field',
    {
      externalId: '1',
      date: '"x"',
      description: '""',
      contact: '1',
      accountCode: '1',
      amount: '"1"',
      lines: '[]',
    },
    [
      'accountCode invalid_type',
      'amount invalid_type',
      'contact invalid_type',
      'date invalid_date',
      'description blank',
      'externalId invalid_type',
      'lines journal_line',
    ],
  ],
  [
    'only an unknown member',
    {
      externalId: undefined,
      date: undefined,
      description: undefined,
      amount: undefined,
      rate: '1',
    },
    ['amount required', 'date required', 'description required', 'externalId required'],
  ],
  [
    'members inherited through __proto__',
    { date: undefined, amount: undefined, ['__proto__']: '{"amount":1,"date":"2026-01-15"}' },
    ['amount required', 'date required'],
  ],
];

describe('6 a row is rejected with all its errors, and not stored:', () => {
  for (const [name, members, errors] of REJECTED) {
    test(`${name}: ${errors.join(', ')}`, async () => {
      const body = `{"rows":[${rowText('R-1', members)}]}`;
      const answer = await api.ask({ target: PUSH, body });
      assert.equal(answer.status, 422);
      const result = only((answer.document as RejectedPush).data);
      assert.ok('errors' in result);
      const found = result.errors.map(({ field, code }) => `${field} ${code}`);
      assert.deepEqual(found.sort(), errors);
      const sent: unknown = JSON.parse(body).rows[0].externalId;
      assert.equal(result.externalId, typeof sent === 'string' ? sent : null);
    });
  }

  for (const value of ['null', '1', '"row"', 'true', '[]', '[{}]']) {
    test(`${value}: not_an_object`, async () => {
      const answer = await api.ask({ target: PUSH, body: `{"rows":[${value}]}` });
      const result = only((answer.document as RejectedPush).data);
      assert.ok('errors' in result);
      const { field, code } = only(result.errors);
      assert.deepEqual([result.externalId, field, code], [null, null, 'not_an_object']);
    });
  }

  test('none of them is stored', async () => {
    assert.deepEqual(await api.get(PUSH), { data: [], meta: { nextCursor: null } });
  });
});

type Taken = [name: string, members: Record<string, string | undefined>, shown: object];

const TAKEN: Taken[] = [
  ['contact and accountCode absent', {}, { contact: null, accountCode: null }],
  ['contact and accountCode null', { contact: 'null', accountCode: 'null' }, { contact: null }],
  ['contact empty', { contact: '""', accountCode: '""' }, { contact: null, accountCode: null }],
  ['contact of white space', { contact: '" \\u00a0\\n"', accountCode: '"\\t"' }, { contact: null }],
  ['contact padded', { contact: '"\\n ACME \\t"' }, { contact: 'ACME' }],
  ['accountCode padded', { accountCode: '"  0071  "' }, { accountCode: '0071' }],
  ['contact of 255 and padding', { contact: text(`  ${'x'.repeat(255)} `) }, {}],
  ['contact of 255 astral', { contact: astral(255) }, { contact: '😀'.repeat(255) }],
  ['accountCode of 64 astral', { accountCode: astral(64) }, { accountCode: '😀'.repeat(64) }],
  ['zero width space is not white space', { contact: '"\\u200b"' }, { contact: '\u200b' }],
  ['description padded', { description: '" \\ufeffRent\\u3000 "' }, { description: 'Rent' }],
  ['description of 1000 astral', { description: astral(1000) }, { description: '😀'.repeat(1000) }],
  ['description of 1000, padded', { description: text(` ${'x'.repeat(1000)} `) }, {}],
  ['description, line ends', { description: '"a\\r\\nb\\rc\\nd"' }, { description: 'a\nb\nc\nd' }],
  ['description with tab', { description: '"a\\tb"' }, { description: 'a\tb' }],
  ['description, CRLF counts once', { description: text(`a${'\r\n'.repeat(998)}b`) }, {}],
  [
    'description with markup and quotes',
    { description: '"<b>&\\"\'"' },
    { description: '<b>&"\'' },
  ],
  [
    'description decomposed is unchanged',
    { description: '"e\\u0301"' },
    { description: 'e\u0301' },
  ],
  ['first day', { date: '"1900-01-01"' }, { date: '1900-01-01' }],
  ['last day', { date: '"2199-12-31"' }, { date: '2199-12-31' }],
  ['leap day', { date: '"2000-02-29"' }, { date: '2000-02-29' }],
  ['amount 0', { amount: '0' }, { amount: 0 }],
  ['amount -0', { amount: '-0' }, { amount: 0 }],
  ['amount 0.1 + 0.2', { amount: '0.30000000000000004' }, { amount: 0.3 }],
  ['amount 1.15 * 100 / 100', { amount: '1.1499999999999999' }, { amount: 1.15 }],
  ['amount noise below', { amount: '12.499999999' }, { amount: 12.5 }],
  ['amount noise above', { amount: '12.500000001' }, { amount: 12.5 }],
  ['amount noise around 0', { amount: '-1e-12' }, { amount: 0 }],
  ['amount with an exponent', { amount: '1.25e1' }, { amount: 12.5 }],
  ['amount with zeros', { amount: '12.5000000000000000000' }, { amount: 12.5 }],
  ['amount largest', { amount: '9999999999.99' }, { amount: 9999999999.99 }],
  ['amount smallest', { amount: '-9999999999.99' }, { amount: -9999999999.99 }],
  ['journal members that are null', { debit: 'null', lines: 'null', journalId: 'null' }, {}],
  [
    'a repeated date, of which the last counts',
    { date: '"x","date":"2026-02-03"' },
    { date: '2026-02-03' },
  ],
];

describe('6 a row is accepted, and shown as in the contract:', () => {
  for (const [index, [name, members, shown]] of TAKEN.entries()) {
    test(name, async () => {
      const externalId = `T-${index}`;
      const answer = await api.ask({
        target: PUSH,
        body: `{"rows":[${rowText(externalId, members)}]}`,
      });
      assert.equal(answer.status, 200, `${answer.body}`);
      const result = only((answer.document as PushAnswer).data);
      assert.ok('warnings' in result);
      assert.deepEqual(result.warnings, []);
      const { data } = await api.get<TransactionList>(`${PUSH}?externalId=${externalId}`);
      const found = only(data);
      assert.deepEqual({ ...found, ...shown }, found);
    });
  }

  const names = [
    'x',
    ' x',
    'x ',
    'X',
    'e\u0301',
    'é',
    '😀'.repeat(255),
    "';--",
    '../%2e',
    '0',
    '-',
  ];
  test('an externalId is stored unchanged, byte for byte', async () => {
    const rows = names.map((name) => JSON.parse(rowText(name, {})));
    const { data } = await api.push(rows);
    assert.deepEqual(
      data.map(({ status, externalId }) => [status, externalId]),
      names.map((name) => ['created', name]),
    );
    for (const name of names) {
      const target = `${PUSH}?externalId=${encodeURIComponent(name)}`;
      assert.equal(only((await api.get<TransactionList>(target)).data).externalId, name);
    }
  });
});

describe('6 warnings', () => {
  const warningsOf = async (body: string) => {
    const answer = await api.ask({ target: PUSH, body: `{"rows":[${body}]}` });
    const result = (answer.document as PushAnswer).data.at(-1);
    assert.ok(result !== undefined && 'warnings' in result);
    return result.warnings.map(({ field, code }) => `${field} ${code}`);
  };

  test('an unknown member is accepted with unknown_field', async () => {
    const members = {
      vatRate: '20',
      ExternalId: '"x"',
      ['__proto__']: '{"debit":1}',
      debit: 'null',
    };
    assert.deepEqual(await warningsOf(rowText('W-1', members)), [
      'vatRate unknown_field',
      'ExternalId unknown_field',
      '__proto__ unknown_field',
    ]);
  });

  test('there are at most 20 per row, with duplicate_in_batch first', async () => {
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`m${at}`, 'null']));
    const body = rowText('W-2', many);
    assert.equal((await warningsOf(body)).length, 20);
    const twice = await warningsOf(`${body},${body}`);
    assert.equal(twice.length, 20);
    assert.deepEqual(twice.slice(0, 2), ['externalId duplicate_in_batch', 'm0 unknown_field']);
  });
});
