/** Sums of amounts without float arithmetic (contract 1), before a currency is known. */

/** Decimal places that are kept: more than any currency has. */
const PLACES = 6;

/** A number as a count of millionths, by its own digits; those beyond are cut off. */
export function readDigitsOf(number: number): bigint {
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
