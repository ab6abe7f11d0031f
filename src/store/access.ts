/** What every statement works on: one organisation's data in an open database. */

import type { OrganisationRecord } from '../core/organisations.ts';
import type { Source } from '../database/database.ts';

/** One organisation's data in one database. */
export interface Access extends Source {
  readonly organisation: OrganisationRecord;
}
