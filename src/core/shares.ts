/** Splits an amount into shares that add up to it exactly, to the minor unit. */

/**
 * `totalMinor` in `count` equal shares. The remainder of the magnitude goes, one unit each, to the
 * earliest shares (contract 4, budgetMode `total`).
 */
export function shareEqually(totalMinor: number, count: number): number[] {
  const magnitude = Math.abs(totalMinor);
  const base = Math.floor(magnitude / count);
  const remainder = magnitude - base * count;
  const sign = totalMinor < 0 ? -1 : 1;
  return Array.from({ length: count }, (_, index) => {
    const share = base + (index < remainder ? 1 : 0);
    return share === 0 ? 0 : sign * share;
  });
}

/**
 * `totalMinor` in proportion to `weights`, which have one sign and are not all 0. By largest
 * remainder: leftover units go to the largest fractions, the earlier first (contract 5).
 */
export function shareByWeight(totalMinor: number, weights: readonly number[]): number[] {
  const whole = weights.reduce((sum, weight) => sum + BigInt(Math.abs(weight)), 0n);
  const magnitude = BigInt(Math.abs(totalMinor));
  const parts = weights.map((weight, index) => {
    const product = magnitude * BigInt(Math.abs(weight));
    return { index, share: Number(product / whole), remainder: product % whole };
  });
  let left = Number(magnitude) - parts.reduce((sum, part) => sum + part.share, 0);
  const byRemainder = [...parts].sort(
    (a, b) => Number(b.remainder > a.remainder) - Number(b.remainder < a.remainder),
  );
  for (const part of byRemainder) {
    if (left === 0) break;
    part.share += 1;
    left -= 1;
  }
  const sign = totalMinor < 0 ? -1 : 1;
  return parts.map(({ share }) => (share === 0 ? 0 : sign * share));
}
