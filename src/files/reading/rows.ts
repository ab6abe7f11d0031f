/**
 * The types that all readers share: one entry per row, with the line on which it begins, and either
 * the row to send or the reason why it cannot be read.
 */

import type { RowProblem } from '../problems.ts';
import type { WrittenEncoding } from '../text/encodings.ts';

/**
 * The row as it is in the file, to be written again if it is rejected. JSON is kept as text:
 * parsing and rewriting it could change digits, and fails on very deep nesting.
 */
type Original =
  | {
      readonly fields: readonly string[];
      /** The records below it that are parts of it. */
      readonly below?: readonly (readonly string[])[];
    }
  | { readonly json: string }
  | { readonly text: string };

/** One row of a file. */
export interface Entry {
  /** The line on which it begins, from 1. */
  readonly line: number;
  readonly original: Original;
  /** The row to send; undefined when there are `problems`. */
  readonly row: unknown;
  readonly problems: readonly RowProblem[];
}

/** The form of rejected rows, so that the corrected file can be pushed unchanged. */
export type RejectedForm =
  | {
      readonly kind: 'csv';
      readonly header: readonly string[];
      /** How many of them belong to the input, not to an earlier file of rejected rows. */
      readonly ownColumns: number;
      readonly delimiter: string;
      readonly newline: string;
      readonly byteOrderMark: boolean;
      readonly encoding: WrittenEncoding;
      /** For a file without a header: the lines before its rows, written instead of a header. */
      readonly preamble: string | undefined;
    }
  | { readonly kind: 'ndjson' };

/** The column of each field, for messages. */
export type FieldNames = Readonly<Partial<Record<string, string>>>;

/** Which transactions can be the same payments: what their ids begin with, and their days. */
export interface Overlap {
  readonly prefixes: readonly string[];
  readonly from: string | undefined;
  readonly to: string | undefined;
}

/** An open file whose start could be read. */
export interface Reading {
  readonly entries: AsyncIterable<Entry>;
  readonly rejectedForm: RejectedForm;
  readonly fieldNames: FieldNames;
  /** Notes for the user, such as columns that are not sent. */
  readonly notes: readonly string[];
  /** The notes that say why the file may lack payments. */
  readonly doubts?: readonly string[] | undefined;
  /** Lines that are not rows, such as totals; filled while the entries are read. */
  readonly remarks: readonly string[];
  /** Where the service can have the same payments in another way. */
  readonly overlap?: Overlap | undefined;
  /** The number of entries, if all are held: they can then be read more than once. */
  readonly total: number | undefined;
}
