/** How a report is shown, as its address says: its months, its lines, their order, its periods. */

import { countMonths, type Days, daysInMonth, isMonth, monthOf } from '../../core/calendar.ts';
import { Failure } from '../../core/failures.ts';
import { formatId } from '../../core/ids.ts';
import { type Html, html } from '../../http/html.ts';
import { getProject, listProjects } from '../../operations/projects.ts';
import { type RolledUp, takeRolledUp } from '../../operations/roll-up.ts';
import type { ProjectRecord } from '../../store/projects.ts';
import { switchList } from '../components/elements.ts';
import { type Filters, listPath } from '../components/transaction-filters.ts';
import type { Reader } from '../session/reader.ts';
import type { Visit } from '../session/visit.ts';

/** Which lines a report can show: all, categories whose lines are folded away, or those over. */
const SHOWN = ['all', 'categories', 'over'] as const;
/** What columns it can have: one for each month or quarter, or none. */
const PERIODS = ['months', 'quarters', 'totals'] as const;
/** Above so many lines or months, lines are folded and months are added up at first. */
export const MANY_LINES = 40;
const MANY_MONTHS = 24;
/** In the address: without the projects below. */
const WITHOUT = 'without';

/** All that a report shows, as plain values: its parts need nothing else. */
export interface ReportView {
  readonly reader: Reader;
  readonly project: ProjectRecord;
  /** The one above it. */
  readonly parent: ProjectRecord | undefined;
  /** The name of the organisation. */
  readonly organisation: string;
  readonly canEdit: boolean;
  readonly rolled: RolledUp;
  readonly by: (typeof PERIODS)[number];
  readonly isOwnOrder: boolean;
  readonly shown: (typeof SHOWN)[number];
  /** How it is shown, as its address says; without `by` or `show` the report chooses. */
  readonly state: Readonly<
    Record<'by' | 'show' | 'order' | 'fold' | 'below' | 'from' | 'to', string | undefined>
  >;
  /** The address of the same report, shown in another way. */
  readonly address: (more: Members) => string;
  /** Its address with a category folded, or unfolded, by the number of that. */
  readonly foldAddress: (number: number) => string;
  /** The way from the list of transactions back to it. */
  readonly via: string;
  /** What narrows lists of its own transactions, and of those of projects below. */
  readonly part: { readonly own: Filters; readonly below: Filters };
  /** The numbers of the categories that are folded, or in a report of categories the others. */
  readonly folds: ReadonlySet<number>;
  /** Whether it is asked for some months only. */
  readonly isPart: boolean;
  /** Whether other projects are below this one, and whether it is shown without them. */
  readonly isParent: boolean;
  readonly isAlone: boolean;
  /** `YYYY-MM-DD`. */
  readonly today: string;
}

/** The report that an address asks for. Refuses other months with `invalid_parameter`. */
export async function readView(visit: Visit, project: ProjectRecord): Promise<ReportView> {
  const { access, reader, nowMs } = visit;
  const { parentProjectId: above } = project;
  const id = formatId('prj', project.id);
  const [from, to] = [readMonth(visit, 'from'), readMonth(visit, 'to')];
  const months = countMonths(project.startDate, project.endDate);
  const isFile = visit.asked('format') !== undefined;
  const askedBy = PERIODS.find((each) => each === visit.asked('by'));
  const by = askedBy ?? (months > MANY_MONTHS && !isFile ? 'quarters' : 'months');
  const isParent = listProjects(access, { parentProjectId: id, limit: 1 }).items.length > 0;
  const isAlone = isParent && visit.asked('below') === WITHOUT;
  const granularity = by === 'quarters' ? 'quarterly' : 'monthly';
  const query = { granularity, from, to, withSubProjects: !isAlone } as const;
  const rolled = await visit.read(takeRolledUp(access, id, query));
  const askedShow = SHOWN.find((each) => each === visit.asked('show'));
  const { rows } = rolled.report;
  const isMany = rows.length > MANY_LINES && rows.some(({ line }) => line.category !== null);
  const numbers = (visit.asked('fold') ?? '').split('-').map(Number);
  const folds = new Set(numbers.filter((each) => Number.isInteger(each) && each > 0));
  const isOwnOrder = visit.asked('order') === 'own';
  const state = {
    by: askedBy,
    show: askedShow,
    order: isOwnOrder ? 'own' : undefined,
    fold: writeFolds(folds),
    below: isAlone ? WITHOUT : undefined,
    from,
    to,
  };
  const address = (more: Members) => listPath(`/projects/${id}`, {}, { ...state, ...more });
  const isPart = from !== undefined || to !== undefined;
  return {
    reader,
    project,
    parent: above === null ? undefined : getProject(access, formatId('prj', above)),
    organisation: access.organisation.name,
    canEdit: visit.may('projects'),
    rolled,
    by,
    isOwnOrder,
    shown: askedShow ?? (isMany ? 'categories' : 'all'),
    state,
    address,
    foldAddress: (number) => {
      const others = new Set(folds);
      if (!others.delete(number)) others.add(number);
      return address({ fold: writeFolds(others) });
    },
    via: writeVia(id, state),
    part: isPart ? partOf(rolled.report) : { own: {}, below: {} },
    folds,
    isPart,
    isParent,
    isAlone,
    today: reader.dayOf(nowMs),
  };
}

