/**
 * Which sign of a column is money out. Proof is the name of the column, a bank's words for payments
 * that always appear with the same sign, or a file that lists spending. Anything else is asked: a
 * falling balance can be a bank account, or what is left of a debt.
 */

import { useColumn } from './answers.ts';
import type { ColumnFacts, Columns } from './column-facts.ts';
import { type Facts, provenByNames } from './facts.ts';
import {
  AnswerError,
  type Asked,
  ask,
  type Choice,
  choice,
  type Decision,
  type Evidence,
  proof,
  quote,
  stated,
} from './found.ts';
import { joinRow, SignCount, showAmounts } from './seen-rows.ts';
import type { SignContext, Signed } from './sign-context.ts';
import {
  type DirectionPair,
  directionOf,
  findSpending,
  isAmong,
  isDirection,
  isSure,
  LOOSE_NAMES,
} from './vocabulary/directions.ts';

type Sign = 'negative' | 'positive';
type Counts = ReadonlyMap<string, SignCount>;

/** Works out which sign is money out. Throws AnswerError for an answer that does not fit. */
export function inspectSigned(context: SignContext, amount: ColumnFacts): Decision<Signed> {
  const signed = (outSign: Sign): Signed => {
    return { columns: [amount], shape: { kind: 'signed', isTurned: outSign === 'negative' } };
  };
  const unsigned = askUnsigned(context, amount);
  if (unsigned !== undefined) return unsigned;
  const said = context.answers.last.moneyOut;
  if (said !== undefined) {
    const { moneyOut } = said;
    if (moneyOut === 'negative' || moneyOut === 'positive') return stated(signed(moneyOut), said);
    throw new AnswerError(said, ` must be negative or positive here, not "${moneyOut}".`);
  }
  const { facts } = context;
  const found =
    proveByName(facts, amount) ?? proveByWords(context) ?? proveBySpending(facts, amount);
  if (found === undefined) return askSigned(context, amount);
  return { value: signed(found.outSign), evidence: found.evidence };
}

/** Asks when a balance rises and falls by amounts of one sign: the sign shows nothing then. */
function askUnsigned({ facts, relations }: SignContext, amount: ColumnFacts): Asked | undefined {
  if (amount.numbers.negatives > 0 && amount.numbers.positives > 0) return undefined;
  for (const balance of relations.others) {
    const seen = relations.unsignedOf(amount, balance);
    if (seen === undefined) continue;
    const goes = `${balance.title} rises by some amounts in ${amount.title} and falls by others`;
    const text = `${goes} (line ${seen.line}), but no sign shows which. Which column does?`;
    const choices = listIndicators(facts, [...relations.words.keys()]);
    return ask('moneyOut', text, choices, 'indicator or signs');
  }
  return undefined;
}

interface Found {
  readonly outSign: Sign;
  readonly evidence: Evidence;
}

/** The name of the column, such as `Withdrawals`, when all its amounts have one sign. */
function proveByName(facts: Facts, amount: ColumnFacts): Found | undefined {
  const { roles, words, numbers } = amount;
  if (roles.has('out') === roles.has('in') || LOOSE_NAMES.has(words)) return undefined;
  const isNegative = numbers.negatives > 0;
  if (isNegative && numbers.positives > 0) return undefined;
  const outSign = isNegative === roles.has('out') ? 'negative' : 'positive';
  return { outSign, evidence: provenByNames([amount], facts) };
}

/** Words such as direct debit that always have one sign; no proof if columns disagree. */
function proveByWords({ relations, facts }: SignContext): Found | undefined {
  const found = [...relations.words].flatMap(([column, counts]) => {
    const { pair } = column;
    const sides = pair === undefined ? decideSides(counts, directionOf) : sidesOf(counts, pair);
    if (sides === undefined) return [];
    // With a plus, debit is from the organisation's books, and a direct debit was collected.
    if (pair?.isPlain !== true && sides.outSign === 'positive') return [];
    if (!isSure([...counts.keys()], column)) return [];
    const isClear = pair?.isPlain === true && pair.isLoose !== true;
    return isClear || sides.isBoth ? [{ ...sides, column }] : [];
  });
  const [first] = found;
  if (first === undefined || found.some(({ outSign }) => outSign !== first.outSign)) {
    return undefined;
  }
  const { outSign, count, word, column } = first;
  const sign = count.negatives > 0 ? 'negative' : 'positive';
  const where = `line ${count.first.line} has ${quote(word)} in ${column.title}`;
  const seen = joinRow(count.first, facts.cut.delimiter);
  return { outSign, evidence: proof(seen, `${where}, and all such amounts are ${sign}`) };
}

