/**
 * The library: the operations for programs that embed the service, with the parameters and
 * documents of the HTTP interface. Each noun is an interface, and a function that builds it.
 */

import type { Actor } from '../core/audit.ts';
import type { Source } from '../operations/access.ts';

/** What every noun of the library works on. */
export interface LibraryContext extends Source {
  /** Who acts, with the current time. */
  readonly actor: () => Actor;
}
