/** Shows a value from a file in a message. */

import { cutText } from '../core/text-width.ts';

/** Longer values are cut, so that a message fits on a screen. */
const SHOWN_WIDTH = 60;

/** The value in quotation marks. */
export function showCell(text: string): string {
  return `"${cutText(text.replace(/\s+/g, ' '), SHOWN_WIDTH)}"`;
}
