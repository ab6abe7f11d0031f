/**
 * Reads the whole file as `push` will: the totals of money in and out, which lines are not rows and
 * why, and which rows will be rejected.
 */

import { readRow } from '../core/push.ts';
import { readWrittenAmount } from '../rows/amount-writing.ts';
import { findColumn, nameColumn } from '../rows/columns.ts';
import { readCsv } from '../rows/csv-rows.ts';
import { readDigitsOf } from '../rows/exact-sums.ts';
import type { NotRowRule } from '../rows/mapping.ts';
import { NotRows, withoutDay } from '../rows/not-rows.ts';
import { FileError, type RowProblem } from '../rows/problems.ts';
import type { Entry } from '../rows/rows.ts';
import type { Answers } from './answers.ts';
import {
  balanceSide,
  CLOSING_WORDS,
  isBalanceWord,
  isPartWord,
  isUnpaidFlag,
  isUnpaidWord,
} from './closing-words.ts';
import { type Question, quote } from './found.ts';
import { countKnown, plainWords, rolesOf } from './header-words.ts';
import { type Found, toMapping, writingOf } from './mapping-document.ts';
import type { CsvSource } from './source.ts';
import { isPaidWord, type PaidColumns } from './statuses.ts';

/** The rows of one direction and their sum, in millionths. */
export interface Total {
  rows: number;
  sum: bigint;
}

/** A row that push will reject. */
export interface Refused {
  readonly line: number;
  readonly problems: readonly RowProblem[];
}

/** What push will do with the file. */
export interface Check {
  readonly rows: number;
  readonly moneyOut: Total;
  readonly moneyIn: Total;
  /** Rows with the amount 0. */
  readonly zeros: number;
  readonly refused: readonly Refused[];
  readonly refusedCount: number;
  /** Lines that are not rows, each with the reason. */
  readonly notRows: readonly string[];
  /** The earliest and the latest date. */
  readonly from: string | undefined;
  readonly to: string | undefined;
}

/** More decimal places than any currency has: only the service knows the currency. */
const PLACES = 4;
const SHOWN = 5;

/** Reads the file with a mapping. Throws FileError. */
export async function checkFile(source: CsvSource, found: Found): Promise<Check> {
  const reading = await readCsv(toBytes(source), toMapping(found));
  const [moneyOut, moneyIn] = [newTotal(), newTotal()];
  const refused: Refused[] = [];
  let [rows, zeros, refusedCount] = [0, 0, 0];
  let [from, to]: (string | undefined)[] = [];
  for await (const { line, row, problems } of reading.entries) {
    const valid = problems.length === 0 ? readRow(row, PLACES) : undefined;
    const wrong = valid !== undefined && !('row' in valid) ? valid.errors : problems;
    if (wrong.length > 0 || valid?.row === undefined) {
      refusedCount += 1;
      if (refused.length < SHOWN) refused.push({ line, problems: wrong });
      continue;
    }
    rows += 1;
    const { date } = valid.row;
    if (from === undefined || date < from) from = date;
    if (to === undefined || date > to) to = date;
    const sum = readDigitsOf(Number(Reflect.get(Object(row), 'amount')));
    if (sum === 0n) zeros += 1;
    else add(sum > 0n ? moneyOut : moneyIn, sum);
  }
  const notRows = [...(reading.remarks ?? [])];
  return { rows, moneyOut, moneyIn, zeros, refused, refusedCount, notRows, from, to };
}

function newTotal(): Total {
  return { rows: 0, sum: 0n };
}

function add(total: Total, sum: bigint): void {
  total.rows += 1;
  total.sum += sum;
}

async function* toBytes(source: CsvSource): AsyncGenerator<Buffer> {
  yield* source.read();
}

/** What a line can be instead of a payment. */
const KINDS = {
  unpaid: 'it was not paid, or not yet',
  balance: 'it is a balance or a total',
  part: 'another line’s amount includes it',
} as const;

