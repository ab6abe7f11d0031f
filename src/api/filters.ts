/**
 * The filter of an operation that the parameters of its endpoint describe. The options of a command
 * that lists things are the same parameters. Those of a project's allocations are its filter.
 */

import { renamed } from '../operations/input.ts';

/** Where the names differ. */
const FILTERS = {
  id: 'ids',
  status: 'statuses',
  recoded: 'isRecoded',
  updatedSince: 'updatedSinceMs',
  q: 'search',
} as const;

/** The filter of an operation that lists things. */
export function toFilter<Known extends object>(values: Known) {
  return renamed(values, FILTERS);
}
