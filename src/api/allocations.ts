/** The query parameters of a project's allocations (Spec 4.4). */

import { calendarDate, identifier, limit, text } from './parameters.ts';

/** The parameters of the list of allocations: their values are its filter. */
export const ALLOCATION_PARAMETERS = {
  from: calendarDate,
  to: calendarDate,
  budgetLineId: identifier,
  transactionId: identifier,
  limit,
  cursor: text,
};
