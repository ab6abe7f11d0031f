import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { explain } from '../../src/cli/advice.ts';
import { readMappingOptions } from '../../src/cli/mapping-options.ts';
import { FileError, MappingError } from '../../src/files/problems.ts';
import { readCsv } from '../../src/files/reading/csv-rows.ts';
import type { Entry, Reading } from '../../src/files/reading/rows.ts';
import { chunksOf, collect, summary } from './readings.ts';

type Options = Partial<Parameters<typeof readMappingOptions>[0]>;

async function open(text: string | Buffer, options: Options = {}, size = 7): Promise<Reading> {
  return readCsv(chunksOf(text, size), await readMappingOptions({ pairs: [], ...options }));
}

async function read(text: string | Buffer, options: Options = {}, size = 7): Promise<Entry[]> {
  return collect(await open(text, options, size));
}

const HEADER = 'externalId,date,description,amount\n';
const A = { externalId: 'a', date: '2026-01-31', description: 'Tea', amount: 1.5 };
const B = { externalId: 'b', date: '2026-02-01', description: 'Milk', amount: -2 };
const OXFORD: Options = {
  pairs: ['externalId=Trans No', 'date=Paid Date:DD/MM/YYYY', 'description=What', 'amount=-Sum'],
};

const DATE_OF_TWO_LINES = 'date=Paid\nDate:DD/MM/YYYY';

