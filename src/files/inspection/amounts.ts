/** Finds the columns of the amount: one, or one each for money out and money in. */

import { currencyOfName } from '../values/currency-signs.ts';
import { AMOUNTS, isNoAmount, type Role, saysAmount, unitOf } from '../vocabulary/column-names.ts';
import type { ColumnFacts, Columns } from './column-facts.ts';
import { type Context, type Facts, findSaid } from './facts.ts';
import {
  type Asked,
  ask,
  type Choice,
  choice,
  type Decision,
  type Evidence,
  isAsked,
  type OtherWay,
  type Outcome,
  proof,
  show,
  titlesOf,
  useColumn,
} from './found.ts';
import { findMixedPair, listPairs, orderPair, type Pair } from './pairs.ts';
import { type Relatable, type Relations, relate } from './relations.ts';

/** The columns that were found, or the candidates that arithmetic may decide between. */
export interface AmountColumns {
  readonly kind: 'one' | 'two' | 'undecided';
  /** For `two`, money out or debit comes first. */
  readonly columns: readonly [ColumnFacts, ...Columns];
  readonly evidence: Evidence;
  /** Other columns of amounts: unless they have the same ones, it is asked. */
  readonly rivals?: Columns;
}

/** The amounts with their relations. */
interface Related extends Context, Relatable {
  readonly facts: Facts;
  readonly amounts: AmountColumns;
  readonly relations: Relations;
}

/** Chooses by answers, names and the contents of the columns. */
export function chooseAmounts(context: Context): Outcome<AmountColumns> {
  const { facts } = context;
  const said = readAnswered(context);
  if (said !== undefined) return said;
  const chosen = choose(facts);
  if (isAsked(chosen)) return chosen;
  for (const column of chosen.columns) {
    const unit = unitOf(column, column.numbers.isPlain);
    if (unit !== undefined) return askUnit(column, unit);
  }
  const isAlone = chosen.kind === 'one' && !chosen.rivals?.length;
  const counted = isAlone ? facts.columns.find(isCount) : undefined;
  const [amount] = chosen.columns;
  const isPriced = facts.columns.some((each) => each !== amount && AMOUNTS.prices.test(each.words));
  if (counted === undefined || isPriced || AMOUNTS.totals.test(amount.words)) return chosen;
  return askCounted(amount, counted);
}

/** Asks whether the amount includes fees or taxes, except in columns that repeat it. */
export async function inspectAddition(known: Related): Promise<Decision<Columns>> {
  const { facts, answers, amounts, relations } = known;
  const { columns, evidence } = amounts;
  const decided = { value: columns, evidence };
  if (answers.columns.has('amount') || answers.columns.has('out')) return decided;
  const addition = facts.columns.find((column) => {
    const { roles, numbers } = column;
    // All of a payment may be refunded.
    const isAgain = relations.isAgain(column) && !/refund/i.test(column.name);
    const isAny = numbers.isNumeric && numbers.firstAmount !== undefined;
    return isAny && roles.has('addition') && !columns.includes(column) && !isAgain;
  });
  if (addition === undefined) return decided;
  const { title: other, numbers } = addition;
  const isBalanced = relations.others.some((each) => relations.balanceOf(columns, each));
  // A balance shows it, except for the first row.
  if (isBalanced && numbers.negatives + numbers.positives > 1) return decided;
  const own = `Does ${titlesOf(columns).join(' and ')} already include ${other}?`;
  const text = `${own} budgetd does not add it (${show(numbers.firstAmount)}).`;
  const yes = `yes, or ${other} is entered separately`;
  const [out, into] = columns;
  if (into === undefined) {
    const trial = await relate(known, [addition, out]);
    const balance = trial.others.find((each) => trial.balanceOf([addition, out], each));
    if (balance === undefined) return askAmount(text, [[[out], yes]], 'another amount');
    const shown = `${balance.title} shows that ${out.title} does not include ${other}`;
    const without = `${shown}. Only ${out.title} is read. Is that right?`;
    return askAmount(without, [[[out], `yes, ${other} is entered separately`]], 'another amount');
  }
  const isPlain = out.roles.has('out') || into.roles.has('in');
  const orders = [[out, into] as const, ...(isPlain ? [] : [[into, out] as const])];
  const ways = orders.map((pair): Way => [pair, `${yes}; ${pair[0].title} is money out`]);
  return askAmount(text, ways);
}

