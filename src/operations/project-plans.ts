/** One project with its budget lines, budgets and claims, to show in a form and to save again. */

import type { Currency } from '../core/currencies.ts';
import { toMajor } from '../core/money.ts';
import type { BudgetMode, LineKind, ProjectDraft } from '../core/projects.ts';
import { consistently } from '../database/database.ts';
import type { Access } from '../store/access.ts';
import { type LinePlan, listLinePlans } from '../store/budget-lines.ts';
import type * as store from '../store/projects.ts';
import { requireNumber } from './access.ts';
import { readProjectFile } from './project-file.ts';
import { getProject } from './projects.ts';

export { listAllocatedLines } from '../store/budget-lines.ts';
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
export interface ProjectInput {
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
export function readProject({ organisation }: Access, input: ProjectInput): store.ProjectToSave {
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

/** By the rules of a project file. */
function draftOf(input: ProjectInput, currency: Currency): ProjectDraft {
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
