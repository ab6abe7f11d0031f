/** Finds lines that are not payments, such as totals and balances, and asks about the rest. */

import { count } from '../../core/counts.ts';
import type { Mapping, NotRowRule } from '../mapping/mapping.ts';
import { FileError } from '../problems.ts';
import type { CsvRecord } from '../reading/csv-records.ts';
import { type RowMaker, startRows } from '../reading/csv-rows.ts';
import { NotRows } from '../reading/not-rows.ts';
import type { Entry } from '../reading/rows.ts';
import { withoutDay } from '../values/date-formats.ts';
import { balanceSide, CLOSING_WORDS, isBalanceWord, isPartWord } from '../vocabulary/balances.ts';
import { columnWords, countKnown, rolesOf } from '../vocabulary/column-names.ts';
import { flagOf, isPaidWord, isUnpaidWord } from '../vocabulary/payments.ts';
import { BracketFinder, type BracketLine, type Brackets } from './brackets.ts';
import { amountOf, Check, type Refused, withAnyId } from './check.ts';
import type { ColumnFacts, Columns } from './column-facts.ts';
import type { Collector, Context } from './facts.ts';
import { ask, choice, isAsked, type Outcome, type Question, quote } from './found.ts';
import { askUndated, listOtherDates } from './rejections.ts';
import { readText } from './source.ts';
import { findPaidColumns, type PaidColumns } from './statuses.ts';

/** What a line can be instead of a payment. */
const KINDS = {
  unpaid: 'it was not paid, or not yet',
  balance: 'it is a balance or a total',
  part: 'another line’s amount includes it',
  idle: 'it does not change the balance',
} as const;

/** Lines that are complete rows, but have a value that suggests that they are not payments. */
interface Suspect {
  readonly column: number;
  readonly text: string;
  /** The first few of them. */
  readonly lines: number[];
  readonly kind: keyof typeof KINDS;
  /** Whether it is proven; the first line, if that depends on what is beside a balance in it. */
  readonly alone: boolean | readonly string[];
  count: number;
}

/** A file that a mapping can read. */
interface Readable extends Context {
  readonly mapping: Mapping;
  readonly date: ColumnFacts;
  /** The columns of the amount, and the indicator if there is one. */
  readonly amounts: Columns;
  /** The words, and their column, of rows that a running balance does not include. */
  readonly idle: { readonly column: ColumnFacts; readonly words: readonly string[] } | undefined;
}

type Rules = readonly NotRowRule[];

/** The rules for lines that are not rows, and what push will do without any rule. */
export interface Unruled {
  readonly rules: Rules;
  readonly check: Check;
}

/** Works out the rules for lines that are not rows, or the questions that remain. */
export async function inspectNotRows(known: Readable): Promise<Outcome<Unruled>> {
  const trial = await tryMapping(known);
  const { check, undated, brackets, headings } = trial;
  const rules = new Map(trial.rules);
  const blank = askUndated(known.answers, undated, known.date, trial.otherDates);
  if (blank !== undefined) return blank;
  const found = await findBrackets(brackets, known);
  const all = new Map(structuredClone(trial.suspects));
  for (const each of found.unnamed) keep(all, each);
  const settled = settle([...all.values()], found.lines, known);
  if (isAsked(settled)) return settled;
  for (const rule of headings.listRules()) rules.set(JSON.stringify(rule), rule);
  return { rules: [...rules.values(), ...settled], check };
}

/** Reads all records with the mapping. Throws FileError. */
async function tryMapping(known: Readable): Promise<Trial> {
  const { facts, date, amounts, idle, mapping } = known;
  const { source, cut } = facts;
  const otherDates = listOtherDates(facts, date);
  const paid = findPaidColumns(facts, [date, ...amounts]);
  const own = [[date], amounts, otherDates, [...paid.ticks], [paid.status, idle?.column]];
  const indexes = own.map((columns) => columns.map((column) => column?.index));
  const key = [indexes, idle?.words, known.answers.lines, mapping];
  const trial = await facts.collect(JSON.stringify(key), async () => {
    const reader = withAnyId(mapping);
    const start = await startRows(readText(source, cut.encoding), reader);
    return new Trial(known, { ...start, check: new Check(start, mapping) }, [otherDates, paid]);
  });
  trial.maker.end();
  if (trial.error !== undefined) throw trial.error;
  return trial;
}

