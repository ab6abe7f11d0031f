/** A sample export: its text, its open questions, and its expected rows. */

import type { QuestionKind } from '../../../../src/files/inspection/found.ts';
import { encodeText, type WrittenEncoding } from '../../../../src/files/text/encodings.ts';

/** An expected row: date, amount (money in negative), description, contact, account code. */
export type ExpectedRow = readonly [
  date: string,
  amount: number,
  description: string,
  contact?: string | undefined,
  accountCode?: string | undefined,
];

/** One sample. The texts are made up; their forms are those of real exports. */
export interface Dialect {
  readonly name: string;
  readonly lines: readonly string[];
  readonly encoding?: WrittenEncoding;
  readonly hasMark?: boolean;
  readonly newline?: string;
  /** What cannot be known from the file, and the options that answer it, in the order asked. */
  readonly asks?: readonly (readonly [kind: QuestionKind, ...options: string[]])[];
  readonly rows: readonly ExpectedRow[];
  /** The externalIds if a column has them; otherwise they are made. */
  readonly ids?: readonly string[];
  /** Lines that are not rows, which are reported. */
  readonly notRows?: readonly number[];
  /** Lines that push will reject. */
  readonly rejected?: readonly number[];
}

/** The bytes of a sample. */
export function bytesOf({ lines, encoding = 'utf-8', hasMark, newline = '\r\n' }: Dialect): Buffer {
  const text = lines.map((line) => `${line}${newline}`).join('');
  return encodeText((hasMark === true ? '\ufeff' : '') + text, encoding);
}
