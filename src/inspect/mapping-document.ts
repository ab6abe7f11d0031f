/** Turns the findings into the mapping file that `push` reads. */

import type { RowField } from '../core/push.ts';
import type { AmountWriting, NegativeForm } from '../rows/amount-writing.ts';
import type { DateFormat } from '../rows/date-formats.ts';
import type { Encoding } from '../rows/encodings.ts';
import type { AmountShape, Mapping, NotRowRule } from '../rows/mapping.ts';
import { readMapping } from '../rows/mapping-file.ts';
import type { Signs } from './decimals.ts';
import { showDelimiter } from './layout.ts';

/** Everything in a mapping, with columns as the mapping names them. */
export interface Found {
  readonly encoding: Encoding;
  readonly delimiter: string;
  readonly headerless: { readonly columns: number; readonly skipLines: number } | undefined;
  readonly signs: Signs;
  readonly date: { readonly column: string; readonly format: DateFormat };
  readonly amount: {
    readonly columns: readonly string[];
    readonly shape: AmountShape;
    readonly negative: readonly NegativeForm[];
    readonly currency: string | undefined;
  };
  readonly texts: Readonly<Record<'description' | 'contact' | 'accountCode', readonly string[]>>;
  /** The column of the externalId; undefined if the id is made from the others. */
  readonly externalId: string | undefined;
  readonly currency: { readonly column: string; readonly is: string } | undefined;
  readonly status: { readonly column: string; readonly is: readonly string[] } | undefined;
  readonly notRows: readonly NotRowRule[];
}

/** The document of the mapping file, its members in a readable order. */
export function toDocument(found: Found): Record<string, unknown> {
  const { encoding, delimiter, signs, headerless, currency, status, notRows } = found;
  const fields: Partial<Record<RowField, unknown>> = {
    externalId: found.externalId ?? { made: listMade(found) },
    date: { column: found.date.column, format: found.date.format.text },
    description: oneOrMore(found.texts.description),
    ...(found.texts.contact.length > 0 ? { contact: oneOrMore(found.texts.contact) } : {}),
    amount: toAmount(found),
    ...(found.texts.accountCode.length > 0
      ? { accountCode: oneOrMore(found.texts.accountCode) }
      : {}),
  };
  return {
    ...(encoding === 'utf-8' ? {} : { encoding }),
    delimiter: showDelimiter(delimiter),
    ...(signs.decimal === undefined ? {} : { decimal: signs.decimal }),
    ...(signs.thousands === undefined ? {} : { thousands: signs.thousands }),
    ...(headerless === undefined ? {} : { headerless }),
    ...(currency === undefined ? {} : { currency }),
    ...(status === undefined ? {} : { status }),
    fields,
    ...(notRows.length > 0 ? { notRows } : {}),
  };
}

/** The document as `push` reads it: the same reader, so that both agree. */
export function toMapping(found: Found): Mapping {
  return readMapping(toDocument(found));
}

/** Every column of a row: rows that are equal in all of them are equal. */
export function listMade({ date, amount, texts }: Found): string[] {
  const { description, contact, accountCode } = texts;
  const all = [date.column, ...amount.columns, ...description, ...contact, ...accountCode];
  return [...new Set(all)];
}

/** Every column that push reads. */
export function listSent(found: Found): string[] {
  const { externalId, currency, status } = found;
  return [
    ...listMade(found),
    ...(externalId === undefined ? [] : [externalId]),
    currency?.column ?? '',
    status?.column ?? '',
  ];
}

/** How amounts are written, for callers that read cells themselves. */
export function writingOf({ signs, amount }: Found): AmountWriting {
  return { ...signs, negative: amount.negative, currency: amount.currency };
}

function oneOrMore(columns: readonly string[]): unknown {
  return columns.length === 1 ? columns[0] : { columns };
}

function toAmount({ amount }: Found): unknown {
  const { columns, shape, negative, currency } = amount;
  const [first, second] = columns;
  const writing = {
    ...(negative.length > 0 ? { negative } : {}),
    ...(currency === undefined ? {} : { currency }),
  };
  if (shape.kind === 'two') {
    const side = (column: string | undefined, isTurned: boolean) =>
      isTurned ? { column, negate: true } : column;
    return {
      out: side(first, shape.isOutTurned),
      in: side(second, shape.isInTurned),
      ...writing,
    };
  }
  if (shape.kind === 'indicator') {
    const words = { out: shape.out, in: shape.in };
    const indicator = shape.isInCell ? words : { column: second, ...words };
    return { column: first, indicator, ...writing };
  }
  const negate = shape.isTurned ? { negate: true } : {};
  if (!shape.isTurned && Object.keys(writing).length === 0) return first;
  return { column: first, ...negate, ...writing };
}
