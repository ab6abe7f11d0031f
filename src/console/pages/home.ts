/** The first page: what there is to do, and the figures of each project. */

import type { Period } from '../../core/calendar.ts';
import type { Currency } from '../../core/currencies.ts';
import { formatId } from '../../core/ids.ts';
import { type Html, html } from '../../http/html.ts';
import type { Reply } from '../../http/message.ts';
import { pageReply } from '../../http/pages.ts';
import { type Access, consistently } from '../../operations/access.ts';
import { listAll } from '../../operations/pages.ts';
import { getReport, listProjects, type ProjectRecord } from '../../operations/projects.ts';
import { countTransactions, type TransactionTotals } from '../../operations/transactions.ts';
import { readerOf, type Visit } from '../desk.ts';
import { framedPage } from '../layout.ts';
import { budgetBar } from '../parts.ts';
import { dayOf, type Reader } from '../reader.ts';

/** `GET /`. */
export function showHome(visit: Visit): Reply {
  const { request, session } = visit;
  const { access } = session;
  const reader = readerOf(visit);
  const today = dayOf(request.nowMs);
  const { totals, standings } = consistently(access, () => {
    const projects = listAll((page) => listProjects(access, page));
    return {
      totals: countTransactions(access),
      standings: projects.map((project) => standingOf(access, project, today)),
    };
  });
  const content = html`<div class="head"><div>
<h1>${sayWhatWaits(totals, reader)}</h1>
<p>${reader.day(today)}</p>
</div></div>
${jobList(totals, reader)}
${projectTable(standings, access.organisation.currency, reader)}`;
  return pageReply(framedPage({ title: 'Home', content }, visit));
}

/** The heading: the counts themselves, so that one look is enough. */
function sayWhatWaits({ byStatus, isCapped }: TransactionTotals, reader: Reader): string {
  const toAllocate = byStatus.unallocated + byStatus.partially_allocated;
  const counts = [
    [byStatus.needs_review, 'to review'],
    [toAllocate, 'to allocate'],
  ] as const;
  const waiting = counts.filter(([count]) => count > 0);
  if (waiting.length === 0) return 'Nothing waits for you';
  const more = isCapped ? 'more than ' : '';
  return waiting.map(([count, what]) => `${more}${reader.count(count)} ${what}`).join(', ');
}

/** What needs a person, what it is worth, and why. Nothing for a job that is done. */
function jobList({ byStatus }: TransactionTotals, reader: Reader): Html | undefined {
  const jobs = [
    [
      byStatus.needs_review,
      'Changed after they were allocated',
      'The reports count the old amounts.',
    ],
    [byStatus.unallocated, 'Not allocated', 'No report counts them.'],
    [byStatus.partially_allocated, 'Allocated in part', 'The reports count a part of each.'],
  ] as const;
  const waiting = jobs.filter(([count]) => count > 0);
  if (waiting.length === 0) return undefined;
  return html`<section aria-labelledby="now">
<h2 class="hidden" id="now">What waits for you</h2>
<ul class="jobs">
${waiting.map(
  ([count, what, why]) => html`<li><span class="n">${reader.count(count)}</span>
<span class="what"><b>${what}</b> <span class="sub">${why}</span></span></li>
`,
)}</ul>
</section>`;
}

/** The figures of a project: its totals, the budget of the days so far, and lines that are over. */
interface Standing {
  readonly name: string;
  readonly budgetedMinor: number;
  readonly actualMinor: number;
  readonly dueMinor: number;
  readonly linesOver: number;
}

function standingOf(access: Access, { id, name }: ProjectRecord, today: string): Standing {
  const { periods, rows, totals } = getReport(access, formatId('prj', id));
  const due = totals.cells.map(({ budgeted }, at) => budgeted * shareUntil(today, periods[at]));
  return {
    name,
    budgetedMinor: totals.total.budgeted,
    actualMinor: totals.total.actual,
    dueMinor: due.reduce((sum, minor) => sum + minor, 0),
    linesOver: rows.filter(({ total }) => total.variance < 0).length,
  };
}

/** The part of a period that has passed at the end of a day. */
function shareUntil(today: string, period: Period | undefined): number {
  if (period === undefined || today < period.startDate) return 0;
  if (today >= period.endDate) return 1;
  const [start, end, now] = [period.startDate, period.endDate, today].map(
    (day) => Date.parse(day) / DAY_MS,
  );
  return ((now ?? 0) - (start ?? 0) + 1) / ((end ?? 0) - (start ?? 0) + 1);
}

const DAY_MS = 86_400_000;

function projectTable(standings: readonly Standing[], currency: Currency, reader: Reader): Html {
  if (standings.length === 0) {
    return html`<section class="empty"><h2>No projects yet</h2>
<p>A project has a budget for each of its budget lines. Write one into a file and run
<code>budgetd projects import FILE.json</code>.</p></section>`;
  }
  const rows = standings.map((each) => {
    const { name, budgetedMinor, actualMinor, dueMinor, linesOver } = each;
    const percent = budgetedMinor > 0 ? Math.round((100 * actualMinor) / budgetedMinor) : undefined;
    const used = percent === undefined ? '' : `${reader.count(percent)} %`;
    const left = reader.whole(budgetedMinor - actualMinor, currency);
    const over = linesOver === 1 ? '1 line over' : `${reader.count(linesOver)} lines over`;
    return html`<tr role="row">
<th role="rowheader" scope="row" class="whole">${name}</th>
<td role="cell" class="whole used-cell">${budgetBar(actualMinor, dueMinor, budgetedMinor)}</td>
<td role="cell" class="num" data-label="Used">${used}</td>
<td role="cell" class="num wide-only">${reader.whole(budgetedMinor, currency)}</td>
<td role="cell" class="num wide-only">${reader.whole(actualMinor, currency)}</td>
<td role="cell" class="num" data-label="Left">${left}</td>
<td role="cell" class="whole">${linesOver > 0 && html`<span class="over">${over}</span>`}</td>
</tr>
`;
  });
  return html`<section aria-labelledby="projects">
<div class="title"><h2 id="projects">Projects</h2>
<p class="soft">Bar: budget used. Upright line: budgeted to today.</p></div>
<table class="stack" role="table" aria-labelledby="projects">
<thead role="rowgroup"><tr role="row">
<th role="columnheader" scope="col">Project</th>
<th role="columnheader" scope="col">Budget used</th>
${['Used', `Budget, ${currency.code}`, 'Actual', 'Left'].map(
  (name) => html`<th role="columnheader" scope="col" class="num">${name}</th>\n`,
)}<th role="columnheader" scope="col">Over budget</th>
</tr></thead>
<tbody role="rowgroup">
${rows}</tbody>
</table>
</section>`;
}