describe('8 rows of a CSV file', () => {
  const files: readonly [name: string, text: string, options: Options, found: unknown[]][] = [
    [
      'columns that bear the fields names, with the line of each row',
      `${HEADER}a,2026-01-31,Tea,1.5\nb,2026-02-01,Milk,-2\n`,
      {},
      [
        [2, A],
        [3, B],
      ],
    ],
    [
      'a currency in a column of that name, which a mapping of all fields would name',
      `${HEADER.trim()},currency,reference\na,2026-01-31,Tea,1.5,EUR,R 1\nb,2026-02-01,Milk,-2,,\n`,
      {},
      [
        [2, { ...A, currency: 'EUR', reference: 'R 1' }],
        [3, B],
      ],
    ],
    ['no line end at the end', `${HEADER}a,2026-01-31,Tea,1.5`, {}, [[2, A]]],
    ['CRLF', `${HEADER}a,2026-01-31,Tea,1.5\n`.replaceAll('\n', '\r\n'), {}, [[2, A]]],
    ['CR alone', `${HEADER}a,2026-01-31,Tea,1.5\r`.replaceAll('\n', '\r'), {}, [[2, A]]],
    ['a byte order mark', `\ufeff${HEADER}a,2026-01-31,Tea,1.5\n`, {}, [[2, A]]],
    [
      'blanks around values and names',
      ' externalId , date,description ,amount\n a , 2026-01-31 ,Tea   , 1.5 \n',
      {},
      [[2, A]],
    ],
    [
      'line breaks, delimiters and quotes in quotes; the line counts them',
      `${HEADER}a,2026-01-31,"Tea, ""green""\r\nand black",1.5\nb,2026-02-01,Milk,-2\n`,
      {},
      [
        [2, { ...A, description: 'Tea, "green"\nand black' }],
        [4, B],
      ],
    ],
    [
      'quotation marks that are not doubled, or that have a backslash',
      `${HEADER}a,2026-01-31,"UAB "Tea"",1.5\nb,2026-02-01,"\\"Milk\\", 1 l",-2\n`,
      {},
      [
        [2, { ...A, description: 'UAB "Tea"' }],
        [3, { ...B, description: '"Milk", 1 l' }],
      ],
    ],
    [
      'quotation marks that cut a value in two reject only that row',
      `${HEADER}a,2026-01-31,"a "Tea", green",1.5\nb,2026-02-01,Milk,-2\n`,
      {},
      [
        [2, ['field_count']],
        [3, B],
      ],
    ],
    [
      'empty lines and lines of delimiters alone are not rows',
      `\n\n${HEADER}\na,2026-01-31,Tea,1.5\n,,,\n   \nb,2026-02-01,Milk,-2\n\n`,
      {},
      [
        [5, A],
        [8, B],
      ],
    ],
    [
      'an empty contact or account code is omitted',
      'externalId,date,description,amount,contact,accountCode\na,2026-01-31,Tea,1.5, ,X1\n',
      {},
      [[2, { ...A, accountCode: 'X1' }]],
    ],
    [
      'delimiters too many at the end of lines',
      'externalId,date,description,amount,,\na,2026-01-31,Tea,1.5\nb,2026-02-01,Milk,-2,,,,\n',
      {},
      [
        [2, A],
        [3, B],
      ],
    ],
    [
      'mapped columns, a date format and a turned sign; other columns are not sent',
      'Trans No;Paid Date;What;Sum;contact\na;31/01/2026;Tea;-1.5;me\nb;01/02/2026;Milk;2;\n',
      OXFORD,
      [
        [2, { ...A, contact: 'me' }],
        [3, B],
      ],
    ],
    [
      'a zero with its sign turned is not minus zero',
      'Trans No,Paid Date,What,Sum\na,31/01/2026,Tea,0.00\n',
      OXFORD,
      [[2, { ...A, amount: 0 }]],
    ],
    [
      'decimal commas',
      'externalId;date;description;amount\na;2026-01-31;Tea;1,5\nb;2026-02-01;Milk;-2\n',
      { decimal: ',' },
      [
        [2, A],
        [3, B],
      ],
    ],
    [
      'a line break in a name of the header',
      'Trans No,"Paid\r\nDate",What,Sum\na,31/01/2026,Tea,-1.5\n',
      { pairs: [...(OXFORD.pairs ?? []).filter((_, at) => at !== 1), DATE_OF_TWO_LINES] },
      [[3, A]],
    ],
    [
      'tabs',
      `${HEADER}a,2026-01-31,Tea,1.5\n`.replaceAll(',', '\t'),
      { delimiter: 'tab' },
      [[2, A]],
    ],
    [
      'a delimiter that is found',
      `${HEADER}a,2026-01-31,Tea,1.5\n`.replaceAll(',', '|'),
      {},
      [[2, A]],
    ],
    ['a header alone', HEADER, {}, []],
    [
      'what the mapping cannot read, each with its code; the other rows are read',
      `${HEADER}a,31/01/2026,Tea,"1,5"\nb,,Milk,\nc,2026-02-30,Tea,1.000\na,2026-01-31,Tea,1.5\n`,
      {},
      [
        [2, ['invalid_date', 'invalid_amount']],
        [3, ['required', 'required']],
        [4, ['invalid_date', 'ambiguous_amount']],
        [5, A],
      ],
    ],
    [
      'rows of another length than the header',
      `${HEADER}a,2026-01-31,Tea, with milk,1.5\na,2026-01-31,Te\na,2026-01-31,Tea,1.5\n`,
      {},
      [
        [2, ['field_count']],
        [3, ['field_count']],
        [4, A],
      ],
    ],
    [
      'texts that are wrong are for the service to judge',
      `${HEADER},2026-01-31,,1.5\n`,
      {},
      [[2, { ...A, externalId: '', description: '' }]],
    ],
  ];
  for (const [name, text, options, found] of files) {
    it(name, async () => {
      for (const size of [1, 7, 100_000]) {
        const entries = await read(text, options, size);
        assert.deepEqual(entries.map(summary), found, `in chunks of ${size}`);
      }
    });
  }

  it('messages name the columns of the file', async () => {
    const [entry] = await read(`${HEADER}a,31/01/2026,Tea,1.5\n`);
    assert.equal(
      entry?.problems.map(explain).join(),
      '"31/01/2026" is not a date written YYYY-MM-DD. Set the format, such as ' +
        '--map "date=date:DD/MM/YYYY".',
    );
  });

  it('columns that are not sent are named if there is no mapping', async () => {
    const text = `Notes,${HEADER}x,a,2026-01-31,Tea,1.5\n`;
    assert.deepEqual((await open(text)).notes, ['Columns not sent: Notes.']);
    const priced = `currency,${HEADER}GBP,a,2026-01-31,Tea,1.5\n`;
    assert.deepEqual((await open(priced)).notes, []);
    const mapped = await open(text, { pairs: ['contact=Notes'] });
    assert.deepEqual(mapped.notes, []);
  });
});

