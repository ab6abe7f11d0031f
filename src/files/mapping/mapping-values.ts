/** The values of a mapping that have a form of their own, in its file or in an option. */

import { MappingError } from '../problems.ts';
import { ENCODINGS, findEncoding } from '../text/encodings.ts';
import { readDateFormat, requireDateFormat } from '../values/date-formats.ts';
import { DECIMAL_SIGNS } from '../values/decimals.ts';

const TAB_WORDS = ['tab', '\\t'];

/** How each value is read from a text, and what the text must be. */
export const MAPPING_VALUES = {
  delimiter: {
    says: 'must be one character such as , or ; or |, or the word tab',
    read: (text: string) => {
      const sign = TAB_WORDS.includes(text) ? '\t' : text;
      return /^[^\r\n"\ufeff\w\s]$|^[\t ]$/.test(sign) ? sign : undefined;
    },
  },
  decimal: {
    says: 'must be . or , (the decimal separator)',
    read: (text: string) => DECIMAL_SIGNS.find((each) => each === text),
  },
  encoding: { says: `must be one of ${ENCODINGS.join(', ')}`, read: findEncoding },
} as const;

type Name = keyof typeof MAPPING_VALUES;
type Value<Of extends Name> = NonNullable<ReturnType<(typeof MAPPING_VALUES)[Of]['read']>>;

/** Reads a value. Throws MappingError, whose message begins with the name of the value. */
export function readMappingValue<Of extends Name>(name: Of, text: string): Value<Of> {
  const { says, read } = MAPPING_VALUES[name];
  const value = read(text);
  if (value === undefined) throw new MappingError(`${name} ${says}.`);
  return value as Value<Of>;
}

/** The delimiter as it is shown: a tab by its name. */
export function showDelimiter(delimiter: string): string {
  return delimiter === '\t' ? 'tab' : delimiter;
}

/** The column of a field as it is typed: `amount=Betrag`, `date=Paid on:DD/MM/YYYY`. */
export function splitPair(pair: string): {
  readonly name: string;
  readonly column: string;
  readonly format?: string;
} {
  const at = pair.indexOf('=');
  const name = pair.slice(0, at).trim();
  const column = pair.slice(at + 1);
  return { name, ...(name === 'date' ? splitDateColumn(column) : { column }) };
}

/** Splits `COLUMN:FORMAT`; the column can contain colons, and so can a format with a time. */
function splitDateColumn(text: string): { column: string; format?: string } {
  for (let at = text.indexOf(':'); at >= 0; at = text.indexOf(':', at + 1)) {
    const column = text.slice(0, at);
    const format = text.slice(at + 1).trim();
    if (column.trim() !== '' && readDateFormat(format) !== undefined) return { column, format };
  }
  const tail = text.slice(text.lastIndexOf(':') + 1).trim();
  if (text.includes(':') && /^[YMD][YMD\W]*$/i.test(tail)) requireDateFormat(tail);
  return { column: text };
}
