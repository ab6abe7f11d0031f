/** Where one field of a row comes from, and how its values are written. */

import type { RowField } from '../../core/push.ts';
import { UsageError } from '../command.ts';
import type { NegativeForm } from './amount-writing.ts';
import { type DateFormat, ISO_DATE } from './date-formats.ts';

/**
 * Which sign an amount has. `signed`: one column. `indicator`: a second column, or without one a
 * mark in the cell itself, says out or in. `two`: a column for money out and one for money in.
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

/** How the amount is written, beyond its decimal and thousands signs. */
export interface AmountRule {
  readonly shape: AmountShape;
  readonly negative?: readonly NegativeForm[];
  /** The currency that the cell may contain. */
  readonly currency?: string;
}

/** Where one field comes from. */
export interface FieldRule {
  /** The columns that it is read from, by name or as `#3`; texts of several are joined. */
  readonly columns: readonly string[];
  /** Whether nobody named the column: it is the field's own name, and may be absent. */
  readonly isAssumed: boolean;
  /** Of the date: how it is written. */
  readonly format?: DateFormat;
  /** Of the amount: its shape; a signed column where nothing is said. */
  readonly amount?: AmountRule;
  /** Of the externalId: whether it is made out of the columns. */
  readonly isMade?: boolean;
}

/** The rule of a field that is read from columns; a date is ISO until a format is said. */
export function ruleOf(field: RowField, columns: readonly string[]): FieldRule {
  const format = field === 'date' ? { format: ISO_DATE } : {};
  return { columns: columns.map((column) => column.trim()), isAssumed: false, ...format };
}

/** The error for a text that is not a format. */
export function unknownFormat(text: string): UsageError {
  const rule = 'use YYYY, MM and DD (or YY, M, D) once each, in capitals, such as DD/MM/YYYY';
  return new UsageError(`"${text}" is not a date format: ${rule}.`);
}