/** One column or two, and what it means to choose them. */
type Way = readonly [columns: Pair | readonly [ColumnFacts], meaning: string | undefined];

function askAmount(text: string, ways: readonly Way[], ...others: readonly OtherWay[]): Asked {
  const choices = ways.map(([[first, into], meaning]): Choice => {
    if (into === undefined) return choice(useColumn('amount', first), meaning);
    return {
      ...choice(useColumn('out', first), meaning),
      answers: [useColumn('out', first), useColumn('in', into)],
    };
  });
  return ask('amount', text, choices, ...others);
}

function choose(facts: Facts): Outcome<AmountColumns> {
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
    return { kind: 'two', columns: pair, evidence: facts.proveByNames(pair), rivals: amounts };
  }
  const mixed = findMixedPair(facts, numeric);
  if (mixed !== undefined) {
    return askWhich([...amounts, ...mixed.filter((each) => numeric.includes(each))], [mixed]);
  }
  if (only === undefined) return chooseUnnamed(facts, numeric);
  const rivals = more.length > 0 ? more : numeric.filter((column) => isUnknown(column, facts));
  return { kind: 'one', columns: [only], evidence: facts.proveByNames([only]), rivals };
}

/** Those of amounts that were booked, or all if none is named so. */
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
  const [two, one] = [findSaid(context, 'out', 'in'), findSaid(context, 'amount')];
  const [out, into] = two?.value ?? [];
  if (two && out && into) {
    return { kind: 'two', columns: [out, into], evidence: two.evidence };
  }
  const [amount] = one?.value ?? [];
  return one && amount && { kind: 'one', columns: [amount], evidence: one.evidence };
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
    if (isNoAmount(words)) return false;
    if ([...roles].some((role) => !NEUTRAL_ROLES.includes(role)) || numbers.isCode) return false;
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

const AMOUNT_ROLES: readonly Role[] = ['amount', 'out', 'in', 'debit', 'credit'];
/** Roles that an amount can have; numbers with any other are not amounts of payments. */
const NEUTRAL_ROLES: readonly Role[] = ['indicator', 'currency', 'description2', 'status'];

