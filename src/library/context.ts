/**
 * The library's nouns, one file each: public identifiers and plain values in, the interface's own
 * documents out, everything validated and audited. Command line and embedding programs come in
 * here; the console will, too.
 */

import type { Access } from '../api/access.ts';
import { notFound, numberOf } from '../api/access.ts';
import type { Query } from '../api/parameters.ts';
import type { Actor } from '../core/audit.ts';
import { Failure } from '../core/failures.ts';
import { type IdPrefix, readId } from '../core/ids.ts';
import { NAME_CHARACTERS } from '../core/limits.ts';
import { findTextProblems } from '../core/text.ts';
import type { Db } from '../store/database.ts';
import { findOrganisation } from '../store/organisations.ts';

/** What every noun of the library works on. */
export interface LibraryContext {
  /** Refuses with `conflict` once the service is closed. */
  readonly db: Db;
  /** Who acts, stamped with the present time. */
  readonly actor: () => Actor;
}

/** Query parameters of the interface by name, as strings or as the values they stand for. */
export type QueryInput = Readonly<
  Record<string, string | number | boolean | readonly string[] | undefined>
>;

/** The data of an organisation by its public identifier. Refuses with `not_found`. */
export function accessTo({ db }: LibraryContext, organisationId: string): Access {
  const organisation = findOrganisation(db, numberOf('org', organisationId));
  if (organisation === undefined) throw notFound('organisation', organisationId);
  return { db, organisation };
}

/** The number behind an identifier. Refuses with `not_found` a text that is none. */
export function requireNumber(prefix: IdPrefix, what: string, id: string): number {
  const number = readId(prefix, id);
  if (number === undefined) throw notFound(what, id);
  return number;
}

/** The query a client of the interface would send for these parameters. */
export function toQuery(input: QueryInput): Query {
  return Object.entries(input).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as const],
  );
}

/** A name without the blanks around it. Refuses with `invalid_input` one that cannot be shown. */
export function readName(what: string, value: string): string {
  return readLine(what, value, NAME_CHARACTERS);
}

/** A text of one line, trimmed. Refuses with `invalid_input`. */
export function readLine(what: string, value: string, maxCharacters: number): string {
  const text = value.trim();
  const [problem] = findTextProblems(text, maxCharacters);
  if (problem === undefined) return text;
  const message = {
    blank: `${what} must not be blank.`,
    too_long: `${what} must have at most ${maxCharacters} characters.`,
    invalid_characters: `${what} must not hold control characters.`,
  }[problem];
  throw new Failure('invalid_input', message);
}

/** One of a closed list. Refuses with `invalid_input`. */
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
