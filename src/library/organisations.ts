/** Organisations: create and list them, set their plan. */

import { formatInstant } from '../core/calendar.ts';
import { explainCurrency, findCurrency } from '../core/currencies.ts';
import { Failure } from '../core/failures.ts';
import { formatId } from '../core/ids.ts';
import type { Organisation as StoredOrganisation } from '../core/organisations.ts';
import { DEFAULT_PLAN, PLANS, type Plan } from '../core/plans.ts';
import { createOrganisation, listOrganisations, setPlan } from '../store/organisations.ts';
import { accessTo, type LibraryContext, readChoice, readName } from './context.ts';

/** An organisation as it is shown. */
export interface Organisation {
  readonly id: string;
  readonly name: string;
  readonly baseCurrency: string;
  readonly plan: Plan;
  readonly createdAt: string;
}

/** An organisation to create. */
export interface OrganisationDraft {
  readonly name: string;
  /** An ISO 4217 code in upper case. It cannot be changed later. */
  readonly baseCurrency: string;
  readonly plan?: Plan;
  /** Whether to refuse with `conflict` if the database already has an organisation. */
  readonly onlyFirst?: boolean;
}

/** What can be done with organisations. */
export function buildOrganisations(context: LibraryContext) {
  return {
    /** Creates an organisation. Refuses with `invalid_input`, or `conflict` (see `onlyFirst`). */
    create(draft: OrganisationDraft): Organisation {
      const { db } = context;
      const currency = findCurrency(draft.baseCurrency);
      if (currency === undefined) {
        const message = explainCurrency(draft.baseCurrency);
        throw new Failure('invalid_input', message);
      }
      const name = readName('The name', draft.name);
      const plan = readChoice('The plan', draft.plan ?? DEFAULT_PLAN, PLANS);
      const { onlyFirst = false } = draft;
      const columns = { name, currency: currency.code, plan, onlyFirst };
      return toShown(createOrganisation(db, columns, context.actor()));
    },

    /** Every organisation, in the order of creation. */
    list(): Organisation[] {
      return listOrganisations(context.db).map(toShown);
    },

    /** Sets the plan, effective from the next request. Refuses with `not_found`. */
    setPlan(organisationId: string, plan: Plan): Organisation {
      const { organisation } = accessTo(context, organisationId);
      const wanted = readChoice('The plan', plan, PLANS);
      setPlan(context.db, organisation.id, wanted, context.actor());
      return toShown({ ...organisation, plan: wanted });
    },
  };
}

function toShown({ id, name, currency, plan, createdAtMs }: StoredOrganisation): Organisation {
  return {
    id: formatId('org', id),
    name,
    baseCurrency: currency.code,
    plan,
    createdAt: formatInstant(createdAtMs),
  };
}
