/** Reads the single values of a mapping, from options and mapping files. */

import { ROW_FIELDS, type RowField } from '../core/push.ts';
import {
  DECIMAL_SIGNS,
  type DecimalSign,
  THOUSANDS_SIGNS,
  type ThousandsSign,
} from './decimals.ts';
import { ENCODINGS, type Encoding, findEncoding } from './encodings.ts';
import { MappingError } from './problems.ts';

/** A field of a row by its name. Throws MappingError. */
export function readField(place: string, name: string): RowField {
  const field = ROW_FIELDS.find((each) => each === name);
  if (field !== undefined) return field;
  throw new MappingError(
    `${place}: "${name}" is not a field; fields are ${ROW_FIELDS.join(', ')}.`,
  );
}

/** The delimiter; the word `tab` is a tab. Throws MappingError. */
export function readDelimiter(place: string, value: unknown): string {
  const text = value === 'tab' || value === '\\t' ? '\t' : value;
  if (typeof text === 'string' && /^[^\r\n"\ufeff\w\s]$|^[\t ]$/.test(text)) return text;
  throw new MappingError(`${place} must be one character such as , or ; or |, or the word tab.`);
}

/** The decimal separator. Throws MappingError. */
export function readDecimalSign(place: string, value: unknown): DecimalSign {
  const sign = DECIMAL_SIGNS.find((each) => each === value);
  if (sign !== undefined) return sign;
  throw new MappingError(`${place} must be . or , (the decimal separator).`);
}

/** The thousands separator. Throws MappingError. */
export function readThousandsSign(place: string, value: unknown): ThousandsSign {
  const sign = THOUSANDS_SIGNS.find((each) => each === value);
  if (sign !== undefined) return sign;
  throw new MappingError(`${place} must be . or , or ' or a space (the thousands separator).`);
}

/** An encoding. Throws MappingError. */
export function readEncoding(place: string, value: unknown): Encoding {
  const encoding = typeof value === 'string' ? findEncoding(value) : undefined;
  if (encoding !== undefined) return encoding;
  throw new MappingError(`${place} must be one of ${ENCODINGS.join(', ')}.`);
}

/** A string that is not blank, trimmed. Throws MappingError. */
export function readWord(place: string, value: unknown): string {
  if (typeof value === 'string' && value.trim() !== '') return value.trim();
  throw new MappingError(`${place} must be a non-empty string.`);
}

/** One string or a non-empty list of strings. Throws MappingError. */
export function readWords(place: string, value: unknown): string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (list.length === 0) throw new MappingError(`${place} must not be empty.`);
  return list.map((each) => readWord(place, each));
}

/** Words for money out or in: the empty string means a cell without a mark. */
export function readMarks(place: string, value: unknown): string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.map((each) => (each === '' ? '' : readWord(place, each)));
}

/** `true` or `false`; false by default. Throws MappingError. */
export function readFlag(place: string, value: unknown): boolean {
  if (value === undefined) return false;
  if (typeof value === 'boolean') return value;
  throw new MappingError(`${place} must be true or false.`);
}

/** A whole number from `min` to 10,000. Throws MappingError. */
export function readCount(place: string, value: unknown, min: number): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= 10_000) {
    return value;
  }
  throw new MappingError(`${place} must be a whole number, ${min} or more.`);
}
