/** What commands print: one JSON document, or human-readable lines and tables. */

import { cutText } from '../core/text-width.ts';
import type { Call, Io } from './command.ts';
import { isTerminal, paintsFor, terminalWidth } from './paint.ts';
import { formatTable, type ListColumn, type TableEntry, tableOf } from './table.ts';

/** Prints the one document of `--json`. */
export function printJson(io: Io, document: unknown): void {
  io.stdout.write(`${JSON.stringify(document)}\n`);
}

/** Prints lines of a result, on standard output. */
export function printLines(io: Io, ...lines: string[]): void {
  if (lines.length > 0) io.stdout.write(`${lines.join('\n')}\n`);
}

/** Prints hints and progress, on standard error. */
export function printNotes(io: Io, ...lines: string[]): void {
  if (lines.length > 0) io.stderr.write(`${lines.join('\n')}\n`);
}

/**
 * Prints a table that fits the terminal: an entry for each thing, and what comes `below` that
 * entry. Of an empty list it prints the note `none`, if that is given.
 */
export function printTable<Item>(
  io: Io,
  items: readonly Item[],
  columns: readonly ListColumn<Item>[],
  { below, none }: { below?: (item: Item) => readonly TableEntry[]; none?: string } = {},
): void {
  if (items.length === 0 && none !== undefined) {
    printNotes(io, none);
    return;
  }
  const table = tableOf(items, columns, below);
  printLines(io, ...formatTable(table, terminalWidth(io), paintsFor(io).bold));
}

/** Prints the document with `--json`; otherwise the human-readable form: a text or a function. */
export function printResult(call: Call, document: unknown, text: string | (() => void)): void {
  if (call.json) printJson(call.io, document);
  else if (typeof text === 'string') printLines(call.io, text);
  else text();
}

/** In a log, how long it is at least from one line of progress to the next. */
export const LOGGED_MS = 10_000;

/**
 * Progress on standard error: a line that is overwritten on a terminal; in a log, a line every ten
 * seconds at most, the first one after `quietMs`.
 */
export function createProgress(
  io: Io,
  quietMs = LOGGED_MS,
): { isLive: boolean; show(line: string): void; end(): void } {
  const { stderr, monotonicMs } = io;
  const isLive = isTerminal(stderr) && io.env['TERM'] !== 'dumb';
  let shown = false;
  let nextMs = monotonicMs() + quietMs;
  return {
    isLive,
    show(line) {
      if (!isLive) {
        const nowMs = monotonicMs();
        if (nowMs < nextMs) return;
        nextMs = nowMs + LOGGED_MS;
        stderr.write(`${line}\n`);
        return;
      }
      const width = terminalWidth(io, stderr);
      stderr.write(`\r${cutText(line, width - 1)}\u001b[K`);
      shown = true;
    },
    end() {
      if (shown) stderr.write('\r\u001b[K');
      shown = false;
    },
  };
}
