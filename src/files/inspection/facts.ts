/** Facts about a file: what every step knows, and how a step learns more from all of its rows. */

import { count } from '../../core/counts.ts';
import { isOptional, ROW_FIELDS, type RowField } from '../../core/row-members.ts';
import { findColumn, nameColumns } from '../mapping/columns.ts';
import { forEach, forEachOf } from '../pace.ts';
import { FileError } from '../problems.ts';
import { type CsvRecord, isBlank, readRecords } from '../reading/csv-records.ts';
import type { Encoding } from '../text/encodings.ts';
import { type FileSource, LONGEST_RECORD, openLines } from '../text/text.ts';
import { columnWords, withoutWays } from '../vocabulary/column-names.ts';
import { isOfBooks, nameStatement } from '../vocabulary/files.ts';
import { hasLetter } from '../vocabulary/words.ts';
import { ColumnFacts, type Columns } from './column-facts.ts';
import {
  AnswerError,
  type Answers,
  type ColumnUse,
  type Finding,
  type Proof,
  quote,
  type Seen,
  stated,
} from './found.ts';
import { type Layout, rowTest } from './layout.ts';

/** What a step collects from the records of a file; those that can be rows are marked. */
export interface Collector {
  add(record: CsvRecord, isRow: boolean): Promise<unknown> | undefined;
}

/** How many records, or characters, are kept: a file that is not longer is read once. */
const KEPT = { records: 2000, characters: 1024 * 1024 };
/** What the steps collect besides this many is read again: it also takes memory. */
const COLLECTORS = 7;
/** How many records are kept as examples. */
const SAMPLES = 50;
/** The names of columns that describe payments, the surest first. */
const NAMED_RANKS: readonly ColumnFacts['textRank'][] = ['description', 'more', 'purpose'];

/** What every pushed row has. */
const OWN_COLUMNS = ROW_FIELDS.filter((field) => !isOptional(field));

/** A file before its rows are read. */
type Table = Pick<Facts, 'source' | 'cut' | 'layout' | 'columns'>;

/** A file, the facts about its columns, and what the steps collect from its rows. */
export class Facts {
  readonly source: FileSource;
  /** How it is split into records. */
  readonly cut: { readonly encoding: Encoding; readonly delimiter: string };
  readonly layout: Layout;
  readonly columns: Columns;
  /** Columns that are named as descriptions of payments, the surest first. */
  readonly telling: Columns;
  /** How many records have a date and an amount. */
  rows = 0;
  /** The fewest values in one of them. */
  fewestValues: number;
  /** In how many of them no column named as a description has a word. */
  untold = 0;
  /** The first of them, as examples. */
  readonly samples: CsvRecord[] = [];
  #short = 0;
  #others = 0;
  #firstWide: CsvRecord | undefined;
  readonly #isFull: (fields: readonly string[]) => boolean;
  /** The first records, until the file turns out to be longer. */
  #kept: { readonly record: CsvRecord; readonly isRow: boolean }[] = [];
  /** Whether these are all of the file that is known so far. */
  #isKept = true;
  readonly #collected = new Map<string, Collector>();
  /** What `#collected` has, as a list to go through for each record. */
  #collectors: readonly Collector[] = [];

  private constructor({ source, cut, layout, columns }: Table) {
    this.source = source;
    this.cut = cut;
    this.layout = layout;
    this.columns = columns;
    this.telling = NAMED_RANKS.flatMap((rank) =>
      columns.filter(({ textRank }) => textRank === rank),
    );
    this.fewestValues = columns.length;
    this.#isFull = layout.hasDays ? rowTest() : ({ length }) => length > 2;
  }

  /** Whether some rows lack values at the end, and not because a line end cuts them in two. */
  get areSomeShort(): boolean {
    // Of each row that is cut in two, the second half stays behind.
    return this.#short > 1 && this.#others < this.#short;
  }

  /** Whether all of it is kept, so that it is not read again. */
  get isShort(): boolean {
    return this.#isKept;
  }

