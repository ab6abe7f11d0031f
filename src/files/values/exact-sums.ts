/** Exact sums of amounts (contract 1) while the currency is unknown. */

import { groupThousands } from '../../core/counts.ts';

/** Decimal places to keep: more than any currency has. */
const PLACES = 6;

/** Below this, rounding a float to millionths is exact. */
const EXACT = 2 ** 51;

/** A number in millionths, from its decimal digits instead of its float. */
export function readDigitsOf(number: number): bigint {
  const millionths = Math.round(number * 1e6);
  if (Math.abs(millionths) < EXACT) return BigInt(millionths);
  if (Number.isInteger(number)) return BigInt(number) * 10n ** BigInt(PLACES);
  const [whole = '0', fraction = ''] = String(Math.abs(number)).split('.');
  const digits = BigInt(whole + fraction.slice(0, PLACES).padEnd(PLACES, '0'));
  return number < 0 ? -digits : digits;
}

/** Millionths as text: `1234.50`, with at least `places` decimal places. */
export function writeSum(sum: bigint, places = 2): string {
  const digits = (sum < 0n ? -sum : sum).toString().padStart(PLACES + 1, '0');
  const fraction = digits.slice(-PLACES).replace(/0+$/, '').padEnd(places, '0');
  const whole = digits.slice(0, -PLACES);
  const text = fraction === '' ? whole : `${whole}.${fraction}`;
  return sum < 0n ? `-${text}` : text;
}

/** The same with thousands separators: `1,234.50`. */
export function showSum(sum: bigint): string {
  return groupThousands(writeSum(sum));
}
