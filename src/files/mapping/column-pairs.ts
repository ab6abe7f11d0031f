/** The column of a field as it is typed: `date=Paid on:DD/MM/YYYY`. */

import { readDateFormat, requireDateFormat } from '../values/date-formats.ts';

/** Splits `FIELD=COLUMN`. */
export function splitPair(pair: string): { readonly name: string; readonly column: string } {
  const at = pair.indexOf('=');
  return { name: pair.slice(0, at).trim(), column: pair.slice(at + 1) };
}

/** Splits `COLUMN:FORMAT`; the column can contain colons, and so can a format with a time. */
export function splitDateColumn(text: string): { column: string; format: string | undefined } {
  for (let at = text.indexOf(':'); at >= 0; at = text.indexOf(':', at + 1)) {
    const column = text.slice(0, at);
    const format = text.slice(at + 1).trim();
    if (column.trim() !== '' && readDateFormat(format) !== undefined) return { column, format };
  }
  const tail = text.slice(text.lastIndexOf(':') + 1).trim();
  if (text.includes(':') && /^[YMD][YMD\W]*$/i.test(tail)) requireDateFormat(tail);
  return { column: text, format: undefined };
}
