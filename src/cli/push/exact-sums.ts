/** Sums of amounts without float arithmetic (contract 1), before a currency is known. */

/** Decimal places that are kept: more than any currency has. */
const PLACES = 6;

/** Below this a float is near enough to its millionths for them to be the nearest integer. */
const EXACT = 2 ** 51;

/** A number as a count of millionths: the digits that it has, not those of its float. */
export function readDigitsOf(number: number): bigint {
  const millionths = Math.round(number * 1e6);
  if (Math.abs(millionths) < EXACT) return BigInt(millionths);
  const text = Math.abs(number) < 1e-6 ? '0' : String(Math.abs(number));
  const [whole = '0', fraction = ''] = (text.includes('e') ? number.toFixed(0) : text).split('.');
  const digits = BigInt(whole.replace('-', '') + fraction.slice(0, PLACES).padEnd(PLACES, '0'));
  return number < 0 ? -digits : digits;
}

/** A count of millionths as text: `1234.50`, with two decimal places or as many as it needs. */
export function writeSum(sum: bigint, places = 2): string {
  const digits = (sum < 0n ? -sum : sum).toString().padStart(PLACES + 1, '0');
  const fraction = digits.slice(-PLACES).replace(/0+$/, '').padEnd(places, '0');
  const whole = digits.slice(0, -PLACES);
  const text = fraction === '' ? whole : `${whole}.${fraction}`;
  return sum < 0n ? `-${text}` : text;
}

/** The same for people: `1,234.50`. */
export function showSum(sum: bigint): string {
  const [whole = '', fraction = ''] = writeSum(sum).split('.');
  return `${whole.replace(/\B(?=(\d{3})+$)/g, ',')}.${fraction}`;
}
