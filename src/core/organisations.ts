/** The organisation: whose budgets these are, in which currency, on which plan. */

import type { Currency } from './currencies.ts';
import type { OrgId } from './ids.ts';
import type { Plan } from './plans.ts';

/** An organisation as every door passes it to the store. */
export interface Organisation {
  readonly id: OrgId;
  readonly name: string;
  /** The base currency: every amount of the organisation is in it (contract 1). */
  readonly currency: Currency;
  readonly plan: Plan;
  readonly createdAtMs: number;
}
