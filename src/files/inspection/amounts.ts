/**
 * Finds the columns of the amount by answers, by names and by what the columns contain: one, or one
 * each for money out and money in.
 */

import { currencyOfName } from '../values/currency-signs.ts';
import {
  AMOUNTS,
  type ColumnRole,
  isNoAmount,
  rolesOf,
  saysAmount,
  unitOf,
} from '../vocabulary/column-names.ts';
import type { ColumnFacts, Columns } from './column-facts.ts';
import { type Context, type Facts, findNamed, findSaid } from './facts.ts';
import {
  type Asked,
  ask,
  type Choice,
  choice,
  type Evidence,
  type Finding,
  isAsked,
  type OtherWay,
  proof,
  type StepOutcome,
  show,
  useColumn,
} from './found.ts';

/** The columns that were found, or the candidates that arithmetic may decide between. */
export interface AmountColumns extends Finding<readonly [ColumnFacts, ...Columns]> {
  /** Set for candidates; otherwise the first of two columns is money out or debit. */
  readonly isOpen?: true;
  /** Other columns of amounts: unless they have the same ones, it is asked. */
  readonly rivals?: Columns;
}

/** Money out, or debit, comes first. */
export type Pair = readonly [out: ColumnFacts, into: ColumnFacts];

/** Chooses by answers, names and the contents of the columns. */
export function chooseAmounts(context: Context): StepOutcome<AmountColumns> {
  const { facts } = context;
  const said = readAnswered(context);
  if (said !== undefined) return said;
  const chosen = choose(facts);
  if (isAsked(chosen)) return chosen;
  for (const column of chosen.value) {
    const unit = unitOf(column, column.numbers.isPlain);
    if (unit !== undefined) return askUnit(column, unit);
  }
  const isAlone = chosen.value.length === 1 && !chosen.rivals?.length;
  const counted = isAlone ? facts.columns.find(isCount) : undefined;
  const [amount] = chosen.value;
  const isPriced = facts.columns.some((each) => each !== amount && AMOUNTS.prices.test(each.words));
  if (counted === undefined || isPriced || AMOUNTS.totals.test(amount.words)) return chosen;
  return askCounted(amount, counted);
}

/** One column or two, and what it means to choose them. */
type Way = readonly [columns: Pair | readonly [ColumnFacts], meaning: string | undefined];

/** Asks which columns have the amount. */
export function askAmount(
  text: string,
  ways: readonly Way[],
  ...others: readonly OtherWay[]
): Asked {
  const choices = ways.map(([[first, into], meaning]): Choice => {
    if (into === undefined) return choice(useColumn('amount', first), meaning);
    return {
      ...choice(useColumn('out', first), meaning),
      answers: [useColumn('out', first), useColumn('in', into)],
    };
  });
  return ask('amount', text, choices, ...others);
}

function choose(facts: Facts): StepOutcome<AmountColumns> {
  const numeric = listNumeric(facts);
  const every = numeric.filter((column) => column.isNamedAmount);
  // Of two with one name, the one that some rows lack is of another currency.
  const isLacking = ({ words, filled }: ColumnFacts) =>
    filled < facts.rows && every.some((each) => each.words === words && each.filled === facts.rows);
  const named = onlyBooked(every, isBooked).filter((column) => !isLacking(column));
  // The amount in the currency of the account comes first; another may be of another currency.
  const isStated = ({ name }: ColumnFacts) => currencyOfName(name) !== undefined;
  const amounts = [...named.filter(isStated), ...named.filter((column) => !isStated(column))];
  const pairs = onlyBooked(listPairs(facts, numeric), (pair) => pair.every(isBooked));
  const [[pair, anotherPair], [only, ...more]] = [pairs, amounts];
  if (anotherPair !== undefined) return askWhich(amounts, pairs);
  if (pair !== undefined) {
    return { value: pair, evidence: facts.proveByNames(pair), rivals: amounts };
  }
  const mixed = findMixedPair(facts, numeric);
  if (mixed !== undefined) {
    return askWhich([...amounts, ...mixed.filter((each) => numeric.includes(each))], [mixed]);
  }
  if (only === undefined) return chooseUnnamed(facts, numeric);
  const rivals = more.length > 0 ? more : numeric.filter((column) => isUnknown(column, facts));
  return { value: [only], evidence: facts.proveByNames([only]), rivals };
}

/** The columns of amounts that were booked, or all if none is named so. */
function onlyBooked<One>(all: readonly One[], isBooked: (one: One) => boolean): readonly One[] {
  return all.some(isBooked) ? all.filter(isBooked) : all;
}

function isBooked({ words }: ColumnFacts): boolean {
  return AMOUNTS.booked.test(words);
}

/** Whether a column with an unknown name has an amount on most rows. */
function isUnknown(column: ColumnFacts, facts: Facts): boolean {
  const { roles, isNamedAmount, numbers, filled, values, words } = column;
  if (isNamedAmount || roles.size > 0 || numbers.isPlain || AMOUNTS.prices.test(words))
    return false;
  return filled >= facts.rows / 2 && values?.size !== 1;
}