  /** A row, nearly as it is in the file. */
  rowOf({ line, fields }: CsvRecord): Seen {
    return { line, text: fields.join(this.cut.delimiter) };
  }

  /** Evidence from the column names. */
  proveByNames(columns: Columns): Proof {
    const line = this.layout.headerLine.value;
    const text = columns.map(({ name }) => quote(name)).join(' and ');
    return { line, text, because: `from the column names in line ${line}: ${text}` };
  }

  /** Whether the columns have the names of a pushed row: then they have its meaning. */
  get isOwn(): boolean {
    return OWN_COLUMNS.every((own) => this.columns.some(({ name }) => name === own));
  }

  /** The name of a column, or a line above, that shows that the file is a bank's or a card's. */
  get statement() {
    const { columns, layout } = this;
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

  /** Whether the file is from books, in which a debit can be money in. */
  get isBooks(): boolean {
    return isOfBooks(this.columns) || this.columns.some(({ roles }) => roles.has('accountCode'));
  }

  /**
   * Reads the whole file once. Of a long file, `plan` collects what the steps want to know of the
   * first records, and the others are added to that. Throws FileError.
   */
  static async gather(
    table: Omit<Table, 'columns'>,
    lastDay: string,
    plan: (facts: Facts) => Promise<unknown>,
  ): Promise<Facts> {
    const columns: ColumnFacts[] = [];
    const { names } = table.layout;
    const titles = nameColumns(names);
    const known = withoutWays(names);
    await forEach(names, (name, index) => {
      columns.push(new ColumnFacts(index, [name, titles[index] ?? '', known[index]], lastDay));
    });
    const facts = new Facts({ ...table, columns });
    await facts.#read(() => plan(facts));
    return facts;
  }

  /** Reads the file; `plan` is called when it turns out to be too long to be kept. */
  async #read(plan: () => Promise<unknown>): Promise<void> {
    let left = KEPT.characters;
    await this.#readFile((record) => {
      const isRow = this.#isRow(record);
      if (this.#isKept) {
        for (const { length } of record.fields) left -= length;
        if (left < 0 || this.#kept.length === KEPT.records) {
          return this.#plan(plan).then(() => this.#add(record, isRow));
        }
        this.#kept.push({ record, isRow });
      }
      return this.#add(record, isRow);
    });
    if (this.rows === 0) this.#refuseWide();
    await this.#compareIds(this.columns.filter(({ isUnsure }) => isUnsure));
    await forEach(this.columns, (column) => column.end());
  }

  /** Compares ids whose order has ended. */
  async #compareIds(columns: Columns): Promise<void> {
    if (columns.length === 0) return;
    for (const column of columns) column.compareAgain();
    await this.readEach(({ line, fields }, isRow) => {
      for (const column of isRow ? columns : []) {
        const text = column.cellOf(fields);
        if (text !== '') column.addId(text, line);
      }
      return undefined;
    });
  }

  async #plan(plan: () => Promise<unknown>): Promise<void> {
    await plan();
    this.#isKept = false;
    this.#kept = [];
  }

  /** What has collected all records: of the same `what` the same is collected. */
  async collect<Own extends Collector>(what: readonly unknown[], make: () => Own | Promise<Own>) {
    const key = JSON.stringify(what);
    const known = this.#collected.get(key);
    // Each step begins `what` in its own way, so only what it has made is there.
    if (known !== undefined) return known as Own;
    const made = await make();
    await this.readEach((record, isRow) => made.add(record, isRow));
    if (this.#collected.size < COLLECTORS) {
      this.#collected.set(key, made);
      this.#collectors = [...this.#collected.values()];
    }
    return made;
  }

  /** Forgets what was collected for another plan. */
  forget(): void {
    this.#collected.clear();
    this.#collectors = [];
  }

  /** Calls a function for each record, those above the rows too. Throws FileError. */
  readEach(call: Collector['add']): Promise<void> {
    return this.#isKept
      ? forEachOf([this.#kept], ({ record, isRow }) => call(record, isRow))
      : this.#readFile((each) => call(each, this.#isRow(each)));
  }

  async #readFile(call: (record: CsvRecord) => Promise<unknown> | undefined): Promise<void> {
    const lines = openLines(this.source, this.cut.encoding);
    await forEachOf(readRecords(lines, this.cut.delimiter, LONGEST_RECORD), (record) =>
      isBlank(record.fields) ? undefined : call(record),
    );
  }

  #isRow(record: CsvRecord): boolean {
    return this.#isBelow(record) && this.#isFull(record.fields);
  }

  /** Whether a record is below the header, and has nothing behind the last column. */
  #isBelow({ line, fields }: CsvRecord): boolean {
    const { firstRowLine, width } = this.layout;
    if (line < firstRowLine) return false;
    if (fields.length <= width) return true;
    const isRow = this.rows === 0 && this.layout.hasDays && this.#isFull(fields);
    if (isRow) this.#firstWide ??= { line, fields };
    return fields.slice(width).every((field) => field.trim() === '');
  }

  #add(record: CsvRecord, isRow: boolean): Promise<unknown> | undefined {
    let more: Promise<unknown> | undefined;
    if (isRow) more = this.#count(record);
    else if (this.#isBelow(record)) this.#others += 1;
    for (const each of this.#collectors) {
      const own = each.add(record, isRow);
      if (own !== undefined) more = Promise.all([more, own]);
    }
    return more;
  }

  #count(record: CsvRecord): Promise<void> | undefined {
    const { line, fields } = record;
    this.rows += 1;
    if (fields.length < this.layout.names.length) this.#short += 1;
    if (fields.length < this.fewestValues) this.fewestValues = fields.length;
    if (this.rows <= SAMPLES) this.samples.push(record);
    const isUntold = !this.telling.some(({ index }) => hasLetter(fields[index] ?? ''));
    if (isUntold) this.untold += 1;
    return forEach(this.columns, (column) => {
      const text = column.cellOf(fields);
      column.add(text, line);
      if (isUntold && text !== '') column.untold += 1;
    });
  }

  /** Refuses a file in which every row has more values than the header has names. */
  #refuseWide(): void {
    if (this.#firstWide === undefined) return;
    const { line, fields } = this.#firstWide;
    const values = `line ${line} has ${count(fields.length, 'value')}`;
    const counts = `${values}, but the header has ${count(this.layout.width, 'name')}`;
    const mark = `A value with a "${this.cut.delimiter}" in it needs quotation marks`;
    throw new FileError(`${counts}. ${mark}, and each column a name.`);
  }
}

