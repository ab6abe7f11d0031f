/**
 * Money out and money in as two columns, as a column of words, or as marks in the cells; and what
 * the sides of a file are. Words from bookkeeping, such as debit and credit, need proof: a balance
 * that rises with a credit is a bank account.
 */

import { cellOf } from '../reading/csv-records.ts';
import { isOneOf } from '../reading/csv-values.ts';
import { splitAmount } from '../values/amount-writing.ts';
import {
  DIRECTION_PAIRS,
  type DirectionPair,
  findNamedPair,
  sideOf,
} from '../vocabulary/directions.ts';
import type { AmountColumns, Pair } from './amounts.ts';
import type { ColumnFacts, Columns } from './column-facts.ts';
import type { Context, Facts } from './facts.ts';
import {
  type Answer,
  AnswerError,
  type AnswerOf,
  type Answers,
  type Asked,
  about,
  ask,
  choice,
  type Decision,
  type Evidence,
  linesHave,
  type Proof,
  proof,
  quote,
  show,
  stated,
  titlesOf,
} from './found.ts';
import type { Relations } from './relations.ts';
import type { SignCount } from './sign-count.ts';

/**
 * How a file shows the direction of an amount. `signed`: by its sign. `indicator`: by a word in a
 * second column, or by a mark in the cell. `two`: with a column for money out and one for money in.
 */
type AmountShape =
  | { readonly kind: 'signed'; readonly isTurned: boolean }
  | {
      readonly kind: 'indicator';
      readonly isInCell: boolean;
      readonly out: readonly string[];
      readonly in: readonly string[];
    }
  | { readonly kind: 'two'; readonly isOutTurned: boolean; readonly isInTurned: boolean };

/** The columns of the amount, followed by the indicator if there is one, and the shape. */
export interface Signed {
  readonly columns: Columns;
  readonly shape: AmountShape;
}

/** The amounts with their relations, from which the sign is found. */
export interface SignContext extends Context {
  readonly amounts: AmountColumns;
  readonly relations: Relations;
}

/** The answer that a sign, a column or a word is money out. */
export function sayOut(moneyOut: string): Answer {
  return { kind: 'moneyOut', moneyOut };
}

/** A file of a bank or a card has a debit for money out; `other` is the side for a credit. */
function proveByStatement(facts: Facts, other: string): Proof | undefined {
  const { statement } = facts;
  if (statement === undefined) return undefined;
  const because = `${statement.because}: a debit is money out there`;
  return proof(statement, because, [sayOut(other)]);
}

/** Two columns: the first is money out or debit. */
export function inspectTwo(context: SignContext, pair: Pair): Decision<Signed> {
  const { amounts, answers } = context;
  const [first, second] = pair;
  if ('said' in amounts.evidence) {
    return { value: signTwo(answers, pair), evidence: amounts.evidence };
  }
  const said = answers.last.moneyOut;
  if (said !== undefined) {
    const titles = titlesOf(pair);
    const at = titles.findIndex((title) => title.toLowerCase() === said.moneyOut.toLowerCase());
    if (at < 0) throw new AnswerError(said, ` must be ${titles.join(' or ')} here.`);
    const order: Pair = at === 0 ? pair : [second, first];
    return askMixed(order) ?? stated(signTwo(answers, order), said);
  }
  const evidence = proveTwo(context, pair);
  const value = signTwo(answers, pair);
  const isAgainst = findAgainst(value, context.relations) !== undefined;
  if (evidence === undefined || isAgainst) return askTwo(context, pair);
  return askMixed(pair) ?? { value, evidence };
}

/** The title of a balance that shows that the other side is money out. */
export function findAgainst({ columns, shape }: Signed, relations: Relations): string | undefined {
  const wrong = shape.kind === 'signed' && !shape.isTurned ? 'adds' : 'takes';
  const balance = relations.effectOf(shape.kind === 'two' ? columns : columns.slice(0, 1));
  return balance?.effect === wrong ? balance.title : undefined;
}

/** A column with negative amounts only is reversed, so that its own side is positive. */
export function signTwo(answers: Answers, [out, into]: Pair): Signed {
  const isTurned = ({ numbers }: ColumnFacts) =>
    !numbers.isMixed && numbers.negatives > numbers.positives;
  const isSaid = (use: 'out' | 'in') => answers.columns.get(use)?.[0]?.isTurned === true;
  const isOutTurned = isSaid('out') || isTurned(out);
  const isInTurned = isSaid('in') || isTurned(into);
  return { columns: [out, into], shape: { kind: 'two', isOutTurned, isInTurned } };
}

