import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openTable } from '../../../src/files/formats/open-table.ts';
import { readRows } from '../../../src/files/index.ts';
import { FileError, MappingError } from '../../../src/files/problems.ts';
import { collect, summary } from '../readings.ts';
import { fileOf, opened, pick } from './opened.ts';
import { rowsOf, workbookOf } from './workbooks.ts';
import { zipOf } from './zips.ts';

const HEAD = ['Date', 'Payee', 'Details', 'Amount'];
const day = (serial: number, style = 1) => `<c s="${style}"><v>${serial}</v></c>`;
/** Payments of a bank, with days from 5 March 2024. */
const payments = (...amounts: number[]) =>
  amounts.map((amount, at) => [day(45356 + at), `Payee ${at}`, `Text ${at}`, amount]);

/** The records of a sheet, with their lines. */
async function recordsOf(rows: string, more: Partial<Parameters<typeof workbookOf>[0]> = {}) {
  const table = await openTable(fileOf(workbookOf({ sheets: { One: rows }, ...more })), {});
  let text = '';
  for await (const piece of table?.open() ?? []) text += piece.toString();
  return { lines: text.split('\n').slice(0, -1), table };
}

describe('18 XLSX', () => {
  it('is inspected and read as CSV, with the numbers of its rows as lines', async () => {
    const rows = rowsOf([['Account 1'], [], HEAD, ...payments(-12.5, -7, 1000.1, -3)]);
    const { rows: found, inspection, totals } = await opened(workbookOf({ sheets: { One: rows } }));
    assert.deepEqual(inspection.questions, []);
    assert.deepEqual(pick(found, 'date', 'description', 'contact', 'amount')[0], [
      ...['2024-03-05', 'Text 0', 'Payee 0', 12.5],
    ]);
    assert.deepEqual(
      found.map(([line]) => line),
      [4, 5, 6, 7],
    );
    assert.deepEqual([totals, inspection.layout?.headerLine.value], [[22.5, -1000.1], 3]);
    const { encoding, delimiter, sheet, header } = inspection.mapping ?? {};
    assert.deepEqual([encoding, delimiter, sheet, header], [undefined, undefined, undefined, HEAD]);
  });

  it('has no row that is cut off, also where the last column is one of two amounts', async () => {
    const gift = [day(45356), 'Ann', 'Gift', '', 4, 'a note beside the table'];
    const sheet = rowsOf([['Date', 'Payee', 'Details', 'Out', 'In'], gift, ...payments(5, 7, 9)]);
    const { inspection, totals } = await opened(workbookOf({ sheets: { One: sheet } }));
    assert.deepEqual([inspection.questions, totals], [[], [21, -4]]);
    assert.equal(inspection.mapping?.fewestValues, undefined);
  });

  it('shows cells as they state it', async () => {
    const cells: [cell: string, shown: string][] = [
      ['<c t="s"><v>0</v></c>', 'shared'],
      ['<c t="s"><v>1</v></c>', 'two runs'],
      ['<c t="str"><f>A1&amp;"x"</f><v>stored</v></c>', 'stored'],
      ['<c><f>1+1</f></c>', ''],
      ['<c t="b"><v>1</v></c>', 'TRUE'],
      ['<c t="e"><v>#VALUE!</v></c>', '#VALUE!'],
      ['<c t="d"><v>2025-03-04T01:00:00.000Z</v></c>', '2025-03-04'],
      [day(45356), '2024-03-05'],
      [day(45356.75, 6), '2024-03-05'],
      [day(59), '1900-02-28'],
      [day(0.5, 4), '12:00:00'],
      ['<c><v>20230405</v></c>', '20230405'],
      ['<c s="2"><v>42</v></c>', '0042'],
      ['<c s="3"><v>1204.5</v></c>', '1204.5 EUR'],
      ['<c s="5"><v>-3</v></c>', '-3 €'],
      ['<c><v>0.30000000000000004</v></c>', '0.3'],
      ['<c><v>1.234</v></c>', '1.2340'],
      ['<c><v>1.0E-3</v></c>', '0.0010'],
      ['<c t="inlineStr"><is><t>a&#10;b_x000D_c, &lt;d></t></is></c>', '"a b c, <d>"'],
      ['<c t="inlineStr"><is><t>\'1.204,00 USD</t></is></c>', '"1.204,00 USD"'],
      ['<c r="C21"><v>5</v></c>', ',,5'],
    ];
    const texts = ['<t>shared</t>', '<r><t>two </t></r><r><t>runs</t></r><rPh><t>x</t></rPh>'];
    const rows = cells.map(([cell], at) => `<row r="${at + 1}">${cell}</row>`).join('');
    const { lines } = await recordsOf(rows, { texts });
    assert.deepEqual(
      lines,
      cells.map(([, shown]) => shown),
    );
    const { lines: later } = await recordsOf(`<row>${day(43894)}</row>`, { is1904: true });
    assert.deepEqual(later, ['2024-03-05']);
  });

  it('reads hidden rows and says it, and no empty ones', async () => {
    const empty = '<row r="9"><c r="A9" s="3"/></row><row r="1048576"/>';
    const rows = rowsOf([HEAD, ...payments(-1, -2, -3)]).replace('<row>', '<row hidden="1">');
    const { lines, table } = await recordsOf(rows + empty);
    assert.equal(lines.length, 4);
    assert.deepEqual(table?.warnings, ['1 hidden row is read too.']);
  });

  it('needs no cells at the end of a row, also if the mapping was made of full rows', async () => {
    const rows = (...notes: string[]) =>
      rowsOf([
        [...HEAD, 'Note'],
        ...payments(-1, -2, 3).map((row, at) => [...row, ...notes.slice(at, at + 1)]),
      ]);
    const { inspection } = await opened(workbookOf({ sheets: { One: rows('a', 'b', 'c') } }));
    const { mapping = assert.fail() } = inspection;
    const reading = await readRows(
      fileOf(workbookOf({ sheets: { One: rows('a') } })),
      'csv',
      mapping,
    );
    assert.deepEqual(pick((await collect(reading)).map(summary), 'amount'), [1, 2, -3]);
  });

  it('leaves out rows that say that they are pending, and says which', async () => {
    const rows = payments(-1, -2, -3, -4).map((row, at) => [
      ...row,
      at === 2 ? 'Pending' : 'Booked',
    ]);
    const { inspection, totals } = await opened(
      workbookOf({ sheets: { One: rowsOf([[...HEAD, 'Status'], ...rows]) } }),
    );
    assert.deepEqual([inspection.questions, totals], [[], [7, 0]]);
    assert.deepEqual(inspection.mapping?.notRows, [{ column: 'Status', is: 'Pending' }]);
    assert.match(inspection.check?.notRows.join() ?? '', /^line 4 is not a row: .*Pending/);
  });

  it('takes the sheet with payments, or asks, and --sheet chooses', async () => {
    const overview = rowsOf([['Report'], ['From', day(45356), 5]]);
    const [one, two] = [
      rowsOf([HEAD, ...payments(-1, -2, -3)]),
      rowsOf([HEAD, ...payments(4, 5, 6)]),
    ];
    const single = workbookOf({
      sheets: { Overview: overview, One: one, Hidden: two },
      hidden: ['Hidden'],
    });
    assert.deepEqual((await opened(single)).totals, [6, 0]);
    const several = workbookOf({ sheets: { January: one, 'Feb &amp; March': two } });
    const asked = (await opened(several)).inspection.questions;
    assert.deepEqual(
      asked.map(({ kind, choices }) => [kind, choices.length]),
      [['sheet', 2]],
    );
    const [{ choices }] = asked as [(typeof asked)[0]];
    assert.deepEqual(choices[1]?.answers, [{ kind: 'sheet', sheet: 'Feb & March' }]);
    const chosen = await opened(several, { name: 'sheet', value: 'january' });
    assert.deepEqual([chosen.totals, chosen.inspection.mapping?.sheet], [[6, 0], 'january']);
    await assert.rejects(opened(several, { name: 'sheet', value: 'June' }), MappingError);
    const hidden = workbookOf({ sheets: { Overview: '', Two: one }, hidden: ['Two'] });
    assert.deepEqual((await opened(hidden)).totals, [6, 0]);
  });

  const cells = '<row><c s="3"/></row>'.repeat(1_000_000);
  const bomb = zipOf({ 'xl/workbook.xml': Buffer.alloc(40 * 1024 * 1024) });
  const many = Object.fromEntries(Array.from({ length: 4_097 }, (_, at) => [`a${at}`, 'x']));
  const entities = '<!DOCTYPE a [<!ENTITY b "c">]><row><c><v>&b;</v></c></row>';
  const refused: [what: string, bytes: Buffer, message: RegExp][] = [
    ['of a million empty cells', workbookOf({ sheets: { One: cells } }), /it is empty|no line/],
    ['that unpacks to very much', bomb, /too large when unpacked/],
    [
      'that unpacks to more than it states',
      zipOf({ a: 'x'.repeat(99) }, { size: 9 }),
      /size is not the size/,
    ],
    ['with a file that has changed', zipOf({ a: 'x' }, { other: 'y' }), /is damaged/],
    ['of very many files', zipOf(many), /is too large/],
    ['with a password', zipOf({ a: 'x' }, { flags: 1 }), /has a password/],
    ['with files that overlap', zipOf({ a: 'x', b: 'x' }, { start: 0 }), /overlap/],
    [
      'with files that overlap by what is before them',
      zipOf({ a: 'x', b: 'x' }, { more: 9 }),
      /overlap/,
    ],
    ['packed in an unknown way', zipOf({ a: 'x' }, { method: 99 }), /packed in a way/],
    ['with entities', workbookOf({ sheets: { One: entities } }), /document type/],
    [
      'of very many sheets',
      zipOf({
        'xl/_rels/workbook.xml.rels': '<X><Relationship Id="a" Target="worksheets/a.xml"/></X>',
        'xl/workbook.xml': `<X>${'<sheet name="S" r:id="a"/>'.repeat(501)}</X>`,
      }),
      /more than 500 sheets/,
    ],
    [
      'of very many styles',
      zipOf({
        'xl/_rels/workbook.xml.rels': '<X/>',
        'xl/workbook.xml': '<X/>',
        'xl/styles.xml': `<X><cellXfs>${'<xf/>'.repeat(65_537)}</cellXfs></X>`,
      }),
      /too many styles/,
    ],
    ['without sheets', zipOf({ 'xl/workbook.xml': '<workbook/>' }), /lacks its list of sheets/],
    ['in binary', zipOf({ 'xl/workbook.bin': '' }), /a binary Excel workbook\. Save it as/],
    ['of another program', zipOf({ 'content.xml': '' }), /OpenDocument/],
    ['cut off', workbookOf({ sheets: { One: rowsOf([HEAD]) } }).subarray(0, 500), /is cut off/],
    [
      'with rows in no order',
      workbookOf({ sheets: { One: '<row r="5"><c><v>1</v></c></row><row r="2"/>' } }),
      /the sheet is damaged/,
    ],
    [
      'with a cell so far right that every row would be long',
      workbookOf({ sheets: { One: '<row r="2"><c r="ALM2"><v>1</v></c></row>' } }),
      /more than 1,000 columns/,
    ],
  ];
  for (const [what, bytes, message] of refused) {
    it(`is refused ${what}`, async () => {
      await assert.rejects(opened(bytes), (error) => {
        assert.ok(error instanceof FileError, String(error));
        assert.match(error.message, message);
        return true;
      });
    });
  }
});
