/** Organisations as they are stored, for every statement that joins them. */

import { findCurrency } from '../core/currencies.ts';
import type { OrgId } from '../core/ids.ts';
import type { Organisation } from '../core/organisations.ts';
import type { Plan } from '../core/plans.ts';

/** A stored organisation. */
export interface OrganisationRecord {
  id: OrgId;
  name: string;
  currency: string;
  plan: Plan;
  created_at: number;
  time_zone: string;
}

/** The columns of an OrganisationRecord. */
export const ORGANISATION_COLUMNS = 'o.id, o.name, o.currency, o.plan, o.created_at, o.time_zone';

/** Converts a record to an organisation. */
export function toOrganisation(record: OrganisationRecord): Organisation {
  const currency = findCurrency(record.currency);
  if (currency === undefined) throw new Error(`unknown currency ${record.currency}`);
  const { id, name, plan, time_zone: timeZone } = record;
  return { id, name, currency, plan, timeZone, createdAtMs: record.created_at };
}
