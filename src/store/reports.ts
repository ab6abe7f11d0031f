/** Reads the data of a project's report from the totals that triggers keep (schema.sql). */

import type { OrgId } from '../core/ids.ts';
import type { MonthSum, ReportFacts } from '../core/report.ts';
import { consistently } from '../database/database.ts';
import { statement } from '../database/statements.ts';
import type { Access } from './access.ts';
import { listLines } from './budget-lines.ts';
import { findProject } from './projects.ts';
import { sumUnallocated, type Unallocated } from './totals.ts';

/** How many transactions with an allocation in the project, and the sum of these allocations. */
export interface Marked {
  readonly count: number;
  readonly amountMinor: number;
}

/** The data of a report, how much of it is under review, and what is not allocated. */
interface StoredReport extends ReportFacts {
  readonly needsReview: Marked;
  /** Marked as recoded. */
  readonly recoded: Marked;
  readonly unallocated: Unallocated;
}

/** Everything a project's report needs, from one snapshot; undefined when there is no project. */
export function findReport(access: Access, projectId: number): StoredReport | undefined {
  const { db, organisation } = access;
  return consistently(access, () => {
    const project = findProject(access, projectId);
    if (project === undefined) return undefined;
    const { startDate, endDate, budgetMode, codes } = project;
    return {
      startDate,
      endDate,
      budgetMode,
      lines: listLines(access, projectId),
      budgets: toSums(selectBudgets(db).get(organisation.id, projectId)),
      actuals: toSums(selectActuals(db).get(organisation.id, projectId)),
      needsReview: selectReview(db).get(organisation.id, projectId) ?? { count: 0, amountMinor: 0 },
      recoded: selectRecoded(db).get(organisation.id, projectId) ?? { count: 0, amountMinor: 0 },
      unallocated: sumUnallocated(access, { from: startDate, to: endDate, codes }),
    };
  });
}

/** What a line has in its report's total. */
export interface LineSums {
  readonly id: number;
  readonly budgetMinor: number;
  readonly actualMinor: number;
}

/** The totals of some lines, without the rest of their reports, in the order of creation. */
export function sumLines({ db, organisation }: Access, lineIds: readonly number[]): LineSums[] {
  return selectLineSums(db).all(JSON.stringify(lineIds), organisation.id);
}

const selectLineSums = statement<[lineIds: string, OrgId], LineSums>(
  `select l.id,
          coalesce(l.total_minor, (
            select sum(b.amount_minor) from budget_amounts b
             where b.organisation_id = l.organisation_id and b.project_id = l.project_id
               and b.budget_line_id = l.id), 0) as budgetMinor,
          coalesce((
            select sum(a.inside_minor + a.outside_minor) from actuals a
             where a.organisation_id = l.organisation_id and a.project_id = l.project_id
               and a.budget_line_id = l.id), 0) as actualMinor
     from budget_lines l not indexed
    where l.id in (select value from json_each(?)) and l.organisation_id = ?
    order by l.id`,
);

/** Thousands of cells as four lists in one record, in a third of the time of separate records. */
interface CellLists {
  lines: string;
  months: string;
  inside: string;
  outside: string;
}

function toSums(lists: CellLists | undefined): MonthSum[] {
  if (lists === undefined) return [];
  const months: string[] = JSON.parse(lists.months);
  const inside: number[] = JSON.parse(lists.inside);
  const outside: number[] = JSON.parse(lists.outside);
  return (JSON.parse(lists.lines) as number[]).map((lineId, at) => ({
    lineId,
    month: months[at] ?? '',
    amountMinor: inside[at] ?? 0,
    outsideMinor: outside[at] ?? 0,
  }));
}

const selectActuals = statement<[OrgId, number], CellLists>(
  `select json_group_array(budget_line_id) as lines, json_group_array(month) as months,
          json_group_array(inside_minor) as inside, json_group_array(outside_minor) as outside
     from actuals where organisation_id = ? and project_id = ?`,
);

const selectBudgets = statement<[OrgId, number], CellLists>(
  `select json_group_array(budget_line_id) as lines, json_group_array(month) as months,
          json_group_array(amount_minor) as inside, '[]' as outside
     from budget_amounts where organisation_id = ? and project_id = ?`,
);

const selectReview = statement<[OrgId, number], Marked>(
  `select transactions as count, amount_minor as amountMinor
     from reviews where organisation_id = ? and project_id = ?`,
);

const selectRecoded = statement<[OrgId, number], Marked>(
  `select count(distinct transaction_id) as count, ifnull(sum(amount_minor), 0) as amountMinor
     from allocations indexed by allocations_recoded
    where organisation_id = ? and project_id = ? and recoded = 1`,
);
