/**
 * Writes workbooks of Excel (.xlsx) while the rows of their sheets are read, so that only packed
 * bytes are kept and other work runs in between. A text is a cell of text, whatever it begins
 * with: no program takes it for a formula.
 */

import { crc32, createDeflateRaw } from 'node:zlib';
import { Failure } from '../core/failures.ts';

/** The font, format of numbers (0: a text, which stays one if edited) and more of each look. */
const LOOKS = {
  text: ['', 0],
  wrapped: ['', 0, '', 'vertical="top" wrapText="1" indent="1"'],
  bold: ['<b/>', 0],
  head: ['<b/>', 0, ' applyBorder="1" borderId="1"', 'wrapText="1"'],
  rightHead: ['<b/>', 0, ' applyBorder="1" borderId="1"', 'wrapText="1" horizontal="right"'],
  day: ['', 164, '', 'vertical="top" horizontal="left"'],
  percent: ['', 165],
  amount: ['', 166],
  sum: ['<b/>', 166],
  change: ['', 167],
  sumChange: ['<b/>', 167],
} as const;

/** A text, or a value with a look: a number as its digits, a day as `YYYY-MM-DD`; null is empty. */
export type WorkbookCell = string | null | readonly [look: keyof typeof LOOKS, value: string];

/** A sheet. Its first rows stay while the others are scrolled; the last of them is on each page. */
interface SheetContent {
  readonly name: string;
  /** Of the columns, in characters; 26 columns at most. */
  readonly widths: readonly number[];
  readonly frozenRows: number;
  readonly rows: Iterable<readonly WorkbookCell[]>;
}

/** A sheet of some rows of heads, which stay, and others below them. */
export function tableSheet(
  name: string,
  widths: readonly number[],
  heads: readonly (readonly WorkbookCell[])[],
  others: Iterable<readonly WorkbookCell[]>,
): SheetContent {
  function* rows(): Generator<readonly WorkbookCell[]> {
    yield* heads;
    yield* others;
  }
  return { name, widths, frozenRows: heads.length, rows: rows() };
}

/** How much text is made before it is packed, which lets other work run. */
const PIECE_CHARACTERS = 32 * 1024;
const XML = '<?xml version="1.0" encoding="UTF-8"?>\n';
const SCHEMAS = 'http://schemas.openxmlformats.org';
const MAIN = ` xmlns="${SCHEMAS}/spreadsheetml/2006/main"`;
const OFFICE = `${SCHEMAS}/officeDocument/2006/relationships`;
const FORMAT = 'application/vnd.openxmlformats';
const SHEET = 'officedocument.spreadsheetml';

/** Of a sheet in Excel. */
const SHEET_ROWS = 1_048_576;

/**
 * The bytes of a workbook, in pieces; amounts have so many decimal places. Rejects with `conflict`
 * if a sheet has no room for the rows.
 */
export async function writeWorkbook(
  sheets: readonly SheetContent[],
  places: number,
): Promise<Buffer[]> {
  const files: PackedFile[] = [];
  for (const [name, text] of listParts(sheets)) files.push(await packFile(name, [text]));
  files.push(await packFile('xl/styles.xml', [writeStyles(places)]));
  for (const [at, sheet] of sheets.entries()) {
    files.push(await packFile(`xl/worksheets/sheet${at + 1}.xml`, writeSheet(sheet)));
  }
  return joinFiles(files);
}

