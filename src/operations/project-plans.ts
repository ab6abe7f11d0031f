/** One project with its budget lines, budgets and claims, to show in a form and to save again. */

import { type Actor, isPlanChange } from '../core/audit.ts';
import type { Currency } from '../core/currencies.ts';
import { Failure } from '../core/failures.ts';
import { formatId } from '../core/ids.ts';
import { toMajor } from '../core/money.ts';
import {
  type BudgetMode,
  type LineKind,
  type ProjectDraft,
  tolerancePercentOf,
} from '../core/projects.ts';
import { requirePermission } from '../core/users.ts';
import { atomically, consistently } from '../database/database.ts';
import type { Access } from '../store/access.ts';
import { listEntriesAt } from '../store/audit.ts';
import { type LinePlan, listLinePlans } from '../store/budget-lines.ts';
import * as store from '../store/projects.ts';
import { requireNumber } from './access.ts';
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

/** A budget line to save. */
export interface BudgetLineInput {
  /**
   * The line to change, even its code or name. Absent: the line of the project with this code or,
   * without a code, with this name; if there is none, a new one.
   */
  readonly budgetLineId?: string | undefined;
  readonly code?: string | null | undefined;
  readonly name: string;
  readonly category?: string | null | undefined;
  /** Absent: as it is stored; a new line is for expenses. */
  readonly kind?: LineKind | undefined;
  readonly accountCodes?: readonly string[] | undefined;
  /**
   * An amount for each `YYYY-MM`, or one total, depending on `budgetMode`. Positive for what is
   * expected of an income line.
   */
  readonly budgetMinor?: number | Readonly<Record<string, number>> | undefined;
}

/** A project to save. Lines that are not listed are removed. */
export interface ProjectChange {
  /** The project to change, even its name. Absent: a new one. */
  readonly projectId?: string | undefined;
  /** Its `updatedAtMs` when the caller saw it. Refused with `conflict` if it has moved since. */
  readonly seenUpdatedAtMs?: number | undefined;
  readonly name: string;
  readonly description?: string | null | undefined;
  /** `YYYY-MM-DD`. */
  readonly startDate: string;
  /** The last day, included. */
  readonly endDate: string;
  /** `monthly` by default. */
  readonly budgetMode?: BudgetMode | undefined;
  readonly parentProjectId?: string | null | undefined;
  readonly funder?: { readonly name: string; readonly reference?: string | null } | null;
  /** What finance systems call it; none by default. */
  readonly codes?: readonly string[] | undefined;
  /** How far a line may be off before a statement asks why; null never asks. 10 by default. */
  readonly tolerancePercent?: number | null | undefined;
  readonly budgetLines: readonly BudgetLineInput[];
}

/**
 * Reads a project to save, by the rules of a project file. Refuses with `not_found` for an
 * identifier of another kind, or `invalid_input`: the details say where, by the names of such a
 * file.
 */
export function readProject({ organisation }: Access, input: ProjectChange) {
  const { projectId, seenUpdatedAtMs, parentProjectId: parent = null } = input;
  const ids = input.budgetLines.map(({ budgetLineId: id }) => {
    return id === undefined ? undefined : requireNumber('bln', 'budget line', id);
  });
  const draft = draftOf(input, organisation.currency);
  const budgetLines = draft.budgetLines.map((line, index) => ({ ...line, id: ids[index] }));
  return {
    id: projectId === undefined ? undefined : requireNumber('prj', 'project', projectId),
    seenUpdatedAtMs,
    draft: { ...draft, budgetLines },
    parentProjectId: parent === null ? null : requireNumber('prj', 'project', parent),
  };
}

/** The project to save, as it is stored: every form changes a part of it. */
export function inputOf({ project, lines }: ProjectPlan): ProjectChange {
  const { parentProjectId, funderName, funderReference } = project;
  return {
    projectId: formatId('prj', project.id),
    name: project.name,
    description: project.description,
    startDate: project.startDate,
    endDate: project.endDate,
    budgetMode: project.budgetMode,
    parentProjectId: parentProjectId === null ? null : formatId('prj', parentProjectId),
    funder: funderName === null ? null : { name: funderName, reference: funderReference },
    codes: project.codes,
    tolerancePercent: tolerancePercentOf(project.toleranceHundredths),
    budgetLines: lines.map(lineInputOf),
  };
}

/** A project as `projects import` reads it. */
export function projectFileOf(
  plan: ProjectPlan,
  parentProject: string | null,
  { organisation }: Pick<Access, 'organisation'>,
): Record<string, unknown> {
  const { name, description, startDate, endDate, budgetMode, ...input } = inputOf(plan);
  const { code: currency, places } = organisation.currency;
  const { funder, codes, tolerancePercent } = input;
  return {
    ...{ name, description, startDate, endDate, currency, budgetMode, parentProject },
    ...{ funder, codes, tolerancePercent },
    archived: plan.project.archivedAtMs !== null,
    budgetLines: plan.lines.map((stored) => {
      const { id: _, budget: _budget, ...line } = stored;
      return { ...line, budget: toMajorBudget(lineInputOf(stored).budgetMinor, places) };
    }),
  };
}

/** A line as it is stored, to save again. */
export function lineInputOf(line: LinePlan): BudgetLineInput {
  const { id, code, name, category, kind, accountCodes, budget } = line;
  const budgetMinor =
    budget.mode === 'total' ? budget.totalMinor : Object.fromEntries(budget.byMonth);
  const texts = { code, name, category, kind, accountCodes };
  return { budgetLineId: formatId('bln', id), ...texts, budgetMinor };
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
      const earlier = new Map(changes.map(({ subject: each, before }) => [each, before]));
      const project = inputOf(plan);
      const placed = project.budgetLines.map((line, at) => {
        const { position = at, ...before } = earlier.get(line.budgetLineId ?? '') ?? {};
        return [Number(position), { ...line, ...before }] as const;
      });
      placed.sort(([one], [other]) => one - other);
      const budgetLines = placed.map(([, line]) => line);
      const input = { ...project, ...earlier.get(id), budgetLines, seenUpdatedAtMs: atMs };
      store.saveProject(access, readProject(access, input), actor);
      return getProject(access, id);
    });
  });
}

/** By the rules of a project file. */
function draftOf(input: ProjectChange, currency: Currency): ProjectDraft {
  const { projectId: _, seenUpdatedAtMs: _seen, parentProjectId: _parent, ...details } = input;
  const budgetLines = input.budgetLines.map(({ budgetLineId: _, budgetMinor, ...line }) => {
    return { ...line, budget: toMajorBudget(budgetMinor, currency.places) };
  });
  const [draft] = readProjectFile({ ...details, budgetLines }, currency);
  if (draft === undefined) throw new Error('a project file without a project');
  return draft;
}

function toMajorBudget(budget: BudgetLineInput['budgetMinor'], places: number) {
  if (budget === undefined || typeof budget === 'number') {
    return budget === undefined ? undefined : toMajor(budget, places);
  }
  const months = Object.entries(budget);
  return Object.fromEntries(months.map(([month, minor]) => [month, toMajor(minor, places)]));
}