/** Asks which sign of a column was paid back when the column has many of both. */
function askMixed([out, into]: Pair): Asked | undefined {
  const mixed = [out, into].filter(({ numbers }) => numbers.isMixed);
  const [first] = mixed;
  if (first === undefined) return undefined;
  const waysOf = (column: ColumnFacts) => (mixed.includes(column) ? [false, true] : [false]);
  const choices = waysOf(out).flatMap((isOutTurned) =>
    waysOf(into).map((isInTurned) => {
      const isBelow = first === out ? isOutTurned : isInTurned;
      const [own, back] = isBelow ? ['below', 'above'] : ['above', 'below'];
      const side = first === out ? 'out' : 'in';
      const answers = [useTurned('out', out, isOutTurned), useTurned('in', into, isInTurned)];
      return { answers, meaning: `${own} zero is money ${side}, ${back} is paid back` };
    }),
  );
  const seen = first.numbers.forms.values().next().value;
  const text = `${first.title} has amounts above and below zero (${show(seen)}).`;
  return ask('moneyOut', `${text} Which ones were paid back?`, choices);
}

function useTurned(use: 'out' | 'in', { title: column }: ColumnFacts, isTurned: boolean) {
  return { kind: 'column', use, column, isTurned } as const;
}

function proveTwo(context: SignContext, pair: Pair): Evidence | undefined {
  const [out, into] = pair;
  if (out.roles.has('out') || into.roles.has('in')) return context.facts.proveByNames(pair);
  const { relations, facts } = context;
  const proven = proveByBankSigns(pair) ?? relations.proveAccount(pair);
  const isUsual = out.roles.has('debit') && !relations.isLowered(pair);
  return proven ?? (isUsual ? proveByStatement(facts, into.title) : undefined);
}

/**
 * Negative debits next to positive credits are from a bank. Books have no signs, but for what was
 * cancelled: a few of these show nothing.
 */
function proveByBankSigns([out, into]: Pair): Evidence | undefined {
  const [debit, credit] = [out.numbers, into.numbers];
  if (debit.negatives * MOST_CANCELLED < credit.positives) return undefined;
  if (debit.negatives === 0 || debit.positives > 0 || credit.negatives > 0) return undefined;
  const seen = debit.forms.values().next().value;
  return proof(seen, `${quote(out.title)} is always negative, which is usual only at banks`);
}

/** Up to one in ten payments can be a cancelled one. */
const MOST_CANCELLED = 10;

function askTwo({ relations }: SignContext, pair: Pair) {
  const titles = titlesOf(pair).join(' or ');
  const text = `Which column is money out: ${titles}? The names can mean either.`;
  const notes = ['if the file is from a bank, or a cost ledger', 'if it is from your own books'];
  const choices = pair.map((column, at) => {
    const other = pair[1 - at];
    const all = relations.sums.get(column)?.showWith(other && relations.sums.get(other));
    return choice(sayOut(column.title), `${all}; ${notes[at]}`);
  });
  return ask('moneyOut', text, choices);
}

interface Sides {
  readonly out: readonly string[];
  readonly in: readonly string[];
}

/** Known words for money out and in. */
interface KnownSides extends Sides {
  readonly isPlain: boolean;
  /** Whether they are debit and credit. */
  readonly isDebit: boolean;
  /** Whether all are of one side, and rows with no word are of the other. */
  readonly isUnmarked: boolean;
  /** A word that is neither. */
  readonly neither: string | undefined;
}

/** Where the words are, and what they are. */
interface Worded {
  /** The amount, and the indicator unless the words are in the cells of the amount. */
  readonly columns: readonly [amount: ColumnFacts, indicator?: ColumnFacts];
  readonly words: readonly string[];
  /** Whether some rows have no word. */
  readonly isAnyBlank: boolean;
  /** The amounts with each word, if they were counted. */
  readonly counts: ReadonlyMap<string, SignCount> | undefined;
}

/**
 * Works out which words in a column are money out, or which marks such as CR in the cells; a cell
 * without one belongs to the other side. Throws AnswerError.
 */
