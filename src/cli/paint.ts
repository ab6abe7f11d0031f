/** Colours, for terminals that support them, and the width of the terminal. */

import { styleText } from 'node:util';
import type { Io } from './command.ts';

/** Colours a text, or leaves it plain. */
export type Paint = (text: string) => string;

/** No colour. */
export const plain: Paint = (text) => text;

/** The colours of standard output. */
export interface Paints {
  readonly bold: Paint;
  readonly dim: Paint;
  readonly red: Paint;
  readonly green: Paint;
}

/** Colours for a terminal; none for files, pipes and `dumb` terminals, or when NO_COLOR is set. */
export function paintsFor(io: Io): Paints {
  if (!isTerminal(io.stdout) || (io.env['NO_COLOR'] ?? '') !== '' || io.env['TERM'] === 'dumb') {
    return { bold: plain, dim: plain, red: plain, green: plain };
  }
  // Node would look at its own environment and output.
  const paint = (colour: keyof Paints) => (text: string) =>
    styleText(colour, text, { validateStream: false });
  return { bold: paint('bold'), dim: paint('dim'), red: paint('red'), green: paint('green') };
}

export function isTerminal(stream: NodeJS.ReadableStream | NodeJS.WritableStream): boolean {
  return 'isTTY' in stream && stream.isTTY === true;
}

const WIDTH = 80;

/** The width of the terminal in columns, else COLUMNS, else 80. */
export function terminalWidth(io: Io, stream: NodeJS.WritableStream = io.stdout): number {
  const own = 'columns' in stream ? Number(stream.columns) : 0;
  const stated = Number(io.env['COLUMNS'] ?? 0);
  return [own, stated].find((each) => Number.isInteger(each) && each > 0) ?? WIDTH;
}
