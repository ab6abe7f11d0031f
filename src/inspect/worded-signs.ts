/**
 * Money out and money in as two columns, as a column of words, or as marks in the cells. Words from
 * bookkeeping need proof: a balance that rises with a credit is a bank account.
 */

import { splitAmount } from '../rows/amount-writing.ts';
import type { ColumnFacts } from './column-facts.ts';
import { DIRECTION_PAIRS, type DirectionPair, findPair, isAmong } from './direction-words.ts';
import { type Facts, provenByNames, titleOf } from './facts.ts';
import {
  type Answer,
  AnswerError,
  type Choice,
  type Evidence,
  type Question,
  quote,
  stated,
} from './found.ts';
import { rolesOf } from './header-words.ts';
import { type Balance, relate, type SignCount, showAmounts, textOf } from './relations.ts';
import type { SignContext, Signed } from './signs.ts';

/** Two columns: the first is money out or debit. */
export function inspectTwo(context: SignContext): Answer<Signed> {
  const { columns, facts, answers } = context;
  const [first = 0, second = 0] = columns.indexes;
  const titles = [titleOf(first, facts), titleOf(second, facts)] as const;
  const { moneyOut } = answers;
  if (columns.isStated) {
    return { value: signTwo(context, [first, second]), evidence: columns.evidence };
  }
  if (moneyOut !== undefined) {
    const at = titles.findIndex((title) => title.toLowerCase() === moneyOut.toLowerCase());
    if (at < 0) throw new AnswerError(`--money-out must be ${titles.join(' or ')} here.`);
    const order = at === 0 ? ([first, second] as const) : ([second, first] as const);
    const mixed = askMixed(facts, order);
    return mixed ?? stated(signTwo(context, order), `--money-out ${moneyOut}`);
  }
  const evidence = proveTwo(context);
  if (evidence === undefined) return { question: askTwo(context, titles) };
  const mixed = askMixed(facts, [first, second]);
  return mixed ?? { value: signTwo(context, [first, second]), evidence };
}

/** A column with negative amounts only is reversed, so that its own side is positive. */
function signTwo({ facts, answers }: SignContext, [out, into]: readonly [number, number]): Signed {
  const isTurned = (index: number) => {
    const numbers = facts.columns[index]?.numbers;
    return numbers !== undefined && !isMixed(numbers) && numbers.negatives > numbers.positives;
  };
  const isOutTurned = answers.turned.has('out') || isTurned(out);
  const isInTurned = answers.turned.has('in') || isTurned(into);
  return { indexes: [out, into], shape: { kind: 'two', isOutTurned, isInTurned } };
}

/** In a column for one direction nearly all amounts have one sign; the others were paid back. */
const SIDE_SHARE = 0.9;

function isMixed({ negatives, positives }: ColumnFacts['numbers']): boolean {
  return Math.max(negatives, positives) < (negatives + positives) * SIDE_SHARE;
}

/** Asks which sign of a column was paid back when the column has many of both. */
function askMixed(
  facts: Facts,
  order: readonly [number, number],
): { readonly question: Question } | undefined {
  const [out, into] = order.map((index) => facts.columns[index]);
  if (out === undefined || into === undefined) return undefined;
  const mixed = [out, into].filter(({ numbers }) => isMixed(numbers));
  const [first] = mixed;
  if (first === undefined) return undefined;
  const titles = order.map((index) => titleOf(index, facts));
  const signs = (column: ColumnFacts) => (mixed.includes(column) ? ['', '-'] : ['']);
  const choices = signs(out).flatMap((one) =>
    signs(into).map((other): Choice => {
      const isBelow = (first === out ? one : other) === '-';
      const [own, back] = isBelow ? ['below', 'above'] : ['above', 'below'];
      const meaning = `${own} zero is money ${first === out ? 'out' : 'in'}, ${back} is paid back`;
      const option = ['map', `out=${one}${titles[0]}`] as const;
      return { option, and: ['map', `in=${other}${titles[1]}`], meaning };
    }),
  );
  const seen = first.numbers.forms.values().next().value;
  const shown = `line ${seen?.line} has ${quote(seen?.text ?? '')}`;
  const name = titleOf(first.index, facts);
  const text = `${name} has amounts above and below zero (${shown}). Which ones were paid back?`;
  return { question: { id: 'moneyOut', text, choices } };
}

function proveTwo({ columns, facts, relations }: SignContext): Evidence | undefined {
  const [out, into] = columns.indexes.map((index) => facts.columns[index]);
  if (out === undefined || into === undefined) return undefined;
  if (rolesOf(out.name).has('out') || rolesOf(into.name).has('in')) {
    return provenByNames([out.name, into.name], facts);
  }
  const bank = proveByBankSigns(out, into);
  if (bank !== undefined) return bank;
  for (const index of relations.others) {
    const balance = relations.balanceOf(columns.indexes, index);
    if (balance?.effect === 'adds') return proveByBalance(balance, index, facts);
  }
  return undefined;
}

