/**
 * Raw data: the last accepted row of a transaction as it was sent (contract 6). It is kept as JSON,
 * unless the transaction tells it to the byte, as it nearly always does: then only its layout is
 * kept, with one letter for each member in the order sent, such as `idtcma`.
 */

import { toMajor } from './money.ts';
import { ROW_FIELDS, ROW_MEMBERS, type RowField, type ValidRow } from './row-members.ts';

const LETTER_OF = new Map<string, string>(
  ROW_FIELDS.map((field) => [field, ROW_MEMBERS[field].letter]),
);
const FIELD_OF = new Map<string, RowField>(
  ROW_FIELDS.map((field) => [ROW_MEMBERS[field].letter, field]),
);

/** The raw data of an accepted row. `places`: the decimal places of the currency. */
export function rawDataOf(sent: object, row: ValidRow, places: number): string {
  return layoutOf(sent, row, places) ?? JSON.stringify(sent);
}

/** The JSON that raw data means. Undefined for a layout that does not fit its transaction. */
export function readRawData(rawData: string, row: ValidRow, places: number): string | undefined {
  if (rawData.startsWith('{')) return rawData;
  const fields = Array.from(rawData, (letter) => FIELD_OF.get(letter));
  const isLost = (field: RowField) =>
    !fields.includes(field) && memberOf(row, field, places) !== null;
  if (ROW_FIELDS.some(isLost)) return undefined;
  const sent = Object.fromEntries(
    fields.map((field) => [field, field && memberOf(row, field, places)]),
  );
  return layoutOf(sent, row, places) === rawData ? JSON.stringify(sent) : undefined;
}

/** The layout of a row. Undefined if its members are not all exactly those of the transaction. */
function layoutOf(sent: object, row: ValidRow, places: number): string | undefined {
  // An object of a class can have a `toJSON`, and inherited members.
  if (Object.getPrototypeOf(sent) !== Object.prototype) return undefined;
  let layout = '';
  for (const name of Object.keys(sent)) {
    const letter = LETTER_OF.get(name);
    if (letter === undefined) return undefined;
    if (Reflect.get(sent, name) !== memberOf(row, name as RowField, places)) return undefined;
    layout += letter;
  }
  return layout;
}

function memberOf(row: ValidRow, field: RowField, places: number): string | number | null {
  return field === 'amount' ? toMajor(row.amountMinor, places) : row[field];
}