/** Lines that are complete rows, but have a value that suggests that they are not payments. */
interface Suspect {
  readonly column: number;
  readonly text: string;
  readonly line: number;
  readonly amount: bigint;
  readonly kind: keyof typeof KINDS;
  count: number;
}

/** The rules for lines that are not rows, and the questions that remain. */
export async function inspectNotRows(
  source: CsvSource,
  found: Found,
  answers: Answers,
  { status, ticks }: PaidColumns,
): Promise<{ readonly rules: readonly NotRowRule[]; readonly questions: readonly Question[] }> {
  // Nothing is sent, so any column will do as the id.
  const mapping = toMapping({ ...found, externalId: found.date.column, notRows: [] });
  const reading = await readCsv(toBytes(source), mapping);
  const names = reading.rejectedForm.kind === 'csv' ? reading.rejectedForm.header : [];
  const finder = newFinder(found, names);
  const rules = new Map<string, NotRowRule>();
  const suspects = new Map<string, Suspect>();
  const headings = new Headings();
  // A status that does not mean paid is unknown, such as `charged_back`.
  const isUnpaid = (field: string, at: number) =>
    isUnpaidWord(field) ||
    isUnpaidFlag(names[at] ?? '', field) ||
    (field.trim() === '' ? ticks.has(at) : at === status && !isPaidWord(field, names[at] ?? ''));
  let sum = 0n;
  for await (const entry of reading.entries) {
    const fields = 'fields' in entry.original ? entry.original.fields : [];
    if (entry.problems.length > 0) {
      refuseOtherHeader(found, names, { line: entry.line, fields });
      const rule = finder.explain(fields)?.rule;
      if (rule !== undefined) rules.set(JSON.stringify(rule), spell(rule, fields));
      headings.add(fields, rule);
      continue;
    }
    finder.addRow(fields);
    const amount = amountOf(entry);
    const suspected = suspect(fields, isUnpaid);
    if (suspected === undefined) sum += amount;
    else keep(suspects, { ...suspected, line: entry.line, amount });
  }
  const all = [...suspects.values()];
  const settled = settle(all, { sum, names, answers });
  for (const rule of headings.listRules()) rules.set(JSON.stringify(rule), rule);
  return { rules: [...rules.values(), ...settled.rules], questions: settled.questions };
}

function suspect(
  fields: readonly string[],
  isUnpaid: (field: string, at: number) => boolean,
): Pick<Suspect, 'column' | 'text' | 'kind'> | undefined {
  const tests = { unpaid: isUnpaid, balance: isBalanceWord, part: isPartWord } as const;
  for (const kind of ['unpaid', 'balance', 'part'] as const) {
    const column = fields.findIndex(tests[kind]);
    if (column >= 0) return { column, text: (fields[column] ?? '').trim(), kind };
  }
  return undefined;
}

/** Refuses a second table with other columns: its rows would be read as the first table's. */
function refuseOtherHeader(
  { date, amount }: Found,
  names: readonly string[],
  { line, fields }: { readonly line: number; readonly fields: readonly string[] },
): void {
  const isOther = [date.column, ...amount.columns].some((column) => {
    const at = findColumn(column, names);
    const name = fields[at] ?? '';
    return rolesOf(name).size > 0 && plainWords(name) !== plainWords(names[at] ?? '');
  });
  if (!isOther || countKnown(fields) < SECOND_NAMES) return;
  const way = `Save line ${line} and the lines below as a separate file, and inspect each.`;
  throw new FileError(`line ${line} is a second header, with other columns. ${way}`);
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
    else if ('begins' in rule) this.#totals.add(text.slice(rule.begins.length).trim());
  }

  listRules(): NotRowRule[] {
    const both = [...this.#texts].filter((text) => text !== '' && this.#totals.has(text));
    return both.map((begins) => ({ begins }));
  }
}

