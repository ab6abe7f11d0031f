import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isUsageError } from '../../src/cli/command.ts';
import { readMappingOptions } from '../../src/cli/mapping-options.ts';
import { readCsv } from '../../src/files/reading/csv-rows.ts';
import type { Entry } from '../../src/files/reading/rows.ts';
import { chunksOf, collect, summary } from '../files/readings.ts';

type Options = Partial<Parameters<typeof readMappingOptions>[0]>;

async function read(text: string, options: Options): Promise<Entry[]> {
  const mapping = await readMappingOptions({ pairs: [], ...options });
  return collect(await readCsv(chunksOf(text), mapping));
}

const A = { externalId: 'a', date: '2026-01-31', description: 'Tea', amount: 1.5 };

describe('8 --map, --decimal and --delimiter', () => {
  const file = (fields: unknown, more: object = {}) => {
    return { name: 'm.json', text: JSON.stringify({ fields, ...more }) };
  };
  const OWN = { externalId: 'i', date: { column: 'd', format: 'DD.MM.YYYY' }, description: 't' };

  it('a mapping file means the same as pairs, and pairs override it', async () => {
    const fields = { ...OWN, amount: { column: 's', negate: true }, contact: null };
    const options = { file: file(fields, { delimiter: ';', decimal: ',' }) };
    const text = 'i;d;t;s;contact;T\na;31.01.2026;x;-1,5;me;Tea\n';
    const expected = { ...A, description: 'x' };
    assert.deepEqual((await read(text, options)).map(summary), [[2, expected]]);
    const pairs = ['description=T'];
    assert.deepEqual((await read(text, { ...options, pairs })).map(summary), [[2, A]]);
  });

  it('a column can contain colons and equals signs, and a format a time', async () => {
    const pairs = [
      'externalId=a=b',
      'date=When: paid:DD/MM/YYYY HH:mm',
      'description= Text ',
      'amount=Sum',
    ];
    const text = 'a=b,When: paid,Text,Sum\na,31/01/2026 10:30,Tea,1.5\n';
    assert.deepEqual((await read(text, { pairs })).map(summary), [[2, A]]);
    const plain = ['date=When: paid'];
    const own = 'externalId,When: paid,description,amount\na,2026-01-31,Tea,1.5\n';
    assert.deepEqual((await read(own, { pairs: plain })).map(summary), [[2, A]]);
  });

  const wrong: readonly [name: string, options: Options, message: RegExp][] = [
    [
      'an unknown field',
      { pairs: ['payee=Name'] },
      /"payee" is not a field; fields are externalId/,
    ],
    ['a field twice', { pairs: ['amount=a', 'amount=b'] }, /amount twice/],
    ['no column', { pairs: ['amount= '] }, /the column is missing/],
    ['a format in small letters', { pairs: ['date=D:dd/mm/yyyy'] }, /in capitals/],
    ['half a format', { pairs: ['date=D:MM/YYYY'] }, /not a date format/],
    ['another decimal sign', { decimal: ';' }, /--decimal must be \. or ,/],
    ['a letter as delimiter', { delimiter: 'x' }, /--delimiter must be one character/],
    ['a quote as delimiter', { delimiter: '"' }, /--delimiter must be one character/],
    ['a file that is not JSON', { file: { name: 'm.json', text: '{' } }, /m\.json is not JSON/],
    ['a file that is a list', { file: { name: 'm.json', text: '[]' } }, /must be a JSON object/],
    ['a member that is not known', { file: file(OWN, { charset: 'x' }) }, /has no "charset"/],
    ['an encoding that is not known', { file: file(OWN, { encoding: 'x' }) }, /must be one of utf/],
    ['a rule that is not known', { file: file({ date: { column: 'a', x: 1 } }) }, /has no "x"/],
    ['a rule without column', { file: file({ amount: { negate: true } }) }, /name its column/],
    [
      'a sign of a date',
      { file: file({ date: { column: 'a', negate: true } }) },
      /only amount has/,
    ],
    [
      'a format of a text',
      { file: file({ contact: { column: 'a', format: 'x' } }) },
      /only date has/,
    ],
    [
      'a wrong format',
      { file: file({ date: { column: 'a', format: 'DD' } }) },
      /not a date format/,
    ],
    ['a wrong decimal', { file: file(OWN, { decimal: 1 }) }, /m\.json: decimal must be/],
  ];
  for (const [name, options, message] of wrong) {
    it(`${name} is refused`, async () => {
      await assert.rejects(readMappingOptions({ pairs: [], ...options }), (error) => {
        assert.ok(isUsageError(error), String(error));
        assert.match(error.message, message);
        return true;
      });
    });
  }
});
