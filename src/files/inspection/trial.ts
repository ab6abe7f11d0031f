/** Tries a mapping on every record: what push will do, and lines that may not be payments. */

import { findColumn } from '../mapping/columns.ts';
import { columnsOf, type Mapping, type NotRowRule, ruleOf } from '../mapping/mapping.ts';
import { FileError } from '../problems.ts';
import { type CsvRecord, cellOf } from '../reading/csv-records.ts';
import { type RowMaker, startRows } from '../reading/csv-rows.ts';
import { NotRows } from '../reading/not-rows.ts';
import type { Entry } from '../reading/rows.ts';
import { openLines } from '../text/text.ts';
import { withoutDay } from '../values/date-formats.ts';
import type { Millionths } from '../values/exact-sums.ts';
import { columnWords, countKnown, rolesOf } from '../vocabulary/column-names.ts';
import {
  balanceSide,
  CLOSING_WORDS,
  flagOf,
  isBalanceWord,
  isPaidWord,
  isPartWord,
  isUnpaidWord,
  suspectTest,
} from '../vocabulary/not-payments.ts';
import { BracketFinder } from './brackets.ts';
import { amountOf, Check, type Refused, withAnyId } from './check.ts';
import type { ColumnFacts, Columns } from './column-facts.ts';
import type { Collector, Context } from './facts.ts';
import { findPaidColumns } from './statuses.ts';

/** Lines that are complete rows, but have a value that suggests that they are not payments. */
export interface Suspect {
  readonly column: number;
  readonly text: string;
  /** The first few of them. */
  readonly lines: readonly number[];
  readonly kind: 'unpaid' | 'balance' | 'part' | Marked['kind'];
  /** Whether it is proven; the first line, if that depends on what is beside a balance in it. */
  readonly alone: boolean | readonly string[];
  readonly count: number;
}

/**
 * Words in a column whose rows a running balance leaves out, accounts without cash, or words that
 * are neither money out nor in.
 */
export interface Marked {
  readonly kind: 'idle' | 'cashless' | 'neither';
  readonly column: ColumnFacts;
  readonly words: readonly string[];
}

/** A file that a mapping can read. */
export interface Readable extends Context {
  readonly mapping: Mapping;
  readonly date: ColumnFacts;
  /** The columns of the amount, and the indicator if there is one. */
  readonly amounts: Columns;
  readonly marked: readonly Marked[];
}

/** Reads all records with the mapping. Throws FileError. */
export async function tryMapping(known: Readable): Promise<Trial> {
  const { facts, date, amounts, marked, mapping } = known;
  const { source, cut } = facts;
  const otherDates = facts.columns.filter((column) => {
    return column !== date && column.hasDates(0.5) && column.dateKind !== 'other';
  });
  const paid = findPaidColumns(facts, [date, ...amounts]);
  const own = [[date], amounts, otherDates, [...paid.ticks], [paid.status]];
  const indexes = own.map((columns) => columns.map((column) => column?.index));
  const words = marked.map((each) => [each.column.index, each.words]);
  const what = [indexes, words, known.answers.lines, mapping];
  const trial = await facts.collect(what, async () => {
    const reader = withAnyId(mapping);
    const start = await startRows(openLines(source, cut.encoding), reader);
    return new Trial(known, start, [otherDates, paid]);
  });
  trial.take(trial.maker.end());
  if (trial.error !== undefined) throw trial.error;
  return trial;
}

/** Looks at every record as push will read it. */
class Trial implements Collector {
  readonly #check: Check;
  /** The column of the ids, if the facts about it say whether one repeats. */
  readonly #ids: ColumnFacts | undefined;
  /** Whether a row is one that these facts are not about. */
  #isOther = false;
  readonly maker: RowMaker;
  readonly otherDates: Columns;
  readonly rules = new Map<string, NotRowRule>();
  readonly suspects = new Map<string, Suspect>();
  readonly headings = new Headings();
  readonly brackets = new BracketFinder();
  readonly undated: Refused[] = [];
  /** The first line that makes the file unreadable. */
  error: unknown;
  readonly #known: Readable;
  readonly #finder: NotRows;
  readonly #suspect: ReturnType<typeof suspectFinder>;

  constructor(
    known: Readable,
    start: Awaited<ReturnType<typeof startRows>>,
    [otherDates, paid]: readonly [Columns, ReturnType<typeof findPaidColumns>],
  ) {
    const { mapping, facts } = known;
    this.#ids = idsOf(known);
    this.#check = new Check(start, mapping, this.#ids === undefined ? undefined : false);
    this.maker = start.maker;
    this.otherDates = otherDates;
    this.#known = known;
    this.#finder = new NotRows(POSSIBLE, mapping, facts.layout.names);
    this.#suspect = suspectFinder(known, paid);
  }

