/**
 * The types that all readers share: one entry per row, with the line on which it begins, and either
 * the row to send or the reason why it cannot be read.
 */

import type { Encoding } from './encodings.ts';

/** What is wrong with a row, from the service or from a reader. */
export interface RowProblem {
  readonly field: string | null;
  readonly code: string;
  readonly message: string;
}

/**
 * Codes that only readers use, besides those in contract 6: a value that the mapping cannot read
 * (`invalid_amount`) or that can be two numbers (`ambiguous_amount`); a row in a currency
 * (`other_currency`) or with a status (`other_status`) that the mapping does not accept, or with
 * another number of values than the header (`field_count`); a line that is not JSON
 * (`invalid_json`) or not UTF-8 (`invalid_encoding`); a row larger (`row_too_large`) or nested
 * deeper (`row_too_deep`) than a request may be.
 */
export const READER_CODES = [
  'invalid_amount',
  'ambiguous_amount',
  'other_currency',
  'other_status',
  'field_count',
  'invalid_json',
  'invalid_encoding',
  'row_too_large',
  'row_too_deep',
] as const;
export type ReaderCode = (typeof READER_CODES)[number];

/**
 * The row as it is in the file, to be written again if it is rejected. JSON is kept as text:
 * parsing and rewriting it could change digits, and fails on very deep nesting.
 */
export type Original =
  | { readonly fields: readonly string[] }
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
      readonly encoding: Encoding;
      /** For a file without a header: the lines before its rows, written instead of a header. */
      readonly preamble: string | undefined;
    }
  | { readonly kind: 'ndjson' };

/** An open file whose start could be read. */
export interface Reading {
  readonly entries: AsyncIterable<Entry>;
  readonly rejectedForm: RejectedForm;
  /** The column of each field, for messages. */
  readonly fieldNames: Readonly<Partial<Record<string, string>>>;
  /** Notes for the user, such as columns that are not sent. */
  readonly notes: readonly string[];
  /** Lines that are not rows, such as totals; filled while the entries are read. */
  readonly remarks?: readonly string[];
  /** The number of entries, if it is known without reading them. */
  readonly total: number | undefined;
}

/** A file of rows, or standard input. */
export interface RowFile {
  /** The name, for messages. */
  readonly name: string;
  /** Whether it can be read twice: it is then read completely before the first row is sent. */
  readonly isRepeatable: boolean;
  /** Permissions for the file of rejected rows: those of the input, but not executable. */
  readonly mode: number;
  /** The currency code of its rows, if the mapping states one. */
  readonly currency?: string | undefined;
  /** Starts reading. Throws {@link FileError}, or {@link MappingError} if that does not fit. */
  open(): Promise<Reading>;
  /** Stops reading. */
  close(): void;
}

/** A file that cannot be read any further. The message has the line. */
export class FileError extends Error {
  override readonly name = 'FileError';
}

/** A mapping that is wrong, or that does not fit the file. */
export class MappingError extends Error {
  override readonly name = 'MappingError';
}
