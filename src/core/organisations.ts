/** The organisation: its name, currency and plan. */

import type { Currency } from './currencies.ts';
import type { OrgId } from './ids.ts';
import type { Plan } from './plans.ts';

/** An organisation, as the store returns it. */
export interface OrganisationRecord {
  readonly id: OrgId;
  readonly name: string;
  /** The base currency, of every amount of the organisation (contract 1). */
  readonly currency: Currency;
  readonly plan: Plan;
  /** The IANA name of the time zone in which people see instants (contract 12). */
  readonly timeZone: string;
  readonly createdAtMs: number;
  /** Whether everyone who signs in needs a second factor (contract 16). */
  readonly requiresSecondFactor: boolean;
  /** Lines below its name at the head of printed statements; empty for none. */
  readonly letterhead: string;
}