function readMonth(visit: Visit, name: 'from' | 'to'): string | undefined {
  const text = visit.asked(name) || undefined;
  if (text === undefined || isMonth(text)) return text;
  const message = `The address asks for the month "${text}". Write it as YYYY-MM.`;
  throw new Failure('invalid_parameter', message);
}

function writeFolds(folds: Iterable<number>): string | undefined {
  const all = [...folds].sort((one, other) => one - other);
  return all.length === 0 ? undefined : all.join('-');
}

/** The way from the list of transactions back to the report. */
function writeVia(projectId: string, { from, to, fold, ...state }: ReportView['state']): string {
  const months = [from && `from-${from}`, to && `to-${to}`, fold && `fold-${fold}`];
  const words = [...Object.values(state), ...months].filter((each) => each !== undefined);
  return ['report', projectId, ...words].join('.');
}

/** What narrows a list to the days of a report; projects below have other days in its months. */
function partOf({ startDate, endDate }: Days): ReportView['part'] {
  const last = monthOf(endDate);
  const [from, to] = [`${monthOf(startDate)}-01`, `${last}-${daysInMonth(last)}`];
  return { own: { from: startDate, to: endDate }, below: { from, to, days: 'own' } };
}

/** Members of its address. */
type Members = Partial<ReportView['state']> & { readonly format?: string };

type Way = readonly [name: string, isHere: boolean, more: Members];

/** Which lines, in which order, in which periods. */
export function switches(view: ReportView): Html {
  const { reader, rolled, by, isOwnOrder, shown, isParent, isAlone } = view;
  const categories = new Set(rolled.report.rows.flatMap(({ line }) => line.category ?? [])).size;
  const over = rolled.over.lines;
  const group = (label: string, ways: readonly (false | Way)[]) => {
    const linked = ways.map((way) => {
      if (way === false) return false;
      const [name, isHere, more] = way;
      return [name, `${view.address(more)}#lines`, isHere] as const;
    });
    return switchList(label, linked);
  };
  const of = (count: number, name: string) => `${name} ${reader.count(count)}`;
  return html`<div class="title" id="lines"><h2>Lines</h2><div class="actions">${
    (categories > 0 || over > 0) &&
    group('Lines', [
      [of(rolled.report.rows.length, 'All'), shown === 'all', { show: 'all', fold: undefined }],
      categories > 0 && [
        of(categories, 'Categories'),
        shown === 'categories',
        { show: 'categories', fold: undefined },
      ],
      over > 0 && [of(over, 'Over'), shown === 'over', { show: 'over' }],
    ])
  }${group('Order of the lines', [
    ['Largest first', !isOwnOrder, { order: undefined }],
    ['Own order', isOwnOrder, { order: 'own' }],
  ])}${group('Periods', [
    ['Months', by === 'months', { by: 'months' }],
    ['Quarters', by === 'quarters', { by: 'quarters' }],
    ['Totals', by === 'totals', { by: 'totals' }],
  ])}${
    isParent &&
    group('Projects below', [
      ['With projects below', !isAlone, { below: undefined }],
      ['Without', isAlone, { below: WITHOUT }],
    ])
  }</div></div>
`;
}
