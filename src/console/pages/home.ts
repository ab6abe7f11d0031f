/** The first page: what there is to do, and the figures of each project. */

import type { Status } from '../../core/transactions.ts';
import { type Html, html } from '../../http/html.ts';
import type { Reply } from '../../http/message.ts';
import { pageReply } from '../../http/pages.ts';
import { countTransactionsInSteps, type TransactionTotals } from '../../operations/transactions.ts';
import { nextTurn, takeTurns } from '../../operations/turns.ts';
import { readerOf, type Visit } from '../desk.ts';
import { factsOf } from '../facts.ts';
import { findBeginnings, firstRun } from '../first-run.ts';
import { framedPage } from '../layout.ts';
import { takeFlash } from '../outcomes.ts';
import { dayOf, type Reader } from '../reader.ts';
import { LEGEND, listStandings, noProjects, projectTable } from '../standings.ts';

/** `GET /`. */
export async function showHome(visit: Visit): Promise<Reply> {
  const { request } = visit;
  const reader = readerOf(visit);
  const beginnings = findBeginnings(visit);
  if (!beginnings.hasLines || !beginnings.hasTransactions) {
    const content = html`${takeFlash(visit)}${firstRun(visit, beginnings)}`;
    return pageReply(framedPage({ title: 'Home', content }, visit));
  }
  const jobs = await listJobs(visit);
  const standings = await listStandings(visit);
  const projects =
    standings.length === 0
      ? noProjects()
      : html`<section class="below" aria-labelledby="projects">
<div class="title"><h2 id="projects">Projects</h2>${LEGEND}</div>
${projectTable(visit, standings)}</section>`;
  const content = html`${takeFlash(visit)}<div class="head"><div>
<h1>${sayWhatWaits(jobs, reader)}</h1>
<p>${reader.day(dayOf(request.nowMs))}</p>
</div></div>
<div class="desk">
${jobList(visit, jobs)}
${await factsOf(visit)}
</div>
${projects}`;
  return pageReply(framedPage({ title: 'Home', content }, visit));
}

/** Something that waits for a person. */
interface Job {
  readonly totals: TransactionTotals;
  readonly what: string;
  readonly why: string;
  /** In the heading. */
  readonly short: string;
  readonly action: Html;
}

/** What waits, each counted for itself: whatever else there is, it is found. */
async function listJobs({ session }: Visit): Promise<readonly Job[]> {
  const jobs: Job[] = [];
  for (const [status, words] of JOBS) {
    const steps = countTransactionsInSteps(session.access, { statuses: [status] });
    const totals = await takeTurns(steps, () => {});
    if (totals.count > 0 || totals.isCapped) jobs.push({ ...words, totals });
    await nextTurn();
  }
  return jobs;
}

const JOBS = [
  [
    'needs_review',
    {
      short: 'to review',
      what: 'Changed after they were allocated',
      why: 'The reports count the old amounts.',
      action: html`<a class="button primary" href="/review">Review</a>`,
    },
  ],
  [
    'unallocated',
    {
      short: 'to allocate',
      what: 'Not allocated',
      why: 'No report counts them.',
      action: html`<a class="button" href="/transactions/by-code">By account code</a> <a
class="button" href="/transactions?tab=open">Allocate</a>`,
    },
  ],
  [
    'partially_allocated',
    {
      short: 'allocated in part',
      what: 'Allocated in part',
      why: 'The reports count a part of each.',
      action: html`<a class="button" href="/transactions?tab=open">Allocate the rest</a>`,
    },
  ],
] as const satisfies readonly (readonly [Status, Omit<Job, 'totals'>])[];

/** The heading: the counts themselves, so that one look is enough. */
function sayWhatWaits(jobs: readonly Job[], reader: Reader): string {
  if (jobs.length === 0) return 'Nothing waits for you';
  return jobs.map(({ totals, short }) => `${sayCount(totals, reader)} ${short}`).join(', ');
}

function sayCount({ count, isCapped }: TransactionTotals, reader: Reader): string {
  return `${reader.count(count)}${isCapped ? '+' : ''}`;
}

/** What needs a person, what it is worth, and why. Nothing for a job that is done. */
function jobList(visit: Visit, jobs: readonly Job[]): Html | undefined {
  if (jobs.length === 0) return undefined;
  const reader = readerOf(visit);
  const { currency } = visit.session.access.organisation;
  const items = jobs.map(({ totals, what, why, action }) => {
    const worth = reader.money(totals.outMinor + totals.inMinor, currency);
    return html`<li><span class="n">${sayCount(totals, reader)}</span>
<span class="what"><b>${what}</b> <span class="sub">${worth} ${currency.code} together. ${
      why
    }</span></span> <span class="actions">${action}</span></li>
`;
  });
  return html`<section aria-labelledby="now">
<h2 class="hidden" id="now">What waits for you</h2>
<ul class="jobs">
${items}</ul>
</section>`;
}
