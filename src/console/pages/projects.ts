/** The list of projects, with a tab for archived ones; archiving one, and bringing it back. */

import { type Html, html } from '../../http/html.ts';
import type { Reply } from '../../http/message.ts';
import { archiveProject } from '../../operations/projects.ts';
import { typed } from '../components/elements.ts';
import { showPage } from '../components/layout.ts';
import {
  LEGEND,
  listShown,
  listStandings,
  noProjects,
  projectTable,
} from '../components/project-table.ts';
import type { Visit } from '../session/visit.ts';
import { changedProject, pathId, planOf } from './project-edit.ts';

const PAGE = '/projects';
const ARCHIVED = 'archived';

/** `GET /projects`. */
export async function showProjects(visit: Visit): Promise<Reply> {
  const isArchived = visit.asked('tab') === ARCHIVED;
  const standings = await listStandings(visit, isArchived);
  const canEdit = visit.may('projects');
  const head = html`<div class="head"><div><h1>Projects</h1>${
    standings.length > 0 && LEGEND
  }</div>${
    canEdit &&
    html`<div class="actions"><a class="button primary" href="${PAGE}/new">New project</a></div>`
  }</div>`;
  const content = html`${tabs(visit, isArchived)}${
    standings.length > 0
      ? projectTable(visit, standings, true)
      : isArchived
        ? NONE
        : noProjects(false)
  }`;
  return showPage(visit, { title: 'Projects', place: PAGE, head, content });
}

const NONE = html`<p class="empty">No project is archived.</p>`;

/** Nothing while nothing is archived. */
function tabs(visit: Visit, isArchived: boolean): Html | undefined {
  const { reader } = visit;
  const count = listShown(visit, true).length;
  if (count === 0 && !isArchived) return undefined;
  const mark = (isHere: boolean) => isHere && html` aria-current="page"`;
  return html`<nav aria-label="Projects"><ul class="tabs">
<li><a href="${PAGE}"${mark(!isArchived)}>Current</a></li>
<li><a href="${PAGE}?tab=${ARCHIVED}"${mark(isArchived)}>Archived ${reader.count(count)}</a></li>
</ul></nav>
`;
}

/** `POST /projects/{id}/archive`: archives a project, or brings it back. */
export async function takeArchive(visit: Visit): Promise<Reply> {
  const id = pathId(visit);
  const isArchived = visit.field('do') !== 'bring-back';
  const refused = () => changedProject(visit, planOf(visit));
  return visit.runOr(refused, () => {
    const archiving = { id, isArchived, seenUpdatedAtMs: Number(visit.field('seen')) };
    const { name } = archiveProject(visit.access, archiving, visit.actor);
    const message = isArchived
      ? html`${typed(name)} is archived. Its allocations and its report stay.`
      : html`${typed(name)} was restored. You can allocate to its lines again.`;
    return { to: isArchived ? PAGE : `${PAGE}/${id}`, message };
  });
}
