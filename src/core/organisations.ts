/** The organisation: its name, currency and plan. */

import type { Currency } from './currencies.ts';
import type { OrgId } from './ids.ts';
import type { Plan } from './plans.ts';

/** An organisation, as the store returns it. */
export interface Organisation {
  readonly id: OrgId;
  readonly name: string;
  /** The base currency, of every amount of the organisation (contract 1). */
  readonly currency: Currency;
  readonly plan: Plan;
  readonly createdAtMs: number;
}
