/** What the files about signs share: what they know and what they find. */

import type { AmountColumns } from './amounts.ts';
import type { Columns } from './column-facts.ts';
import type { Context, Facts } from './facts.ts';
import { type Answer, type Choice, choice, type Proof, proof } from './found.ts';
import type { Relations } from './relations.ts';

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
  const statement = facts.statement;
  if (statement === undefined) return undefined;
  const because = `${statement.because}: a debit is money out there`;
  return { ...proof(statement, because), instead: [sayOut(other)] };
}
