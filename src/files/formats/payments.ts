/** What statements of banks have, as their readers give it. */

import { AMOUNT_UNITS } from '../../core/limits.ts';

/** A payment as a statement has it. */
export interface Payment {
  /** The line on which it begins, or 0 if that says nothing. */
  readonly line: number;
  /** The day, `YYYY-MM-DD` or as it is written if it is not a real one. */
  readonly day: string;
  /** The amount as it is written; above zero for money in. */
  readonly amount: string;
  /** The bank's own id; empty if it has none. */
  readonly id: string;
  readonly text: string;
  readonly contact: string;
  readonly reference: string;
  /** Empty for that of the statement. */
  readonly currency: string;
  /** The entry of which it is one of several payments, if the bank has an id for that. */
  readonly whole?: Pick<Payment, 'id' | 'amount'> | undefined;
}

/** A statement of one account; complete at its end, its opening balance before its payments. */
export interface Statement {
  bankAccount: string;
  currency: string;
  /** Where it begins and ends, in millionths; undefined if it does not say. */
  opening?: bigint | undefined;
  closing?: bigint | undefined;
}

/** What a reader comes to next: a payment of a statement, or the end of one. */
export interface Step {
  readonly statement: Statement;
  readonly payment?: Payment;
}

/** What some banks write where a currency belongs. */
export const NO_CURRENCY = 'XXX';

/** Reads a file of one format. What it says besides its steps is complete at the end. */
export interface StatementReader {
  readonly format: string;
  /** Reads the next piece of the text. Throws FileError. */
  add(text: string): void;
  /** The text has ended. Throws FileError. */
  end(): void;
  /** The steps since this was called before. */
  take(): Iterable<Step>;
  /** What should be looked at, as sentences. */
  readonly warnings?: readonly string[];
  /** Why it may lack payments, as sentences. */
  readonly doubts?: readonly string[];
  /** What it omits, as sentences. */
  readonly leftOut?: readonly string[];
  /** Whether another message can have its payments as sums, or its sums as payments. */
  readonly isOneOfTwo?: boolean;
  /** Why it has no payments, if it says so. */
  readonly failure?: string | undefined;
}

/** An amount in millionths, with a point or a comma; undefined if it is not one. */
export function readMoney(text: string): bigint | undefined {
  if (text.length > AMOUNT_UNITS) return undefined;
  const plain = text.replace(/\s/g, '');
  const [, sign, whole = '', fraction = ''] = /^([+-]?)(\d*)(?:[.,](\d*))?$/.exec(plain) ?? [];
  const cents = fraction.replace(/(?<!0)0+$/, '');
  if (sign === undefined || whole + fraction === '' || cents.length > 6) return undefined;
  if (whole.length > 20) return undefined;
  const sum = BigInt(whole + cents.padEnd(6, '0'));
  return sign === '-' ? -sum : sum;
}

/** The first of these texts that is not blank. */
export function firstOf(...texts: readonly (string | undefined)[]): string {
  return texts.find((text) => text !== undefined && text.trim() !== '')?.trim() ?? '';
}
