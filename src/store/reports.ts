/** Reads the data of a project's report from the totals that triggers keep (schema.sql). */

import { cutToMonths, type Days, type MonthRange } from '../core/calendar.ts';
import type { OrgId } from '../core/ids.ts';
import { spreadTotal } from '../core/projects.ts';
import { budgetIn, type DueMonths, type MonthSum, type MonthsBudget } from '../core/report.ts';
import { consistently } from '../database/database.ts';
import { type SqlRecord, statement } from '../database/statements.ts';
import type { Access } from './access.ts';
import { listLines } from './budget-lines.ts';
import { findProject } from './projects.ts';
import { sumUnallocated } from './totals.ts';

/** How many transactions with an allocation in the project, and the sum of these allocations. */
interface Marked {
  readonly count: number;
  readonly amountMinor: number;
}

/**
 * Everything that the report of a project, or of some months of it, needs, from one snapshot, with
 * how much of it is under review, and what is not allocated; undefined when there is no project.
 */
export function findReport(access: Access, projectId: number, months: MonthRange = {}) {
  return consistently(access, () => {
    const found = findFigures(access, projectId, months);
    if (found === undefined) return undefined;
    const { startDate: from, endDate: to } = found.part ?? found;
    return { ...found, unallocated: sumUnallocated(access, { from, to, codes: found.codes }) };
  });
}

/** What a report needs but for what is not allocated, which takes longest; not of one snapshot. */
export function findFigures(access: Access, projectId: number, months: MonthRange = {}) {
  const { db, organisation } = access;
  const project = findProject(access, projectId);
  if (project === undefined) return undefined;
  const { startDate, endDate, budgetMode, codes } = project;
  const isPart = months.from !== undefined || months.to !== undefined;
  const part = isPart ? cutToMonths(project, months) : undefined;
  const { startDate: from, endDate: to } = part ?? project;
  return {
    startDate,
    endDate,
    part,
    budgetMode,
    codes,
    lines: listLines(access, projectId),
    budgets: toSums(selectBudgets(db).get(organisation.id, projectId)),
    actuals: toSums(selectActuals(db).get(organisation.id, projectId)),
    ...(isPart ? countMarked(access, [projectId], { from, to }) : readMarked(access, projectId)),
  };
}

/** How much of a report may be wrong. */
export interface MarkedParts {
  readonly needsReview: Marked;
  readonly recoded: Marked;
}

/** What is marked of some projects together: dated in some days, or all of it. */
export function countMarked(
  { db, organisation }: Access,
  projectIds: readonly number[],
  { from = '', to = '~' }: { from?: string; to?: string } = {},
): MarkedParts {
  const values = { orgId: organisation.id, projects: JSON.stringify(projectIds), from, to };
  return {
    needsReview: selectSomeReview(db).get(values) ?? NONE,
    recoded: selectSomeRecoded(db).get(values) ?? NONE,
  };
}

