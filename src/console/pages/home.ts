/** The first page: what there is to do, and the figures of each project. */

import { html } from '../../http/html.ts';
import type { Reply } from '../../http/message.ts';
import { showPage } from '../components/layout.ts';
import { LEGEND, listStandings, noProjects, projectTable } from '../components/project-table.ts';
import type { Visit } from '../session/visit.ts';
import { findBeginnings, firstRun } from './first-run.ts';
import { factsOf } from './state.ts';
import { jobList, listJobs, sayWhatWaits } from './waiting.ts';

/** `GET /`. */
export async function showHome(visit: Visit): Promise<Reply> {
  const beginnings = findBeginnings(visit);
  if (!beginnings.hasLines || !beginnings.hasTransactions) {
    return showPage(visit, { title: 'Home', head: false, content: firstRun(visit, beginnings) });
  }
  const jobs = await listJobs(visit);
  const standings = await listStandings(visit);
  const canMake = visit.may('projects');
  const projects =
    standings.length === 0
      ? noProjects(canMake)
      : html`<section class="below" aria-labelledby="projects">
<div class="title"><h2 id="projects">Projects</h2><p class="soft">${LEGEND}</p>${
          canMake && html`<a href="/projects/new">New project</a>`
        }</div>
${projectTable(visit, standings)}</section>`;
  const content = html`<div class="desk">
${jobList(jobs)}
${await factsOf(visit)}
</div>
${projects}`;
  const lead = visit.dayAt(visit.nowMs);
  return showPage(visit, { title: 'Home', heading: sayWhatWaits(jobs), lead, content });
}
