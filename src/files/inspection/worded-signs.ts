/**
 * Money out and money in as a column of words, or as marks in the cells. Words from bookkeeping
 * need proof: a balance that rises with a credit is a bank account.
 */

import { isOneOf } from '../reading/csv-values.ts';
import { splitAmount } from '../values/amount-writing.ts';
import {
  DIRECTION_PAIRS,
  type DirectionPair,
  findNamedPair,
  sideOf,
} from '../vocabulary/directions.ts';
import type { ColumnFacts } from './column-facts.ts';
import type { Facts } from './facts.ts';
import {
  AnswerError,
  type AnswerOf,
  type Asked,
  ask,
  askOf,
  choice,
  type Decision,
  type Evidence,
  linesHave,
  proof,
  quote,
} from './found.ts';
import { type CreditReader, joinRow, type SignCount } from './relations.ts';
import {
  chooseOut,
  proveByStatement,
  type SignContext,
  type Signed,
  sayOut,
} from './sign-context.ts';
import type { Marked } from './trial.ts';

/** The words of each side. */
interface Sides {
  readonly out: readonly string[];
  readonly in: readonly string[];
}

/** The same for known words. */
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
  return askOf([line], 'notRow', `${where}, not ${others}. ${them}`, [
    choice({ kind: 'line', text: word, isRow: false }, `no: ${are} neither money out nor in`),
    chooseOut([...out, word].join(','), `yes: ${are} money out`),
    choice({ kind: 'line', text: word, isRow: true }, `yes: ${are} money in`),
  ]);
}

/** The words in the column of the direction that are of no side. */
export function listNeither({ columns: [, indicator], shape }: Signed): Marked[] {
  if (shape.kind !== 'indicator' || indicator?.values === undefined) return [];
  const isOf = (word: string) => isOneOf([...shape.out, ...shape.in], word);
  const words = [...indicator.values.keys()].filter((word) => !isOf(word));
  return words.length === 0 ? [] : [{ kind: 'neither', column: indicator, words }];
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

/** The title of the column that has the words. */
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

async function prove(
  context: SignContext,
  worded: Worded,
  sides: KnownSides,
): Promise<Evidence | undefined> {
  const { facts, relations } = context;
  const title = titleOf(worded);
  const [amount] = worded.columns;
  const isTested = !sides.isPlain || relations.others.some(({ roles }) => roles.has('balance'));
  const own = isTested ? await relations.withCredit(readCredit(sign(worded, sides))) : relations;
  if (isTested && own.effectOf([amount])?.effect === 'takes') return undefined;
  if (sides.isPlain) {
    const seen = worded.counts?.get(worded.words[0] ?? '')?.first;
    const where = seen === undefined ? '' : `, first in line ${seen.line},`;
    const because = `${title} has${where} ${worded.words.map((word) => quote(word)).join(', ')}`;
    const shown = seen && joinRow(seen, facts.cut.delimiter);
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
    const usual = isSpelled
      ? { ...proof(undefined, because), instead: [sayOut(other)] }
      : undefined;
    return proveByStatement(facts, other) ?? usual;
  }
  const isCredit = words.every((each) => /^cr(?:edit)?$/i.test(each));
  if (!isCredit || countOf(worded, '') <= countOf(worded, word)) return undefined;
  const because = `only some amounts have ${quote(word)}, as on the statement of a card`;
  return { ...proof(undefined, because), instead: [sayOut(other)] };
}

/** How many rows have a word or mark. */
function countOf({ columns: [amount], counts }: Worded, word: string): number {
  const { negatives = 0, positives = 0 } = counts?.get(word) ?? {};
  return counts === undefined ? (amount.numbers.marks.get(word) ?? 0) : negatives + positives;
}

/** Reads the direction of a row from its word or mark. */
export function readCredit({ columns: [amount, indicator], shape }: Signed): CreditReader {
  const { index = 0 } = indicator ?? amount ?? {};
  const sideOf = (fields: readonly string[]) => {
    if (shape.kind !== 'indicator') return 1;
    const cell = (fields[index] ?? '').trim();
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
    return chooseOut(mark, worded.counts?.get(mark)?.shown ?? own);
  });
  const others = isInCell ? [] : (['neither'] as const);
  return ask('moneyOut', text, choices, 'several words', ...others);
}
