/** What a project's report is made of, read from the sums that triggers keep (schema.sql). */

import type { OrgId } from '../core/ids.ts';
import type { MonthSum, ReportFacts } from '../core/report.ts';
import { listBudgets, listLines } from './budget-lines.ts';
import { consistently, type Db } from './database.ts';
import { findProject } from './projects.ts';
import { statement } from './statements.ts';

/** The facts of a report and the part of them that is under review. */
export interface StoredReport extends ReportFacts {
  readonly needsReview: { readonly count: number; readonly amountMinor: number };
}

/** Everything a project's report needs, as of one moment; undefined when there is no project. */
export function findReport(db: Db, orgId: OrgId, projectId: number): StoredReport | undefined {
  return consistently(db, () => {
    const project = findProject(db, orgId, projectId);
    if (project === undefined) return undefined;
    const { startDate, endDate, budgetMode } = project;
    return {
      startDate,
      endDate,
      budgetMode,
      lines: listLines(db, orgId, projectId),
      budgets: listBudgets(db, orgId, projectId),
      actuals: selectActuals(db).all(orgId, projectId),
      needsReview: selectReview(db).get(orgId, projectId) ?? { count: 0, amountMinor: 0 },
    };
  });
}

const selectActuals = statement<[OrgId, number], MonthSum>(
  `select budget_line_id as lineId, month, inside_minor as amountMinor,
          outside_minor as outsideMinor
     from actuals where organisation_id = ? and project_id = ?`,
);

const selectReview = statement<[OrgId, number], { count: number; amountMinor: number }>(
  `select count(distinct transaction_id) as count,
          coalesce(sum(amount_minor), 0) as amountMinor
     from allocations indexed by allocations_under_review
    where organisation_id = ? and project_id = ? and under_review = 1`,
);
