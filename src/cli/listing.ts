/** What the commands that list things share: options as parameters, and pages. */

import { type Parameters, readQuery, type Values } from '../api/parameters.ts';
import type { Listing } from '../operations/pages.ts';
import type { Call } from './command.ts';
import { asUsage, toKebabCase } from './errors.ts';
import { quoted } from './quoted.ts';

/** The options of a list, as the interface reads its parameters. Refuses with a UsageError. */
export function readFilters<Known extends Parameters>(call: Call, known: Known): Values<Known> {
  const options = Object.keys(known).map((name) => {
    return [name, call.values[toKebabCase(name)]?.toString()] as const;
  });
  return asUsage(() => readQuery(known, Object.fromEntries(options)));
}

/** The lines that show how to get the next page; empty on the last page. */
export function nextPageOf(
  call: Call,
  command: string,
  { nextCursor }: Listing<unknown>,
): string[] {
  if (nextCursor === null) return [];
  const options = call.written
    .filter(({ name }) => name !== 'cursor')
    .map(({ name, value }) => (value === undefined ? `--${name}` : `--${name} ${quoted(value)}`));
  const words = ['budgetd', command, ...options, '--cursor', nextCursor];
  return ['There are more. For the next page, run:', `  ${words.join(' ')}`];
}

/** The flags that say where the database is, for a command in a message: ` --db FILE`. */
export function placeOptions({ values }: Call): string {
  const written = ['db', 'config'].map((name) => {
    const value = values[name];
    return typeof value === 'string' ? ` --${name} ${quoted(value)}` : '';
  });
  return written.join('');
}
