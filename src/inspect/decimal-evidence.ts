/** What the digits of one number show about the separators of a file. */

import type { DecimalSign, ThousandsSign } from '../rows/decimals.ts';

/** What one number shows about the decimal separator. */
export type DecimalKind = DecimalSign | 'either' | 'whole' | 'bad';

/** The decimal separator that the digits prove; `either` for `1.000`: one or a thousand. */
export function decimalKindOf(body: string): DecimalKind {
  const points = body.split('.').length - 1;
  const commas = body.split(',').length - 1;
  if (points === 0 && commas === 0) {
    const isGrouped = /^\d{1,3}(?:['\u2019 \u00a0\u2009\u202f]\d{3})*$/.test(body);
    return isGrouped || /^\d+$/.test(body) ? 'whole' : 'bad';
  }
  if (points > 0 && commas > 0) {
    const last = body.lastIndexOf('.') > body.lastIndexOf(',') ? '.' : ',';
    return (last === '.' ? points : commas) === 1 ? last : 'bad';
  }
  const [sign, other] = points > 0 ? (['.', ','] as const) : ([',', '.'] as const);
  // A separator that occurs twice separates thousands, so the other one is the decimal one.
  if (points + commas > 1) return /^\d{1,3}(?:[.,]\d{3})+$/.test(body) ? other : 'bad';
  const isOther = /['\u2019 \u00a0\u2009\u202f]/.test(body);
  return !isOther && /^[1-9]\d{0,2}[.,]\d{3}$/.test(body) ? 'either' : sign;
}

/** The thousands separators that the cell itself shows. */
export function listThousands(body: string, kind: DecimalKind): ThousandsSign[] {
  const found: ThousandsSign[] = [];
  if (/['\u2019]/.test(body)) found.push("'");
  if (/\d[ \u00a0\u2009\u202f]\d/.test(body)) found.push(' ');
  if (kind === '.' && body.includes(',')) found.push(',');
  if (kind === ',' && body.includes('.')) found.push('.');
  return found;
}
