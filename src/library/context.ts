/**
 * The library: the operations for programs that embed the service, with the parameters and
 * documents of the HTTP interface. Each noun is an interface, and a function that builds it.
 */

import { type Parameters, type Query, readParameters, type Values } from '../api/parameters.ts';
import type { Actor } from '../core/audit.ts';
import type { Source } from '../operations/access.ts';

/** What every noun of the library works on. */
export interface LibraryContext extends Source {
  /** Who acts, with the current time. */
  readonly actor: () => Actor;
}

/** Query parameters of the interface by name, as strings or as plain values. */
export type QueryInput = Readonly<
  Record<string, string | number | boolean | readonly string[] | undefined>
>;

/** Reads parameters as an HTTP request with them would. Refuses with `invalid_parameter`. */
export function readQuery<Known extends Parameters>(
  known: Known,
  input: QueryInput,
): Values<Known> {
  const query: Query = Object.entries(input).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as const],
  );
  return readParameters(known, query);
}
