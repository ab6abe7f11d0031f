/** The columns of one field of a row, and how its values are written. */

import type { RowField } from '../core/push.ts';
import type { NegativeForm } from './amount-writing.ts';
import { type DateFormat, ISO_DATE } from './date-formats.ts';
import { MappingError } from './rows.ts';

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

/** The rule of a field that is read from columns; the default date format is ISO. */
export function ruleOf(field: RowField, columns: readonly string[]): FieldRule {
  const format = field === 'date' ? { format: ISO_DATE } : {};
  return { columns: columns.map((column) => column.trim()), isAssumed: false, ...format };
}

/** The error for a text that is not a format. */
export function unknownFormat(text: string): MappingError {
  const rule = 'use YYYY, MM and DD (or YY, M, D) once each, in capitals, such as DD/MM/YYYY';
  return new MappingError(`"${text}" is not a date format: ${rule}.`);
}
