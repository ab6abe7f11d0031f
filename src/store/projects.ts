/** Projects: reads, imports (contract 8), saves, archives and removes them with their lines. */

import { type Act, type Actor, type AuditState, changeOf, isChange } from '../core/audit.ts';
import { count } from '../core/counts.ts';
import { explainMissing, Failure } from '../core/failures.ts';
import { formatId, type OrgId } from '../core/ids.ts';
import { PROJECTS } from '../core/limits.ts';
import { type BudgetLine, type ProjectDraft, tolerancePercentOf } from '../core/projects.ts';
import { ChangeRefused, staleRefusal } from '../core/refusals.ts';
import { atomically } from '../database/database.ts';
import { type SqlRecord, statement } from '../database/statements.ts';
import type { Access } from './access.ts';
import { beginAct, recordAudit } from './audit.ts';
import { type LinePlan, listLines, saveLines } from './budget-lines.ts';
import { type Found, listColumns, listPage, type Page, type Position, type Walk } from './pages.ts';

/** A stored project. */
export interface ProjectRecord
  extends Omit<ProjectDraft, 'parentProject' | 'isArchived' | 'budgetLines'> {
  readonly id: number;
  readonly parentProjectId: number | null;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  /** Null: not archived. */
  readonly archivedAtMs: number | null;
}

/** Which page of projects to list (contract 4). An absent filter matches all. */
interface ProjectPage {
  readonly parentProjectId?: number | undefined;
  readonly updatedSinceMs?: number | undefined;
  readonly after?: Position | undefined;
  readonly limit: number;
}

const COLUMNS = listColumns<Omit<ProjectRecord, 'id' | 'name' | 'codes'> & { codes: string }>({
  description: 'p.description',
  startDate: 'p.start_date',
  endDate: 'p.end_date',
  budgetMode: 'p.budget_mode',
  parentProjectId: 'p.parent_project_id',
  funderName: 'p.funder_name',
  funderReference: 'p.funder_reference',
  createdAtMs: 'p.created_at',
  updatedAtMs: 'p.updated_at',
  archivedAtMs: 'p.archived_at',
  codes: 'p.codes',
  toleranceHundredths: 'p.tolerance',
});

export function findProject({ db, organisation }: Access, id: number): ProjectRecord | undefined {
  const found = selectProject(db).raw().get(organisation.id, id);
  return found && toProject(found);
}

/** The project. Throws the same `not_found` whether it is missing or another organisation's. */
function requireProject(access: Access, id: number): ProjectRecord {
  const project = findProject(access, id);
  if (project !== undefined) return project;
  throw new Failure('not_found', `${explainMissing('project', formatId('prj', id))} Check the id.`);
}

const selectProject = statement<[OrgId, number], Found>`
  select p.name, p.id, ${COLUMNS.text} from projects p where p.organisation_id = ? and p.id = ?`;

/** A page of the organisation's projects, ordered by name (code points), then id. */
export function pageOfProjects(
  { db, organisation }: Access,
  page: ProjectPage,
): Page<ProjectRecord> {
  const { parentProjectId, updatedSinceMs, after, limit } = page;
  const isOfParent = parentProjectId !== undefined;
  const ofParent = isOfParent ? ['p.parent_project_id = @parentProjectId'] : [];
  const walk: Walk = {
    columns: COLUMNS.text,
    from: `projects p indexed by projects_by_${isOfParent ? 'parent' : 'name'}`,
    key: { sort: 'p.name', id: 'p.id' },
    range: ['p.organisation_id = @orgId', ...ofParent],
    narrow: updatedSinceMs === undefined ? [] : ['p.updated_at >= @updatedSinceMs'],
    values: { orgId: organisation.id, parentProjectId, updatedSinceMs },
    after,
    limit,
  };
  return listPage(db, walk, toProject);
}

function toProject(found: Found): ProjectRecord {
  const { codes, ...columns } = COLUMNS.toItem(found);
  return { name: String(found[0]), ...columns, codes: JSON.parse(codes) };
}