describe('8 a CSV file that cannot be read ends with the line', () => {
  const broken: readonly [name: string, text: string | Buffer, message: RegExp][] = [
    ['nothing in it', '', /empty, without even a header/],
    ['nothing but blanks', ' \n\n', /empty/],
    [
      'a quote that is never closed',
      `${HEADER}a,2026-01-31,Tea,1.5\nb,2026-01-31,"Tea,1.5\nc,2026-01-31,Tea,1.5\n`,
      /line 3: a value starts with a quotation mark that is never closed/,
    ],
    [
      'a quote that the next quoted value seems to close',
      `${HEADER}a,2026-01-31,Tea,1.5\nb,2026-01-31,"Tea,1.5\nc,2026-01-31,"Milk",1.5\n`,
      /line 3: a quoted value is followed by something other/,
    ],
    [
      'a quote that another one on the line seems to close',
      `${HEADER}a,2026-01-31,"Tea,"x",1.5\nc,2026-01-31,Milk,1.5\n`,
      /line 2: a quoted value is followed by something other/,
    ],
    [
      'doubled quotes beside others',
      `${HEADER}a,2026-01-31,"Tea ""green"" "x" y",1.5\n`,
      /line 2: a quoted value is followed by something other/,
    ],
    [
      'something behind a closing quote',
      `${HEADER}a,2026-01-31,"Te\na",1.5\nb,2026-01-31,"Tea" x,1.5\nc,2026-01-31,Tea,1.5\n`,
      /line 4: a quoted value is followed by something other/,
    ],
    [
      'Windows-1252',
      Buffer.from(`${HEADER}a,2026-01-31,Tea,1.5\nb,2026-01-31,Caf\xe9,1.5\n`, 'latin1'),
      /line 3 is not UTF-8, perhaps Windows-1252: save it as UTF-8/,
    ],
    [
      'UTF-16 without a mark',
      Buffer.from(HEADER, 'utf16le'),
      /zero bytes\. It may be UTF-16 without a mark: run `budgetd csv inspect`/,
    ],
    [
      'half a character of UTF-16',
      Buffer.from(`\ufeff${HEADER}a,2026-01-31,\ud800,1\n`, 'utf16le'),
      /broken UTF-16/,
    ],
    [
      'UTF-16 to which a program has added lines in another encoding',
      Buffer.concat([
        Buffer.from(`\ufeff${HEADER}a,2026-01-31,Tea,1\n`, 'utf16le'),
        Buffer.from('b,2026-01-31,Tea,1.5\nc,2026-01-31,Coffee,2\n'),
      ]),
      /only its beginning is in UTF-16/,
    ],
  ];
  for (const [name, text, message] of broken) {
    it(name, async () => {
      for (const size of [1, 7, 100_000]) {
        await assert.rejects(read(text, {}, size), (error) => {
          assert.ok(error instanceof FileError, String(error));
          assert.match(explain(error), message, `in chunks of ${size}`);
          return true;
        });
      }
    });
  }

  it('an unclosed quotation mark in a large file is found early, in little memory', async () => {
    const lines = 'b,2026-01-31,Tea,1.5\n'.repeat(1_000_000);
    const text = `${HEADER}a,2026-01-31,"Tea,1.5\n${lines}`;
    await assert.rejects(read(text, {}, 65_536), /line 2: .* never closed/);
  });
});

describe('8 a mapping that does not fit the file is wrong usage and names the columns', () => {
  const data = 'a,b,c,d\n1,2,3,4\n';
  const wrong: readonly [name: string, text: string, options: Options, message: RegExp][] = [
    [
      'a column that is not there',
      'Trans No,Paid Date,What,Amount\n',
      OXFORD,
      /no column "Sum"\. Its columns are: "Trans No", "Paid Date", "What", "Amount"\./,
    ],
    [
      'a column in another case',
      'Trans no,Paid Date,What,Sum\n',
      OXFORD,
      /no column "Trans No".*Did you mean "Trans no"\?/,
    ],
    [
      'fields without a column',
      data,
      {},
      /missing from the file: "externalId", "date", .* are: "a", "b", "c", "d".*--map FIELD/,
    ],
    [
      'the wrong delimiter',
      HEADER,
      { delimiter: ';' },
      /Its columns are: "externalId,date,description,amount"/,
    ],
    ['a column twice', `amount,${HEADER}`, {}, /two columns named "amount"\. Rename one/],
    ['a column twice that nobody reads', `x,x,${HEADER}`, {}, /two columns named "x"/],
    [
      'a column that is nearly named like a field',
      `Account Code,${HEADER}`,
      {},
      /"Account Code" is not named exactly like the field: .*--map "accountCode=Account Code"/,
    ],
  ];
  for (const [name, text, options, message] of wrong) {
    it(name, async () => {
      await assert.rejects(open(text, options), (error) => {
        assert.ok(error instanceof MappingError, String(error));
        assert.match(explain(error), message);
        return true;
      });
    });
  }

  it('a repeated column does not matter if the mapping does not read it', async () => {
    const text = 'x,x,Trans No,Paid Date,What,Sum\n1,2,a,31/01/2026,Tea,-1.5\n';
    assert.deepEqual((await read(text, OXFORD)).map(summary), [[2, A]]);
  });
});
