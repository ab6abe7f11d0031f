/** Organisations: create and list them, set their plan and their name. */

import type { Actor } from '../core/audit.ts';
import { explainCurrency, findCurrency } from '../core/currencies.ts';
import { Failure } from '../core/failures.ts';
import type { Organisation } from '../core/organisations.ts';
import { DEFAULT_PLAN, PLANS, type Plan } from '../core/plans.ts';
import * as store from '../store/organisations.ts';
import type { Access, Source } from './access.ts';
import { readChoice, readName } from './input.ts';

export { lastWriteMs } from '../store/audit.ts';
export { listOrganisations } from '../store/organisations.ts';

/** An organisation to create. */
export interface OrganisationDraft {
  readonly name: string;
  /** An ISO 4217 code in upper case. It cannot be changed later. */
  readonly baseCurrency: string;
  readonly plan?: Plan;
  /** Whether to refuse with `conflict` if the database already has an organisation. */
  readonly onlyFirst?: boolean;
}

/** Creates an organisation. Refuses with `invalid_input`, or `conflict` (see `onlyFirst`). */
export function createOrganisation(
  { db }: Source,
  draft: OrganisationDraft,
  actor: Actor,
): Organisation {
  const currency = findCurrency(draft.baseCurrency);
  if (currency === undefined) {
    throw new Failure('invalid_input', explainCurrency(draft.baseCurrency));
  }
  const name = readName('The name', draft.name);
  const plan = readChoice('The plan', draft.plan ?? DEFAULT_PLAN, PLANS);
  const { onlyFirst = false } = draft;
  return store.createOrganisation(
    { db },
    { name, currency: currency.code, plan, onlyFirst },
    actor,
  );
}

/** Sets the plan, effective from the next request. Refuses with `invalid_input`. */
export function setPlan(access: Access, plan: Plan, actor: Actor): Organisation {
  const wanted = readChoice('The plan', plan, PLANS);
  store.setPlan(access, wanted, actor);
  return { ...access.organisation, plan: wanted };
}

/**
 * Sets the name, which must be `seenName` until then. Refuses with `invalid_input`, or `conflict`
 * if someone else has changed it.
 */
export function setName(access: Access, { name, seenName }: store.Renaming, actor: Actor): string {
  const wanted = readName('The name', name);
  store.setName(access, { name: wanted, seenName }, actor);
  return wanted;
}
