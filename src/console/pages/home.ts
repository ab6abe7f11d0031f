/** The first page: what there is to do, and the figures of each project. */

import { html } from '../../http/html.ts';
import type { Reply } from '../../http/message.ts';
import { pageReply } from '../../http/pages.ts';
import { framedPage } from '../components/layout.ts';
import { LEGEND, listStandings, noProjects, projectTable } from '../components/project-table.ts';
import { takeFlash } from '../session/outcomes.ts';
import { dayOf } from '../session/reader.ts';
import type { Visit } from '../session/visit.ts';
import { findBeginnings, firstRun } from './first-run.ts';
import { factsOf } from './state.ts';
import { jobList, listJobs, sayWhatWaits } from './waiting.ts';

/** `GET /`. */
export async function showHome(visit: Visit): Promise<Reply> {
  const { request, reader } = visit;
  const beginnings = findBeginnings(visit);
  if (!beginnings.hasLines || !beginnings.hasTransactions) {
    const content = html`${takeFlash(visit)}${firstRun(visit, beginnings)}`;
    return pageReply(framedPage({ title: 'Home', content }, visit));
  }
  const jobs = await listJobs(visit);
  const standings = await listStandings(visit);
  const canMake = visit.may('projects');
  const projects =
    standings.length === 0
      ? noProjects(canMake)
      : html`<section class="below" aria-labelledby="projects">
<div class="title"><h2 id="projects">Projects</h2>${LEGEND}${
          canMake && html`<a href="/projects/new">New project</a>`
        }</div>
${projectTable(visit, standings)}</section>`;
  const content = html`${takeFlash(visit)}<div class="head"><div>
<h1>${sayWhatWaits(jobs)}</h1>
<p>${reader.day(dayOf(request.nowMs))}</p>
</div></div>
<div class="desk">
${jobList(jobs)}
${await factsOf(visit)}
</div>
${projects}`;
  return pageReply(framedPage({ title: 'Home', content }, visit));
}
