/** The projects: how far each is, in a table on the first page and in the list. */

import { groupBy } from '../../core/groups.ts';
import { formatId } from '../../core/ids.ts';
import { type Html, html } from '../../http/html.ts';
import type { Reply } from '../../http/message.ts';
import { listStandings, type Standing } from '../../operations/roll-up.ts';
import type { ProjectRecord } from '../../store/projects.ts';
import { budgetBar } from '../components/charts.ts';
import {
  type Column,
  emptyPart,
  sectionPart,
  stackTable,
  tabList,
  typed,
  unseen,
} from '../components/elements.ts';
import { showPage } from '../components/layout.ts';
import { PATHS } from '../components/paths.ts';
import { listPath } from '../components/transaction-filters.ts';
import type { Reader } from '../session/reader.ts';
import type { Visit } from '../session/visit.ts';

const ARCHIVED = 'archived';

export async function showProjects(visit: Visit): Promise<Reply> {
  const isArchived = visit.asked('tab') === ARCHIVED;
  const all = await readStandings(visit);
  const archived = all.filter(({ project }) => project.archivedAtMs !== null);
  const standings = isArchived ? archived : all.filter((each) => !archived.includes(each));
  const add = html`<a class="button primary" href="${PATHS.projects}/new">New project</a>`;
  const tabs = tabList('Projects', [
    [PATHS.projects, 'Current', !isArchived],
    [
      `${PATHS.projects}?tab=${ARCHIVED}`,
      `Archived ${visit.reader.count(archived.length)}`,
      isArchived,
    ],
  ]);
  const none = isArchived ? html`<p class="empty">No project is archived.</p>` : noProjects(false);
  const content = html`${(archived.length > 0 || isArchived) && tabs}${
    standings.length > 0 ? projectTable(visit.reader, standings, true) : none
  }`;
  return showPage(visit, {
    title: 'Projects',
    place: PATHS.projects,
    lead: standings.length > 0 ? LEGEND : undefined,
    actions: visit.may('projects') ? add : undefined,
    content,
  });
}

/** The current projects on the first page. */
export async function projectsPart(visit: Visit): Promise<Html> {
  const all = await readStandings(visit);
  const standings = all.filter(({ project }) => project.archivedAtMs === null);
  const canMake = visit.may('projects');
  if (standings.length === 0) return noProjects(canMake);
  const aside = html`<p class="soft">${LEGEND}</p>${
    canMake && html`<a href="${PATHS.projects}/new">New project</a>`
  }`;
  const table = projectTable(visit.reader, standings);
  return sectionPart('projects', 'Projects', table, { aside, look: 'below' });
}

function readStandings(visit: Visit): Promise<readonly Standing[]> {
  const today = visit.reader.dayOf(visit.nowMs);
  return visit.read(listStandings(visit.access, today));
}

function pathOf({ id }: ProjectRecord): string {
  return `/projects/${formatId('prj', id)}`;
}

/** The table. `isWhole`: with the funder, the days and the project above. */
function projectTable(reader: Reader, standings: readonly Standing[], isWhole = false): Html {
  const names = new Map(standings.map(({ project }) => [project.id, project.name]));
  const sayName = ({ project, income, level }: Row) => {
    const parent = names.get(project.parentProjectId ?? 0);
    const about = html`<span class="sub">${reader.day(project.startDate)} to ${reader.day(
      project.endDate,
    )}${project.funderName !== null && html` · ${typed(project.funderName)}`}${
      parent !== undefined && html` · below ${typed(parent)}`
    }</span>`;
    const received =
      income && [income.receivedMinor, income.expectedMinor].map((each) => reader.whole(each));
    const name = html`<a href="${pathOf(project)}">${typed(project.name)}</a>`;
    // Its figures are in those of the project above.
    const nested = html`<span class="below-${level}">${unseen('Below: ')}${name}</span>`;
    return html`${level === 0 ? name : nested}${isWhole && about}${
      received && html`<span class="sub">${received[0]} received of ${received[1]} expected</span>`
    }`;
  };
  const sayUsed = ({ total: { budgeted, actual } }: Standing) => {
    return budgeted > 0 && reader.share(actual, budgeted);
  };
  const via = isWhole ? 'projects' : 'home';
  const sayActual = ({ project, total, income }: Standing) => {
    // A list of transactions has income too.
    if (income !== undefined) return reader.whole(total.actual);
    const list = listPath(PATHS.list, { project: formatId('prj', project.id), via });
    return html`<a href="${list}">${reader.whole(total.actual)}</a>`;
  };
  const columns: readonly Column<Row>[] = [
    ['Project', 'whole', sayName],
    [
      'Budget used',
      'whole used-cell',
      ({ total, dueMinor }) => budgetBar(total.actual, dueMinor, total.budgeted),
    ],
    ['Used', 'num', sayUsed, 'Used'],
    [
      `Budget, ${reader.currency.code}`,
      'num wide-only',
      ({ total }) => reader.whole(total.budgeted),
    ],
    ['Actual', 'num wide-only', sayActual],
    ['Left', 'num', ({ total }) => reader.whole(total.variance), 'Left'],
    [
      'Over budget',
      'whole',
      ({ project, linesOver: count }) =>
        count > 0 &&
        html`<a href="${pathOf(project)}?show=over#lines"><span class="over">${reader.count(
          count,
          'line',
        )} over</span></a>`,
    ],
  ];
  return stackTable(columns, inTree(standings), { label: 'Projects' });
}

/** Levels that are shown: deeper ones look the same. */
const LEVELS = 3;

/** A row: a project, and how many of the table are above it. */
type Row = Standing & { readonly level: number };

/** Each project before those below it. */
function inTree(standings: readonly Standing[]): readonly Row[] {
  const known = new Set(standings.map(({ project }) => project.id));
  const below = groupBy(standings, ({ project: { parentProjectId } }) => {
    return parentProjectId !== null && known.has(parentProjectId) ? parentProjectId : 0;
  });
  const walk = (id: number, level: number): readonly Row[] =>
    (below.get(id) ?? []).flatMap((each) => {
      return [{ ...each, level }, ...walk(each.project.id, Math.min(level + 1, LEVELS))];
    });
  return walk(0, 0);
}

/** What the upright line and the bars mean. */
const LEGEND = 'Bar: budget used. Upright line: budgeted to today.';

/** Instead of the table, with the way to make one if the page has no other. */
function noProjects(canMake: boolean): Html {
  return emptyPart(
    'No projects yet',
    'A project has a budget for each of its lines: typed in, or pasted from a spreadsheet.',
    canMake && html`<a class="button primary" href="/projects/new">New project</a>`,
  );
}
