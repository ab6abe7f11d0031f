/** Shows a value from a file in a message. */

import { cutText } from '../core/text-width.ts';

/** Longer values are cut, so that a message fits on a screen. */
const SHOWN_WIDTH = 60;

/** How much of a value is looked at, whatever its length. */
const LOOKED_CHARACTERS = 1000;

/** The value in quotation marks. */
export function showCell(text: string): string {
  const begin = text.slice(0, LOOKED_CHARACTERS).replace(/\s+/g, ' ');
  return `"${cutText(begin, SHOWN_WIDTH)}"`;
}
