/** Removes a project that nothing depends on. */

import { type Actor, changeOf } from '../core/audit.ts';
import { Failure } from '../core/failures.ts';
import { formatId, type OrgId } from '../core/ids.ts';
import { atomically } from '../database/database.ts';
import { statement } from '../database/statements.ts';
import type { Access } from './access.ts';
import { beginAct, recordAudit } from './audit.ts';
import { saveLines } from './budget-lines.ts';
import { listProjects, type ProjectRecord, requireProject, stateOf } from './projects.ts';

/**
 * Removes a project and its budget lines. Throws `not_found`, or `conflict` if it has statements,
 * projects below it, or a line with allocations or a rule.
 */
export function removeProject(access: Access, id: number, actor: Actor): ProjectRecord {
  const { db, organisation } = access;
  return atomically(access, () => {
    const project = requireProject(access, id);
    const child = listProjects(access, { parentProjectId: id, limit: 1 }).items[0];
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

const selectStatement = statement<[OrgId, number], { id: number }>(
  'select id from statements where organisation_id = ? and project_id = ? limit 1',
);
const deleteDraft = statement<[OrgId, number]>(
  'delete from statement_drafts where organisation_id = ? and project_id = ?',
);
const deleteProject = statement<[OrgId, number]>(
  'delete from projects where organisation_id = ? and id = ?',
);
