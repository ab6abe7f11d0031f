/** Lists the budget lines of all projects, to choose one: without their budgets and actuals. */

import type { Days } from '../core/calendar.ts';
import type { BudgetLine } from '../core/projects.ts';
import { foldCase } from '../core/text.ts';
import type { SqlValue } from '../database/statements.ts';
import type { Access } from './access.ts';
import { listColumns, listPage, type Page, type Position, searchOf, type Walk } from './pages.ts';

export interface LineChoice extends Omit<BudgetLine, 'accountCodes' | 'totalMinor'>, Days {
  readonly projectId: number;
  readonly projectName: string;
}

/** Which lines to list. An absent filter matches all. */
export interface LineFilters {
  readonly ids?: readonly number[] | undefined;
  readonly code?: string | undefined;
  readonly projectId?: number | undefined;
  /** Lines that claim this account code. */
  readonly accountCode?: string | undefined;
  /** Lines of projects that have this code. */
  readonly projectCode?: string | undefined;
  /** Lines of projects that contain this date. */
  readonly date?: string | undefined;
  /** Only lines of archived projects, or only of the others. */
  readonly isArchived?: boolean | undefined;
  /** A part of code, name and project as they are written together, or of the category. */
  readonly search?: string | undefined;
}

interface LinePage {
  readonly filters: LineFilters;
  readonly after?: Position | undefined;
  readonly limit: number;
}

/** Each filter as a condition on a line `l` of a project `p`. */
const CONDITIONS: Readonly<Record<keyof LineFilters, string>> = {
  ids: 'l.id in (select value from json_each(@ids))',
  code: 'l.code = @code',
  accountCode:
    'exists (select 1 from budget_line_account_codes c where c.project_id = l.project_id ' +
    'and c.organisation_id = l.organisation_id and c.budget_line_id = l.id ' +
    'and c.account_code = @accountCode)',
  projectCode: '@projectCode in (select value from json_each(p.codes))',
  projectId: 'l.project_id = @projectId',
  date: '@date between p.start_date and p.end_date',
  isArchived: '(p.archived_at is not null) = @isArchived',
  search:
    "contains_folded(@search, coalesce(l.code || ' ', '') || l.name || ' (' || p.name || ')', " +
    'l.category)',
};

/** An index to walk, and the conditions that it covers. */
interface Route extends Pick<Walk, 'from' | 'key'> {
  readonly organisation: string;
  readonly answers: Readonly<Partial<Record<keyof LineFilters, string>>>;
}

// SQLite has named the indexes of these unique constraints of the schema.
const LINES_BY_CODE = 'indexed by sqlite_autoindex_budget_lines_1';
const LINES_BY_ID = 'indexed by sqlite_autoindex_budget_lines_2';
const PROJECTS_BY_ID = 'indexed by sqlite_autoindex_projects_1';

const BY_PROJECT: Route = {
  from: `budget_lines l ${LINES_BY_ID} cross join projects p on p.id = l.project_id`,
  key: { sort: 'l.project_id', id: 'l.id' },
  organisation: 'l.organisation_id = @orgId',
  answers: { projectId: CONDITIONS.projectId },
};

/** The first one whose filter is present is used. */
const ROUTES: readonly (readonly [filter: keyof LineFilters, route: Route])[] = [
  [
    'ids',
    {
      ...BY_PROJECT,
      from: 'budget_lines l not indexed cross join projects p on p.id = l.project_id',
      answers: { ids: CONDITIONS.ids },
    },
  ],
  [
    'accountCode',
    {
      from:
        'budget_line_account_codes c indexed by account_codes_by_code ' +
        'cross join budget_lines l on l.id = c.budget_line_id ' +
        'cross join projects p on p.id = c.project_id',
      key: { sort: 'c.project_id', id: 'c.budget_line_id' },
      organisation: 'c.organisation_id = @orgId',
      answers: { accountCode: 'c.account_code = @accountCode' },
    },
  ],
  [
    'code',
    {
      from:
        `projects p ${PROJECTS_BY_ID} cross join budget_lines l ${LINES_BY_CODE} ` +
        'on l.organisation_id = p.organisation_id and l.project_id = p.id',
      key: { sort: 'p.id', id: 'l.id' },
      organisation: 'p.organisation_id = @orgId',
      answers: { code: CONDITIONS.code, projectId: 'p.id = @projectId' },
    },
  ],
];

/** A page of the budget lines of all projects, in the order of creation in each project. */
export function listLineChoices({ db, organisation }: Access, page: LinePage): Page<LineChoice> {
  const { filters, after, limit } = page;
  const [, route] = ROUTES.find(([filter]) => filters[filter] !== undefined) ?? [null, BY_PROJECT];
  const range = [route.organisation];
  const narrow: string[] = [];
  const values: Record<string, SqlValue> = { orgId: organisation.id };
  for (const name of Object.keys(CONDITIONS) as (keyof LineFilters)[]) {
    const value = filters[name];
    if (value === undefined) continue;
    if (typeof value === 'object') values[name] = JSON.stringify(value);
    else if (typeof value === 'boolean') values[name] = Number(value);
    else values[name] = name === 'search' ? foldCase(String(value)) : value;
    const answer = route.answers[name];
    if (answer === undefined) narrow.push(CONDITIONS[name]);
    else range.push(answer);
  }
  const { from, key } = route;
  const search = filters.search === undefined ? undefined : searchOf(db);
  const walk = { columns: COLUMNS.text, from, key, range, narrow, search };
  return listPage(db, { ...walk, values, after, limit }, COLUMNS.toItem);
}

const COLUMNS = listColumns<Omit<LineChoice, 'id'>>({
  code: 'l.code',
  name: 'l.name',
  category: 'l.category',
  kind: 'l.kind',
  projectId: 'p.id',
  projectName: 'p.name',
  startDate: 'p.start_date',
  endDate: 'p.end_date',
});
