/** What a statement is made of: the lines in its scope with their sums, and what is unfinished. */

import { cutToMonths, daysInMonth, monthOf } from '../core/calendar.ts';
import { formatId } from '../core/ids.ts';
import { toMinor } from '../core/money.ts';
import { kindsOf, turnIncome } from '../core/projects.ts';
import type { ReportRow } from '../core/report.ts';
import type { StatementFacts, StatementLineSums } from '../core/statements.ts';
import type { Access } from '../store/access.ts';
import type { ProjectRecord } from '../store/projects.ts';
import { countMarked } from '../store/reports.ts';
import { sumOutside } from '../store/statement-items.ts';
import type { ItemSums } from '../store/statement-stages.ts';
import type { CountedDays, ItemScope } from '../store/statement-walks.ts';
import { listStatements, type StatementRecord } from '../store/statements.ts';
import { sumUnallocated } from '../store/totals.ts';
import { numberOf } from './access.ts';
import { getProject } from './projects.ts';
import { listBelow, listParts, type RolledUp, takeRolledUp } from './roll-up.ts';
import type { Steps } from './turns.ts';

/** A project with its statements, by number, then issue. */
export interface Series {
  readonly project: ProjectRecord;
  readonly all: readonly StatementRecord[];
}

/** Refuses with `not_found`. */
export function readSeries(access: Access, projectId: string): Series {
  const project = getProject(access, projectId);
  return { project, all: listStatements(access, project.id) };
}

/** A statement that is being made. */
interface DraftPlan extends ScopePlan {
  readonly number: number;
  readonly issue: number;
  /** By the identifiers of lines. */
  readonly reasons: Readonly<Record<string, string>>;
  readonly note: string | null;
}

/** What a statement covers, and the earlier ones of its series, without withdrawn ones. */
interface ScopePlan {
  readonly project: ProjectRecord;
  /** Its first month; null if it reports changes alone. */
  readonly from: string | null;
  readonly to: string;
  readonly withSubProjects: boolean;
  readonly issued: readonly StatementRecord[];
}

/** The facts of a draft, as they are now, and what its items are taken from. */
interface DraftFacts extends StatementFacts {
  readonly scope: ItemScope;
  /** What its items must add up to. */
  readonly sums: readonly ItemSums[];
}

/** The facts of a draft, in short steps. Read them on one snapshot. */
export function* readFacts(access: Access, plan: DraftPlan): Steps<DraftFacts> {
  const { project, number, issue, from, to, withSubProjects, reasons, note } = plan;
  const { funderName, funderReference: reference } = project;
  const whole = yield* takeRolledUp(access, formatId('prj', project.id), { withSubProjects });
  yield;
  const below = whole.below.map((part) => part.project);
  const projects = [project, ...below];
  const days = cutToMonths(project, { from: from ?? undefined, to });
  const period = from === null ? NO_DAYS : { from: days.startDate, to: days.endDate };
  const numbers = projects.map(({ id }) => id);
  const codes = projects.flatMap((each) => each.codes);
  const counted = countedDays(project, below);
  const lines = listSums(access, plan, whole);
  yield;
  return {
    sums: sumsOf(lines),
    scope: cutScope(plan, counted),
    head: {
      projectId: formatId('prj', project.id),
      project: project.name,
      number,
      issue,
      from,
      to,
      startDate: from === null ? null : days.startDate,
      endDate: days.endDate,
      withSubProjects,
      funder: funderName === null ? null : { name: funderName, reference },
      note,
      issuedAt: null,
      issuedBy: null,
    },
    currency: access.organisation.currency,
    toleranceHundredths: project.toleranceHundredths,
    lines,
    reasons,
    outside: sumOutside(access, counted),
    unallocated: sumUnallocated(access, { ...period, codes }),
    underReview: countMarked(access, numbers, period).needsReview,
  };
}

/** Between which nothing is. */
const NO_DAYS = { from: '9999-12-31', to: '0000-01-01' };