export interface ProjectImport {
  readonly id: number;
  readonly name: string;
  readonly change: 'created' | 'updated' | 'unchanged';
  readonly lines: readonly BudgetLine[];
}

type SavedProject = Omit<ProjectImport, 'lines'>;

/**
 * Creates projects and their budget lines, or updates those with the same name: all or none. Throws
 * `invalid_input` for an unknown parent, a cycle of parents or too many, and `conflict` when a line
 * with allocations is missing from the file.
 */
export function storeProjects(
  access: Access,
  drafts: readonly ProjectDraft[],
  actor: Actor,
): ProjectImport[] {
  const { db, organisation } = access;
  return atomically(access, () => {
    let act: Act | undefined;
    // One stamp for the whole file, and no stamp if it changes nothing.
    const begin = () => (act ??= beginAct(access, actor));
    const before = new Set<string>();
    for (const draft of drafts) {
      if (selectIdByName(db).get(organisation.id, draft.name) !== undefined) before.add(draft.name);
      else addProject(access, draft, begin());
    }
    const imported = drafts.map((draft) => {
      const place = {
        id: requireId(access, draft.name),
        isNew: !before.has(draft.name),
        parentProjectId:
          draft.parentProject === null ? null : requireId(access, draft.parentProject),
      };
      return writeProject(access, { ...draft, ...place }, begin);
    });
    refuseParents(access, imported);
    return imported.map((each) => ({ ...each, lines: listLines(access, each.id) }));
  });
}

/** A project without the name of the one above it. */
type OwnDraft = Omit<ProjectDraft, 'parentProject'>;

/** A project to save: a stored one with its lines is one. Lines that are not listed are removed. */
export interface ProjectToSave extends OwnDraft {
  /** The project to change, even its name. Absent: a new one. */
  readonly id?: number | undefined;
  readonly parentProjectId: number | null;
  /** Its `updatedAtMs` when the caller saw it. The change is refused if it has moved since. */
  readonly seenUpdatedAtMs?: number | undefined;
  /** The project as it was read, which saves reading it again if it has not changed since. */
  readonly known?: { readonly project: ProjectRecord; readonly lines: readonly LinePlan[] };
}

/**
 * Creates a project, or changes one, even its name. Throws `not_found` (the project, its parent or
 * a line), `invalid_input` for a cycle of parents or too many, and `conflict` when it has changed
 * since it was seen, when another project has its name, or when a line to remove has allocations.
 */
export function saveProject(
  access: Access,
  { known, seenUpdatedAtMs, ...project }: ProjectToSave,
  actor: Actor,
): SavedProject {
  const { db, organisation } = access;
  const { id, name, parentProjectId } = project;
  return atomically(access, () => {
    const found = id === undefined ? undefined : requireProject(access, id);
    if (found !== undefined) refuseStale(found, seenUpdatedAtMs);
    if (parentProjectId !== null) requireProject(access, parentProjectId);
    const namesake = selectIdByName(db).get(organisation.id, name)?.id;
    if (namesake !== undefined && namesake !== id) {
      const taken = `Project ${formatId('prj', namesake)} is already called "${name}"`;
      throw new Failure('conflict', `${taken}. Choose another name.`);
    }
    let act: Act | undefined;
    const begin = () => (act ??= beginAct(access, actor));
    const place = { id: id ?? addProject(access, project, begin()), isNew: id === undefined };
    const isAsKnown = known?.project.id === id && known?.project.updatedAtMs === found?.updatedAtMs;
    const stored = isAsKnown ? known?.lines : undefined;
    const saved = writeProject(access, { ...project, ...place, stored }, begin);
    refuseParents(access, [saved]);
    return saved;
  });
}

/** Whether a project is to be archived or brought back, and when the caller saw it. */
export interface Archiving {
  readonly id: number;
  readonly isArchived: boolean;
  readonly seenUpdatedAtMs?: number | undefined;
}

/**
 * Archives a project or brings it back; nothing is written if it is so already. Throws `not_found`,
 * or `conflict` when it has changed since it was seen.
 */