/** Looks at every record as push will read it. */
class Trial implements Collector {
  readonly check: Check;
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
  readonly #isUnpaid: CellTest;

  constructor(
    known: Readable,
    { check, maker }: { readonly check: Check; readonly maker: RowMaker },
    [otherDates, paid]: readonly [Columns, PaidColumns],
  ) {
    this.check = check;
    this.maker = maker;
    this.otherDates = otherDates;
    this.#known = known;
    this.#finder = new NotRows(POSSIBLE, known.mapping, known.facts.layout.names);
    this.#isUnpaid = unpaidTest(known, paid);
  }

  add(record: CsvRecord): undefined {
    const entry = this.error === undefined ? this.maker.toEntry(record) : undefined;
    if (entry === undefined) return;
    this.check.add(entry);
    const all = 'fields' in entry.original ? entry.original.fields : [];
    const fields = all.length > LOOKED_CELLS ? all.slice(0, LOOKED_CELLS) : all;
    if (entry.problems.length === 0) this.#addRow(entry, fields);
    else this.#addOther(entry, fields);
  }

  /** A record that the mapping cannot read. */
  #addOther({ line, problems }: Entry, fields: readonly string[]): void {
    const { facts, date, answers } = this.#known;
    this.error ??= findOtherHeader(this.#known, fields, line);
    const day = (fields[date.index] ?? '').trim();
    for (const { text: is, isRow } of answers.lines) {
      const at = is === '' ? -1 : fields.findIndex((field) => field.trim() === is);
      const column = is === day ? date : facts.columns[at];
      if (!isRow && column) this.rules.set(`${column.index} ${is}`, { column: column.title, is });
    }
    // A word such as `Pending` in place of the date: the bank has not booked it yet.
    const isOpen = problems.every(({ field }) => field === 'date') && isUnpaidWord(day);
    if (isOpen) this.rules.set(day, { column: date.title, is: day });
    const rule = isOpen ? undefined : this.#finder.explain(fields)?.rule;
    const isDated = ({ index }: ColumnFacts) => (fields[index] ?? '').trim() !== '';
    if (day === '' && rule === undefined && this.otherDates.some(isDated)) {
      this.undated.push({ line, problems, fields });
    }
    if (rule !== undefined) this.rules.set(JSON.stringify(rule), spell(rule, fields));
    this.headings.add(fields, rule);
  }

