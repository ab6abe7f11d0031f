/** The list of projects, with a tab for archived ones; archiving one, and bringing it back. */

import { type Html, html } from '../../http/html.ts';
import type { Reply } from '../../http/message.ts';
import { archiveProject } from '../../operations/projects.ts';
import { listStandings } from '../../operations/roll-up.ts';
import { tabList, typed } from '../components/elements.ts';
import { showPage } from '../components/layout.ts';
import { LEGEND, noProjects, projectTable } from '../components/project-table.ts';
import type { Visit } from '../session/visit.ts';
import { changedProject, pathId, planOf } from './project-edit.ts';

const PAGE = '/projects';
const ARCHIVED = 'archived';

/** `GET /projects`. */
export async function showProjects(visit: Visit): Promise<Reply> {
  const isArchived = visit.asked('tab') === ARCHIVED;
  const all = await listStandings(visit.access);
  const archived = all.filter(({ project }) => project.archivedAtMs !== null);
  const standings = isArchived ? archived : all.filter((each) => !archived.includes(each));
  const add = html`<a class="button primary" href="${PAGE}/new">New project</a>`;
  const content = html`${tabs(visit, archived.length, isArchived)}${
    standings.length > 0
      ? projectTable(visit, standings, true)
      : isArchived
        ? NONE
        : noProjects(false)
  }`;
  return showPage(visit, {
    title: 'Projects',
    place: PAGE,
    lead: standings.length > 0 ? LEGEND : undefined,
    actions: visit.may('projects') ? add : undefined,
    content,
  });
}

const NONE = html`<p class="empty">No project is archived.</p>`;

/** Nothing while nothing is archived. */
function tabs(visit: Visit, count: number, isArchived: boolean): Html | undefined {
  if (count === 0 && !isArchived) return undefined;
  return tabList('Projects', [
    [PAGE, 'Current', !isArchived],
    [`${PAGE}?tab=${ARCHIVED}`, `Archived ${visit.count(count)}`, isArchived],
  ]);
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
