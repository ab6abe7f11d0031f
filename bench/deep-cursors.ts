/**
 * Cursors deep in a list, built as the service builds them, because reading up to there takes
 * minutes. The server refuses a wrong cursor, so an error here cannot go unnoticed.
 */

import { toFilter } from '../src/api/filters.ts';
import { PARAMETERS, readParameters } from '../src/api/parameters.ts';
import { formatId } from '../src/core/ids.ts';
import type { Query } from '../src/http/target.ts';
import { boundAllocations } from '../src/operations/allocations.ts';
import type { BoundList } from '../src/operations/pages.ts';
import { bindingOf, formatCursor } from '../src/operations/pages.ts';
import { boundTransactions, toNumbers } from '../src/operations/transactions.ts';
import type { Position } from './children/limit-pages.ts';
import type { Scenario } from './scenarios.ts';

/** The cursor of the page after a position. All seeded data belongs to organisation 1. */
export function cursorAfter(scenario: Scenario, project: number, { key, id }: Position): string {
  const query = Object.entries(scenario.query);
  const { name, filters } =
    scenario.list === 'allocations' ? boundTo(project, query) : boundAll(query);
  return formatCursor(bindingOf(name, 1, filters), { sort: key, id });
}

function boundTo(project: number, query: Query): BoundList {
  return boundAllocations(
    formatId('prj', project),
    readParameters(PARAMETERS.AllocationQuery, query),
  );
}

function boundAll(query: Query): BoundList {
  const filter = toFilter(readParameters(PARAMETERS.TransactionQuery, query));
  return boundTransactions(toNumbers(filter), filter.order ?? 'date');
}
