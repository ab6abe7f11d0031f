/**
 * What the library's nouns share. Each noun has a file: it accepts public identifiers and plain
 * values, validates and audits, and returns the same documents as the HTTP interface. The command
 * line and embedding programs call these; the console will, too.
 */

import type { Access } from '../api/access.ts';
import { notFound, numberOf } from '../api/access.ts';
import type { Query } from '../api/parameters.ts';
import type { Actor } from '../core/audit.ts';
import { explainDate } from '../core/calendar.ts';
import { Failure } from '../core/failures.ts';
import { formatId, type IdPrefix, readId } from '../core/ids.ts';
import { NAME_CHARACTERS } from '../core/limits.ts';
import { findTextProblems } from '../core/text.ts';
import type { Db } from '../store/database.ts';
import { findOrganisation } from '../store/organisations.ts';

/** What every noun of the library works on. */
export interface LibraryContext {
  /** Refuses with `conflict` once the service is closed. */
  readonly db: Db;
  /** Who acts, with the current time. */
  readonly actor: () => Actor;
}

/** Query parameters of the interface by name, as strings or as plain values. */
export type QueryInput = Readonly<
  Record<string, string | number | boolean | readonly string[] | undefined>
>;

/** The data of an organisation by its public identifier. Refuses with `not_found`. */
export function accessTo({ db }: LibraryContext, organisationId: string): Access {
  const organisation = findOrganisation(db, numberOf('org', organisationId));
  if (organisation === undefined) throw notFound('organisation', organisationId);
  return { db, organisation };
}

/** The record number of an identifier. Refuses any other text with `not_found`. */
export function requireNumber(prefix: IdPrefix, what: string, id: string): number {
  const number = readId(prefix, id);
  if (number !== undefined) return number;
  const message = `"${id}" is not the id of a ${what}, such as ${formatId(prefix, 1)}.`;
  throw new Failure('not_found', message);
}

/** Explains why a text is neither a date nor a date-time. */
export function explainInstant(what: string, text: string): string {
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return `${what} cannot be ${text}. ${explainDate(text)}`;
  const forms = '2026-01-31 or 2026-01-31T12:00:00Z';
  return `${what} must be a date or an RFC 3339 date-time, such as ${forms}, not "${text}".`;
}

/** The query that an HTTP client would send for these parameters. */
export function toQuery(input: QueryInput): Query {
  return Object.entries(input).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as const],
  );
}

/** A trimmed name. Refuses with `invalid_input` if blank, too long or with control characters. */
export function readName(what: string, value: string): string {
  return readLine(what, value, NAME_CHARACTERS);
}

/** A trimmed text of one line. Refuses with `invalid_input`. */
export function readLine(what: string, value: string, maxCharacters: number): string {
  const text = value.trim();
  const [problem] = findTextProblems(text, maxCharacters);
  if (problem === undefined) return text;
  const message = {
    blank: `${what} cannot be blank.`,
    too_long: `${what} is longer than ${maxCharacters} characters. Shorten it.`,
    invalid_characters: `${what} contains a control character. Remove it.`,
  }[problem];
  throw new Failure('invalid_input', message);
}

/** One of the values. Refuses with `invalid_input`. */
export function readChoice<const Value extends string>(
  what: string,
  value: string,
  values: readonly Value[],
): Value {
  const found = values.find((each) => each === value);
  if (found !== undefined) return found;
  throw new Failure(
    'invalid_input',
    `${what} must be one of ${values.join(', ')}, not "${value}".`,
  );
}
