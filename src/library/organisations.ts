/** Organisations in the library. */

import { type Organisation, organisationDocument } from '../api/documents.ts';
import type { Plan } from '../core/plans.ts';
import { accessTo } from '../operations/access.ts';
import * as operations from '../operations/organisations.ts';
import { listOrganisations } from '../store/organisations.ts';
import type { LibraryContext } from './context.ts';

/** What can be done with organisations. */
export type Organisations = ReturnType<typeof buildOrganisations>;

/** Builds the calls for organisations. */
export function buildOrganisations(context: LibraryContext) {
  const set = (member: 'plan' | 'timeZone', organisationId: string, value: string) => {
    const access = accessTo(context, organisationId);
    operations.setOrganisation(access, { member, value }, context.actor());
    return organisationDocument(accessTo(context, organisationId).organisation);
  };
  return {
    /** Creates an organisation. Refuses with `invalid_input`, or `conflict` (see `onlyFirst`). */
    create(draft: operations.OrganisationDraft): Organisation {
      return organisationDocument(operations.createOrganisation(context, draft, context.actor()));
    },
    /** Every organisation, in the order of creation. */
    list(): Organisation[] {
      return listOrganisations(context).map(organisationDocument);
    },
    /** Sets the plan, effective from the next request. Refuses with `not_found`. */
    setPlan(organisationId: string, plan: Plan): Organisation {
      return set('plan', organisationId, plan);
    },
    /** Sets the time zone, by its IANA name. Refuses with `not_found` or `invalid_input`. */
    setTimeZone(organisationId: string, timeZone: string): Organisation {
      return set('timeZone', organisationId, timeZone);
    },
  };
}
