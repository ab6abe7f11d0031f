/** A value of a file as messages show it. */

import { cutText } from '../text-width.ts';

/** Longer values are cut: a message has to fit on a screen. */
const SHOWN_WIDTH = 60;

/** The value in quotes. */
export function showCell(text: string): string {
  return `"${cutText(text.replace(/\s+/g, ' '), SHOWN_WIDTH)}"`;
}
