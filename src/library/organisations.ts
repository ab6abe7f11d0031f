/** Organisations in the library. */

import { type Organisation, organisationDocument } from '../api/documents.ts';
import type { Plan } from '../core/plans.ts';
import { accessTo } from '../operations/access.ts';
import * as operations from '../operations/organisations.ts';
import type { LibraryContext } from './context.ts';

/** What can be done with organisations. */
export interface Organisations {
  /** Creates an organisation. Refuses with `invalid_input`, or `conflict` (see `onlyFirst`). */
  create(draft: operations.OrganisationDraft): Organisation;
  /** Every organisation, in the order of creation. */
  list(): Organisation[];
  /** Sets the plan, effective from the next request. Refuses with `not_found`. */
  setPlan(organisationId: string, plan: Plan): Organisation;
  /** Sets the time zone, by its IANA name. Refuses with `not_found` or `invalid_input`. */
  setTimeZone(organisationId: string, timeZone: string): Organisation;
}

/** Builds the calls for organisations. */
export function buildOrganisations(context: LibraryContext): Organisations {
  const set = (member: 'plan' | 'timeZone', organisationId: string, value: string) => {
    const access = accessTo(context, organisationId);
    operations.setOrganisation(access, { member, value }, context.actor());
    return organisationDocument(accessTo(context, organisationId).organisation);
  };
  return {
    create: (draft) =>
      organisationDocument(operations.createOrganisation(context, draft, context.actor())),
    list: () => operations.listOrganisations(context).map(organisationDocument),
    setPlan: (organisationId, plan) => set('plan', organisationId, plan),
    setTimeZone: (organisationId, timeZone) => set('timeZone', organisationId, timeZone),
  };
}
