/** How far each project is: a table with a bar for each, on the first page and in the list. */

import { formatId } from '../../core/ids.ts';
import { type Html, html } from '../../http/html.ts';
import { listAll } from '../../operations/pages.ts';
import { listProjects, type ProjectRecord } from '../../operations/projects.ts';
import { getRolledUp } from '../../operations/roll-up.ts';
import { nextTurn } from '../../operations/turns.ts';
import { dayOf } from '../session/reader.ts';
import type { Visit } from '../session/visit.ts';
import { dueUntil } from './due.ts';
import { budgetBar, stackTable, typed } from './elements.ts';

/** The figures of a project: its totals, the budget of the days so far, and lines that are over. */
interface Standing {
  readonly project: ProjectRecord;
  readonly budgetedMinor: number;
  readonly actualMinor: number;
  readonly dueMinor: number;
  readonly linesOver: number;
}

/** The projects, or the archived ones. */
export function listShown({ access }: Visit, isArchived = false): readonly ProjectRecord[] {
  const all = listAll((page) => listProjects(access, page));
  return all.filter(({ archivedAtMs }) => (archivedAtMs !== null) === isArchived);
}

/**
 * The figures of every project that is not archived, or of every archived one, with those below it.
 * Other requests run in between.
 */
export async function listStandings(
  visit: Visit,
  isArchived = false,
): Promise<readonly Standing[]> {
  const { request } = visit;
  const today = dayOf(request.nowMs);
  const standings: Standing[] = [];
  for (const project of listShown(visit, isArchived)) {
    const { report, totals, over } = getRolledUp(visit.access, formatId('prj', project.id));
    standings.push({
      project,
      budgetedMinor: totals.total.budgeted,
      actualMinor: totals.total.actual,
      dueMinor: dueUntil(today, report.periods, totals.cells),
      linesOver: over.lines,
    });
    await nextTurn();
  }
  return standings;
}

/** The table. `isWhole`: with the funder, the days and the project above. */
export function projectTable(visit: Visit, standings: readonly Standing[], isWhole = false): Html {
  const { currency, reader } = visit;
  const names = new Map(standings.map(({ project }) => [project.id, project.name]));
  const rows = standings.map((each) => {
    const { project, budgetedMinor, actualMinor, dueMinor, linesOver } = each;
    const percent = budgetedMinor > 0 ? Math.round((100 * actualMinor) / budgetedMinor) : undefined;
    const used = percent === undefined ? '' : `${reader.count(percent)} %`;
    const left = reader.whole(budgetedMinor - actualMinor, currency);
    const over = `${reader.count(linesOver, 'line')} over`;
    const parent =
      project.parentProjectId === null ? undefined : names.get(project.parentProjectId);
    const about = html`<span class="sub">${reader.day(project.startDate)} to ${reader.day(
      project.endDate,
    )}${project.funderName !== null && html` · ${typed(project.funderName)}`}${
      parent !== undefined && html` · below ${typed(parent)}`
    }</span>`;
    return html`<tr role="row">
<th role="rowheader" scope="row" class="whole"><a href="/projects/${formatId(
      'prj',
      project.id,
    )}">${typed(project.name)}</a>${isWhole && about}</th>
<td role="cell" class="whole used-cell">${budgetBar(actualMinor, dueMinor, budgetedMinor)}</td>
<td role="cell" class="num" data-label="Used">${used}</td>
<td role="cell" class="num wide-only">${reader.whole(budgetedMinor, currency)}</td>
<td role="cell" class="num wide-only">${reader.whole(actualMinor, currency)}</td>
<td role="cell" class="num" data-label="Left">${left}</td>
<td role="cell" class="whole">${linesOver > 0 && html`<span class="over">${over}</span>`}</td>
</tr>
`;
  });
  const amounts = ['Used', `Budget, ${currency.code}`, 'Actual', 'Left'];
  const heads = amounts.map((name) => [name, 'num'] as const);
  return stackTable({
    label: 'Projects',
    heads: ['Project', 'Budget used', ...heads, 'Over budget'],
    rows,
  });
}

/** What the upright line and the bars mean. */
export const LEGEND = html`<p class="soft">Bar: budget used. Upright line: budgeted to today.</p>`;

/** Instead of the table, with the way to make one if the page has no other. */
export function noProjects(canMake: boolean): Html {
  return html`<section class="empty"><h2>No projects yet</h2>
<p>A project has a budget for each of its lines: typed in, or pasted from a spreadsheet.</p>${
    canMake &&
    html`<p class="actions"><a class="button primary" href="/projects/new">New project</a></p>`
  }</section>`;
}
