/**
 * The steps that upgrade an older database to `schema.sql`, the schema of a new file; `upgrade.ts`
 * runs and logs them.
 *
 * To change the schema after the first release, change `schema.sql` and add a step here with the
 * same result (a column that a step adds is the last in its table). Never change a released step.
 */

import type { Db } from './driver.ts';

/** SQL, or a function for what needs more; it says how far it is. */
export type Migration = string | ((db: Db, onProgress: (message: string) => void) => void);

/** The first step upgrades version 1, the schema of release 0.1.0, to 2, and so on. */
export const MIGRATIONS: readonly Migration[] = [];

/** The schema version of `schema.sql`. */
export const SCHEMA_VERSION = versionAfter(MIGRATIONS);

/** The schema version to which steps lead. */
export function versionAfter(migrations: readonly Migration[]): number {
  return migrations.length + 1;
}