/** Without a known name: a single column of numbers, or candidates for arithmetic. */
function chooseUnnamed(facts: Facts, numeric: Columns): Outcome<AmountColumns> {
  const [only, ...more] = numeric;
  if (only === undefined) {
    const any = facts.columns.filter(({ numbers, words, roles }) => {
      const isOther = roles.has('addition') || isNoAmount(words);
      return numbers.isNumeric && numbers.firstAmount !== undefined && !isOther;
    });
    // A local amount is the only one when no other column has any.
    const [local, second] = any;
    const isOnly = local !== undefined && second === undefined && saysAmount(local.name);
    return isOnly ? { kind: 'one', columns: [local], evidence: proveOnly(local) } : askWhich(any);
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
  if (isOne) return { kind: 'one', columns: [whole], evidence: proveOnly(whole) };
  if (more.length === 0 || numeric.length > TRIED_COLUMNS) return askWhich(numeric);
  return { kind: 'undecided', columns: [only, ...more], evidence: proveOnly(only) };
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

/** Decides by arithmetic, or asks which column is the amount. */
export async function decideAmounts(
  known: Relatable & { readonly candidates: AmountColumns },
): Promise<Outcome<AmountColumns>> {
  const { facts, candidates: chosen } = known;
  const { columns, rivals = [], kind, evidence } = chosen;
  const relations = await relate(known, columns);
  const [out, into] = columns;
  if (kind === 'undecided') {
    const found = decideByBalance(columns, relations, facts);
    return found ?? decidePair(columns, known);
  }
  // Money out and money in are on separate rows.
  const isApart = kind !== 'two' || 'said' in evidence || relations.bothCount !== facts.rows;
  // The balance shows which amounts were moved.
  const isMoved = (each: ColumnFacts) => relations.balanceOf(columns, each) !== undefined;
  const isOther = (rival: ColumnFacts) => {
    // Without fees or taxes in this file, net and gross are the same; in the next one they differ.
    if (kind === 'one' && rival.isNamedAmount && isNet(rival) !== isNet(out)) return true;
    const isKnown = relations.isSame(rival) || isMoved(rival);
    return !isKnown && (rival.isNamedAmount || !relations.isAgain(rival));
  };
  const others = into && relations.others.some(isMoved) ? [] : rivals.filter(isOther);
  if (isApart && others.length === 0) return chosen;
  const [other, second] = others;
  if (!isApart && other?.isNamedAmount === true && second === undefined) {
    return { kind: 'one', columns: [other], evidence: facts.proveByNames([other]) };
  }
  if (into !== undefined) {
    return askWhich(others.length > 0 ? others : columns, isApart ? [[out, into]] : []);
  }
  const trial = await relate(known, [out, ...others]);
  const balanced = [out, ...others].flatMap((amount) => {
    const balance = trial.others.find((each) => trial.balanceOf([amount], each) !== undefined);
    return balance === undefined ? [] : [proveBalance(amount, balance, trial, facts)];
  });
  const [best, equal] = balanced;
  if (best !== undefined && equal === undefined) return best;
  return decidePair([out, ...others], known);
}

function isNet({ words }: ColumnFacts): boolean {
  return /\bnett?o?\b/.test(words);
}

/** Two columns of which each row has one: money out and in, if anything shows which is which. */
async function decidePair(columns: Columns, known: Relatable): Promise<Outcome<AmountColumns>> {
  const countOf = ({ numbers }: ColumnFacts) => numbers.negatives + numbers.positives;
  const pairs: Pair[] = [];
  for (const [at, one] of columns.entries()) {
    for (const other of columns.slice(at + 1)) {
      const counts = [countOf(one), countOf(other)] as const;
      if (counts.includes(0) || counts[0] + counts[1] !== known.facts.rows) continue;
      const trial = await relate(known, [one, other]);
      if (trial.bothCount > 0) continue;
      const pair = orderPair([one, other], trial);
      if (pair === undefined) pairs.push([one, other], [other, one]);
      else {
        const because = 'each row has an amount in only one of them';
        return { kind: 'two', columns: pair, evidence: proof(one.numbers.firstAmount, because) };
      }
    }
  }
  return askWhich(columns, pairs);
}

/** The one column that has all others as running balances; undefined when none is proven. */
function decideByBalance(
  columns: Columns,
  relations: Relations,
  facts: Facts,
): AmountColumns | undefined {
  // Beside two with cents, whole numbers are something else.
  const exact = columns.filter(({ numbers }) => !numbers.isPlain);
  const tried = exact.length > 1 ? exact : columns;
  const found = tried.filter((amount) =>
    tried.every((other) => other === amount || relations.balanceOf([amount], other)),
  );
  const [amount, second] = found;
  const balance = tried.find((other) => other !== amount);
  if (amount === undefined || second !== undefined || balance === undefined) return undefined;
  return proveBalance(amount, balance, relations, facts);
}

function proveBalance(
  amount: ColumnFacts,
  balance: ColumnFacts,
  relations: Relations,
  facts: Facts,
): AmountColumns {
  const seen = relations.balanceOf([amount], balance)?.seen;
  const where = `${balance.title} is its running balance: in line ${seen?.line}`;
  const shown = seen && facts.rowOf(seen);
  const evidence = proof(shown, `${where} it changes by this amount`);
  return { kind: 'one', columns: [amount], evidence };
}

/** `pairs` are the columns of money out and money in. */
function askWhich(columns: Columns, pairs: readonly Pair[] = []) {
  const isOne = pairs.length === 1;
  const net = columns.filter(isNet);
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
  const none = ways.length === 0 ? ' csv inspect can read none.' : '';
  const isBalances = columns.length > 0 && columns.every(({ roles }) => roles.has('balance'));
  const only = isBalances ? 'The file seems to have balances, but no payments. ' : '';
  const which = `${only}Which column has the amount of each payment?${none}`;
  return askAmount(isOne ? two : which, ways, 'two amounts');
}
