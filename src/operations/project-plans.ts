/** One project with its budget lines, budgets and claims, to show in a form and to save again. */

import { type Actor, type AuditState, isPlanChange } from '../core/audit.ts';
import type { Currency } from '../core/currencies.ts';
import { Failure } from '../core/failures.ts';
import { formatId } from '../core/ids.ts';
import { toMajor } from '../core/money.ts';
import { type Budget, tolerancePercentOf } from '../core/projects.ts';
import { requirePermission } from '../core/users.ts';
import { atomically, consistently } from '../database/database.ts';
import type { Access } from '../store/access.ts';
import { listEntriesAt } from '../store/audit.ts';
import { type LinePlan, listLinePlans } from '../store/budget-lines.ts';
import * as store from '../store/projects.ts';
import { numberOf } from './access.ts';
import { readProjectFile } from './project-file.ts';
import { getProject } from './projects.ts';

export { saveProject } from '../store/projects.ts';

/** A project and everything in it that can be changed. */
export interface ProjectPlan {
  readonly project: store.ProjectRecord;
  /** In their order. */
  readonly lines: readonly LinePlan[];
}

/** A project with its budget lines. Refuses with `not_found`. */
export function getProjectPlan(access: Access, id: string): ProjectPlan {
  return consistently(access, () => {
    const project = getProject(access, id);
    return { project, lines: listLinePlans(access, project.id) };
  });
}

/**
 * Reads a project to save by the rules of a project file. Refuses with `invalid_input`: the details
 * say where, by the names of such a file.
 */
export function readProject(
  { organisation: { currency } }: Access,
  project: store.ProjectToSave,
): store.ProjectToSave {
  const [draft] = readProjectFile(projectFileOf(project, null, currency), currency);
  if (draft === undefined) throw new Error('a project file without a project');
  const budgetLines = draft.budgetLines.map((line, at) => {
    return { ...line, id: project.budgetLines[at]?.id };
  });
  return { ...project, ...draft, budgetLines };
}

/** A project as `projects import` reads it. */
export function projectFileOf(
  project: store.ProjectToSave,
  parentProject: string | null,
  { code: currency, places }: Currency,
): Record<string, unknown> {
  const { name, description, startDate, endDate, budgetMode, codes } = project;
  const { funderName, funderReference: reference } = project;
  return {
    ...{ name, description, startDate, endDate, currency, budgetMode, parentProject },
    funder: funderName === null ? null : { name: funderName, reference },
    ...{ codes, tolerancePercent: tolerancePercentOf(project.toleranceHundredths) },
    archived: project.isArchived,
    budgetLines: project.budgetLines.map(({ id: _, budget, ...line }) => {
      return { ...line, budget: toMajorBudget(budget, places) };
    }),
  };
}

function toMajorBudget(budget: Budget, places: number) {
  if (budget.mode === 'total') return toMajor(budget.totalMinor, places);
  const months = [...budget.byMonth].map(([month, minor]) => [month, toMajor(minor, places)]);
  return Object.fromEntries(months);
}

/**
 * Takes back a change of projects, by its stamp, as a change of its own. Undefined if the act was
 * another one, or added or removed lines. Refuses with `conflict` if one has changed since.
 */
export function undoProjects(
  access: Access,
  atMs: number,
  actor: Actor,
): readonly store.ProjectRecord[] | undefined {
  const entries = listEntriesAt(access, atMs);
  if (entries.length === 0 || !entries.every(isPlanChange)) return undefined;
  if (actor.standing !== undefined) requirePermission(actor.standing, 'projects');
  return atomically(access, () => {
    return entries.map(({ subject, details: { changes } }) => {
      const id = subject ?? '';
      const plan = getProjectPlan(access, id);
      if (plan.project.updatedAtMs !== atMs) {
        throw new Failure('conflict', `${id} has changed since the change to undo.`);
      }
      const earlier = new Map(changes.map(({ subject: each, before }) => [each, before ?? {}]));
      const placed = plan.lines.map((line, at) => {
        const before = earlier.get(formatId('bln', line.id)) ?? {};
        return [Number(before['position'] ?? at), { ...line, ...lineIn(before) }] as const;
      });
      placed.sort(([one], [other]) => one - other);
      const budgetLines = placed.map(([, line]) => line);
      const before = projectIn(earlier.get(id) ?? {});
      const project = { ...plan.project, ...before, budgetLines, seenUpdatedAtMs: atMs };
      store.saveProject(access, readProject(access, project), actor);
      return getProject(access, id);
    });
  });
}

/** What a state of a line in the log has of the line. */
function lineIn({ position: _, budgetMinor, ...texts }: AuditState): Partial<LinePlan> {
  if (budgetMinor === undefined) return texts;
  const months = Object.entries(budgetMinor as Readonly<Record<string, number>>);
  const budget: Budget =
    typeof budgetMinor === 'number'
      ? { mode: 'total', totalMinor: budgetMinor }
      : { mode: 'monthly', byMonth: new Map(months) };
  return { ...texts, budget };
}

/** What a state of a project in the log has of the project. */
function projectIn(state: AuditState): Partial<store.ProjectRecord> {
  const { funder, tolerancePercent: percent, parentProjectId: parent, ...others } = state;
  const { name = null, reference = null } = (funder ?? {}) as { name?: string; reference?: string };
  const hundredths = percent === null ? null : Math.round(100 * Number(percent));
  const parentProjectId = parent === null ? null : numberOf('prj', String(parent));
  return {
    ...others,
    ...(funder !== undefined && { funderName: name, funderReference: reference }),
    ...(percent !== undefined && { toleranceHundredths: hundredths }),
    ...(parent !== undefined && { parentProjectId }),
  };
}