/** A name, and its line if it is above the header. */
interface Named {
  readonly name: string;
  readonly words: string;
  readonly line?: number;
}

/**
 * The columns that answers name for these uses, or none of them; undefined if no answer does.
 * Throws AnswerError that lists the columns.
 */
export function findSaid(
  { facts, answers }: Context,
  ...uses: readonly ColumnUse[]
): Finding<Columns> | undefined {
  const said = uses.flatMap((use) => answers.columns.get(use) ?? []);
  const { columns, layout } = facts;
  const names = said.flatMap(({ column }) => column ?? []);
  const found = names.map((name) => {
    const place = Number(/^#(\d{1,4})$/.exec(name)?.[1] ?? 0) - 1;
    const own = columns[findColumn(name, layout.names) ?? place];
    if (own !== undefined) return own;
    const all = columns.map(({ title }) => `"${title}"`).join(', ');
    throw new AnswerError(undefined, `The file has no column "${name}". Its columns are: ${all}.`);
  });
  return said.length === 0 ? undefined : stated(found, ...said);
}

/** The column that the user named for a field; in a file with own columns the one of that name. */
export function findNamed(context: Context, field: RowField): Finding<Columns> | undefined {
  const { facts } = context;
  const own = facts.isOwn ? facts.columns.filter(({ name }) => name === field) : [];
  const found = own.length > 0 ? { value: own, evidence: facts.proveByNames(own) } : undefined;
  return findSaid(context, field) ?? found;
}

/** What every step about columns knows. */
export interface Context {
  readonly facts: Facts;
  readonly answers: Answers;
}