/** A negative debit next to a positive credit is from a bank: books have no signs. */
function proveByBankSigns(out: ColumnFacts, into: ColumnFacts): Evidence | undefined {
  const [debit, credit] = [out.numbers, into.numbers];
  if (debit.negatives === 0 || debit.positives > 0 || credit.negatives > 0) return undefined;
  const seen = debit.forms.values().next().value;
  const because = `${quote(out.name)} is always negative, which is usual only at banks`;
  return { line: seen?.line ?? null, text: seen?.text ?? '', because };
}

function proveByBalance({ seen }: Balance, index: number, facts: Facts): Evidence {
  const name = titleOf(index, facts);
  const because = `line ${seen.line}: a credit raises ${name}, as in a bank account`;
  return { line: seen.line, text: textOf(seen, facts), because };
}

function askTwo({ relations, columns }: SignContext, titles: readonly [string, string]): Question {
  const text = `Which column is money out: ${titles.join(' or ')}? The names can mean either.`;
  const notes = ['if the file is from a bank, or a cost ledger', 'if it is from your own books'];
  const choices = titles.map((title, at) => {
    const sums = relations.sums.get(columns.indexes[at] ?? 0);
    const rows = (sums?.negatives ?? 0) + (sums?.positives ?? 0);
    const all = showAmounts(rows, (sums?.positiveSum ?? 0n) + (sums?.negativeSum ?? 0n));
    return { option: ['money-out', title] as const, meaning: `${all}; ${notes[at]}` };
  });
  return { id: 'moneyOut', text, choices };
}

/** The words of each side. */
interface WordSides {
  readonly out: readonly string[];
  readonly in: readonly string[];
  readonly isPlain: boolean;
}

/** A column of words next to an amount without a sign. */
export async function inspectIndicator(
  context: SignContext,
  indicator: number,
): Promise<Answer<Signed>> {
  const { columns, facts, relations } = context;
  const [amount = 0] = columns.indexes;
  const counts = relations.words.get(indicator);
  const words = [...(counts?.keys() ?? [])].filter((word) => word !== '');
  const sides = withBlank(words, counts?.has('') === true);
  const name = titleOf(indicator, facts);
  return decide(context, {
    indexes: [amount, indicator],
    isInCell: false,
    words,
    sides,
    name,
    counts,
    wordOf: (fields) => (fields[indicator] ?? '').trim(),
  });
}

/** Marks such as CR in the cells; a cell without one belongs to the other side. */
export async function inspectMarks(
  context: SignContext,
  marks: readonly string[],
): Promise<Answer<Signed>> {
  const { columns, facts } = context;
  const [amount = 0] = columns.indexes;
  const words = marks.filter((mark) => mark !== '');
  return decide(context, {
    indexes: [amount],
    isInCell: true,
    words,
    sides: withBlank(words, marks.includes('')),
    name: titleOf(amount, facts),
    counts: undefined,
    wordOf: (fields) => splitAmount(fields[amount] ?? '')?.mark ?? '',
  });
}

/** The words of a file by side, with the counterparts that it does not contain. */
function sidesOf(words: readonly string[]): WordSides | undefined {
  const pair = findPair(words);
  if (pair === undefined) return undefined;
  const isOf = (side: readonly string[]) => words.filter((word) => isAmong(word, side));
  const [out, into] = [isOf(pair.out), isOf(pair.in)];
  return {
    out: out.length > 0 ? out : partnersOf(words, 'out'),
    in: into.length > 0 ? into : partnersOf(words, 'in'),
    isPlain: pair.isPlain && (pair.isLoose !== true || (out.length > 0 && into.length > 0)),
  };
}

/** When all words are of one side, rows with no word are the other; this is not proof. */
function withBlank(words: readonly string[], isAnyBlank: boolean): WordSides | undefined {
  const sides = sidesOf(words);
  if (sides === undefined || !isAnyBlank) return sides;
  const isMarked = (side: readonly string[]) => words.some((word) => isAmong(word, side));
  const [isOut, isIn] = [isMarked(sides.out), isMarked(sides.in)];
  if (isOut === isIn) return sides;
  return { out: isOut ? sides.out : [''], in: isIn ? sides.in : [''], isPlain: false };
}

