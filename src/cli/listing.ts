/** What the commands that list things share: parameters as options, and pages. */

import { type Parameters, readParameters, type Values } from '../api/parameters.ts';
import type { Listing, PageRequest } from '../operations/pages.ts';
import type { Call } from './command.ts';
import { asUsage, toKebabCase } from './errors.ts';

/** The options of a list, as the interface reads its parameters. Refuses with a UsageError. */
export function readFilters<Known extends Parameters>(call: Call, known: Known): Values<Known> {
  const query = Object.keys(known).flatMap((name) => {
    const value = call.values[toKebabCase(name)];
    return value === undefined ? [] : [[name, String(value)] as const];
  });
  return asUsage(() => readParameters(known, query));
}

/**
 * A full page. When matches are rare, a list has fewer items than the limit, and a cursor: this
 * follows it until the page is full. A cursor of another list is wrong usage.
 */
export function fillPage<Item>(
  limit: number,
  start: string | undefined,
  ask: (page: PageRequest) => Listing<Item>,
): Listing<Item> {
  const items: Item[] = [];
  let nextCursor = start ?? null;
  do {
    const page = { limit: limit - items.length, cursor: nextCursor ?? undefined };
    const found = asUsage(() => ask(page));
    items.push(...found.items);
    ({ nextCursor } = found);
  } while (items.length < limit && nextCursor !== null);
  return { items, nextCursor };
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
    .map(({ name, value }) => (value === undefined ? `--${name}` : `--${name} ${quote(value)}`));
  const words = ['budgetd', command, ...options, '--cursor', nextCursor];
  return ['There are more. For the next page, run:', `  ${words.join(' ')}`];
}

/** A word, quoted for a shell where needed. */
export function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
