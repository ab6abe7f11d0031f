/** The list of projects. */

import { html } from '../../http/html.ts';
import type { Reply } from '../../http/message.ts';
import { pageReply } from '../../http/pages.ts';
import type { Visit } from '../desk.ts';
import { framedPage } from '../layout.ts';
import { takeFlash } from '../outcomes.ts';
import { LEGEND, listStandings, noProjects, projectTable } from '../standings.ts';

/** `GET /projects`. */
export async function showProjects(visit: Visit): Promise<Reply> {
  const standings = await listStandings(visit);
  const content = html`${takeFlash(visit)}<div class="head"><div><h1>Projects</h1>${
    standings.length > 0 && LEGEND
  }</div></div>
${standings.length === 0 ? noProjects() : projectTable(visit, standings, true)}`;
  return pageReply(framedPage({ title: 'Projects', content }, visit, '/projects'));
}