function askUnit(column: ColumnFacts, unit: string) {
  const { line, text: cell } = column.numbers.first ?? { line: 0, text: '' };
  const question = `Is ${column.title} in ${unit}, as its name suggests?`;
  const meaning = `no: line ${line} is ${cell} whole units, not ${cell} ${unit}`;
  const text = `${question} The numbers are read unchanged.`;
  return askAmount(text, [[[column], meaning]], 'another amount', 'whole units');
}

/** The columns that the user named; undefined if no answer does. */
export function readAnswered(context: Context): AmountColumns | undefined {
  const two = findSaid(context, 'out', 'in');
  const [out, into] = two?.value ?? [];
  if (two && out && into) return { ...two, value: [out, into] };
  const one = findNamed(context, 'amount');
  const [amount] = one?.value ?? [];
  return one && amount && { ...one, value: [amount] };
}

/** Columns of numbers that are not dates, account numbers or other ids. */
function listNumeric({ columns, rows }: Facts): ColumnFacts[] {
  const numeric = columns.filter((column) => {
    const { numbers, roles, words } = column;
    if (column.hasDates()) return false;
    // Without its unreadable cells, which are rejected, another amount would be read in silence.
    if (column.isNamedAmount && !isNoAmount(words)) return numbers.firstAmount !== undefined;
    if (!numbers.isNumeric) return false;
    if (AMOUNT_ROLES.some((role) => roles.has(role))) return true;
    // beancount calls its amounts `number`. No number of a voucher has cents and is below zero.
    const isNumber = words === 'number' && numbers.hasCents && numbers.negatives > 0;
    if (isNoAmount(words) && !isNumber) return false;
    const isOther = (role: ColumnRole) =>
      !NEUTRAL_ROLES.includes(role) && !(isNumber && role === 'weakId');
    if ([...roles].some(isOther) || numbers.isCode) return false;
    // Dashes for amounts are usual only in columns that are named for them.
    if (numbers.filled < column.filled * FILLED_SHARE) return false;
    // The same whole number on every row is an account number, not an amount.
    const isSame = column.filled === rows && rows > 1 && column.values?.size === 1;
    return numbers.firstAmount !== undefined && !(numbers.isPlain && isSame);
  });
  const isAmount = ({ roles, isNamedAmount }: ColumnFacts) =>
    isNamedAmount || AMOUNT_ROLES.some((role) => roles.has(role));
  const isNamed = (each: ColumnFacts) => isAmount(each) || AMOUNTS.values.test(each.words);
  // Beside amounts with cents on every row, whole numbers are codes. Whole amounts do not change
  // the cents of a balance. Without a name, amounts have both signs, and codes have one.
  const exact = numeric.filter(({ numbers, words }) => {
    return numbers.hasCents && numbers.filled === rows && !AMOUNTS.prices.test(words);
  });
  const isSure = exact.some(isAmount);
  const isLikely = exact.some(({ numbers }) => numbers.negatives > 0 && numbers.positives > 0);
  const isCode = ({ numbers }: ColumnFacts) =>
    numbers.isPlain && (isSure || (isLikely && numbers.negatives === 0));
  return numeric.filter((each) => isNamed(each) || !isCode(each));
}

const AMOUNT_ROLES: readonly ColumnRole[] = ['amount', 'out', 'in', 'debit', 'credit'];
/** Roles that an amount can have; numbers with any other are not amounts of payments. */
const NEUTRAL_ROLES: readonly ColumnRole[] = ['indicator', 'currency', 'description2', 'status'];

/** Without a known name: a single column of numbers, or candidates for arithmetic. */
function chooseUnnamed(facts: Facts, numeric: Columns): StepOutcome<AmountColumns> {
  const [only, ...more] = numeric;
  if (only === undefined) {
    const any = facts.columns.filter(({ numbers, words, roles }) => {
      const isOther = roles.has('addition') || isNoAmount(words);
      return numbers.isNumeric && numbers.firstAmount !== undefined && !isOther;
    });
    // A local amount is the only one when no other column has any.
    const [local, second] = any;
    const isOnly = local !== undefined && second === undefined && saysAmount(local.name);
    return isOnly ? { value: [local], evidence: proveOnly(local) } : askWhich(any);
  }
  // If many rows are empty there, their amounts are in another column; a few whole numbers are not
  // amounts, but those of cheques.
  const full = numeric.filter(({ filled }) => filled >= facts.rows * FILLED_SHARE);
  const [whole = only] = full;
  const others = numeric.filter((each) => each !== whole);
  const isFew = others.reduce((sum, { filled }) => sum + filled, 0) < facts.rows / 2;
  const isOnly = full.length === 1 && isFew && others.every(({ numbers }) => numbers.isPlain);
  // If a column named as the amount is blank, this one may be anything.
  const isBlank = facts.columns.some((each) => each.isNamedAmount && each.filled === 0);
  const isOne = isOnly && !isBlank && !facts.columns.some(isCount);
  if (isOne) return { value: [whole], evidence: proveOnly(whole) };
  if (more.length === 0 || numeric.length > TRIED_COLUMNS) return askWhich(numeric);
  return { value: [only, ...more], evidence: proveOnly(only), isOpen: true };
}

