/**
 * Cursors of places deep in a list, made as the product makes them: walking there takes minutes.
 * A server that does not know them refuses them, so nothing can go wrong unseen.
 */

import { ALLOCATION_PARAMETERS } from '../src/api/allocations.ts';
import { bindingOf, formatCursor } from '../src/api/cursors.ts';
import { readParameters } from '../src/api/parameters.ts';
import { TRANSACTION_PARAMETERS } from '../src/api/transactions.ts';
import type { Position } from './children/limit-pages.ts';
import type { Scenario } from './scenarios.ts';

/** The cursor with which a list goes on after a position; everything seeded is organisation 1's. */
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
