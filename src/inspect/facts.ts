/** Facts about the columns of a file, gathered in one pass over all possible rows. */

import { findColumn, nameColumns } from '../rows/columns.ts';
import type { CsvRecord } from '../rows/csv-records.ts';
import { FileError } from '../rows/problems.ts';
import type { Answers, ColumnUse } from './answers.ts';
import { ColumnFacts, type Columns } from './column-facts.ts';
import { AnswerError, type Evidence, quote } from './found.ts';
import { isRowLike, type Layout, rowTest } from './layout.ts';
import { forEach } from './pace.ts';
import { type Cut, forEachRecord, type Source } from './source.ts';

/** A file and the facts about its columns. */
export interface Facts {
  readonly source: Source;
  readonly cut: Cut;
  readonly layout: Layout;
  readonly columns: Columns;
  /** How many records have a date and an amount. */
  readonly rows: number;
  /** The fewest values in one of them. */
  readonly fewestValues: number;
}

/** A file before its rows were counted. */
type Table = Omit<Facts, 'rows' | 'fewestValues'>;

/** Reads the whole file. Throws FileError. */
export async function gatherFacts(
  source: Source,
  cut: Cut,
  layout: Layout,
  lastDay: string,
): Promise<Facts> {
  const columns: ColumnFacts[] = [];
  const titles = nameColumns(layout.names);
  await forEach(layout.names, (name, index) => {
    columns.push(new ColumnFacts(index, [name, titles[index] ?? ''], lastDay));
  });
  const table = { source, cut, layout, columns };
  let [rows, fewestValues] = [0, layout.names.length];
  await forEachRow(table, ({ line, fields }) => {
    rows += 1;
    fewestValues = Math.min(fewestValues, fields.length);
    return forEach(columns, (column) => column.add((fields[column.index] ?? '').trim(), line));
  });
  if (rows === 0) await refuseWide(table);
  await forEach(columns, (column) => column.pair);
  return { ...table, rows, fewestValues };
}

/** Refuses a file in which every row has more values than the header has names. */
async function refuseWide({ source, cut, layout }: Table): Promise<void> {
  const width = layout.names.length;
  await forEachRecord(source, cut, ({ line, fields }) => {
    const isWide = line >= layout.firstRowLine && fields.length > width;
    if (!isWide || !isRowLike(fields)) return undefined;
    const counts = `line ${line} has ${fields.length} values, but the header has ${width} names`;
    const mark = `A value with a "${cut.delimiter}" in it needs quotation marks.`;
    throw new FileError(`${counts}. ${mark}`);
  });
}

/** Calls a function for each record after the header that can be a row. Throws FileError. */
export async function forEachRow(
  { source, cut, layout }: Omit<Table, 'columns'>,
  call: (record: CsvRecord) => Promise<void> | undefined,
): Promise<void> {
  const isFull = layout.hasDays ? rowTest() : (fields: readonly string[]) => fields.length > 2;
  await forEachRecord(source, cut, (record) => {
    const { line, fields } = record;
    if (line < layout.firstRowLine || !isBlankAfter(fields, layout.names.length)) return undefined;
    return isFull(fields) ? call(record) : undefined;
  });
}

/** Whether a record has nothing behind the last column. */
function isBlankAfter(fields: readonly string[], width: number): boolean {
  return fields.length <= width || fields.slice(width).every((field) => field.trim() === '');
}

/** Evidence from the column names. */
export function provenByNames(columns: Columns, { layout }: Pick<Facts, 'layout'>): Evidence {
  const line = layout.headerLine.value;
  const text = columns.map(({ name }) => quote(name)).join(' and ');
  return { line, text, because: `from the column names in line ${line}: ${text}` };
}

/** Finds a column that the user named. Throws AnswerError that lists the columns. */
export function requireColumn(name: string, { columns, layout }: Facts): ColumnFacts {
  const place = Number(/^#(\d{1,4})$/.exec(name)?.[1] ?? 0) - 1;
  const found = columns[findColumn(name, layout.names) ?? place];
  if (found !== undefined) return found;
  const all = columns.map(({ title }) => `"${title}"`).join(', ');
  throw new AnswerError(undefined, `The file has no column "${name}". Its columns are: ${all}.`);
}

/** The column that the user named for a use; undefined if no answer names one. */
export function findSaid(use: ColumnUse, { facts, answers }: Context): ColumnFacts | undefined {
  const name = answers.columns.get(use)?.[0]?.column ?? undefined;
  return name === undefined ? undefined : requireColumn(name, facts);
}

/** What every step about columns knows. */
export interface Context {
  readonly facts: Facts;
  readonly answers: Answers;
}
