/**
 * Which currency a mapping states. Nothing is converted, so where the organisation's currency is
 * known here, another one is refused: nothing later could tell euros from pounds.
 */

import { UsageError } from '../command.ts';
import { codesOf } from './currency-signs.ts';
import type { Mapping } from './mapping.ts';

/** The code or sign that a mapping states; undefined without one that is known. */
export function statedCurrency({ currency, fields }: Mapping): string | undefined {
  const text = currency?.is ?? fields.amount?.amount?.currency ?? '';
  const [code, second] = codesOf(text);
  return second === undefined ? code : text;
}

/** Refuses rows in another currency than `owner` uses. Throws UsageError. */
export function refuseOtherCurrency(stated: string | undefined, code: string, owner: string): void {
  if (stated === undefined || codesOf(stated).includes(code)) return;
  throw new UsageError(
    `The mapping says that amounts are in ${stated}, but ${owner} uses ${code}. ` +
      'budgetd does not convert: use a file in the right currency, or another database.',
  );
}