function readMarked({ db, organisation }: Access, projectId: number): MarkedParts {
  return {
    needsReview: selectReview(db).get(organisation.id, projectId) ?? NONE,
    recoded: selectRecoded(db).get(organisation.id, projectId) ?? NONE,
  };
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

const BUDGETS = `from budget_amounts b
             where b.organisation_id = l.organisation_id and b.project_id = l.project_id
               and b.budget_line_id = l.id`;
const LINE_SUMS = `coalesce(l.total_minor, (select sum(b.amount_minor) ${BUDGETS}), 0)
            as budgetMinor,
          coalesce((
            select sum(a.inside_minor + a.outside_minor) from actuals a
             where a.organisation_id = l.organisation_id and a.project_id = l.project_id
               and a.budget_line_id = l.id), 0) as actualMinor`;

const selectLineSums = statement<[lineIds: string, OrgId], LineSums>`
  select l.id, ${LINE_SUMS} from budget_lines l not indexed
    where l.id in (select value from json_each(?)) and l.organisation_id = ?
    order by l.id`;

/** What all lines of a project have in its report's total, without those of the projects below. */
export interface ProjectSums {
  readonly id: number;
  /** Of the lines for expenses. */
  readonly budgetMinor: number;
  readonly actualMinor: number;
  /** Of the lines for income, money in as positive; null without such a line. */
  readonly expectedMinor: number | null;
  readonly receivedMinor: number | null;
  /** Lines for expenses on which more was spent than their budget. */
  readonly linesOver: number;
}

/** How many lines each project has that has some. */
export function countReportLines({ db, organisation }: Access): ReadonlyMap<number, number> {
  return new Map(selectCounts(db).raw().all(organisation.id));
}

const selectCounts = statement<[OrgId], [projectId: number, lines: number]>`
  select project_id, count(*) from budget_lines where organisation_id = ? group by project_id`;

/** The totals of those of some projects that have lines, without their reports. */
export function sumProjects(
  { db, organisation }: Access,
  projectIds: readonly number[],
): ProjectSums[] {
  return selectProjectSums(db).all(JSON.stringify(projectIds), organisation.id);
}

const selectProjectSums = statement<[projectIds: string, OrgId], ProjectSums>`
   select id, ifnull(sum(budgetMinor) filter (where kind = 'expense'), 0) as budgetMinor,
          ifnull(sum(actualMinor) filter (where kind = 'expense'), 0) as actualMinor,
          -sum(budgetMinor) filter (where kind = 'income') as expectedMinor,
          -sum(actualMinor) filter (where kind = 'income') as receivedMinor,
          sum(kind = 'expense' and actualMinor > budgetMinor) as linesOver
     from (select l.project_id as id, l.kind, ${LINE_SUMS} from json_each(?) p
            cross join budget_lines l on l.organisation_id = ? and l.project_id = p.value)
    group by id`;

/** The budget of the expenses of projects in some months of each, in the same order. */
export function sumMonths(
  { db, organisation }: Access,
  all: readonly { readonly project: Days & { readonly id: number }; readonly months: DueMonths }[],
): MonthsBudget[] {
  const wanted = all.map(({ project, months: { from, to } }) => [project.id, from, to]);
  const found = selectMonths(db).all(JSON.stringify(wanted), organisation.id);
  return all.map(({ project: { startDate, endDate }, months }, at) => {
    let { minor = 0, lastMinor = 0, totals = '[]' } = found[at] ?? {};
    for (const total of JSON.parse(totals)) {
      const spread = budgetIn(spreadTotal(total, startDate, endDate), months);
      minor += spread.minor;
      lastMinor += spread.lastMinor;
    }
    return { minor, lastMinor };
  });
}

// To compare each month in one sum took half as long again.
const selectMonths = statement<[months: string, OrgId], MonthsBudget & { readonly totals: string }>`
   select json_group_array(l.total_minor) filter (where l.total_minor is not null) as totals,
          ifnull(sum((select sum(b.amount_minor) ${BUDGETS}
                         and b.month between p.since and p.until)), 0) as minor,
          ifnull(sum((select b.amount_minor ${BUDGETS}
                         and b.month = p.until and b.month >= p.since)), 0) as lastMinor
     from (select key as at, value ->> 0 as project, value ->> 1 as since, value ->> 2 as until
             from json_each(?)) p
     left join budget_lines l
       on l.organisation_id = ? and l.project_id = p.project and l.kind = 'expense'
    group by p.at order by p.at`;

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

const selectActuals = statement<[OrgId, number], CellLists>`
  select json_group_array(budget_line_id) as lines, json_group_array(month) as months,
          json_group_array(inside_minor) as inside, json_group_array(outside_minor) as outside
     from actuals where organisation_id = ? and project_id = ?`;

const selectBudgets = statement<[OrgId, number], CellLists>`
  select json_group_array(budget_line_id) as lines, json_group_array(month) as months,
          json_group_array(amount_minor) as inside, '[]' as outside
     from budget_amounts where organisation_id = ? and project_id = ?`;

const NONE: Marked = { count: 0, amountMinor: 0 };

const selectReview = statement<[OrgId, number], Marked>`
  select transactions as count, amount_minor as amountMinor
     from reviews where organisation_id = ? and project_id = ?`;

const COUNT_MARKED = `select count(distinct transaction_id) as count,
          ifnull(sum(amount_minor), 0) as amountMinor`;

const selectRecoded = statement<[OrgId, number], Marked>`
  ${COUNT_MARKED} from allocations indexed by allocations_recoded
    where organisation_id = ? and project_id = ? and recoded = 1`;

const IN_PROJECTS = `organisation_id = @orgId and date between @from and @to
      and project_id in (select value from json_each(@projects))`;

const selectSomeReview = statement<[SqlRecord], Marked>`
  ${COUNT_MARKED} from allocations indexed by allocations_under_review
    where ${IN_PROJECTS} and under_review = 1`;
const selectSomeRecoded = statement<[SqlRecord], Marked>`
  ${COUNT_MARKED} from allocations indexed by allocations_recoded
    where ${IN_PROJECTS} and recoded = 1`;