interface Sides {
  /** The sign of amounts with words for money out (or debit), and a line that shows it. */
  readonly outSign: Sign;
  readonly count: SignCount;
  readonly word: string;
  /** Whether both sides occur: a payment or a deposit alone can be either. */
  readonly isBoth: boolean;
}

/** Which sign each side of a pair has; undefined when a side has both signs. */
export function sidesOf(
  counts: Counts,
  pair: Pick<DirectionPair, 'out' | 'in'>,
): Sides | undefined {
  return decideSides(counts, (word) => {
    if (isAmong(word, pair.out)) return 'out';
    return isAmong(word, pair.in) ? 'in' : undefined;
  });
}

function decideSides(
  counts: Counts,
  sideOf: (word: string) => 'out' | 'in' | undefined,
): Sides | undefined {
  let outSign: Sign | undefined;
  let shown: { count: SignCount; word: string } | undefined;
  const seen = new Set<'out' | 'in'>();
  for (const [word, count] of counts) {
    const side = sideOf(word);
    if (side === undefined || count.negatives + count.positives === 0) continue;
    if (count.negatives > 0 && count.positives > 0) return undefined;
    const sign = count.negatives > 0 === (side === 'out') ? 'negative' : 'positive';
    if (outSign !== undefined && outSign !== sign) return undefined;
    outSign = sign;
    shown ??= { count, word };
    seen.add(side);
  }
  if (outSign === undefined || shown === undefined) return undefined;
  return { outSign, ...shown, isBoth: seen.size === 2 };
}

/** In a list of spending nearly all amounts are money out; the others were paid back. */
const SPENT_SHARE = 0.9;

function proveBySpending({ columns, layout }: Facts, { numbers }: ColumnFacts): Found | undefined {
  const text = findSpending(columns)?.name;
  if (text === undefined || columns.some(({ roles }) => roles.has('balance'))) return undefined;
  const { positives, negatives } = numbers;
  const most = Math.max(positives, negatives);
  if (most === 0 || most < (positives + negatives) * SPENT_SHARE) return undefined;
  const outSign = positives > negatives ? 'positive' : 'negative';
  const share = `${most} of ${positives + negatives} amounts are ${outSign}`;
  const because = `the file is a list of spending (${quote(text)}), and ${share}`;
  return { outSign, evidence: proof({ line: layout.headerLine.value, text }, because) };
}

function askSigned({ facts, relations }: SignContext, amount: ColumnFacts) {
  const sums = relations.sums.get(amount) ?? new SignCount({ line: 0, fields: [] });
  const text = `Which amounts in ${amount.title} are money out? The file does not show it.`;
  const below = showAmounts(sums.negatives, sums.negativeSum);
  const above = showAmounts(sums.positives, sums.positiveSum);
  const isSigned = sums.negatives > 0 && sums.positives > 0;
  const choices = [
    choice({ kind: 'moneyOut', moneyOut: 'negative' }, `money out: ${below} (usual in bank files)`),
    choice(
      { kind: 'moneyOut', moneyOut: 'positive' },
      `money out: ${above} (usual in payment lists)`,
    ),
    ...(isSigned ? [] : listIndicators(facts, [...relations.words.keys()])),
  ];
  return ask('moneyOut', text, choices, 'indicator');
}

/** Columns whose words may show the direction of each amount when no sign does. */
function listIndicators({ rows }: Facts, columns: Columns): Choice[] {
  return columns.flatMap((column) => {
    const { roles, filled, values } = column;
    const own = [...(values?.keys() ?? [])];
    const isNamed = roles.has('indicator') && !roles.has('description');
    const isWord = (word: string) => word.length > 2 && isDirection(word);
    const isKnown = isNamed || own.some(isWord);
    if (filled !== rows || own.length < 2 || own.length > 12 || !isKnown) return [];
    const shown = own.slice(0, 3).map(quote).join(', ');
    const meaning = `the words in it show the direction: ${shown}${own.length > 3 ? ' …' : ''}`;
    return [choice(useColumn('indicator', column), meaning)];
  });
}
