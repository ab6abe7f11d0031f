/** The amounts of a pasted table, all of them as one person wrote them. */

import type { Reader } from '../session/reader.ts';

/** Reads a cell: minor units, undefined for an empty one, or a text that says what is wrong. */
export type ReadAmount = (cell: string) => number | string | undefined;

/**
 * How to read amounts like these: with the decimal mark of the reader, or with the other mark if
 * more of them can be read so and none has the reader's before one or two digits.
 */
export function chooseReading(cells: Iterable<string>, reader: Reader): ReadAmount {
  const texts = [...new Set(cells)];
  const readWith = (decimal: string): ReadAmount => {
    const known = new Map<string, ReturnType<ReadAmount>>([['', undefined]]);
    return (cell) => {
      if (!known.has(cell)) known.set(cell, reader.readCopied(cell, decimal));
      return known.get(cell);
    };
  };
  const countWrong = (read: ReadAmount) => texts.filter((text) => isWrong(read(text))).length;
  const own = readWith(reader.decimal);
  const wrong = countWrong(own);
  const proof = new RegExp(`[${reader.decimal}]\\d{1,2}\\D*$`);
  if (wrong === 0 || texts.some((text) => proof.test(text))) return own;
  const other = readWith(reader.decimal === ',' ? '.' : ',');
  return countWrong(other) < wrong ? other : own;
}

/** Whether a cell is something else than an amount. */
export function isWrong(found: ReturnType<ReadAmount>): found is string {
  return typeof found === 'string';
}
