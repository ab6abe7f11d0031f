/**
 * Which sign of a column is money out. Proof is the name of the column, a bank's words for payments
 * that always appear with the same sign, or a file that lists spending. Anything else is asked: a
 * falling balance can be a bank account, or what is left of a debt.
 */

import type { AmountShape } from '../rows/mapping.ts';
import type { AmountColumns } from './amounts.ts';
import type { Answers } from './answers.ts';
import {
  type DirectionPair,
  directionOf,
  findPair,
  findSpending,
  isAmong,
  isDirection,
} from './direction-words.ts';
import { type Facts, provenByNames, requireColumn, titleOf } from './facts.ts';
import {
  type Answer,
  AnswerError,
  type Choice,
  type Evidence,
  type Question,
  quote,
  stated,
} from './found.ts';
import { plainWords, rolesOf } from './header-words.ts';
import {
  type CellReader,
  type Relations,
  type SignCount,
  showAmounts,
  textOf,
} from './relations.ts';
import { inspectIndicator, inspectMarks, inspectTwo } from './worded-signs.ts';

/** The columns of the amount, followed by the indicator if there is one, and the shape. */
export interface Signed {
  readonly indexes: readonly number[];
  readonly shape: AmountShape;
}

/** The input for finding the sign. */
export interface SignContext {
  readonly facts: Facts;
  readonly answers: Answers;
  readonly columns: AmountColumns;
  readonly relations: Relations;
  readonly read: CellReader;
}

/** Works out the shape and its sign. Throws AnswerError for an answer that does not fit. */
export async function inspectSign(context: SignContext): Promise<Answer<Signed>> {
  const { columns, facts } = context;
  if (columns.kind === 'two') return inspectTwo(context);
  const [amount = 0] = columns.indexes;
  const indicator = findIndicator(context);
  if (indicator !== undefined) return inspectIndicator(context, indicator);
  const marks = [...(facts.columns[amount]?.numbers.marks.keys() ?? [])];
  if (marks.some((mark) => mark !== '')) return inspectMarks(context, marks);
  return inspectSigned(context, amount);
}

/** A column whose words mean out or in; undefined when the sign of the amount agrees with it. */
function findIndicator({ relations, facts, answers }: SignContext): number | undefined {
  const said = answers.columns.get('indicator');
  if (said !== undefined) return said[0] === undefined ? undefined : requireColumn(said[0], facts);
  const found = [...relations.words].filter(([index, counts]) => {
    const pair = findPair([...counts.keys()].filter((word) => word !== ''));
    if (pair === undefined) return false;
    const isSigned = [...counts.values()].some(({ negatives }) => negatives > 0);
    if (isSigned) return sidesOf(counts, pair) === undefined;
    const { name = '' } = facts.columns[index] ?? {};
    return hasBoth(counts, pair) || name === '' || isSure(name, counts);
  });
  return found[0]?.[0];
}

function hasBoth(counts: ReadonlyMap<string, SignCount>, pair: DirectionPair): boolean {
  const words = [...counts.keys()].filter((word) => word !== '');
  const isAny = (side: readonly string[]) => words.some((word) => isAmong(word, side));
  return isAny(pair.out) && isAny(pair.in);
}

/** A single letter can mean anything: only the name of the column shows that it is D or C. */
function isSure(name: string, counts: ReadonlyMap<string, SignCount>): boolean {
  const isLong = [...counts.keys()].every((word) => word === '' || word.length > 2);
  return isLong || rolesOf(name).has('indicator');
}

interface Sides {
  /** The sign of amounts with words for money out (or debit), and a line that shows it. */
  readonly outSign: 'negative' | 'positive';
  readonly count: SignCount;
  readonly word: string;
  /** Whether both sides occur: a payment or a deposit alone can be either. */
  readonly isBoth: boolean;
}