function listParts(sheets: readonly SheetContent[]): [name: string, text: string][] {
  const each = (say: (number: number, name: string, sheet: SheetContent) => string) =>
    sheets.map((sheet, at) => say(at + 1, escapeXml(sheet.name), sheet)).join('');
  const relation = (id: number | string, type: string, target: string) =>
    `<Relationship Id="r${id}" Type="${OFFICE}/${type}" Target="${target}"/>`;
  const relations = (all: string) =>
    `${XML}<Relationships xmlns="${SCHEMAS}/package/2006/relationships">${all}</Relationships>`;
  const part = (path: string, type: string) =>
    `<Override PartName="/xl/${path}.xml" ContentType="${FORMAT}-${SHEET}.${type}+xml"/>`;
  const parts = each((number) => part(`worksheets/sheet${number}`, 'worksheet'));
  const types = `${XML}<Types xmlns="${SCHEMAS}/package/2006/content-types">
<Default Extension="rels" ContentType="${FORMAT}-package.relationships+xml"/>
${part('workbook', 'sheet.main')}${part('styles', 'styles')}${parts}</Types>`;
  const workbook = `${XML}<workbook${MAIN} xmlns:r="${OFFICE}"><sheets>${each((number, name) => {
    return `<sheet name="${name}" sheetId="${number}" r:id="r${number}"/>`;
  })}</sheets><definedNames>${each((number, name, { frozenRows: row }) => {
    const titles = `name="_xlnm.Print_Titles" localSheetId="${number - 1}"`;
    return `<definedName ${titles}>'${name}'!$${row}:$${row}</definedName>`;
  })}</definedNames></workbook>`;
  const targets = each((n) => relation(n, 'worksheet', `worksheets/sheet${n}.xml`));
  const named = relations(`${targets}${relation('s', 'styles', 'styles.xml')}`);
  return [
    ['[Content_Types].xml', types],
    ['_rels/.rels', relations(relation(1, 'officeDocument', 'xl/workbook.xml'))],
    ['xl/workbook.xml', workbook],
    ['xl/_rels/workbook.xml.rels', named],
  ];
}

function writeStyles(places: number): string {
  const amount = `#,##0${places === 0 ? '' : `.${'0'.repeat(places)}`}`;
  const formats = ['yyyy\\-mm\\-dd', '0" %"', amount, `+${amount};-${amount};–`];
  const looks: readonly (readonly [string, number, string?, string?])[] = Object.values(LOOKS);
  const list = (name: string, items: readonly string[]) =>
    `<${name} count="${items.length}">${items.join('')}</${name}>\n`;
  const numbers = formats.map((format, at) => {
    return `<numFmt numFmtId="${164 + at}" formatCode="${escapeXml(format)}"/>`;
  });
  const fonts = looks.map(([font]) => `<font>${font}<sz val="10"/><name val="Arial"/></font>`);
  const cells = looks.map(([, format, more = '', alignment = 'vertical="top"'], at) => {
    const ids = `numFmtId="${format}" fontId="${at}" fillId="0" xfId="0"`;
    const applied = 'applyFont="1" applyNumberFormat="1" applyAlignment="1"';
    const kept = format === 0 ? ' quotePrefix="1"' : '';
    return `<xf ${ids} ${applied}${kept}${more}><alignment ${alignment}/></xf>`;
  });
  const borders = list('borders', ['<border/>', '<border><bottom style="thin"/></border>']);
  const fill = '<fill><patternFill patternType="none"/></fill>';
  const looked = `${list('fonts', fonts)}${list('fills', [fill])}${borders}`;
  const formatted = `${list('cellStyleXfs', ['<xf/>'])}${list('cellXfs', cells)}`;
  return `${XML}<styleSheet${MAIN}>${list('numFmts', numbers)}${looked}${formatted}</styleSheet>`;
}

