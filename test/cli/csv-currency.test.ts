/** The currency that a file states, and its effect. */

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { readWrittenAmount } from '../../src/rows/amount-writing.ts';
import { currencyOfName } from '../../src/rows/currency-signs.ts';
import { inspectBytes } from './dialects/reading.ts';
import { Terminal } from './terminal.ts';

const NAMES: readonly [name: string, currency: string | undefined][] = [
  ['Betrag (EUR)', 'EUR'],
  ['Amount GBP', 'GBP'],
  ['Débit en CHF', 'CHF'],
  ['Betrag in EUR', 'EUR'],
  ['AMOUNT_USD', 'USD'],
  ['USD Amount', 'USD'],
  ['Montant(EUROS)', 'EUR'],
  ['Crédit euros', 'EUR'],
  ['Amount (£)', '£'],
  ['Paid out €', 'EUR'],
  ['Débito (R$)', 'BRL'],
  ['取引後金額(円)', 'JPY'],
  ['Beløb i DKK', 'DKK'],
  ['EUR', 'EUR'],
  ['Amount (TRY)', 'TRY'],
  ['TOTAL ALL', undefined],
  ['TOP AMOUNT', undefined],
  ['Amount', undefined],
  ['Amount (NET)', undefined],
  ['Debit', undefined],
  ['Paid In', undefined],
  ['Amount in words', undefined],
  ['Betrag eur', undefined],
];

describe('the currency in the name of a column', () => {
  for (const [name, currency] of NAMES) {
    it(name, () => assert.equal(currencyOfName(name), currency));
  }
});

function file(header: string, ...rows: string[]): Buffer {
  return Buffer.from(`${[header, ...rows].join('\n')}\n`);
}

describe('csv inspect: the currency that a file states goes into the mapping, or is asked', () => {
  const one = ['--money-out', 'negative'];
  const cases: [name: string, header: string, row: string, args: string[], currency: unknown][] = [
    ['a header with a code', 'Date,Text,Betrag (EUR)', 'a,-1.5', one, 'EUR'],
    ['a header with a sign', 'Date,Text,Amount (£)', 'a,-1.5', one, '£'],
    ['a code in the header, its sign in the cells', 'Date,Text,Amount GBP', 'a,-£1.5', one, 'GBP'],
    ['two columns', 'Date,Text,Paid out (CHF),Paid in (CHF)', 'a,1.5,', [], 'CHF'],
    ['a person', 'Date,Text,Amount', 'a,-1.5', [...one, '--currency', 'SEK'], 'SEK'],
    ['nobody', 'Date,Text,Amount', 'a,-1.5', one, undefined],
  ];
  for (const [name, header, row, args, currency] of cases) {
    it(name, async () => {
      const found = await inspectBytes(file(header, `31/01/2016,${row}`), args);
      assert.deepEqual(found.questions, []);
      assert.equal(found.found?.amount.currency, currency);
      const fields = found.mapping?.['fields'] as { amount: { currency?: string } };
      assert.equal(fields.amount.currency, currency);
      assert.equal(found.check?.refusedCount, 0);
    });
  }

  const asked: [name: string, header: string, row: string][] = [
    ['two headers that disagree', 'Date,Text,Paid out (EUR),Paid in (USD)', 'a,1.5,'],
    ['two currencies in a column', 'Date,Text,Amount,Currency', 'a,-1.5,EUR\n31/01/2016,b,-2,USD'],
    ['two currencies in the cells', 'Date,Text,Amount', 'a,-£1.5\n31/01/2016,b,-€2'],
    ['a header and cells that disagree', 'Date,Text,Amount (EUR)', 'a,-£1.5'],
    ['a header and a column that disagree', 'Date,Text,Amount (GBP),Currency', 'a,-1.5,EUR'],
  ];
  for (const [name, header, row] of asked) {
    it(`asks: ${name}`, async () => {
      const bytes = file(header, `31/01/2016,${row}`);
      const args = header.includes('Paid') ? [] : one;
      const { questions } = await inspectBytes(bytes, args);
      assert.deepEqual(
        questions.map(({ id }) => id),
        ['currency'],
      );
      for (const { option } of questions[0]?.choices ?? []) {
        const answered = await inspectBytes(bytes, [...args, '--currency', option[1]]);
        assert.deepEqual(answered.questions, []);
        const { amount, currency } = answered.found ?? {};
        assert.equal(currency?.is ?? amount?.currency, option[1]);
      }
    });
  }

  it('an answer that the file contradicts is refused', async () => {
    const bytes = file('Date,Text,Betrag (EUR)', '31/01/2016,a,-1.5');
    await assert.rejects(inspectBytes(bytes, [...one, '--currency', 'GBP']), {
      message: '--currency GBP: the file says EUR: line 1 has "Betrag (EUR)".',
    });
    const silent = file('Date,Text,Amount', '31/01/2016,a,-1.5');
    await assert.rejects(inspectBytes(silent, [...one, '--currency', 'Taler']), {
      message: '--currency: "Taler" is not an ISO 4217 currency code such as GBP.',
    });
  });

  it('a file in euros is refused by a database in pounds', async (context) => {
    const terminal = new Terminal(context);
    await terminal.json(['init', '--name', 'T', '--currency', 'GBP']);
    for (const [name, header, sign] of [
      ['code', 'Betrag (EUR)', 'EUR'],
      ['sign', 'Amount ($)', '\\$'],
    ] as const) {
      const path = join(terminal.folder, `${name}.csv`);
      writeFileSync(path, file(`Date,Text,${header}`, '31/01/2016,a,-1.5'));
      const inspected = await terminal.run(['csv', 'inspect', `${name}.csv`, ...one]);
      assert.equal(inspected.exitCode, 0, inspected.stderr);
      assert.match(inspected.stdout, new RegExp(`The amounts are in ${sign}\\. Check that`));
      const args = [`${name}.csv`, '--map', `${name}.map.json`];
      for (const line of [
        ['import', ...args],
        ['push', ...args, '--dry-run'],
      ]) {
        const refused = await terminal.run(line);
        assert.equal(refused.exitCode, 2);
        assert.match(refused.stderr, new RegExp(`amounts are in ${sign}, but T uses GBP`));
      }
    }
    const pounds = file('Date,Text,Amount (£)', '31/01/2016,a,-1.5');
    writeFileSync(join(terminal.folder, 'pounds.csv'), pounds);
    await terminal.run(['csv', 'inspect', 'pounds.csv', ...one]);
    const done = await terminal.run(['import', 'pounds.csv', '--map', 'pounds.map.json']);
    assert.equal(done.exitCode, 0, done.stderr);
  });
});

it('a code in the mapping allows only the signs that can mean it', () => {
  assert.deepEqual(readWrittenAmount('£1.50', { decimal: '.', currency: 'GBP' }), { value: 1.5 });
  assert.deepEqual(readWrittenAmount('GBP 1.50', { decimal: '.', currency: '£' }), { value: 1.5 });
  for (const text of ['€1.50', 'EUR 1.50', '$1.50']) {
    assert.ok('problem' in readWrittenAmount(text, { decimal: '.', currency: 'GBP' }), text);
  }
});