function proveOnly({ numbers: { first } }: ColumnFacts): Evidence {
  return proof(first, `the only column with amounts; ${show(first)}`);
}

const FILLED_SHARE = 0.8;
/** The most columns that are tried as a running balance. */
const TRIED_COLUMNS = 6;

/** Whether a column is a quantity: the amount can then be the price of one item. */
function isCount({ words, numbers }: ColumnFacts): boolean {
  return numbers.isNumeric && AMOUNTS.counts.test(words);
}

/** Asks whether an amount next to a quantity is the total. */
function askCounted(amount: ColumnFacts, counted: ColumnFacts) {
  const { line, text: cell } = amount.numbers.first ?? { line: 0, text: '' };
  const question = `Is ${amount.title} the total, or the price of one item?`;
  const text = `${question} It matters because the file has a quantity, ${counted.title}.`;
  const meaning = `the total: line ${line} is ${cell} altogether`;
  return askAmount(text, [[[amount], meaning]], 'another amount', 'totals');
}

/** Asks which of these columns, or of these pairs for money out and money in. */
export function askWhich(columns: Columns, pairs: readonly Pair[] = []) {
  const isOne = pairs.length === 1;
  const net = columns.filter(({ words }) => AMOUNTS.net.test(words));
  const isTaxed = columns.length === 2 && net.length === 1;
  const meaningOf = (column: ColumnFacts) => {
    if (isOne) return `no: the amount is in ${column.title}`;
    const meaning = net.includes(column)
      ? 'without taxes, or after fees'
      : 'with taxes, or before fees';
    return isTaxed ? meaning : undefined;
  };
  const ways = [
    ...pairs.map((each): Way => [each, `${isOne ? 'yes: ' : ''}${each[0].title} is money out`]),
    ...columns.map((column): Way => [[column], meaningOf(column)]),
  ];
  const two =
    'This file has two amount columns, one for money out and one for money in. Is that so?';
  const none = ways.length === 0 ? ' No column has amounts that csv inspect can read.' : '';
  const isBalances = columns.length > 0 && columns.every(({ roles }) => roles.has('balance'));
  const only = isBalances ? 'The file seems to have balances, but no payments. ' : '';
  const which = `${only}Which column has the amount of each payment?${none}`;
  return askAmount(isOne ? two : which, ways, 'two amounts');
}

/**
 * Pairs of columns for out and in: those whose names differ only in that; otherwise by their
 * places, in which empty columns count only if no filled one fits.
 */
function listPairs({ columns }: Facts, numeric: Columns): Pair[] {
  const listOf = (...roles: readonly ColumnRole[]) =>
    columns.filter((column) => {
      const isNamed = roles.some((role) => column.roles.has(role));
      return isNamed && (column.numbers.filled === 0 || numeric.includes(column));
    });
  const filledOf = (all: Columns) => {
    const filled = all.filter(({ numbers }) => numbers.filled > 0);
    return filled.length > 0 ? filled : all;
  };
  const [outs, ins] = [listOf('out', 'debit'), listOf('in', 'credit')];
  const isFilled = ([out, into]: Pair) =>
    out !== into && out.numbers.filled + into.numbers.filled > 0;
  const alike = outs.flatMap((out): Pair[] => {
    const [into, second] = ins.filter((each) => restOf(each) === restOf(out));
    return into === undefined || second !== undefined ? [] : [[out, into]];
  });
  if (alike.length > 1) return alike.filter(isFilled);
  const [some, others] = [filledOf(outs), filledOf(ins)];
  if (some.length !== others.length) return [];
  return some.flatMap((out, at): Pair[] => [[out, others[at] ?? out]]).filter(isFilled);
}

/** A column named for one side, and one for the other side that has words among its amounts. */
function findMixedPair({ columns }: Facts, numeric: Columns): Pair | undefined {
  const isOut = ({ roles }: ColumnFacts) => roles.has('out') || roles.has('debit');
  const isIn = ({ roles }: ColumnFacts) => roles.has('in') || roles.has('credit');
  const isMixed = (column: ColumnFacts) =>
    column.numbers.filled > 0 && !numeric.includes(column) && isOut(column) !== isIn(column);
  const [out, into] = [numeric.find(isOut), numeric.find(isIn)];
  const other = columns.find((each) => isMixed(each) && (out ? isIn(each) : isOut(each)));
  if (other === undefined || (out === undefined) === (into === undefined)) return undefined;
  return out === undefined ? [other, into ?? other] : [out, other];
}

/** The words of a name that do not show a side. */
function restOf({ words }: ColumnFacts): string {
  return words
    .split(' ')
    .filter((word) => rolesOf(word).size === 0)
    .join(' ');
}
