/**
 * The currency that a mapping states. budgetd does not convert, so a currency other than the
 * organisation's is refused: later nothing could tell euros from pounds.
 */

import { codesOf } from './currency-signs.ts';
import type { Mapping } from './mapping.ts';
import { MappingError } from './rows.ts';

/** The code or sign in a mapping; undefined if there is none, or it is unknown. */
export function statedCurrency({ currency, fields }: Mapping): string | undefined {
  const text = currency?.is ?? fields.amount?.amount?.currency ?? '';
  const [code, second] = codesOf(text);
  return second === undefined ? code : text;
}

/** Refuses rows in another currency than `owner` uses. Throws MappingError. */
export function refuseOtherCurrency(stated: string | undefined, code: string, owner: string): void {
  if (stated === undefined || codesOf(stated).includes(code)) return;
  throw new MappingError(
    `The mapping says that amounts are in ${stated}, but ${owner} uses ${code}. ` +
      'budgetd does not convert: use a file in the right currency, or another database.',
  );
}
