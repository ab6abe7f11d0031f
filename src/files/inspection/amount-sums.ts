/**
 * Decides by arithmetic which columns are the amount: by a running balance, by rows that have one
 * of two columns, and by fees or taxes that an amount may include.
 */

import { AMOUNTS } from '../vocabulary/column-names.ts';
import { type AmountColumns, askAmount, askWhich, type Pair } from './amounts.ts';
import type { ColumnFacts, Columns } from './column-facts.ts';
import type { Facts } from './facts.ts';
import { type Decision, proof, type StepOutcome, show, titlesOf } from './found.ts';
import { type Relatable, type Relations, relate } from './relations.ts';
import type { SignContext } from './sides.ts';

/** More amounts would take long: each is compared with each other, in every row. */
const MOST_RIVALS = 20;

/** Decides by arithmetic, or asks which column is the amount. */
export async function decideAmounts(
  known: Relatable & { readonly candidates: AmountColumns },
): Promise<StepOutcome<AmountColumns>> {
  const { facts, candidates: chosen } = known;
  const { value: columns, rivals = [], evidence } = chosen;
  const relations = await relate(known, columns);
  const [out, into] = columns;
  if (chosen.isOpen === true) {
    const found = decideByBalance(columns, relations, facts);
    return found ?? decidePair(columns, known);
  }
  // Money out and money in are on separate rows.
  const isApart = into === undefined || 'said' in evidence || relations.bothCount !== facts.rows;
  // The balance shows which amounts were moved.
  const isMoved = (each: ColumnFacts) => relations.balanceOf(columns, each) !== undefined;
  const isNet = ({ words }: ColumnFacts) => AMOUNTS.net.test(words);
  const isOther = (rival: ColumnFacts) => {
    // Without fees or taxes in this file, net and gross are the same; in the next one they differ.
    const isOfOne = into === undefined && rival.isNamedAmount;
    if (isOfOne && isNet(rival) !== isNet(out)) return true;
    const isKnown = relations.isSame(rival) || isMoved(rival);
    return !isKnown && (rival.isNamedAmount || !relations.isAgain(rival));
  };
  const others = into && relations.others.some(isMoved) ? [] : rivals.filter(isOther);
  if (isApart && others.length === 0) return chosen;
  const [other, second] = others;
  if (!isApart && other?.isNamedAmount === true && second === undefined) {
    return { value: [other], evidence: facts.proveByNames([other]) };
  }
  if (into !== undefined) {
    return askWhich(others.length > 0 ? others : columns, isApart ? [[out, into]] : []);
  }
  if (others.length > MOST_RIVALS) return askWhich([out, ...others]);
  const trial = await relate(known, [out, ...others]);
  const balanced = [out, ...others].flatMap((amount) => {
    const balance = trial.others.find((each) => trial.balanceOf([amount], each) !== undefined);
    return balance === undefined ? [] : [proveBalance(amount, balance, trial, facts)];
  });
  const [best, equal] = balanced;
  if (best !== undefined && equal === undefined) return best;
  return decidePair([out, ...others], known);
}

/** Two columns of which each row has one: money out and in, if anything shows which is which. */
async function decidePair(columns: Columns, known: Relatable): Promise<StepOutcome<AmountColumns>> {
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
        return { value: pair, evidence: proof(one.numbers.firstAmount, because) };
      }
    }
  }
  return askWhich(columns, pairs);
}

/** The one column that has all others as running balances; undefined when none is proven. */
function decideByBalance(columns: Columns, relations: Relations, facts: Facts) {
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
  return { value: [amount], evidence };
}

/** Money out first, by a balance, or by the name or a minus before every amount of only one. */
function orderPair([one, other]: Pair, relations: Relations): Pair | undefined {
  for (const each of relations.others) {
    const { effect } = relations.balanceOf([one, other], each) ?? {};
    if (effect !== undefined) return effect === 'adds' ? [one, other] : [other, one];
  }
  const isSide = ({ roles, numbers }: ColumnFacts) => ({
    out: roles.has('out') || roles.has('debit') || numbers.positives === 0,
    in: roles.has('in') || roles.has('credit'),
  });
  const [first, second] = [isSide(one), isSide(other)];
  const isFirst = (first.out && !second.out) || (second.in && !first.in);
  const isSecond = (second.out && !first.out) || (first.in && !second.in);
  if (isFirst === isSecond) return undefined;
  return isFirst ? [one, other] : [other, one];
}

/** Asks whether the amount includes fees or taxes, except in columns that repeat it. */
export async function inspectAddition(known: Relatable & SignContext): Promise<Decision<Columns>> {
  const { facts, answers, amounts, relations } = known;
  const { value: columns } = amounts;
  const isTaxed = columns.every(({ words }) => AMOUNTS.taxed.test(words));
  const isSaid = answers.columns.has('amount') || answers.columns.has('out');
  if (isSaid || facts.isOwn) return amounts;
  const addition = facts.columns.find((column) => {
    const { roles, numbers } = column;
    // All of a payment may be refunded.
    const isAgain = relations.isAgain(column) && !/refund/i.test(column.name);
    const isAny = numbers.isNumeric && numbers.firstAmount !== undefined;
    const isIn = isTaxed && AMOUNTS.taxes.test(column.words);
    return isAny && roles.has('addition') && !columns.includes(column) && !isAgain && !isIn;
  });
  if (addition === undefined) return amounts;
  const { title: other, numbers } = addition;
  const isBalanced = relations.others.some((each) => relations.balanceOf(columns, each));
  // A balance shows it, except in the first row.
  if (isBalanced && numbers.negatives + numbers.positives > 1) return amounts;
  const [out, into] = columns;
  const does = into === undefined ? 'Does' : 'Do';
  const own = `${does} ${titlesOf(columns).join(' and ')} already include ${other}?`;
  const text = `${own} budgetd does not add it (${show(numbers.firstAmount)}).`;
  const yes = `yes, or ${other} is entered separately`;
  if (into === undefined) {
    const trial = await relate(known, [addition, out]);
    const balance = trial.others.find((each) => trial.balanceOf([addition, out], each));
    if (isBalanced && balance === undefined) return amounts;
    // Both fit if the row of the only fee has no balance before it.
    if (isBalanced || balance === undefined) {
      return askAmount(text, [[[out], yes]], 'another amount');
    }
    const shown = `${balance.title} shows that ${out.title} does not include ${other}`;
    const without = `${shown}. Only ${out.title} is read. Is that right?`;
    return askAmount(without, [[[out], `yes, ${other} is entered separately`]], 'another amount');
  }
  const isPlain = out.roles.has('out') || into.roles.has('in');
  const orders = [[out, into] as const, ...(isPlain ? [] : [[into, out] as const])];
  const ways = orders.map((pair) => [pair, `${yes}; ${pair[0].title} is money out`] as const);
  return askAmount(text, ways);
}