/** The lines, income first in each project, then what was reported and is elsewhere now. */
function listSums(access: Access, plan: DraftPlan, whole: RolledUp): StatementLineSums[] {
  const { places } = access.organisation.currency;
  const { from, to, issued } = plan;
  const minor = (amount: number) => Number(toMinor(amount, places));
  const reported = new Map(issued.at(-1)?.body.lines.map((line) => [line.budgetLineId, line]));
  const beforeOf = (id: string) => {
    const { toDate = 0, kind } = reported.get(id) ?? {};
    return turnIncome(kind, minor(toDate));
  };
  const { periods } = whole.report;
  const sumUntil = (row: ReportRow, first: string, name: 'actual' | 'budgeted') =>
    row.cells.reduce((sum, cell, at) => {
      const month = periods[at]?.key ?? '';
      return first <= month && month <= to ? sum + cell[name] : sum;
    }, 0);
  const lines = [...listParts(whole)].flatMap(({ project, lines: rows }) => {
    const kinds = kindsOf(rows.map(({ line }) => line));
    return kinds.flatMap((kind) => {
      return rows
        .filter(({ line }) => line.kind === kind)
        .map((row): StatementLineSums => {
          const { id, code, name, category } = row.line;
          const budgetLineId = formatId('bln', id);
          return {
            projectId: formatId('prj', project.id),
            project: project.name,
            ...{ budgetLineId, code, name, category, kind },
            budgetMinor: row.total.budgeted,
            budgetToDateMinor: sumUntil(row, '', 'budgeted'),
            beforeMinor: beforeOf(budgetLineId),
            periodMinor: from === null ? 0 : sumUntil(row, from, 'actual'),
            toDateMinor: sumUntil(row, '', 'actual'),
          };
        });
    });
  });
  const known = new Set(lines.map(({ budgetLineId }) => budgetLineId));
  const gone = [...reported.values()].filter(({ budgetLineId, toDate }) => {
    return toDate !== 0 && !known.has(budgetLineId);
  });
  const zeros = { budgetMinor: 0, budgetToDateMinor: 0, periodMinor: 0, toDateMinor: 0 };
  return [
    ...lines,
    ...gone.map(({ projectId, project, budgetLineId, code, name, category, kind }) => {
      const names = { projectId, project, budgetLineId, code, name, category, kind };
      return { ...names, ...zeros, beforeMinor: beforeOf(budgetLineId) };
    }),
  ];
}

/** The days of each project that count: its own, in the months of the one above. */
function countedDays(project: ProjectRecord, below: readonly ProjectRecord[]): CountedDays[] {
  const last = monthOf(project.endDate);
  const first = `${monthOf(project.startDate)}-01`;
  const end = `${last}-${daysInMonth(last)}`;
  const own = { id: project.id, from: project.startDate, to: project.endDate };
  return [
    own,
    ...below.map(({ id, startDate, endDate }) => ({
      id,
      from: startDate > first ? startDate : first,
      to: endDate < end ? endDate : end,
    })),
  ];
}

/** What the items of a statement are taken from. */
export function scopeOf(access: Access, plan: ScopePlan): ItemScope {
  const { project, withSubProjects } = plan;
  const below = withSubProjects ? listBelow(access, project) : [];
  return cutScope(plan, countedDays(project, below));
}

function cutScope({ from, to, issued }: ScopePlan, days: readonly CountedDays[]): ItemScope {
  const end = `${to}-${daysInMonth(to)}`;
  return {
    projects: days.map((each) => ({ ...each, to: each.to < end ? each.to : end })),
    startDate: from === null ? null : `${from}-01`,
    earlier: issued.map(({ id }) => id),
  };
}

/** With the sign of money, without lines of 0. */
function sumsOf(lines: readonly StatementLineSums[]): ItemSums[] {
  return lines
    .map(({ budgetLineId, beforeMinor, periodMinor, toDateMinor }) => ({
      budgetLineId: numberOf('bln', budgetLineId),
      periodMinor,
      changesMinor: toDateMinor - beforeMinor - periodMinor,
    }))
    .filter(({ periodMinor, changesMinor }) => periodMinor !== 0 || changesMinor !== 0)
    .sort((one, other) => one.budgetLineId - other.budgetLineId);
}
