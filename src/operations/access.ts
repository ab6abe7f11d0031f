/**
 * What every operation works on: one organisation's data in an open database. Each noun has a file
 * here, with a plain function for each thing that can be done and each read. Operations accept
 * public identifiers and amounts in minor units, refuse what is wrong once, and return the records
 * of the store: the doors (HTTP interface, command line, library) turn them into documents and
 * tables.
 */

import { explainMissing, Failure } from '../core/failures.ts';
import { formatId, type IdPrefix, readId } from '../core/ids.ts';
import type { Source } from '../database/database.ts';
import type { Access } from '../store/access.ts';
import { findOrganisation } from '../store/organisations.ts';

export { atomically, consistently, type Source } from '../database/database.ts';
export { failureOf } from '../database/sqlite-errors.ts';

/** The data of an organisation by its public identifier. Refuses with `not_found`. */
export function accessTo(source: Source, organisationId: string): Access {
  const organisation = findOrganisation(source, numberOf('org', organisationId));
  if (organisation === undefined) throw missing('organisation', organisationId);
  return {
    get db() {
      return source.db;
    },
    organisation,
  };
}

/** The number in an identifier; 0, which no record has, if it is not an identifier. */
export function numberOf(prefix: IdPrefix, id: string): number {
  return readId(prefix, id) ?? 0;
}

/** The record number of an identifier. Refuses any other text with `not_found`. */
export function requireNumber(prefix: IdPrefix, what: string, id: string): number {
  const number = readId(prefix, id);
  if (number !== undefined) return number;
  const message = `"${id}" is not the id of a ${what}, such as ${formatId(prefix, 1)}.`;
  throw new Failure('not_found', message);
}

/** The refusal for an unknown identifier: the same for another organisation's as for none. */
export function missing(what: string, id: string): Failure {
  return new Failure('not_found', explainMissing(what, id));
}
