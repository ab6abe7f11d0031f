/**
 * Which currency a mapping takes. Amounts count in the organisation's currency as they stand, so
 * where that is known here another one is refused: nothing later could tell euros from pounds.
 */

import { findCurrency } from '../../core/currencies.ts';
import { UsageError } from '../command.ts';
import type { Mapping } from './mapping.ts';

/** A currency that its sign alone tells: `£` and `$` are of many. */
const OWN_SIGNS: Readonly<Record<string, string>> = { '€': 'EUR' };

/** The code of the currency that a mapping takes; undefined where none is told. */
export function statedCurrency({ currency, fields }: Mapping): string | undefined {
  const text = currency?.is ?? fields.amount?.amount?.currency;
  if (text === undefined) return undefined;
  const code = OWN_SIGNS[text] ?? text.toUpperCase();
  return findCurrency(code)?.code;
}

/** Refuses rows in another currency than the one that `owner` counts in. Throws UsageError. */
export function refuseOtherCurrency(stated: string | undefined, code: string, owner: string): void {
  if (stated === undefined || stated === code) return;
  throw new UsageError(
    `The mapping takes rows in ${stated}, but ${owner} counts in ${code}: nothing is converted.`,
  );
}