function newFinder(found: Found, names: readonly string[]): NotRows {
  const { shape, columns } = found.amount;
  const indexes = columns.map((name) => findColumn(name, names));
  const isIndicator = shape.kind === 'indicator';
  const rules: NotRowRule[] = [
    ...CLOSING_WORDS.map((begins) => ({ begins })),
    { sum: true },
    { text: true },
  ];
  const writing = writingOf(found);
  const places = {
    date: findColumn(found.date.column, names),
    amounts: isIndicator ? indexes.slice(0, 1) : indexes,
    isSummed: !isIndicator,
  };
  return new NotRows(rules, names, places, (text) => {
    const read = text === '' ? undefined : readWrittenAmount(text, writing);
    return read !== undefined && 'value' in read ? read.value : undefined;
  });
}

/** The rule in the spelling of the file, for readers of the mapping file. */
function spell(rule: NotRowRule, fields: readonly string[]): NotRowRule {
  if (!('begins' in rule)) return rule;
  for (const field of fields) {
    const own = field.trim().replace(/^[^\p{L}\p{N}]+/u, '');
    const text = own.slice(0, rule.begins.length);
    if (text.toLowerCase() === rule.begins.toLowerCase()) return { begins: text };
  }
  return rule;
}

function amountOf({ row }: Entry): bigint {
  return readDigitsOf(Number(Reflect.get(Object(row), 'amount')));
}

function keep(suspects: Map<string, Suspect>, suspect: Omit<Suspect, 'count'>): void {
  const key = `${suspect.column} ${withoutDay(suspect.text)}`;
  const known = suspects.get(key);
  if (known !== undefined) known.count += 1;
  else suspects.set(key, { ...suspect, count: 1 });
}

/** Balances are proven when the opening one plus the rows equals the closing one. */
function settle(
  suspects: readonly Suspect[],
  { sum, names, answers }: { sum: bigint; names: readonly string[]; answers: Answers },
): { rules: NotRowRule[]; questions: Question[] } {
  const balances = suspects.filter(({ kind }) => kind === 'balance');
  const isBalance = isBalanced(balances, sum);
  const rules: NotRowRule[] = [];
  const questions: Question[] = [];
  const isSaid = (list: readonly string[], text: string) =>
    list.some((each) => withoutDay(each) === withoutDay(text));
  for (const suspect of suspects) {
    const { column, text, kind } = suspect;
    const rule = { column: nameColumn(column, names), is: text };
    if (isSaid(answers.rows, text)) continue;
    const isProven = isBalance && kind === 'balance';
    if (isSaid(answers.notRows, text) || isProven) rules.push(rule);
    else questions.push(ask(suspect, names));
  }
  return { rules, questions };
}

function isBalanced(suspects: readonly Suspect[], sum: bigint): boolean {
  if (suspects.length !== 2 || suspects.some(({ count }) => count > 1)) return false;
  const opening = suspects.find(({ text }) => balanceSide(text) === 'opening');
  const closing = suspects.find(({ text }) => balanceSide(text) === 'closing');
  if (opening === undefined || closing === undefined) return false;
  return opening.amount + sum === closing.amount;
}

function ask(suspect: Suspect, names: readonly string[]): Question {
  const { column, text: word, line, count, kind } = suspect;
  const which = count === 1 ? `Line ${line} has` : `${count} lines (the first is ${line}) have`;
  const where = kind === 'unpaid' && !isUnpaidWord(word) ? ` in ${nameColumn(column, names)}` : '';
  const says = word === '' ? 'an empty cell' : quote(word);
  const them = count === 1 ? 'Is it a payment?' : 'Are they payments?';
  const text = `${which} ${says}${where}, and also a date and an amount. ${them}`;
  const choices = [
    { option: ['not-row', word] as const, meaning: `no: ${KINDS[kind]}` },
    { option: ['row', word] as const, meaning: 'yes: send it like every other row' },
  ];
  return { id: 'notRow', text, choices };
}