export async function inspectWords(
  context: SignContext,
  ...columns: Worded['columns']
): Promise<Decision<Signed>> {
  const [amount, indicator] = columns;
  const counts = indicator && context.relations.words.get(indicator);
  const all = [...((indicator === undefined ? amount.numbers.marks : counts)?.keys() ?? [])];
  const words = all.filter((word) => word !== '');
  const worded = { columns, words, isAnyBlank: all.includes(''), counts };
  const sides = findSides(worded);
  const said = context.answers.last.moneyOut;
  const own = said === undefined ? sides : readSaid(said, worded, sides);
  if (own === undefined) return askWords(worded, words);
  const evidence = said ? { said: [said] } : sides && (await prove(context, worded, sides));
  if (evidence === undefined) return askWords(worded, [own.out[0] ?? '', own.in[0] ?? '']);
  const neither = own.out.includes(sides?.neither ?? '') ? undefined : sides?.neither;
  const line = context.answers.lines.find(({ text }) => text === neither);
  if (neither && line === undefined) return askNeither(neither, worded, own);
  const into = neither && line?.isRow ? [...own.in, neither] : own.in;
  return { value: sign(worded, { ...own, in: into }), evidence };
}

/** Asks about the rows with a word that is neither money out nor in. */
function askNeither(word: string, worded: Worded, { out, in: into }: Sides): Asked {
  const { line = 0, count = 1 } = worded.columns[1]?.values?.get(word) ?? {};
  const are = count === 1 ? 'it is' : 'they are';
  const them = count === 1 ? 'Is it a payment?' : 'Are they payments?';
  const others = [...out, ...into].map((each) => quote(each)).join(' or ');
  const where = `${linesHave(count, line)} ${quote(word)} in ${titleOf(worded)}`;
  const choices = [
    choice({ kind: 'line', text: word, isRow: false }, `no: ${are} neither money out nor in`),
    choice(sayOut([...out, word].join(',')), `yes: ${are} money out`),
    choice({ kind: 'line', text: word, isRow: true }, `yes: ${are} money in`),
  ];
  return about(ask('notRow', `${where}, not ${others}. ${them}`, choices), { lines: [line] });
}

/** The words by side; when all are of one side, rows with no word are the other: no proof. */
function findSides({ words, isAnyBlank }: Worded): KnownSides | undefined {
  const pair = findNamedPair(words);
  if (pair === undefined) return undefined;
  const wordsOf = (side: keyof Sides) => words.filter((word) => sideOf(word, pair) === side);
  const [out, into] = [wordsOf('out'), wordsOf('in')];
  const isHalf = out.length === 0 || into.length === 0;
  const restOf = (side: keyof Sides) => (isAnyBlank ? [''] : partnersOf(words, side));
  return {
    out: out.length > 0 ? out : restOf('out'),
    in: into.length > 0 ? into : restOf('in'),
    isPlain: pair.isPlain && !(isHalf && (isAnyBlank || pair.isLoose === true)),
    isDebit: !pair.isPlain && pair.isLoose !== true,
    isUnmarked: isHalf && isAnyBlank,
    neither: words.find((word) => sideOf(word, pair) === undefined),
  };
}

/** Possible words for the other side: `c` and `k` when the file has only `d`. */
function partnersOf(words: readonly string[], side: keyof Sides): string[] {
  const own = side === 'out' ? 'in' : 'out';
  const fits = (pair: DirectionPair) =>
    pair.needs === undefined && words.every((word) => sideOf(word, pair) === own);
  return [...new Set(DIRECTION_PAIRS.filter(fits).flatMap((pair) => pair[side]))];
}

function sign({ columns }: Worded, { out, in: into }: Sides): Signed {
  const [amount, indicator] = columns;
  const shape = { kind: 'indicator', isInCell: indicator === undefined, out, in: into } as const;
  return { columns: indicator === undefined ? [amount] : [amount, indicator], shape };
}

function titleOf({ columns: [amount, indicator] }: Worded): string {
  return (indicator ?? amount).title;
}

/** The sides when the user stated a word for money out. Throws AnswerError. */
function readSaid(said: AnswerOf<'moneyOut'>, worded: Worded, sides: Sides | undefined): Sides {
  const { moneyOut } = said;
  const { words } = worded;
  const isOf = (side: readonly string[]) => isOneOf(side, moneyOut);
  if (sides !== undefined && isOf(sides.out)) return sides;
  if (sides !== undefined && isOf(sides.in)) return { out: sides.in, in: sides.out };
  const all = moneyOut.split(',').map((word) => word.trim());
  const out = words.filter((word) => isOneOf(all, word)).sort();
  const into = words.filter((word) => !out.includes(word)).sort();
  if (out.length > 0 && into.length > 0) return { out, in: into };
  const known = words.map((word) => quote(word)).join(', ');
  const must = ` must be a word in ${titleOf(worded)}, or several separated by commas`;
  throw new AnswerError(said, `${must}: ${known}.`);
}

