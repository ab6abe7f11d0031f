/** Makes workbooks for tests. */

import { zipOf } from './zips.ts';

/** The number formats of the cells: style 1 is the first. */
export const FORMATS = ['dd\\-mm\\-yyyy', '0000', '#,##0.00 "EUR"', '[$-409]h:mm', '[$€-407] 0.00'];

interface Workbook {
  /** The rows of each sheet, as XML. */
  readonly sheets: Readonly<Record<string, string>>;
  readonly hidden?: readonly string[];
  readonly texts?: readonly string[];
  readonly is1904?: boolean;
}

/** A workbook with these sheets. */
export function workbookOf({ sheets, hidden = [], texts = [], is1904 = false }: Workbook): Buffer {
  const names = Object.keys(sheets);
  const list = names.map((name, at) => {
    const state = hidden.includes(name) ? ' state="hidden"' : '';
    return `<sheet name="${name}" sheetId="${at + 1}"${state} r:id="rId${at + 1}"/>`;
  });
  const links = names.map((_, at) => {
    return `<Relationship Id="rId${at + 1}" Target="worksheets/sheet${at + 1}.xml"/>`;
  });
  const parts = names.map((name, at) => [
    `xl/worksheets/sheet${at + 1}.xml`,
    `<worksheet><dimension ref="A1:G1048576"/><sheetData>${sheets[name]}</sheetData></worksheet>`,
  ]);
  const codes = FORMATS.map((code, at) => {
    return `<numFmt numFmtId="${164 + at}" formatCode="${code.replaceAll('"', '&quot;')}"/>`;
  });
  const styles = FORMATS.map((_, at) => `<xf numFmtId="${164 + at}"/>`);
  return zipOf({
    ...Object.fromEntries(parts),
    'xl/workbook.xml': `<workbook xmlns:r="r"><workbookPr date1904="${is1904 ? 1 : 0}"/><sheets>
${list.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${links.join('')}</Relationships>`,
    'xl/styles.xml': `<styleSheet><numFmts>${codes.join('')}</numFmts>
<cellStyleXfs><xf numFmtId="9"/></cellStyleXfs><cellXfs><xf numFmtId="0"/>${styles.join('')}
<xf numFmtId="14"/></cellXfs></styleSheet>`,
    'xl/sharedStrings.xml': `<sst>${texts.map((text) => `<si>${text}</si>`).join('')}</sst>`,
  });
}

/** Rows of texts and numbers; a text that begins with `<` is a cell. */
export function rowsOf(rows: readonly (readonly (string | number)[])[]): string {
  return rows.map((cells) => `<row>${cells.map(cellOf).join('')}</row>`).join('');
}

function cellOf(value: string | number): string {
  if (typeof value === 'number') return `<c><v>${value}</v></c>`;
  if (value.startsWith('<')) return value;
  return `<c t="inlineStr"><is><t>${value}</t></is></c>`;
}