  add(record: CsvRecord, isRow: boolean): undefined {
    if (this.error !== undefined) return;
    const { rows } = this.#check;
    const entry = this.maker.toEntry(record);
    this.take(entry, isRow && entry?.line === record.line);
    if (!isRow && this.#check.rows > rows) this.#isOther = true;
  }

  /** What push will do with the rows; undefined if that depends on ids that were not compared. */
  get check(): Check | undefined {
    const isKnown = this.#ids === undefined || (this.#ids.isUnique && !this.#isOther);
    return isKnown ? this.#check : undefined;
  }

  /** Looks at an entry, if there is one; the facts are about its record if it is counted. */
  take(entry: Entry | undefined, isCounted = false): void {
    if (entry === undefined) return;
    const amount = amountOf(entry);
    this.#check.add(entry, amount);
    const all = 'fields' in entry.original ? entry.original.fields : [];
    const fields = all.length > LOOKED_CELLS ? all.slice(0, LOOKED_CELLS) : all;
    if (entry.problems.length === 0) this.#addRow(entry, fields, amount, isCounted);
    else this.#addOther(entry, fields);
  }

  /** A record that the mapping cannot read. */
  #addOther({ line, problems }: Entry, fields: readonly string[]): void {
    const { facts, date, answers, marked: all } = this.#known;
    this.error ??= findOtherHeader(this.#known, fields, line);
    const marked = suspectMarked(fields, this.#known);
    if (marked?.kind === 'neither') {
      keep(this.suspects, { ...marked, alone: true, lines: [line] });
      return;
    }
    const day = date.cellOf(fields);
    for (const { text: is, isRow } of answers.lines) {
      // A slash in place of a direction says nothing about one in another column.
      if (all.some(({ kind, words }) => kind === 'neither' && words.includes(is))) continue;
      const at = is === '' ? -1 : fields.findIndex((field) => field.trim() === is);
      const column = is === day ? date : facts.columns[at];
      if (!isRow && column) this.rules.set(`${column.index} ${is}`, { column: column.title, is });
    }
    // A word such as `Pending` in place of the date: the bank has not booked it yet.
    const isOpen = problems.every(({ field }) => field === 'date') && isUnpaidWord(day);
    if (isOpen) this.rules.set(day, { column: date.title, is: day });
    const rule = isOpen ? undefined : this.#finder.explain(fields)?.rule;
    if (
      day === '' &&
      rule === undefined &&
      this.otherDates.some((column) => column.cellOf(fields) !== '')
    ) {
      this.undated.push({ line, problems, fields });
    }
    if (rule !== undefined) this.rules.set(JSON.stringify(rule), spell(rule, fields));
    this.headings.add(fields, rule);
  }

  #addRow(
    { line }: Entry,
    fields: readonly string[],
    amount: Millionths,
    isCounted: boolean,
  ): void {
    this.#finder.addRow(fields, amount);
    const worded = this.#suspect(fields, isCounted);
    const isBalance = worded?.kind === 'balance';
    const suspected = isBalance ? worded : (suspectMarked(fields, this.#known) ?? worded);
    const side = isBalance ? balanceSide(worded.text) : undefined;
    const isIdle = suspected?.kind === 'idle';
    if (suspected === undefined || isBalance || isIdle) {
      const named = suspected && (side ?? 'any');
      this.brackets.add({ line, fields, amount, named });
    }
    if (suspected === undefined) return;
    // Shops and suppliers are called Total, and a transfer between accounts Übertrag.
    const alone = isIdle || (side === undefined ? false : fields);
    keep(this.suspects, { ...suspected, alone, lines: [line] });
  }
}

/** The column whose cells are the ids of the rows, if no two of them are the same so far. */
function idsOf({ mapping, facts }: Readable): ColumnFacts | undefined {
  const [name = '', second] = columnsOf(mapping, 'externalId');
  const column = facts.columns[findColumn(name, facts.layout.names) ?? -1];
  const isOne = second === undefined && ruleOf(mapping, 'externalId').made === undefined;
  const isApart = ruleOf(mapping, 'accountCode').below === true;
  return isOne && !isApart && column?.isUnique ? column : undefined;
}

/** Every rule that could be in a mapping, apart from values of a column. */
const POSSIBLE: readonly NotRowRule[] = [
  ...CLOSING_WORDS.map((begins) => ({ begins })),
  { sum: true },
  { text: true },
];

/** How many cells of a line are looked at: words such as a total are among the first ones. */
const LOOKED_CELLS = 1_000;

/** What finds the first cell of a row that says that it is not a payment. */
function suspectFinder({ facts }: Readable, { status, ticks }: ReturnType<typeof findPaidColumns>) {
  const flags = facts.columns.map(({ name }) => flagOf(name));
  // A status that does not mean paid is unknown, such as `charged_back`.
  const isUnpaid = (field: string, at: number) => {
    if (isUnpaidWord(field, flags[at])) return true;
    const column = facts.columns[at];
    if (column === undefined) return false;
    if (field.trim() === '') return ticks.has(column);
    return column === status && !isPaidWord(field, column.name);
  };
  const tests = { unpaid: isUnpaid, balance: isBalanceWord, part: isPartWord } as const;
  const own = facts.columns.map((column, at) => {
    return flags[at] !== undefined || column === status || ticks.has(column);
  });
  // The first words of a column repeat, those of a row do not.
  const begins = facts.columns.map(() => suspectTest());
  const other = suspectTest();
  /** False for most rows that say nothing, which takes less time than the tests. */
  const may = (fields: readonly string[], isCounted: boolean) => {
    for (let at = 0; at < fields.length; at += 1) {
      const field = fields[at] ?? '';
      if (own[at] === true && isUnpaid(field, at)) return true;
      const column = isCounted ? facts.columns[at] : undefined;
      // A column without a letter has no words; a wide row is counted in several turns.
      const isWordless = column?.letters === 0 && column.rows === facts.rows;
      if (!isWordless && (begins[at] ?? other)(field)) return true;
    }
    return false;
  };
  /** The facts are about the row if it is counted. */
  return (fields: readonly string[], isCounted: boolean) => {
    if (!may(fields, isCounted)) return undefined;
    for (const kind of ['unpaid', 'balance', 'part'] as const) {
      const column = fields.findIndex(tests[kind]);
      if (column >= 0) return { column, text: cellOf(fields, column), kind };
    }
    return undefined;
  };
}

/** What a running balance does not include is proven not to be a payment. */
function suspectMarked(fields: readonly string[], { marked }: Readable) {
  for (const { kind, column, words } of marked) {
    const text = column.cellOf(fields);
    if (words.includes(text)) return { column: column.index, text, kind };
  }
  return undefined;
}

/** The error of a second table with other columns: its rows would be read as the first's. */
function findOtherHeader({ date, amounts }: Readable, fields: readonly string[], line: number) {
  const isOther = [date, ...amounts].some(({ index, words }) => {
    const name = fields[index] ?? '';
    return rolesOf(name).size > 0 && columnWords(name) !== words;
  });
  if (!isOther || countKnown(fields) < SECOND_NAMES) return undefined;
  const way = `Save line ${line} and the lines below as a separate file, and inspect each.`;
  return new FileError(`line ${line} is a second header, with other columns. ${way}`);
}

/** A line with fewer known names than this may be a total. */
const SECOND_NAMES = 3;

/** Section headings: a text for which another line has `Total` and the same text. */
class Headings {
  readonly #texts = new Set<string>();
  readonly #totals = new Set<string>();

  add(fields: readonly string[], rule: NotRowRule | undefined): void {
    const text = fields.map((field) => field.trim()).find((cell) => /\p{L}/u.test(cell)) ?? '';
    if (rule === undefined) this.#texts.add(text);
    else if (rule.begins !== undefined) this.#totals.add(text.slice(rule.begins.length).trim());
  }

  listRules(): NotRowRule[] {
    const both = [...this.#texts].filter((text) => text !== '' && this.#totals.has(text));
    return both.map((begins) => ({ begins }));
  }
}

/** The rule in the spelling of the file, for readers of the mapping file. */
function spell(rule: NotRowRule, fields: readonly string[]): NotRowRule {
  const { begins } = rule;
  if (begins === undefined) return rule;
  for (const field of fields) {
    const own = field.trim().replace(/^[^\p{L}\p{N}]+/u, '');
    const text = own.slice(0, begins.length);
    if (text.toLowerCase() === begins.toLowerCase()) return { begins: text };
  }
  return rule;
}

/** Keeps a line that may not be a payment with those that have the same text. */
export function keep(suspects: Map<string, Suspect>, suspect: Omit<Suspect, 'count'>): void {
  const key = `${suspect.column} ${withoutDay(suspect.text)}`;
  const { lines, count, ...first } = suspects.get(key) ?? { ...suspect, lines: [], count: 0 };
  const more = lines.length > TURNOVERS ? [] : suspect.lines;
  suspects.set(key, { ...first, lines: [...lines, ...more], count: count + 1 });
}

/** Lines with the sums of an account have one for money out and one for money in. */
const TURNOVERS = 2;