export function storeArchiving(
  access: Access,
  { id, isArchived, seenUpdatedAtMs }: Archiving,
  actor: Actor,
): ProjectRecord {
  return atomically(access, () => {
    const project = requireProject(access, id);
    if ((project.archivedAtMs !== null) === isArchived) return project;
    refuseStale(project, seenUpdatedAtMs);
    const act = beginAct(access, actor);
    const archivedAtMs = writeArchived(access, { id, isArchived }, act);
    return { ...project, archivedAtMs, updatedAtMs: act.stampMs };
  });
}

/** Archives a project that is not, or brings back one that is. Returns when it was archived. */
function writeArchived(
  access: Access,
  { id, isArchived }: Omit<Archiving, 'seenUpdatedAtMs'>,
  act: Act,
): number | null {
  const { stampMs } = act;
  const archivedAtMs = isArchived ? stampMs : null;
  updateArchived(access.db).run({ orgId: access.organisation.id, id, archivedAtMs, stampMs });
  const subject = formatId('prj', id);
  const change = changeOf(subject, { archived: !isArchived }, { archived: isArchived });
  const action = isArchived ? 'project.archived' : 'project.brought_back';
  recordAudit(access, act, { action, subject, details: { changes: [change] } });
  return archivedAtMs;
}

const updateArchived = statement<[SqlRecord]>`
  update projects set archived_at = @archivedAtMs, updated_at = @stampMs
    where organisation_id = @orgId and id = @id`;

/**
 * Removes a project and its budget lines. Throws `not_found`, or `conflict` if it has statements,
 * projects below it, or a line with allocations or a rule.
 */
export function dropProject(access: Access, id: number, actor: Actor): ProjectRecord {
  const { db, organisation } = access;
  return atomically(access, () => {
    const project = requireProject(access, id);
    const child = pageOfProjects(access, { parentProjectId: id, limit: 1 }).items[0];
    if (child !== undefined) {
      const message = `Project "${child.name}" is below it. Remove that first, or move it.`;
      throw new Failure('conflict', message);
    }
    if (selectStatement(db).get(organisation.id, id) !== undefined) {
      throw new Failure('conflict', 'The project has statements. Archive it instead.');
    }
    const lines = saveLines(access, { projectId: id, drafts: [] });
    const act = beginAct(access, actor);
    for (const remove of [deleteDraft, deleteProject]) remove(db).run(organisation.id, id);
    const subject = formatId('prj', id);
    const changes = [changeOf(subject, stateOf(project), null), ...lines];
    recordAudit(access, act, { action: 'project.removed', subject, details: { changes } });
    return project;
  });
}

const selectStatement = statement<[OrgId, number], { id: number }>`
  select id from statements where organisation_id = ? and project_id = ? limit 1`;
const deleteDraft = statement<[OrgId, number]>`
  delete from statement_drafts where organisation_id = ? and project_id = ?`;
const deleteProject = statement<[OrgId, number]>`
  delete from projects where organisation_id = ? and id = ?`;

function refuseStale(project: ProjectRecord, seenMs = project.updatedAtMs): void {
  if (seenMs === project.updatedAtMs) return;
  const subject = formatId('prj', project.id);
  throw new ChangeRefused([staleRefusal(subject, 'you looked at it', project)], 1);
}

function addProject({ db, organisation }: Access, project: OwnDraft, { stampMs }: Act): number {
  const { name, startDate, endDate, budgetMode } = project;
  const values = { orgId: organisation.id, name, startDate, endDate, budgetMode, stampMs };
  return Number(insertProject(db).run(values).lastInsertRowid);
}

