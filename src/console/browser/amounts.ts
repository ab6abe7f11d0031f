/** Amounts in the fields of a page. */

import { readTypedAmount } from '../../core/typed-amounts.ts';

const { decimal = '.', group = ',', places = '2' } = document.body.dataset;
const PLACES = Number(places);
/** How the reader types amounts. */
export const HABIT = { decimal, places: PLACES };

/** An amount in minor units as the reader writes it. */
export function formatMinor(minor: number): string {
  const digits = String(Math.abs(minor)).padStart(PLACES + 1, '0');
  const whole = digits.slice(0, digits.length - PLACES);
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, group);
  const rest = PLACES === 0 ? '' : decimal + digits.slice(-PLACES);
  return `${minor < 0 ? '\u2212' : ''}${grouped}${rest}`;
}

/** Minor units of what was typed; undefined if the server would refuse it. */
export function readMinor(text: string): number | undefined {
  const minor = readTypedAmount(text, HABIT);
  return typeof minor === 'number' ? minor : undefined;
}
