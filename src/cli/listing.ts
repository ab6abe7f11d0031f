/** What the commands that list things share: parameters as options, and pages. */

import type { Call, Command } from './command.ts';
import { asUsage } from './errors.ts';

/** The interface's parameters, from the options of a command. */
export interface ListQuery {
  readonly parameters: Record<string, string>;
  /** Reads the list. A wrong parameter is wrong usage. */
  ask<Result>(work: () => Result): Result;
}

/** Reads the options of a list; `translate` can look a value up. */
export function readQuery(
  call: Call,
  command: Command,
  translate: (parameter: string, text: string) => string = (_, text) => text,
): ListQuery {
  const parameters: Record<string, string> = {};
  for (const option of Object.keys(command.options ?? {})) {
    const value = call.values[option];
    if (value === undefined) continue;
    const parameter = toCamelCase(option);
    parameters[parameter] = translate(parameter, String(value));
  }
  return { parameters, ask: asUsage };
}

/** What the pages of all lists share. */
interface ListPage {
  data: unknown[];
  meta: { nextCursor: string | null };
}

/**
 * A full page. When matches are rare, the interface returns fewer items than the limit, and a
 * cursor; this follows it until the page is full.
 */
export function fillPage<Page extends ListPage>(
  limit: number,
  ask: (rest: { limit?: number; cursor?: string }) => Page,
): Page {
  const page = ask({});
  while (page.data.length < limit && page.meta.nextCursor !== null) {
    const rest = { limit: limit - page.data.length, cursor: page.meta.nextCursor };
    const { data, meta } = ask(rest);
    page.data.push(...data);
    page.meta = meta;
  }
  return page;
}

/** The lines that show how to get the next page; empty on the last page. */
export function nextPageOf(
  call: Call,
  command: string,
  list: { data: readonly unknown[]; meta: { nextCursor: string | null } },
): string[] {
  const { nextCursor } = list.meta;
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

function toCamelCase(option: string): string {
  return option.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