async function prove(context: SignContext, worded: Worded, sides: KnownSides) {
  const { facts, relations } = context;
  const title = titleOf(worded);
  const [amount] = worded.columns;
  const isTested = !sides.isPlain || relations.others.some(({ roles }) => roles.has('balance'));
  const signed = sign(worded, sides);
  const own = isTested ? await relations.withCredit(readCredit(signed)) : relations;
  if (isTested && findAgainst(signed, own) !== undefined) return undefined;
  if (sides.isPlain) {
    const seen = worded.counts?.get(worded.words[0] ?? '')?.first;
    const where = seen === undefined ? '' : `, first in line ${seen.line},`;
    const because = `${title} has${where} ${worded.words.map((word) => quote(word)).join(', ')}`;
    const shown = seen && facts.rowOf(seen);
    return { ...proof(shown, because), text: shown?.text ?? title };
  }
  const proven = own.proveAccount([amount]);
  if (proven !== undefined) return proven;
  return own.isLowered([amount]) ? undefined : proveByUse(facts, worded, sides);
}

/** A debit is usually money out, except in books; so are most rows when only some have CR. */
function proveByUse(facts: Facts, worded: Worded, sides: KnownSides): Evidence | undefined {
  const { words } = worded;
  const [word = ''] = words;
  const [other = ''] = sides.in;
  if (!sides.isDebit || facts.isBooks) return undefined;
  if (!sides.isUnmarked) {
    const isSpelled = words.every((each) => /^(?:debit|credit|dbit|crdt)$/i.test(each));
    const because = `${titleOf(worded)} has ${quote(word)}, and a debit is usually money out`;
    const usual = isSpelled ? proof(undefined, because, [sayOut(other)]) : undefined;
    return proveByStatement(facts, other) ?? usual;
  }
  const isCredit = words.every((each) => /^cr(?:edit)?$/i.test(each));
  if (!isCredit || countOf(worded, '') <= countOf(worded, word)) return undefined;
  const because = `only some amounts have ${quote(word)}, as on the statement of a card`;
  return proof(undefined, because, [sayOut(other)]);
}

/** How many rows have a word or mark. */
function countOf({ columns: [amount], counts }: Worded, word: string): number {
  const { negatives = 0, positives = 0 } = counts?.get(word) ?? {};
  return counts === undefined ? (amount.numbers.marks.get(word) ?? 0) : negatives + positives;
}

/** Reads the direction of a row from its word or mark. */
export function readCredit({ columns: [amount, indicator], shape }: Signed) {
  const { index = 0 } = indicator ?? amount ?? {};
  const sideOf = (fields: readonly string[]): -1 | 0 | 1 => {
    if (shape.kind !== 'indicator') return 1;
    const cell = cellOf(fields, index);
    const word = shape.isInCell ? (splitAmount(cell)?.mark ?? '') : cell;
    if (isOneOf(shape.in, word)) return 1;
    return isOneOf(shape.out, word) ? -1 : 0;
  };
  return Object.assign(sideOf, { key: JSON.stringify([index, shape]) });
}

/** How a question names rows that have no word. */
const NO_WORD = 'unmarked';

function askWords(worded: Worded, words: readonly string[]) {
  const isInCell = worded.columns.length === 1;
  const where = `${isInCell ? 'mark' : 'word'} in ${titleOf(worded)}`;
  const all = words.map((word) => word || NO_WORD).join(', ');
  const [here = '', absent] = words.filter((word) => worded.words.includes(word));
  const isOne = absent === undefined && !worded.isAnyBlank;
  const text = isOne
    ? `Every row has ${quote(here)} in ${titleOf(worded)}. Is that money out or money in?`
    : `Which ${where} means money out: ${all}? The file does not show it.`;
  const choices = words.map((mark) => {
    const marked = mark === '' ? 'rows without a mark' : `rows with ${quote(mark)}`;
    const own = isOne ? undefined : marked;
    return choice(sayOut(mark), worded.counts?.get(mark)?.shown ?? own);
  });
  const others = isInCell ? [] : (['neither'] as const);
  return ask('moneyOut', text, choices, 'several words', ...others);
}
