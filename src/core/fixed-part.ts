/** What stays the same in the descriptions of payments to one payee. */

import { COMPARED_UNITS } from './limits.ts';
import { isMonthName } from './months.ts';
import { normalized } from './text.ts';

/**
 * The words of a description in lower case, without those with digits, such as days, references
 * and numbers of cards, and without months: `CARD 4711 STAPLES UK 12 OCT` is `card staples uk`.
 */
export function fixedPart(description: string): string {
  const plain = normalized(description.slice(0, COMPARED_UNITS).toLowerCase(), 'NFC');
  const words = plain.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return words.filter((word) => !/\p{N}/u.test(word) && !isMonthName(word)).join(' ');
}
