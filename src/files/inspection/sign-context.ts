/** What the files about signs share: what they know, what they find, and proof by a balance. */

import { isOfBooks, isOwed } from '../vocabulary/files.ts';
import type { AmountColumns } from './amounts.ts';
import type { Answer } from './answers.ts';
import type { Columns } from './column-facts.ts';
import { type Context, type Facts, findStatement } from './facts.ts';
import { type Choice, choice, type Proof, proof } from './found.ts';
import { joinRow, type Relations } from './relations.ts';

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

/** The input for finding the sign. */
export interface SignContext extends Context {
  readonly amounts: AmountColumns;
  readonly relations: Relations;
}

/** The answer that a sign, a column or a word is money out. */
export function sayOut(moneyOut: string): Answer {
  return { kind: 'moneyOut', moneyOut };
}

/** The choice that a sign, a column or a word is money out. */
export function chooseOut(moneyOut: string, meaning?: string): Choice {
  return choice(sayOut(moneyOut), meaning);
}

/** A file of a bank or a card has a debit for money out; `other` is the side for a credit. */
export function proveByStatement(facts: Facts, other: string): Proof | undefined {
  const statement = findStatement(facts);
  if (statement === undefined) return undefined;
  const because = `${statement.because}: a debit is money out there`;
  return { ...proof(statement, because), instead: [sayOut(other)] };
}

/** A balance that rises with a credit is a bank account; undefined when no column shows it. */
export function proveByBalance(
  columns: Columns,
  relations: Relations,
  { cut }: Facts,
): Proof | undefined {
  for (const column of relations.others) {
    const { effect, seen } = relations.balanceOf(columns, column) ?? {};
    if (effect !== 'adds' || seen === undefined) continue;
    const because = `line ${seen.line}: a credit raises ${column.title}, as in a bank account`;
    return proof(joinRow(seen, cut.delimiter), because);
  }
  return undefined;
}

/** Whether a file is from books, in which a debit can be money in. */
export function isBooks({ columns }: Facts): boolean {
  return isOfBooks(columns) || columns.some(({ roles }) => roles.has('accountCode'));
}

/** The balance of an account, not of a debt, and whether positive amounts raise or lower it. */
export function findEffect({ facts, relations }: SignContext, columns: Columns, own = relations) {
  const isDebt = findStatement(facts)?.isCard ?? isOwed(facts.columns);
  return own.others.flatMap((column) => {
    const { effect } = own.balanceOf(columns, column) ?? {};
    return isDebt || effect === undefined ? [] : [{ title: column.title, effect }];
  })[0];
}

/** Whether money in lowers a balance, as a debt or the opposite signs of books do. */
export function lowersBalance(columns: Columns, relations: Relations): boolean {
  return relations.others.some((other) => relations.balanceOf(columns, other)?.effect === 'takes');
}
