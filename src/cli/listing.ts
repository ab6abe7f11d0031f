/** What the lists of the interface have in common here: parameters as options, and pages. */

import type { Call, Command } from './command.ts';
import { asUsage } from './errors.ts';

/** The interface's parameters out of a command's options. */
export interface ListQuery {
  readonly parameters: Record<string, string>;
  /** Asks for the list: what is wrong with a parameter is wrong usage. */
  ask<Result>(work: () => Result): Result;
}

/** Reads the options of a list; `translate` may look a value up. */
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

/** A page of a list, as far as what is common to all of them. */
interface ListPage {
  data: unknown[];
  meta: { nextCursor: string | null };
}

/**
 * A page that holds as many items as were asked for: a rare match can make the interface answer
 * with fewer and a cursor, which nobody at a terminal would want to follow by hand.
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

/** The lines that say how to get the next page of a list; none on the last. */
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
  return ['There are more. The next page:', `  ${words.join(' ')}`];
}

/** A word as a shell takes it. */
export function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

function toCamelCase(option: string): string {
  return option.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