/** Which sign each side of a pair has; undefined when a side has both signs. */
function sidesOf(
  counts: ReadonlyMap<string, SignCount>,
  pair: Pick<DirectionPair, 'out' | 'in'>,
): Sides | undefined {
  return decideSides(counts, (word) => {
    if (isAmong(word, pair.out)) return 'out';
    return isAmong(word, pair.in) ? 'in' : undefined;
  });
}

function decideSides(
  counts: ReadonlyMap<string, SignCount>,
  sideOf: (word: string) => 'out' | 'in' | undefined,
): Sides | undefined {
  let outSign: 'negative' | 'positive' | undefined;
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

function inspectSigned(context: SignContext, amount: number): Answer<Signed> {
  const { facts, answers } = context;
  const signed = (outSign: 'negative' | 'positive'): Signed => {
    return { indexes: [amount], shape: { kind: 'signed', isTurned: outSign === 'negative' } };
  };
  const unsigned = askUnsigned(context, amount);
  if (unsigned !== undefined) return { question: unsigned };
  const { moneyOut } = answers;
  if (moneyOut !== undefined) {
    if (moneyOut !== 'negative' && moneyOut !== 'positive') {
      throw new AnswerError(`--money-out must be negative or positive here, not "${moneyOut}".`);
    }
    return stated(signed(moneyOut), `--money-out ${moneyOut}`);
  }
  const proof =
    proveByName(facts, amount) ?? proveByWords(context) ?? proveBySpending(facts, amount);
  if (proof === undefined) return { question: askSigned(context, amount) };
  return { value: signed(proof.outSign), evidence: proof.evidence };
}

/** Asks when a balance rises and falls by amounts of one sign: the sign shows nothing then. */
function askUnsigned({ facts, relations }: SignContext, amount: number): Question | undefined {
  const { negatives = 0, positives = 0 } = facts.columns[amount]?.numbers ?? {};
  if (negatives > 0 && positives > 0) return undefined;
  for (const index of relations.others) {
    const seen = relations.unsignedOf(amount, index);
    if (seen === undefined) continue;
    const balance = titleOf(index, facts);
    const name = titleOf(amount, facts);
    const goes = `${balance} rises by some amounts in ${name} and falls by others`;
    const text = `${goes} (line ${seen.line}), but no sign shows which. Which column does?`;
    const other = '--map indicator=COLUMN; if there is none, export the file with signs';
    return { id: 'moneyOut', text, choices: listIndicators(facts, relations), other };
  }
  return undefined;
}

interface Proof {
  readonly outSign: 'negative' | 'positive';
  readonly evidence: Evidence;
}

/** The name of the column, such as `Withdrawals`, when all its amounts have one sign. */
function proveByName(facts: Facts, amount: number): Proof | undefined {
  const { name = '', numbers } = facts.columns[amount] ?? {};
  const roles = rolesOf(name);
  if (numbers === undefined || roles.has('out') === roles.has('in')) return undefined;
  if (LOOSE_NAMES.has(plainWords(name))) return undefined;
  if (numbers.negatives > 0 && numbers.positives > 0) return undefined;
  const isNegative = numbers.negatives > 0;
  const outSign = isNegative === roles.has('out') ? 'negative' : 'positive';
  return { outSign, evidence: provenByNames([name], facts) };
}

/**
 * Names that show a direction only next to their counterpart: a payment or deposit can be made or
 * received, dues are collected by Lastschrift, and the owner of a shop receives its payouts.
 */
const LOOSE_NAMES: ReadonlySet<string> = new Set(
  (
    'payment payments receipt receipts deposit deposits out in ut ud af bij ind inn ' +
    'lastschrift gutschrift gutschriften auszahlung auszahlungen ausgezahlt withdrawal withdrawals'
  )
    .split(' ')
    .concat('paid out', 'withdrawal amount', 'withdrawal amt'),
);

/** Words such as direct debit that always have one sign; no proof if columns disagree. */
function proveByWords({ relations, facts }: SignContext): Proof | undefined {
  const proofs = [...relations.words].flatMap(([index, counts]) => {
    const pair = findPair([...counts.keys()].filter((word) => word !== ''));
    const sides = pair === undefined ? decideSides(counts, directionOf) : sidesOf(counts, pair);
    if (sides === undefined) return [];
    // With a plus, debit is from the organisation's books, and a direct debit was collected.
    if (pair?.isPlain !== true && sides.outSign === 'positive') return [];
    if (!isSure(facts.columns[index]?.name ?? '', counts)) return [];
    const isClear = pair?.isPlain === true && pair.isLoose !== true;
    return isClear || sides.isBoth ? [{ ...sides, index }] : [];
  });
  const [first] = proofs;
  if (first === undefined || proofs.some(({ outSign }) => outSign !== first.outSign)) {
    return undefined;
  }
  const { outSign, count, word, index } = first;
  const sign = count.negatives > 0 ? 'negative' : 'positive';
  const where = `line ${count.first.line} has ${quote(word)} in ${titleOf(index, facts)}`;
  const because = `${where}, and all such amounts are ${sign}`;
  return {
    outSign,
    evidence: { line: count.first.line, text: textOf(count.first, facts), because },
  };
}

/** In a list of spending nearly all amounts are money out; the others were paid back. */
const SPENT_SHARE = 0.9;

function proveBySpending({ columns, layout }: Facts, amount: number): Proof | undefined {
  const name = findSpending(layout.names);
  if (layout.names.some((each) => rolesOf(each).has('balance'))) return undefined;
  const numbers = columns[amount]?.numbers;
  if (name === undefined || numbers === undefined) return undefined;
  const { positives, negatives } = numbers;
  const most = Math.max(positives, negatives);
  if (most === 0 || most < (positives + negatives) * SPENT_SHARE) return undefined;
  const outSign = positives > negatives ? 'positive' : 'negative';
  const share = `${most} of ${positives + negatives} amounts are ${outSign}`;
  const because = `the file is a list of spending (${quote(name)}), and ${share}`;
  return { outSign, evidence: { line: layout.headerLine.value, text: name, because } };
}

function askSigned({ facts, relations }: SignContext, amount: number): Question {
  const sums = relations.sums.get(amount);
  const name = titleOf(amount, facts);
  const text = `Which amounts in ${name} are money out? The file does not show it.`;
  const below = showAmounts(sums?.negatives ?? 0, sums?.negativeSum ?? 0n);
  const above = showAmounts(sums?.positives ?? 0, sums?.positiveSum ?? 0n);
  const isSigned = (sums?.negatives ?? 0) > 0 && (sums?.positives ?? 0) > 0;
  const choices: Choice[] = [
    { option: ['money-out', 'negative'], meaning: `money out: ${below} (usual in bank files)` },
    { option: ['money-out', 'positive'], meaning: `money out: ${above} (usual in payment lists)` },
    ...(isSigned ? [] : listIndicators(facts, relations)),
  ];
  const other = '--map indicator=COLUMN if a column shows the direction of each payment';
  return { id: 'moneyOut', text, choices, other };
}

/** Columns whose words may show the direction of each amount when no sign does. */
function listIndicators(facts: Facts, { words }: Relations): Choice[] {
  return [...words].flatMap(([index, counts]): Choice[] => {
    const column = facts.columns[index];
    const own = [...counts.keys()].filter((word) => word !== '');
    const roles = rolesOf(column?.name ?? '');
    const isNamed = roles.has('indicator') && !roles.has('description');
    const isWord = (word: string) => word.length > 2 && isDirection(word);
    const isKnown = isNamed || own.some(isWord);
    if (column?.filled !== facts.rows || own.length < 2 || own.length > 12 || !isKnown) return [];
    const shown = own.slice(0, 3).map(quote).join(', ');
    const meaning = `the words in it show the direction: ${shown}${own.length > 3 ? ' …' : ''}`;
    return [{ option: ['map', `indicator=${titleOf(index, facts)}`], meaning }];
  });
}