function* writeSheet({ widths, frozenRows, rows }: SheetContent): Generator<string> {
  const columns = widths.map((width, at) => {
    return `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`;
  });
  const pane = `ySplit="${frozenRows}" topLeftCell="A${frozenRows + 1}" state="frozen"`;
  let text = `${XML}<worksheet${MAIN}><sheetPr><pageSetUpPr fitToPage="1"/></sheetPr><sheetViews>
<sheetView workbookViewId="0"><pane ${pane} activePane="bottomLeft"/></sheetView></sheetViews>
<cols>${columns.join('')}</cols><sheetData>\n`;
  let row = 0;
  for (const cells of rows) {
    row += 1;
    if (row > SHEET_ROWS) throw new Failure('conflict', 'Too many rows for a sheet. Use CSV.');
    const written = cells.map((cell, at) => writeCell(cell, row, at)).join('');
    text += `<row r="${row}">${written}</row>\n`;
    if (text.length < PIECE_CHARACTERS) continue;
    yield text;
    text = '';
  }
  yield `${text}</sheetData><pageSetup paperSize="9" fitToHeight="0" orientation="landscape"/>
<headerFooter><oddFooter>&#38;L&#38;A&#38;R&#38;P / &#38;N</oddFooter></headerFooter></worksheet>`;
}

function writeCell(cell: WorkbookCell, row: number, column: number): string {
  if (cell === null || cell === '') return '';
  const [look, value] = typeof cell === 'string' ? (['text', cell] as const) : cell;
  const place = String.fromCharCode(65 + column) + row;
  const start = `<c r="${place}" s="${Object.keys(LOOKS).indexOf(look)}"`;
  if (LOOKS[look][1] !== 0) {
    // Days since 30 December 1899, as Excel counts them from March 1900 on.
    const number = look === 'day' ? Date.parse(value) / 86_400_000 + 25_569 : value;
    return `${start}><v>${number}</v></c>`;
  }
  return `${start} t="inlineStr"><is><t xml:space="preserve">${escapeXml(value)}</t></is></c>`;
}

/** A text for XML; what XML does not have, and what would read as that, as Excel writes it. */
function escapeXml(text: string): string {
  const code = (character: string) => character.charCodeAt(0);
  return text
    .replace(/_(?=x[\da-f]{4}_)/gi, '_x005F_')
    .replace(/[^\t\n -\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, (character) => {
      return `_x${code(character).toString(16).padStart(4, '0')}_`;
    })
    .replace(/[&<>"]/g, (character) => `&#${code(character)};`);
}

/** A file in an archive: its name, what both of its heads say, and its bytes. */
type PackedFile = readonly [name: Buffer, facts: Buffer, packed: Buffer];

async function packFile(name: string, texts: Iterable<string>): Promise<PackedFile> {
  const deflate = createDeflateRaw();
  const packed: Buffer[] = [];
  deflate.on('data', (piece: Buffer) => packed.push(piece));
  let [sum, bytes] = [0, 0];
  for (const text of texts) {
    const plain = Buffer.from(text);
    [sum, bytes] = [crc32(plain, sum), bytes + plain.length];
    await new Promise((resolve) => deflate.write(plain, resolve));
  }
  await new Promise((resolve) => deflate.once('end', resolve).end());
  const all = Buffer.concat(packed);
  const facts = Buffer.alloc(26);
  // Version 2.0, deflated, and of 1 January 1980: the same content is the same file.
  facts.set([20, 0, 0, 0, 8, 0, 0, 0, 0x21]);
  for (const [at, value] of [sum, all.length, bytes].entries()) {
    facts.writeUInt32LE(value, 10 + 4 * at);
  }
  facts.writeUInt16LE(name.length, 22);
  return [Buffer.from(name), facts, all];
}

function joinFiles(files: readonly PackedFile[]): Buffer[] {
  const bytes = (pieces: readonly Buffer[]) => pieces.reduce((sum, { length }) => sum + length, 0);
  const pieces: Buffer[] = [];
  const list: Buffer[] = [];
  for (const [name, facts, packed] of files) {
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(bytes(pieces), 10);
    list.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), facts, rest, name);
    pieces.push(Buffer.from('PK\x03\x04'), facts, name, packed);
  }
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06');
  for (const at of [8, 10]) end.writeUInt16LE(files.length, at);
  end.writeUInt32LE(bytes(list), 12);
  end.writeUInt32LE(bytes(pieces), 16);
  return [...pieces, ...list, end];
}