/** Writes a project that is already stored or has just been added, and its lines. */
function writeProject(
  access: Access,
  project: OwnDraft & {
    id: number;
    isNew: boolean;
    parentProjectId: number | null;
    stored?: readonly LinePlan[] | undefined;
  },
  begin: () => Act,
): SavedProject {
  const { id, isNew, parentProjectId, stored, budgetLines: drafts } = project;
  const found = isNew ? undefined : findProject(access, id);
  const subject = formatId('prj', id);
  const changes = [
    changeOf(subject, found ? stateOf(found) : null, stateOf(project)),
    ...saveLines(access, { projectId: id, drafts, stored }),
  ].filter(isChange);
  if (changes.length > 0) {
    const act = begin();
    const { name, description, startDate, endDate, budgetMode, funderName } = project;
    updateProject(access.db).run({
      ...{ orgId: access.organisation.id, id, stampMs: act.stampMs, parentProjectId },
      ...{ name, description, startDate, endDate, budgetMode, funderName },
      funderReference: project.funderReference,
      codes: JSON.stringify(project.codes),
      tolerance: project.toleranceHundredths,
    });
    const action = isNew ? 'project.created' : 'project.updated';
    recordAudit(access, act, { action, subject, details: { changes } });
  }
  const wasArchived = found !== undefined && found.archivedAtMs !== null;
  const { isArchived = wasArchived } = project;
  if (isArchived !== wasArchived) writeArchived(access, { id, isArchived }, begin());
  const isSame = changes.length === 0 && isArchived === wasArchived;
  const change = isNew ? 'created' : isSame ? 'unchanged' : 'updated';
  return { id, name: project.name, change };
}

/** The fields of a project that the audit log compares. */
function stateOf(project: Omit<ProjectRecord, 'id' | `${string}AtMs`>): AuditState {
  const { name, description, startDate, endDate, budgetMode, parentProjectId: parent } = project;
  const { funderName, funderReference: reference, codes } = project;
  return {
    name,
    description,
    startDate,
    endDate,
    budgetMode,
    parentProjectId: parent === null ? null : formatId('prj', parent),
    funder: funderName === null ? null : { name: funderName, reference },
    codes,
    tolerancePercent: tolerancePercentOf(project.toleranceHundredths),
  };
}

function requireId({ db, organisation }: Access, name: string): number {
  const id = selectIdByName(db).get(organisation.id, name)?.id;
  if (id === undefined) {
    const missing = explainMissing('project', `"${name}"`);
    throw new Failure('invalid_input', `${missing} Add it to the file or import it first.`);
  }
  return id;
}

/** Looks at all projects: one that is saved takes those below it along. Others stay as they are. */
function refuseParents({ db, organisation }: Access, saved: readonly SavedProject[]): void {
  const all = selectParents(db).all(organisation.id);
  const parents = new Map(all.map(({ id, parentId }) => [id, parentId]));
  const moved = new Set(saved.map(({ id }) => id));
  for (const { id, name } of [...saved, ...all]) {
    const above = new Set<number>();
    for (let at: number | null = id; at !== null; at = parents.get(at) ?? null) {
      if (above.has(at)) {
        const message = `The parents of project "${name}" form a cycle. Change one parentProject.`;
        throw new Failure('invalid_input', message);
      }
      if (above.size === PROJECTS.levels) {
        if (![...above].some((each) => moved.has(each))) break;
        const most = count(PROJECTS.levels - 1, 'project');
        const message = `Project "${name}" has more than ${most} above it.`;
        throw new Failure('invalid_input', `${message} Choose a parent further up.`);
      }
      above.add(at);
    }
  }
}

const selectParents = statement<[OrgId], { id: number; name: string; parentId: number | null }>`
  select id, name, parent_project_id as parentId from projects where organisation_id = ?`;
const selectIdByName = statement<[OrgId, string], { id: number }>`
  select id from projects where organisation_id = ? and name = ?`;
// What it leaves out, the update of each new project writes.
const insertProject = statement<[SqlRecord]>`insert into projects
     (organisation_id, name, start_date, end_date, budget_mode, created_at, updated_at)
   values (@orgId, @name, @startDate, @endDate, @budgetMode, @stampMs, @stampMs)`;
const updateProject = statement<[SqlRecord]>`update projects
      set name = @name, description = @description, start_date = @startDate, end_date = @endDate,
          budget_mode = @budgetMode, parent_project_id = @parentProjectId,
          funder_name = @funderName, funder_reference = @funderReference, codes = @codes,
          tolerance = @tolerance, updated_at = @stampMs
    where organisation_id = @orgId and id = @id`;