  #addRow(entry: Entry, fields: readonly string[]): void {
    const { line } = entry;
    this.#finder.addRow(fields);
    const worded = suspect(fields, this.#isUnpaid);
    const isBalance = worded?.kind === 'balance';
    const suspected = isBalance ? worded : (suspectIdle(fields, this.#known) ?? worded);
    const side = isBalance ? balanceSide(worded.text) : undefined;
    const isIdle = suspected?.kind === 'idle';
    if (suspected === undefined || isBalance || isIdle) {
      const named = suspected && (side ?? 'any');
      this.brackets.add({ line, fields, amount: amountOf(entry), named });
    }
    if (suspected === undefined) return;
    // Shops and suppliers are called Total, and a transfer between accounts Übertrag.
    const alone = isIdle || (side === undefined ? false : fields);
    keep(this.suspects, { ...suspected, alone, lines: [line] });
  }
}

/** Every rule that could be in a mapping, apart from values of a column. */
const POSSIBLE: Rules = [
  ...CLOSING_WORDS.map((begins) => ({ begins })),
  { sum: true },
  { text: true },
];

/** How many cells of a line are looked at: words such as a total are among the first ones. */
const LOOKED_CELLS = 1_000;

type CellTest = (field: string, at: number) => boolean;

/** A status that does not mean paid is unknown, such as `charged_back`. */
function unpaidTest({ facts }: Readable, { status, ticks }: PaidColumns): CellTest {
  const flags = facts.columns.map(({ name }) => flagOf(name));
  return (field, at) => {
    if (isUnpaidWord(field, flags[at])) return true;
    const column = facts.columns[at];
    if (column === undefined) return false;
    if (field.trim() === '') return ticks.has(column);
    return column === status && !isPaidWord(field, column.name);
  };
}

/** What a running balance does not include is proven not to be a payment. */
function suspectIdle(fields: readonly string[], { idle }: Readable) {
  const column = idle?.column.index ?? -1;
  const text = (fields[column] ?? '').trim();
  const isIdle = idle?.words.includes(text) === true;
  return isIdle ? { column, text, kind: 'idle' as const } : undefined;
}

function suspect(
  fields: readonly string[],
  isUnpaid: CellTest,
): Pick<Suspect, 'column' | 'text' | 'kind'> | undefined {
  const tests = { unpaid: isUnpaid, balance: isBalanceWord, part: isPartWord } as const;
  for (const kind of ['unpaid', 'balance', 'part'] as const) {
    const column = fields.findIndex(tests[kind]);
    if (column >= 0) return { column, text: (fields[column] ?? '').trim(), kind };
  }
  return undefined;
}

/** Whether a record has only a date, an amount and this text, and lacks what most payments have. */
function hasOnlyAmount(
  fields: readonly string[],
  text: number,
  { facts, date, amounts }: Readable,
): boolean {
  const others = facts.columns.filter((column) => {
    const isOwn = column === date || amounts.includes(column) || column.isCurrency;
    return !isOwn && column.index !== text;
  });
  const isBlankIn = ({ index }: ColumnFacts) => (fields[index] ?? '').trim() === '';
  return others.every(isBlankIn) && others.some(({ filled }) => filled >= facts.rows / 2);
}

/** The error of a second table with other columns: its rows would be read as the first's. */
function findOtherHeader(
  { date, amounts }: Readable,
  fields: readonly string[],
  line: number,
): FileError | undefined {
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

function keep(suspects: Map<string, Suspect>, suspect: Omit<Suspect, 'count'>): void {
  const key = `${suspect.column} ${withoutDay(suspect.text)}`;
  const known = suspects.get(key);
  if (known === undefined) return void suspects.set(key, { ...suspect, count: 1 });
  known.count += 1;
  if (known.lines.length <= TURNOVERS) known.lines.push(...suspect.lines);
}

/** Lines with the sums of an account have one for money out and one for money in. */
const TURNOVERS = 2;

/** Fewer payments, in lines that look like their balances, can add up by chance. */
const LEAST_PAYMENTS = 3;

/** The balances and sums that the arithmetic proves, and those that no word names. */
async function findBrackets(
  finder: BracketFinder,
  known: Readable,
): Promise<{ lines: readonly number[]; unnamed: readonly Omit<Suspect, 'count'>[] }> {
  const all = [...finder.find()];
  const isNamed = ({ lines }: Brackets) => lines.every(({ named }) => named !== undefined);
  const isBare = ({ lines }: Brackets) => areBare(lines, known);
  const isLikely = (found: Brackets) => found.isAround && found.payments >= LEAST_PAYMENTS;
  const found = all.find(isNamed) ?? all.find(isBare) ?? all.find(isLikely);
  if (found === undefined) return { lines: [], unnamed: [] };
  const lines = found.lines.map(({ line }) => line);
  const unnamed = found.lines.filter(({ named }) => named === undefined);
  const labels = await findLabels(unnamed, known);
  if (labels === undefined) return { lines: [], unnamed: [] };
  const isAlone = isBare(found);
  const suspects = unnamed.map(({ line }, at) => {
    return { ...(labels[at] as Label), lines: [line], kind: 'balance' as const, alone: isAlone };
  });
  return { lines: isNamed(found) || isAlone ? lines : [], unnamed: suspects };
}

/** Whether lines lack what all payments have, such as a number. */
function areBare(lines: readonly BracketLine[], { facts, date, amounts }: Readable): boolean {
  return facts.columns.some((column) => {
    if (column === date || amounts.includes(column)) return false;
    const isBlank = lines.every(({ fields }) => (fields[column.index] ?? '').trim() === '');
    return isBlank && column.filled > 0 && column.filled >= facts.rows - lines.length;
  });
}

/** A column and a text that no other line has there. */
type Label = Pick<Suspect, 'column' | 'text'>;

/** What tells each of these lines from all others; undefined if one has no such text. */
async function findLabels(
  lines: readonly BracketLine[],
  { facts, date, amounts }: Readable,
): Promise<readonly Label[] | undefined> {
  const others = facts.columns.filter((column) => column !== date && !amounts.includes(column));
  const textOf = (fields: readonly string[], { index }: ColumnFacts) =>
    withoutDay(fields[index] ?? '');
  const own = new Set(lines.map(({ line }) => line));
  const shared = new Set<string>();
  const candidates = others.filter((column) =>
    lines.some(({ fields }) => /\p{L}/u.test(textOf(fields, column))),
  );
  const wanted = candidates.map(
    (column) => new Set(lines.map((each) => textOf(each.fields, column))),
  );
  await facts.readEach(({ line, fields }, isRow) => {
    if (!isRow || own.has(line)) return undefined;
    for (const [at, column] of candidates.entries()) {
      const text = textOf(fields, column);
      if (wanted[at]?.has(text)) shared.add(`${column.index} ${text}`);
    }
    return undefined;
  });
  const labels = lines.flatMap(({ fields }): Label[] => {
    const column = candidates.find((each) => {
      const text = textOf(fields, each);
      return /\p{L}/u.test(text) && !shared.has(`${each.index} ${text}`);
    });
    return column ? [{ column: column.index, text: (fields[column.index] ?? '').trim() }] : [];
  });
  return labels.length === lines.length ? labels : undefined;
}

/** The rules for what is proven or was said, or questions about the rest. */
function settle(
  suspects: readonly Suspect[],
  balances: readonly number[],
  known: Readable,
): Outcome<Rules> {
  const { facts, answers } = known;
  const rules: NotRowRule[] = [];
  const questions: Question[] = [];
  for (const suspect of suspects) {
    const { text, alone, lines, count } = suspect;
    const column = facts.columns[suspect.column]?.title ?? `#${suspect.column + 1}`;
    const said = answers.lines.filter((each) => withoutDay(each.text) === withoutDay(text));
    if (said.some(({ isRow }) => isRow)) continue;
    const isOfBrackets = lines.length === count && lines.every((line) => balances.includes(line));
    const isAlone =
      typeof alone === 'boolean' ? alone : hasOnlyAmount(alone, suspect.column, known);
    const isProven = isAlone || isOfBrackets;
    if (said.length > 0 || isProven) rules.push({ column, is: text });
    else questions.push(...askAbout(suspect, column).questions);
  }
  return questions.length > 0 ? { questions } : rules;
}

function askAbout({ text: word, lines: [line], count: found, kind }: Suspect, column: string) {
  const many = `${count(found, 'line')} (the first is ${line}) have`;
  const which = found === 1 ? `Line ${line} has` : many;
  const where = kind === 'unpaid' && !isUnpaidWord(word) ? ` in ${column}` : '';
  const says = word === '' ? 'an empty cell' : quote(word);
  const them = found === 1 ? 'Is it a payment?' : 'Are they payments?';
  const text = `${which} ${says}${where}, and also a date and an amount. ${them}`;
  return ask('notRow', text, [
    choice({ kind: 'line', text: word, isRow: false }, `no: ${KINDS[kind]}`),
    choice({ kind: 'line', text: word, isRow: true }, 'yes: send it like every other row'),
  ]);
}
