/**
 * Money out and money in as a column of words, or as marks in the cells. Words from bookkeeping
 * need proof: a balance that rises with a credit is a bank account.
 */

import { splitAmount } from '../rows/amount-writing.ts';
import type { AnswerOf } from './answers.ts';
import type { ColumnFacts } from './column-facts.ts';
import {
  AnswerError,
  ask,
  choice,
  type Decision,
  type Evidence,
  proof,
  quote,
  stated,
} from './found.ts';
import type { CreditReader } from './relations.ts';
import { joinRow, type SignCount } from './seen-rows.ts';
import { proveByBalance, type SignContext, type Signed } from './sign-context.ts';
import { DIRECTION_PAIRS, type DirectionPair, findPair, isAmong } from './vocabulary/directions.ts';

/** The words of each side. */
interface Sides {
  readonly out: readonly string[];
  readonly in: readonly string[];
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

/** A column of words next to an amount without a sign. */
export function inspectIndicator(
  context: SignContext,
  amount: ColumnFacts,
  indicator: ColumnFacts,
): Promise<Decision<Signed>> {
  const counts = context.relations.words.get(indicator);
  const words = [...(counts?.keys() ?? [])];
  return inspectWords(context, { columns: [amount, indicator], ...ofWords(words), counts });
}

/** Marks such as CR in the cells; a cell without one belongs to the other side. */
export function inspectMarks(
  context: SignContext,
  amount: ColumnFacts,
  marks: readonly string[],
): Promise<Decision<Signed>> {
  return inspectWords(context, { columns: [amount], ...ofWords(marks), counts: undefined });
}

function ofWords(all: readonly string[]) {
  return { words: all.filter((word) => word !== ''), isAnyBlank: all.includes('') };
}

async function inspectWords(context: SignContext, worded: Worded): Promise<Decision<Signed>> {
  const sides = findSides(worded);
  const said = context.answers.last.moneyOut;
  if (said !== undefined) return stated(sign(worded, readSaid(said, worded, sides)), said);
  if (sides === undefined) return askWords(worded, worded.words);
  const evidence = await prove(context, worded, sides);
  if (evidence !== undefined) return { value: sign(worded, sides), evidence };
  return askWords(worded, [sides.out[0] ?? '', sides.in[0] ?? '']);
}

/** The words by side; when all are of one side, rows with no word are the other: no proof. */
function findSides({ words, isAnyBlank }: Worded): (Sides & { isPlain: boolean }) | undefined {
  const pair = findPair(words);
  if (pair === undefined) return undefined;
  const [out, into] = [wordsOf(words, pair.out), wordsOf(words, pair.in)];
  const isHalf = out.length === 0 || into.length === 0;
  const restOf = (side: 'out' | 'in') => (isAnyBlank ? [''] : partnersOf(words, side));
  return {
    out: out.length > 0 ? out : restOf('out'),
    in: into.length > 0 ? into : restOf('in'),
    isPlain: pair.isPlain && !(isHalf && (isAnyBlank || pair.isLoose === true)),
  };
}

function wordsOf(words: readonly string[], side: readonly string[]): string[] {
  return words.filter((word) => isAmong(word, side));
}

/** Possible words for the other side: `c` and `k` when the file has only `d`. */
function partnersOf(words: readonly string[], side: 'out' | 'in'): string[] {
  const own = side === 'out' ? 'in' : 'out';
  const fits = (pair: DirectionPair) =>
    pair.needs === undefined && words.every((word) => isAmong(word, pair[own]));
  return [...new Set(DIRECTION_PAIRS.filter(fits).flatMap((pair) => pair[side]))];
}

function sign({ columns }: Worded, { out, in: into }: Sides): Signed {
  const [amount, indicator] = columns;
  const isInCell = indicator === undefined;
  const shape = { kind: 'indicator', isInCell, out, in: into } as const;
  return { columns: isInCell ? [amount] : [amount, indicator], shape };
}

/** The title of the column that has the words. */
function titleOf({ columns: [amount, indicator] }: Worded): string {
  return (indicator ?? amount).title;
}

/** The sides when the user stated a word for money out. Throws AnswerError. */
function readSaid(said: AnswerOf<'moneyOut'>, worded: Worded, sides: Sides | undefined): Sides {
  const { moneyOut } = said;
  const { words } = worded;
  const isOf = (side: readonly string[]) => isEqualAny(moneyOut, side);
  if (sides !== undefined && isOf(sides.out)) return sides;
  if (sides !== undefined && isOf(sides.in)) return { out: sides.in, in: sides.out };
  const all = moneyOut.split(',').map((word) => word.trim());
  const out = words.filter((word) => isEqualAny(word, all));
  const into = words.filter((word) => !out.includes(word)).sort();
  if (out.length > 0 && into.length > 0) return { out, in: into };
  const known = words.map((word) => quote(word)).join(', ');
  const must = ` must be a word in ${titleOf(worded)}, or several separated by commas`;
  throw new AnswerError(said, `${must}: ${known}.`);
}

function isEqualAny(word: string, words: readonly string[]): boolean {
  return words.some((each) => each.toLowerCase() === word.toLowerCase());
}

async function prove(
  { facts, answers, relations }: SignContext,
  worded: Worded,
  sides: Sides & { readonly isPlain: boolean },
): Promise<Evidence | undefined> {
  const title = titleOf(worded);
  if (sides.isPlain) {
    const seen = worded.counts?.get(worded.words[0] ?? '')?.first;
    const where = seen === undefined ? '' : `, first in line ${seen.line},`;
    const because = `${title} has${where} ${worded.words.map(quote).join(', ')}`;
    const shown = seen && joinRow(seen, facts.cut.delimiter);
    return { ...proof(shown, because), text: shown?.text ?? title };
  }
  if (relations.others.length === 0) return undefined;
  const own = await relations.withCredit(readCredit(sign(worded, sides)));
  return proveByBalance([worded.columns[0]], own, { facts, answers });
}

/** Reads the direction of a row from its word or mark. */
export function readCredit({ columns: [amount, indicator], shape }: Signed): CreditReader {
  if (shape.kind !== 'indicator') return () => 1;
  return (fields) => {
    const cell = (fields[(indicator ?? amount)?.index ?? 0] ?? '').trim();
    const word = shape.isInCell ? (splitAmount(cell)?.mark ?? '') : cell;
    if (isEqualAny(word, shape.in)) return 1;
    return isEqualAny(word, shape.out) ? -1 : 0;
  };
}

/** How a question names rows that have no word. */
const NO_WORD = 'unmarked';

function askWords(worded: Worded, words: readonly string[]) {
  const isInCell = worded.columns.length === 1;
  const where = `${isInCell ? 'mark' : 'word'} in ${titleOf(worded)}`;
  const shown = words.map((word) => word || NO_WORD).join(', ');
  const text = `Which ${where} means money out: ${shown}? The file does not show it.`;
  const choices = words.map((mark) => {
    const marked = mark === '' ? 'rows without a mark' : `rows with ${quote(mark)}`;
    return choice({ kind: 'moneyOut', moneyOut: mark }, worded.counts?.get(mark)?.shown ?? marked);
  });
  const other = isInCell ? 'several words' : 'several words or neither';
  return ask('moneyOut', text, choices, other);
}
