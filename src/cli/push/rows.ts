/**
 * What the readers of a file give, whatever its form: one entry for each row, with the line it
 * begins on, and either the row for the wire or why none could be made of it.
 */

import type { Encoding } from './encodings.ts';

/** What is wrong with a row: the service's own words, or a reader's. */
export interface RowProblem {
  readonly field: string | null;
  readonly code: string;
  readonly message: string;
}

/**
 * Codes that only a reader uses, beside those of contract 6: a value that the mapping cannot read
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
 * The row as the file has it, to be written out again when it is rejected. JSON stays text: parsed
 * and written anew it would lose digits, and depth beyond a few thousand brackets.
 */
export type Original =
  | { readonly fields: readonly string[] }
  | { readonly json: string }
  | { readonly text: string };

/** One row of a file. */
export interface Entry {
  /** The line it begins on; the file's first is 1. */
  readonly line: number;
  readonly original: Original;
  /** The row to send; undefined when there are `problems`. */
  readonly row: unknown;
  readonly problems: readonly RowProblem[];
}

/** The form of rejected rows, such that the corrected file can be pushed as it is. */
export type RejectedForm =
  | {
      readonly kind: 'csv';
      readonly header: readonly string[];
      /** How many of them are the input's own, and not those of an earlier rejected file. */
      readonly ownColumns: number;
      readonly delimiter: string;
      readonly newline: string;
      readonly byteOrderMark: boolean;
      readonly encoding: Encoding;
      /** Of a file without a header: the lines before its rows; there no header is written. */
      readonly preamble: string | undefined;
    }
  | { readonly kind: 'ndjson' };

/** A file that has been opened and whose beginning made sense. */
export interface Reading {
  readonly entries: AsyncIterable<Entry>;
  readonly rejectedForm: RejectedForm;
  /** What the file calls a field, for messages in its own words. */
  readonly fieldNames: Readonly<Partial<Record<string, string>>>;
  /** Worth a line to the person who pushes, such as columns that are not sent. */
  readonly notes: readonly string[];
  /** Lines that are not rows, such as totals: filled while the entries are read. */
  readonly remarks?: readonly string[];
  /** How many entries there are, where that is known without reading them. */
  readonly total: number | undefined;
}

/** A file of rows, or standard input. */
export interface RowFile {
  /** As it was named. */
  readonly name: string;
  /** Whether it can be read twice: then it is read through before the first row is sent. */
  readonly isRepeatable: boolean;
  /** Permissions for a file made from it: as the input has them, without any to execute. */
  readonly mode: number;
  /** The code of the currency of its rows, where the mapping says one. */
  readonly currency?: string | undefined;
  /** Begins to read. Throws {@link FileError}, or UsageError when the mapping does not fit. */
  open(): Promise<Reading>;
  /** Lets go of what is being read, in the middle of it too. */
  close(): void;
}

/** A file that cannot be read on: nothing after this point is known. The message has the line. */
export class FileError extends Error {
  override readonly name = 'FileError';
}
