/** Amounts in the fields of a page. */

import { toMajor } from '../../core/money.ts';
import { readTypedAmount } from '../../core/typed-amounts.ts';

const { decimal = '.', locale = 'en', places = '2' } = document.body.dataset;
const PLACES = Number(places);
const FORMAT = new Intl.NumberFormat(`${locale}-u-nu-latn`, {
  minimumFractionDigits: PLACES,
  maximumFractionDigits: PLACES,
});
/** How the reader types amounts. */
export const HABIT = { decimal, places: PLACES };

/** An amount in minor units as the reader writes it. */
export function formatMinor(minor: number): string {
  return FORMAT.format(toMajor(minor, PLACES)).replace('-', '\u2212');
}

/** Minor units of what was typed; undefined if the server would refuse it. */
export function readMinor(text: string): number | undefined {
  const minor = readTypedAmount(text, HABIT);
  return typeof minor === 'number' ? minor : undefined;
}
