/** Pairs of columns, one for money out and one for money in. */

import { type Role, rolesOf } from '../vocabulary/column-names.ts';
import type { ColumnFacts, Columns } from './column-facts.ts';
import type { Facts } from './facts.ts';
import type { Relations } from './relations.ts';

/** Money out, or debit, comes first. */
export type Pair = readonly [out: ColumnFacts, into: ColumnFacts];

/**
 * Pairs of columns for out and in: those whose names differ only in that; otherwise by their
 * places, in which empty columns count only if no filled one fits.
 */
export function listPairs({ columns }: Facts, numeric: Columns): Pair[] {
  const listOf = (...roles: readonly Role[]) =>
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
export function findMixedPair({ columns }: Facts, numeric: Columns): Pair | undefined {
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

/** Money out first, by a balance, or by the name or a minus before every amount of only one. */
export function orderPair([one, other]: Pair, relations: Relations): Pair | undefined {
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
