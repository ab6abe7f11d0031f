/** Reads the single values of a mapping that options can set. */

import { ROW_FIELDS, type RowField } from '../core/push.ts';
import { DECIMAL_SIGNS, type DecimalSign } from './decimals.ts';
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

/** An encoding. Throws MappingError. */
export function readEncoding(place: string, value: unknown): Encoding {
  const encoding = typeof value === 'string' ? findEncoding(value) : undefined;
  if (encoding !== undefined) return encoding;
  throw new MappingError(`${place} must be one of ${ENCODINGS.join(', ')}.`);
}
