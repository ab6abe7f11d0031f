/**
 * A mapping: which columns of a file are the fields of a row (contract 8), and how they are
 * written. It is a value; `mapping-file.ts` turns it into a document and back.
 */

import { ROW_FIELDS, type RowField } from '../core/push.ts';
import type { NegativeForm } from './amount-writing.ts';
import { codesOf } from './currency-signs.ts';
import { type DateFormat, ISO_DATE } from './date-formats.ts';
import type { DecimalSign, ThousandsSign } from './decimals.ts';
import type { Encoding } from './encodings.ts';

/**
 * How a file shows the direction of an amount. `signed`: by its sign. `indicator`: by a word in a
 * second column, or by a mark in the cell. `two`: with a column for money out and one for money in.
 */
export type AmountShape =
  | { readonly kind: 'signed'; readonly isTurned: boolean }
  | {
      readonly kind: 'indicator';
      readonly isInCell: boolean;
      readonly out: readonly string[];
      readonly in: readonly string[];
    }
  | { readonly kind: 'two'; readonly isOutTurned: boolean; readonly isInTurned: boolean };

/** How the amount is written, apart from its separators. */
export interface AmountRule {
  readonly shape: AmountShape;
  readonly negative?: readonly NegativeForm[];
  /** The currency that the cell may contain. */
  readonly currency?: string;
}

/** The columns of one field. */
export interface FieldRule {
  /** The columns by name or as `#3`; several texts are joined. */
  readonly columns: readonly string[];
  /** Whether no column was named: it then has the name of the field, and may be missing. */
  readonly isAssumed: boolean;
  /** The format of the date. */
  readonly format?: DateFormat;
  /** For the amount; by default a column with signs. */
  readonly amount?: AmountRule;
  /** For the externalId: whether it is made from the columns. */
  readonly isMade?: boolean;
}

/** A rule for records that are not rows. */
export type NotRowRule =
  /** It has no date or no amount, and one of its values begins with the word. */
  | { readonly begins: string }
  /** It has no date, and its amounts are the sums of the rows above it, at least two. */
  | { readonly sum: true }
  /** It has only one value, which is not a number: a heading. */
  | { readonly text: true }
  /** The column has exactly this value, or with a date after it. */
  | { readonly column: string; readonly is: string };

/** How to read the rows of a CSV file. */
export interface Mapping {
  readonly fields: Readonly<Partial<Record<RowField, FieldRule>>>;
  /** By default the delimiter with which every column is found. */
  readonly delimiter: string | undefined;
  /** By default the point; an ambiguous amount is then rejected. */
  readonly decimal: DecimalSign | undefined;
  readonly thousands?: ThousandsSign | undefined;
  /** By default that of the byte order mark, or else UTF-8. */
  readonly encoding?: Encoding | undefined;
  /** For a file without a header, whose columns are `#1`, `#2` and so on. */
  readonly headerless?: { readonly columns: number; readonly skipLines: number } | undefined;
  /** Only rows with this currency in this column are accepted. */
  readonly currency?: { readonly column: string; readonly is: string } | undefined;
  /** Only rows with one of these words, such as `Completed`, in this column are accepted. */
  readonly status?: { readonly column: string; readonly is: readonly string[] } | undefined;
  /** Which records are not rows, such as totals. */
  readonly notRows?: readonly NotRowRule[];
}

/** The rule of a field that is read from columns: by default an ISO date, an amount with signs. */
export function ruleOf(field: RowField, columns: readonly string[]): FieldRule {
  const named = { columns: columns.map((column) => column.trim()), isAssumed: false };
  if (field === 'date') return { ...named, format: ISO_DATE };
  return field === 'amount' ? { ...named, amount: { shape: SIGNED } } : named;
}

/** An amount with a sign of its own. */
const SIGNED: AmountShape = { kind: 'signed', isTurned: false };

/** The required fields of a row (contract 6). */
export const REQUIRED_FIELDS: readonly RowField[] = ['externalId', 'date', 'description', 'amount'];

/** The mapping for columns that have the names of the fields. */
export const OWN_NAMES: Mapping = {
  delimiter: undefined,
  decimal: undefined,
  fields: Object.fromEntries(
    ROW_FIELDS.map((field) => [field, { ...ruleOf(field, [field]), isAssumed: true }]),
  ),
};

/** The code or sign in a mapping; undefined if there is none, or it is unknown. */
export function statedCurrency({ currency, fields }: Mapping): string | undefined {
  const text = currency?.is ?? fields.amount?.amount?.currency ?? '';
  const [code, second] = codesOf(text);
  return second === undefined ? code : text;
}
