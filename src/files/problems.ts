/**
 * What is wrong with a row, a file or a mapping. A message says what is wrong and what to change in
 * the file. What else would help is advice, a value: each door says it in its own words.
 */

import type { FailureDetail } from '../core/failures.ts';
import type { RowField } from '../core/row-members.ts';
import { cutText } from '../core/text-width.ts';

/** What would help, besides changing the file. */
export type Advice =
  /** A mapping that allows how the amount is written. */
  | { readonly kind: 'allow amount' }
  /** To state the decimal separator, one of these. */
  | { readonly kind: 'decimal'; readonly signs: readonly string[] }
  /** To state the format of the dates in this column. */
  | { readonly kind: 'date format'; readonly column: string }
  /** To inspect the file for its encoding. */
  | { readonly kind: 'find encoding' }
  /** A mapping that states the encoding. */
  | { readonly kind: 'state encoding' }
  /** To name the column of each field. */
  | { readonly kind: 'name columns' }
  /** To name this column for the field. */
  | { readonly kind: 'name column'; readonly field: RowField; readonly column: string }
  /** To state the delimiter and the line of the header. */
  | { readonly kind: 'state layout' }
  /** To read the file as NDJSON. */
  | { readonly kind: 'ndjson' };

/** What is wrong with a row, from the service or from a reader. */
export interface RowProblem extends FailureDetail {
  readonly advice?: Advice | undefined;
}

/** The file or the mapping is wrong, so no further row can be read. */
export abstract class ReadingError extends Error {
  readonly advice: Advice | undefined;

  constructor(message: string, advice?: Advice) {
    super(message);
    this.advice = advice;
  }
}

/** A file that cannot be read any further. The message has the line. */
export class FileError extends ReadingError {
  override readonly name = 'FileError';
}

/** A mapping that is wrong, or that does not fit the file. */
export class MappingError extends ReadingError {
  override readonly name = 'MappingError';
}

/** Longer values are cut, so that a message fits on a screen. */
const SHOWN_WIDTH = 60;

/** A value of a file in quotation marks. */
export function showCell(text: string): string {
  return `"${cutText(text.replace(/\s+/g, ' '), SHOWN_WIDTH)}"`;
}

/** Before an amount at the end of a statement that is cut off: it can be a part of an amount. */
export const CUT_OFF = 'cut off: ';

/** An amount that cannot be read. */
export function refuseAmount(
  message: string,
  more: Partial<Pick<RowProblem, 'code' | 'advice'>> = {},
): { readonly problem: RowProblem } {
  return { problem: { field: 'amount', code: 'invalid_amount', message, ...more } };
}
