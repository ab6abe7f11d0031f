/**
 * Cursors deep in a list, built as the service builds them, because reading up to there takes
 * minutes. The server refuses a wrong cursor, so an error here cannot go unnoticed.
 */

import { ALLOCATION_PARAMETERS } from '../src/api/allocations.ts';
import { bindingOf, formatCursor } from '../src/api/cursors.ts';
import { readParameters } from '../src/api/parameters.ts';
import { TRANSACTION_PARAMETERS } from '../src/api/transactions.ts';
import type { Position } from './children/limit-pages.ts';
import type { Scenario } from './scenarios.ts';

/** The cursor of the page after a position. All seeded data belongs to organisation 1. */
export function cursorAfter(scenario: Scenario, project: number, { key, id }: Position): string {
  const query = Object.entries(scenario.query);
  if (scenario.list === 'allocations') {
    const { limit: _, cursor: __, ...filters } = readParameters(ALLOCATION_PARAMETERS, query);
    const binding = bindingOf('allocations', 1, { projectId: project, ...filters });
    return formatCursor(binding, { sort: key, id });
  }
  const values = readParameters(TRANSACTION_PARAMETERS, query);
  const { limit: _, cursor: __, order = 'date', ...filters } = values;
  return formatCursor(bindingOf('transactions', 1, { order, ...filters }), { sort: key, id });
}
