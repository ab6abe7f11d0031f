/** What the columns of a file hold, gathered in one reading of all that can be a row. */

import { UsageError } from '../command.ts';
import { findColumn, nameColumn } from '../push/columns.ts';
import { FileError } from '../push/rows.ts';
import { ColumnFacts } from './column-facts.ts';
import { type Evidence, quote } from './found.ts';
import { isRowLike, type Layout } from './layout.ts';
import { type CsvSource, type Cut, listRecords } from './source.ts';

/** A file and what is known of its columns. */
export interface Facts {
  readonly source: CsvSource;
  readonly cut: Cut;
  readonly layout: Layout;
  readonly columns: readonly ColumnFacts[];
  /** Records that hold a day and an amount. */
  readonly rows: number;
}

/** Reads the file through. Throws FileError. */
export async function gatherFacts(
  source: CsvSource,
  cut: Cut,
  layout: Layout,
  lastDay: string,
): Promise<Facts> {
  const columns = layout.names.map((name, index) => new ColumnFacts(index, name, lastDay));
  const facts = { source, cut, layout, columns };
  let rows = 0;
  for await (const { line, fields } of listRows(facts)) {
    rows += 1;
    for (const column of columns) column.add((fields[column.index] ?? '').trim(), line);
  }
  if (rows === 0) await refuseWide(facts);
  return { ...facts, rows };
}

/** Where every row has more values than there are names, something parts values that should not. */
async function refuseWide({ source, cut, layout }: Omit<Facts, 'rows'>): Promise<void> {
  const width = layout.names.length;
  for await (const { line, fields } of listRecords(source, cut)) {
    if (line < layout.firstRowLine || fields.length <= width || !isRowLike(fields)) continue;
    const counts = `line ${line} has ${fields.length} values, but the header has ${width} names`;
    const mark = `Is there a "${cut.delimiter}" in a value without quotation marks?`;
    throw new FileError(`${counts}. ${mark}`);
  }
}

/** The records behind the header that can be rows, with their lines. */
export async function* listRows({ source, cut, layout, columns }: Omit<Facts, 'rows'>) {
  const isFull = rowTest(layout, columns);
  for await (const record of listRecords(source, cut)) {
    if (record.line < layout.firstRowLine) continue;
    const isWide = record.fields.slice(layout.names.length).every((field) => field.trim() === '');
    if (isWide && isFull(record.fields)) yield record;
  }
}

/** The same records each time; once the columns are known, with a look at few cells. */
function rowTest({ hasDays }: Layout, columns: readonly ColumnFacts[]) {
  if (!hasDays) return (fields: readonly string[]) => fields.length > 2;
  if (!columns.some(({ filled }) => filled > 0)) return isRowLike;
  const telling = columns
    .filter(({ dates, numbers }) => dates.readable > 0 || numbers.numbers > 0)
    .map(({ index }) => index);
  return (fields: readonly string[]) => isRowLike(telling.map((index) => fields[index] ?? ''));
}

/** How the mapping and messages name a column. */
export function titleOf(index: number, { layout }: Pick<Facts, 'layout'>): string {
  return nameColumn(index, layout.names);
}

/** The line of the header as proof: what its names say. */
export function provenByNames(
  names: readonly string[],
  { layout }: Pick<Facts, 'layout'>,
): Evidence {
  const line = layout.headerLine.value;
  const text = names.map(quote).join(' and ');
  return { line, text, because: `by the header in line ${line}: ${text}` };
}

/** A column that a person named. Throws UsageError with the columns that there are. */
export function requireColumn(name: string, { layout }: Pick<Facts, 'layout'>): number {
  const index = findColumn(name, layout.names);
  if (index >= 0) return index;
  const place = Number(/^#(\d{1,4})$/.exec(name)?.[1] ?? 0);
  if (place >= 1 && place <= layout.names.length) return place - 1;
  const all = layout.names.map((_, at) => `"${nameColumn(at, layout.names)}"`).join(', ');
  throw new UsageError(`The file has no column "${name}". Its columns are: ${all}.`);
}
