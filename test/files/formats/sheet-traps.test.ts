import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { opened } from './opened.ts';
import { describeTraps } from './traps.ts';
import { rowsOf, workbookOf } from './workbooks.ts';
import { zipOf } from './zips.ts';

const day = (serial: number, style = 1) => `<c s="${style}"><v>${serial}</v></c>`;
const HEAD = ['Date', 'Details', 'Amount'];
const book = (
  rows: Parameters<typeof rowsOf>[0],
  more: Partial<Parameters<typeof workbookOf>[0]> = {},
) => workbookOf({ sheets: { One: rowsOf(rows) }, ...more });
const FORTY = Array.from({ length: 40 }, (_, at) => at + 1);
const NEGATIVE = [{ name: 'money-out', value: 'negative' }];

describeTraps('XLSX', [
  {
    what: '10 days as numbers of eight digits',
    file: book([
      HEAD,
      ...[20230405, 20230418, 20230430].map((each) => [each, `Shop ${each}`, -each / 1000]),
    ]),
    rows: { date: ['2023-04-05', '2023-04-18', '2023-04-30'] },
    answers: NEGATIVE,
  },
  {
    what: '11 the currency in the number format alone',
    file: book([
      HEAD,
      ...[1, 2, 3].map((each) => [
        day(45356 + each),
        `Tea ${each}`,
        `<c s="3"><v>-${each}.5</v></c>`,
      ]),
    ]),
    rows: { amount: [1.5, 2.5, 3.5] },
    answers: NEGATIVE,
  },
  {
    what: '11 amounts as texts with signs and an apostrophe',
    file: book([
      HEAD,
      [day(45356), 'Rent', "'-1.204,00 €"],
      [day(45357), 'Tea', '-12,50 €'],
      [day(45358), 'Gift', '7,10 €'],
    ]),
    rows: { amount: [1204, 12.5, -7.1] },
    answers: NEGATIVE,
  },
  {
    what: '11 the currency as a number in a column is asked about, and in a name is known',
    file: book([
      ['Date', 'Details', 'AMOUNT EUR'],
      ...[1, 2, 3].map((each) => [day(45356 + each), `Tea ${each}`, -each - 0.5]),
    ]),
    rows: { amount: [1.5, 2.5, 3.5] },
    answers: NEGATIVE,
  },
  {
    what: '14 lines above, two rows of names, two equal names, breaks in names, an empty column',
    file: book([
      ...Array.from({ length: 15 }, (_, at) => ['', at % 2 === 0 ? `About us ${at}` : '']),
      ['', 'Booking', '', 'Account&#10;&#9;number', 'Amount', 'Amount'],
      ['', 'Date', 'Details', 'Account&#10;number', 'Out', 'Date'],
      ...[1, 2, 3].map((each) => ['', day(45356 + each), `Tea ${each}`, '12-34', -each - 0.5, '']),
    ]),
    rows: { amount: [1.5, 2.5, 3.5], date: ['2024-03-06', '2024-03-07', '2024-03-08'] },
    answers: NEGATIVE,
  },
  {
    what: '15 stored values of formulas, also of totals',
    file: book([
      HEAD,
      ...[1, 2, 3].map((each) => [
        `<c s="1"><f>A1+${each}</f><v>${45356 + each}</v></c>`,
        `<c t="str"><f>"Tea "&amp;${each}</f><v>Tea ${each}</v></c>`,
        `<c><f>-${each}*2</f><v>${-each * 2}</v></c>`,
      ]),
      ['', 'Total', '<c><f>SUM(C2:C4)</f><v>-12</v></c>'],
    ]),
    rows: { amount: [2, 4, 6] },
    answers: NEGATIVE,
  },
  {
    what: '16 sizes after the data, the list of parts last, and another prefix',
    file: zipOf(
      {
        'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${rowsOf([
          HEAD,
          ...[1, 2, 3].map((each) => [`2024-03-0${each}`, `Tea ${each}`, -each]),
        ])}</sheetData></worksheet>`,
        'xl/workbook.xml':
          '<workbook><sheets><sheet name="S" sheetId="1" d3p1:id="a"/></sheets></workbook>',
        'xl/_rels/workbook.xml.rels':
          '<X><Relationship Id="a" Target="/xl/worksheets/sheet1.xml"/></X>',
        '[Content_Types].xml': '<Types/>',
      },
      { flags: 8 },
    ),
    rows: { amount: [1, 2, 3] },
    answers: NEGATIVE,
  },
  {
    what: '17 a total, a balance with a day, and a line without an amount',
    file: book([
      [...HEAD, 'Reference'],
      ...FORTY.map((each) => [day(45300 + each), `Tea ${each}`, -each * 1.5, `R${each}`]),
      [day(45361), 'Card check', '', 'R99'],
      ['', 'TOTAL', -1230],
    ]),
    rows: { amount: [...FORTY.map((each) => each * 1.5), ['required']] },
    answers: NEGATIVE,
  },
]);

/** What is asked about a file. */
async function questionsOf(file: Buffer) {
  const { inspection } = await opened(file, ...NEGATIVE);
  return inspection.questions.map(({ text }) => text).join();
}

describe('18 what a sheet leaves open', () => {
  it('10 days in two forms in one column are never guessed', async () => {
    const file = book([
      HEAD,
      [day(45356), 'Rent', -5],
      ['14-03-2024', 'Tea', -6.5],
      ['28-03-2024', 'Tea', -7.25],
      [day(45380), 'Rent', -8],
    ]);
    assert.match(await questionsOf(file), /2 of 4 rows would be rejected.*"14-03-2024" is not a/);
  });

  it('17 a balance with a day and an amount', async () => {
    const file = book([
      HEAD,
      ...FORTY.map((each) => [day(45300 + each), `Tea ${each}`, -each * 1.5]),
      [day(45362), 'Balance at the end', 85],
    ]);
    assert.match(await questionsOf(file), /Line 42 has "Balance at the end", .* Is it a payment/);
  });

  it('13 a sheet for each month, or for each account', async () => {
    const month = (at: number) =>
      rowsOf([HEAD, ...[1, 2, 3].map((each) => [day(45356 + at + each), 'Tea', -each])]);
    const file = workbookOf({ sheets: { January: month(0), February: month(31) } });
    assert.match(await questionsOf(file), /Several sheets of the workbook have payments/);
  });
});
