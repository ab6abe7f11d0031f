/** Facts about the columns of a file, gathered in one pass over all possible rows. */

import { count } from '../../core/counts.ts';
import { findColumn, nameColumns } from '../mapping/columns.ts';
import { FileError } from '../problems.ts';
import type { CsvRecord } from '../reading/csv-records.ts';
import type { Source } from '../text/text.ts';
import { columnWords } from '../vocabulary/column-names.ts';
import { nameStatement } from '../vocabulary/files.ts';
import type { TextRank } from '../vocabulary/texts.ts';
import type { Answers, ColumnUse } from './answers.ts';
import { ColumnFacts, type Columns } from './column-facts.ts';
import { AnswerError, type Evidence, quote, type Seen } from './found.ts';
import { isRowLike, type Layout, rowTest } from './layout.ts';
import { forEach } from './pace.ts';
import { type Cut, forEachRecord } from './source.ts';

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
  /** Whether some lack values at the end, and not because a line end cuts them in two. */
  readonly areSomeShort: boolean;
  /** In how many of them no column named as a description has a word. */
  readonly untold: number;
  /** The first of them, as examples. */
  readonly samples: readonly CsvRecord[];
}

/** A file before its rows were counted. */
type Table = Pick<Facts, 'source' | 'cut' | 'layout' | 'columns'>;

/** How many records are kept as examples. */
const SAMPLES = 50;
/** The names of columns that describe payments, the surest first. */
export const NAMED_RANKS: readonly TextRank[] = ['description', 'more', 'purpose'];

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
  let [rows, untold, fewestValues] = [0, 0, layout.names.length];
  let [short, others] = [0, 0];
  const samples: CsvRecord[] = [];
  const telling = columns.filter(({ textRank }) => NAMED_RANKS.includes(textRank));
  const call = (record: CsvRecord) => {
    const { line, fields } = record;
    rows += 1;
    if (fields.length < layout.names.length) short += 1;
    fewestValues = Math.min(fewestValues, fields.length);
    if (rows <= SAMPLES) samples.push(record);
    const cellOf = ({ index }: ColumnFacts) => (fields[index] ?? '').trim();
    const isUntold = !telling.some((column) => /\p{L}/u.test(cellOf(column)));
    if (isUntold) untold += 1;
    return forEach(columns, (column) => {
      const text = cellOf(column);
      column.add(text, line);
      if (isUntold && text !== '') column.untold += 1;
    });
  };
  await forEachRow(table, call, () => {
    others += 1;
  });
  if (rows === 0) await refuseWide(table);
  await forEach(columns, (column) => column.pair);
  // Of each row that is cut in two, the second half stays behind.
  const areSomeShort = short > 1 && others < short;
  return { ...table, rows, fewestValues, areSomeShort, untold, samples };
}

/** Refuses a file in which every row has more values than the header has names. */
async function refuseWide({ source, cut, layout }: Table): Promise<void> {
  const { width } = layout;
  await forEachRecord(source, cut, ({ line, fields }) => {
    const isWide = line >= layout.firstRowLine && fields.length > width;
    if (!isWide || !isRowLike(fields)) return undefined;
    const values = `line ${line} has ${count(fields.length, 'value')}`;
    const counts = `${values}, but the header has ${count(width, 'name')}`;
    const mark = `A value with a "${cut.delimiter}" in it needs quotation marks`;
    throw new FileError(`${counts}. ${mark}, and each column a name.`);
  });
}

/**
 * Calls a function for each record after the header that can be a row, and another for each of the
 * rest. Throws FileError.
 */
export async function forEachRow(
  { source, cut, layout }: Omit<Table, 'columns'>,
  call: (record: CsvRecord) => Promise<void> | undefined,
  leave?: () => void,
): Promise<void> {
  const isFull = layout.hasDays ? rowTest() : (fields: readonly string[]) => fields.length > 2;
  await forEachRecord(source, cut, (record) => {
    const { line, fields } = record;
    if (line < layout.firstRowLine || !isBlankAfter(fields, layout.width)) return undefined;
    if (isFull(fields)) return call(record);
    leave?.();
    return undefined;
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

/** A name that shows whose file it is. */
interface Statement extends Seen {
  readonly isCard: boolean;
  readonly because: string;
}

/** The name of a column, or a line above, that shows that the file is a bank's or a card's. */
export function findStatement({ columns, layout }: Facts): Statement | undefined {
  const above = layout.preamble.flatMap(({ line, fields }) => {
    return fields.map((name) => ({ line, name, words: columnWords(name) }));
  });
  const found = nameStatement<Named>(columns, above);
  if (found === undefined) return undefined;
  const { line = layout.headerLine.value, name: text } = found.named;
  const { isCard } = found;
  const because = `line ${line} has ${quote(text)}, as ${isCard ? 'card' : 'bank'} files do`;
  return { line, text, isCard, because };
}

/** A name, and its line if it is above the header. */
interface Named {
  readonly name: string;
  readonly words: string;
  readonly line?: number;
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