/** Possible words for the other side: `c` and `k` when the file has only `d`. */
function partnersOf(words: readonly string[], side: 'out' | 'in'): string[] {
  const own = side === 'out' ? 'in' : 'out';
  const fits = (pair: DirectionPair) =>
    pair.needs === undefined && words.every((word) => isAmong(word, pair[own]));
  return [...new Set(DIRECTION_PAIRS.filter(fits).flatMap((pair) => pair[side]))];
}

interface Worded {
  readonly indexes: readonly number[];
  readonly isInCell: boolean;
  readonly words: readonly string[];
  readonly sides: WordSides | undefined;
  readonly name: string;
  /** The amounts with each word, if they were counted. */
  readonly counts: ReadonlyMap<string, SignCount> | undefined;
  readonly wordOf: (fields: readonly string[]) => string;
}

async function decide(context: SignContext, worded: Worded): Promise<Answer<Signed>> {
  const { answers } = context;
  const { sides } = worded;
  const { moneyOut } = answers;
  if (moneyOut !== undefined) {
    return stated(sign(worded, readSaid(moneyOut, worded)), `--money-out ${moneyOut}`);
  }
  if (sides === undefined) return { question: askWords(worded, worded.words) };
  const evidence = await prove(context, worded, sides);
  if (evidence !== undefined) return { value: sign(worded, sides), evidence };
  const shown = [sides.out, sides.in].map((words) => words[0] ?? '');
  return { question: askWords(worded, shown) };
}

function sign({ indexes, isInCell }: Worded, sides: Pick<WordSides, 'out' | 'in'>): Signed {
  return { indexes, shape: { kind: 'indicator', isInCell, out: sides.out, in: sides.in } };
}

/** The sides when the user stated a word for money out. Throws AnswerError. */
function readSaid(moneyOut: string, { sides, words, name }: Worded) {
  const said = moneyOut === NO_MARK ? '' : moneyOut;
  const isOf = (side: readonly string[]) =>
    side.some((word) => word.toLowerCase() === said.toLowerCase());
  if (sides !== undefined && isOf(sides.out)) return sides;
  if (sides !== undefined && isOf(sides.in)) return { out: sides.in, in: sides.out };
  const all = moneyOut.split(',').map((word) => word.trim().toLowerCase());
  const out = words.filter((word) => all.includes(word.toLowerCase()));
  const into = words.filter((word) => !out.includes(word)).sort();
  if (out.length > 0 && into.length > 0) return { out, in: into };
  const known = words.map((word) => quote(word)).join(', ');
  throw new AnswerError(
    `--money-out must be a word in ${name}, or several separated by commas: ${known}.`,
  );
}

/** The word for cells without a mark in an answer. */
const NO_MARK = 'unmarked';

async function prove(
  context: SignContext,
  worded: Worded,
  sides: WordSides,
): Promise<Evidence | undefined> {
  const { facts, read, relations } = context;
  if (sides.isPlain) {
    const seen = worded.counts?.get(worded.words[0] ?? '')?.first;
    const where = seen === undefined ? '' : `, first in line ${seen.line},`;
    const because = `${worded.name} has${where} ${worded.words.map(quote).join(', ')}`;
    return { line: seen?.line ?? null, text: textOf(seen, facts) || worded.name, because };
  }
  const credit = (fields: readonly string[]) => {
    const word = worded.wordOf(fields).toLowerCase();
    const isOf = (side: readonly string[]) => side.some((each) => each.toLowerCase() === word);
    return isOf(sides.in) ? 1 : isOf(sides.out) ? -1 : 0;
  };
  if (relations.others.length === 0) return undefined;
  const own = await relate(facts, worded.indexes.slice(0, 1), { ...read, credit });
  for (const index of own.others) {
    const balance = own.creditOf(index);
    if (balance?.effect === 'adds') return proveByBalance(balance, index, facts);
  }
  return undefined;
}

function askWords({ name, isInCell, counts }: Worded, words: readonly string[]): Question {
  const shown = words.map((word) => (word === '' ? NO_MARK : word));
  const where = `${isInCell ? 'mark' : 'word'} in ${name}`;
  const text = `Which ${where} means money out: ${shown.join(', ')}? The file does not show it.`;
  const choices = words.map((word, at) => {
    const sums = counts?.get(word);
    const rows = (sums?.negatives ?? 0) + (sums?.positives ?? 0);
    const all = showAmounts(rows, (sums?.positiveSum ?? 0n) + (sums?.negativeSum ?? 0n));
    const marked = word === '' ? 'rows without a mark' : `rows with ${quote(word)}`;
    const meaning = sums === undefined ? marked : all;
    return { option: ['money-out', shown[at] ?? ''] as const, meaning };
  });
  const several = '--money-out ONE,TWO for several words; the others are then money in';
  const other = isInCell ? several : `${several}; --map indicator= if the words mean neither`;
  return { id: 'moneyOut', text, choices, other };
}
