/**
 * The library: the operations for programs that embed the service, with the parameters and
 * documents of the HTTP interface. Each noun is a function that builds its calls, and their type.
 */

import type { Actor } from '../core/audit.ts';
import type { Source } from '../operations/access.ts';

/** What every noun of the library works on. */
export interface LibraryContext extends Source {
  /** Who acts, with the current time. */
  readonly actor: () => Actor;
}
