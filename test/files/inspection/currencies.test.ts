/** The currency that a file states goes into the mapping. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { writeAnswer } from '../../../src/files/inspection/written-answers.ts';
import { ruleOf } from '../../../src/files/mapping/mapping.ts';
import { inspectBytes } from './dialects/reading.ts';

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
    ['the code of its sign', 'Date,Text,Amount', 'a,-£1.5', [...one, '--currency', 'GBP'], 'GBP'],
    ['nobody', 'Date,Text,Amount', 'a,-1.5', one, undefined],
  ];
  for (const [name, header, row, args, currency] of cases) {
    it(name, async () => {
      const found = await inspectBytes(file(header, `31/01/2016,${row}`), args);
      assert.deepEqual(found.questions, []);
      assert.equal(found.mapping && ruleOf(found.mapping, 'amount').currency, currency);
      assert.equal(found.check?.refusedCount, 0);
    });
  }

  const asked: [name: string, header: string, row: string][] = [
    ['two headers that disagree', 'Date,Text,Paid out (EUR),Paid in (USD)', 'a,1.5,'],
    ['two currencies in a column', 'Date,Text,Amount,Currency', 'a,-1.5,EUR\n31/01/2016,b,-2,USD'],
    ['two signs in a column', 'Date,Text,Amount,Commodity', 'a,-1.5,£\n31/01/2016,b,-2,€'],
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
        questions.map(({ kind }) => kind),
        ['currency'],
      );
      const answers = questions[0]?.choices.flatMap((choice) => choice.answers) ?? [];
      for (const option of answers.map((answer) => writeAnswer(answer).value)) {
        const answered = await inspectBytes(bytes, [...args, '--currency', option]);
        assert.deepEqual(answered.questions, []);
        const { mapping } = answered;
        assert.equal(
          mapping?.currency?.is ?? (mapping && ruleOf(mapping, 'amount').currency),
          option,
        );
      }
    });
  }

  it('an answer that the file contradicts is refused', async () => {
    const bytes = file('Date,Text,Betrag (EUR)', '31/01/2016,a,-1.5');
    await assert.rejects(inspectBytes(bytes, [...one, '--currency', 'GBP']), {
      message: ' GBP: the file says EUR: line 1 has "Betrag (EUR)".',
    });
    const silent = file('Date,Text,Amount', '31/01/2016,a,-1.5');
    await assert.rejects(inspectBytes(silent, [...one, '--currency', 'Taler']), {
      message: ': "Taler" is not an ISO 4217 currency code such as GBP.',
    });
  });
});
