/** Facts about the columns of a file, gathered in one pass over all possible rows. */

import { findColumn, nameColumn } from '../rows/columns.ts';
import { FileError } from '../rows/problems.ts';
import { ColumnFacts } from './column-facts.ts';
import { AnswerError, type Evidence, quote } from './found.ts';
import { isRowLike, type Layout } from './layout.ts';
import { type CsvSource, type Cut, listRecords } from './source.ts';

/** A file and the facts about its columns. */
export interface Facts {
  readonly source: CsvSource;
  readonly cut: Cut;
  readonly layout: Layout;
  readonly columns: readonly ColumnFacts[];
  /** How many records have a date and an amount. */
  readonly rows: number;
}

/** Reads the whole file. Throws FileError. */
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

/** Refuses a file in which every row has more values than the header has names. */
async function refuseWide({ source, cut, layout }: Omit<Facts, 'rows'>): Promise<void> {
  const width = layout.names.length;
  for await (const { line, fields } of listRecords(source, cut)) {
    if (line < layout.firstRowLine || fields.length <= width || !isRowLike(fields)) continue;
    const counts = `line ${line} has ${fields.length} values, but the header has ${width} names`;
    const mark = `A value with a "${cut.delimiter}" in it needs quotation marks.`;
    throw new FileError(`${counts}. ${mark}`);
  }
}

/** The records after the header that can be rows, with their lines. */
export async function* listRows({ source, cut, layout, columns }: Omit<Facts, 'rows'>) {
  const isFull = rowTest(layout, columns);
  for await (const record of listRecords(source, cut)) {
    if (record.line < layout.firstRowLine) continue;
    const isWide = record.fields.slice(layout.names.length).every((field) => field.trim() === '');
    if (isWide && isFull(record.fields)) yield record;
  }
}

/** Accepts the same records each time, but looks at fewer cells once the columns are known. */
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

/** Evidence from the column names. */
export function provenByNames(
  names: readonly string[],
  { layout }: Pick<Facts, 'layout'>,
): Evidence {
  const line = layout.headerLine.value;
  const text = names.map(quote).join(' and ');
  return { line, text, because: `from the column names in line ${line}: ${text}` };
}

/** Finds a column that the user named. Throws AnswerError that lists the columns. */
export function requireColumn(name: string, { layout }: Pick<Facts, 'layout'>): number {
  const index = findColumn(name, layout.names);
  if (index >= 0) return index;
  const place = Number(/^#(\d{1,4})$/.exec(name)?.[1] ?? 0);
  if (place >= 1 && place <= layout.names.length) return place - 1;
  const all = layout.names.map((_, at) => `"${nameColumn(at, layout.names)}"`).join(', ');
  throw new AnswerError(`The file has no column "${name}". Its columns are: ${all}.`);
}
