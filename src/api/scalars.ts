/** The scalars and closed lists of the contract: each has the same meaning everywhere. */

import { Type } from 'typebox';
import { GRANULARITIES } from '../core/calendar.ts';
import { BUDGET_MODES } from '../core/projects.ts';
import { oneOf, openList } from '../core/schemas.ts';
import { PROVIDERS, STATUSES } from '../core/transactions.ts';

const identifier = (prefix: string, noun: string) =>
  Type.String({
    pattern: `^${prefix}_[0-9a-z]+$`,
    description: `The opaque identifier of ${noun}.`,
  });

/** By their names, in the order of the OpenAPI document. */
export const SCALARS = {
  // Opaque identifiers with a prefix for their kind (contract 1).
  ProjectId: identifier('prj', 'a project'),
  BudgetLineId: identifier('bln', 'a budget line'),
  TransactionId: identifier('txn', 'a transaction'),
  AllocationId: identifier('alc', 'an allocation'),

  // Scalars with the same meaning everywhere (contract 1).
  Instant: Type.String({
    format: 'date-time',
    pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$',
    description: 'A moment: RFC 3339 in UTC, with milliseconds.',
  }),
  Currency: Type.String({
    pattern: '^[A-Z]{3}$',
    description: "The organisation's base currency, as an ISO 4217 code.",
  }),

  // Closed lists.
  BudgetMode: oneOf(
    BUDGET_MODES,
    'How the budget is planned: `monthly` has an amount for each budget line and calendar month, ' +
      "`total` has one amount for each line, spread evenly over the project's months.",
  ),
  Granularity: oneOf(
    GRANULARITIES,
    'The length of the periods of a report: months or calendar quarters.',
  ),
  Provider: openList(
    PROVIDERS,
    'Where a transaction came from: pushed over this interface, imported from a file, typed in.',
  ),
  TransactionStatus: oneOf(
    STATUSES,
    'The first one that applies: `excluded` (removed from the budgets), `needs_review` (its ' +
      'amount changed after it was allocated), `allocated` (its allocations add up to its ' +
      'amount), `partially_allocated`, `unallocated`.',
  ),
};
