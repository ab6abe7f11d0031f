/** The list of transactions, with one of them beside it. */

import { nounFor } from '../../core/counts.ts';
import { formatId } from '../../core/ids.ts';
import { STRETCH } from '../../core/limits.ts';
import { nameLine } from '../../core/projects.ts';
import { isProvider } from '../../core/transactions.ts';
import { type Html, type HtmlValue, html } from '../../http/html.ts';
import type { Reply } from '../../http/message.ts';
import { findBudgetLines } from '../../operations/budget-lines.ts';
import { listAll } from '../../operations/pages.ts';
import { listProjects } from '../../operations/projects.ts';
import {
  countTransactions,
  getTransaction,
  listTransactions,
  sortByAmount,
} from '../../operations/transactions.ts';
import { nextTurn } from '../../operations/turns.ts';
import { sumTotals, type Totals, type TransactionTotals } from '../../store/totals.ts';
import { emptyPart, tabList, typed } from '../components/elements.ts';
import {
  filterForm,
  hiddenField,
  isFaulty,
  postForm,
  type Sent,
  saidAbove,
  UNSENT,
} from '../components/forms.ts';
import { showPage } from '../components/layout.ts';
import { lineControl, listOfferedLines } from '../components/line-fields.ts';
import { PATHS } from '../components/paths.ts';
import {
  choiceOf,
  FILTERS,
  type Filters,
  ListQuery,
  linkBack,
  listPath,
  pager,
  ROWS,
  SOURCES,
  TABS,
  WORDS,
} from '../components/transaction-filters.ts';
import type { Reader } from '../session/reader.ts';
import type { Visit } from '../session/visit.ts';
import { type ListView, rowTable } from './rows.ts';
import { type Panel, transactionPanel } from './transaction.ts';

/** What else is on the page. */
interface ListParts {
  /** What was to be done, and what is wrong with that. */
  readonly sent?: Sent;
  readonly chosen?: ListView['chosen'];
  readonly panel?: Panel;
}

/** `GET /transactions`: the list, with what is wrong with what was to be done in it. */
export async function showTransactions(
  visit: Visit,
  list = ListQuery.read(visit.request.query),
  { sent = UNSENT, chosen = { ids: new Set() }, panel: given }: ListParts = {},
): Promise<Reply> {
  const { filters } = list;
  visit.knows(LIST_MEMBERS);
  const faults = { ...list.faults, ...sent.faults };
  const open = given?.id ?? visit.asked('open');
  // The panel first: another organisation's transaction is refused before anything is counted.
  const panel = given ?? (open === undefined ? open : await transactionPanel(visit, open, list));
  const isNarrow = panel !== undefined;
  const content = isFaulty(list.faults)
    ? html`${filterPart(visit, filters, isNarrow)}`
    : await listOf(visit, { chosen, faults, isNarrow, open, list });
  const heading =
    panel === undefined
      ? html`<h1>Transactions</h1>`
      : html`<h2 class="list-name">Transactions</h2>`;
  const whole = html`<div class="${
    panel === undefined ? 'whole' : 'beside'
  }"><div class="main-list">
${linkBack(filters)}<div class="head">${heading}<div class="actions"><a class="button"
href="${PATHS.byCode}">Allocate by account code</a></div></div>
${content}
</div>${panel?.content}</div>`;
  const page = {
    title: panel?.title ?? 'Transactions',
    place: PATHS.list,
    keys: 'list',
    content: whole,
  } as const;
  return showPage(visit, { ...page, head: false, ...sent, faults });
}

/** What the address of the list can have: some of it only a list that is not empty looks at. */
const LIST_MEMBERS = [
  ...Object.keys(FILTERS),
  ...['cursor', 'start', 'back', 'count', 'open', 'replace'],
];

async function listOf(visit: Visit, view: ListView): Promise<Html> {
  const { access, reader } = visit;
  const { filters } = view.list;
  // Of all tabs, so that the script can show the totals of a long list once they are counted.
  const choice = choiceOf(without(filters, 'tab'), reader);
  const work = visit.isWhole ? Infinity : undefined;
  const totals = await visit.read(countTransactions(access, choice, work));
  await nextTurn();
  const shown = totals.isCapped ? undefined : totalsOf(totals, filters.tab);
  const { items, nextCursor, isSorted, place } = await rowsOf(visit, view.list, totals);
  const tabs = tabsOf(filters, totals, reader);
  const form = filterPart(visit, filters, view.isNarrow);
  const above = html`${tabs}${form}${chipList(visit, filters)}`;
  if (items.length === 0 && place.start === 1) {
    const rest = nextCursor !== null && view.list.address({ count: 'all' });
    return html`${above}${rest ? stillToSearch(rest) : await nothing(visit, filters)}`;
  }
  const unseen = { filters: view.list.text() };
  const byDate = () => new ListQuery(without(filters, 'sort'), view.list.at);
  // The first button is what Enter in a row presses.
  const rows = html`<button class="hidden" name="do" value="rows" tabindex="-1"
aria-hidden="true">Save</button>
${rowTable(visit, items, isSorted ? view : { ...view, list: byDate() })}
${bulkBar(visit, shown, view)}
`;
  const note =
    !isSorted &&
    html`<p class="note">This list is too long to sort by amount, so its newest transactions come
first. Filter the list to sort it.</p>\n`;
  return html`${above}${sumLine(reader, view.list, shown)}${note}
${postForm('/transactions/bulk', unseen, rows, html` class="rows" autocomplete="off"`)}
${pager(view.list, { place, count: items.length, nextCursor, shown, reader })}`;
}

/** What can be done with the selected ones. */
function bulkBar(
  visit: Visit,
  totals: Totals | undefined,
  { chosen: { scope, line }, faults, isNarrow, list }: ListView,
): Html {
  const { tab } = list.filters;
  const count = totals === undefined ? '' : `${visit.reader.count(totals.count)} `;
  const all = totals?.count === 1 ? 'The one ' : `All ${count}`;
  const attributes = html`id="line" name="line" class="grow"${saidAbove('line', faults)}`;
  // Beside a transaction, which has a list of them, a text field is enough.
  const lines = isNarrow ? undefined : listOfferedLines(visit.access);
  return html`<div class="bulk" role="group" aria-label="With the selected transactions">
<b data-selected aria-live="polite" hidden></b>
<label for="scope" class="hidden">Which</label>
<select id="scope" name="scope"${saidAbove('scope', faults)}><option
value="selected">The selected</option><option
value="all" id="all"${scope === 'all' && html` selected`}>${all}matching this
filter</option></select>
${
  tab === 'excluded'
    ? html`<span class="actions"><button class="button primary" name="do"
value="restore">Restore</button></span>`
    : html`<label for="line" class="hidden">Budget line</label>
${lineControl({ attributes, value: line, lines })}
<span class="actions"><button class="button primary" name="do" value="allocate">Allocate</button>
<button class="button" name="do" value="exclude">Exclude</button>${
        tab !== 'open' &&
        html` <button class="button" name="do" value="clear">Clear allocations</button>`
      }</span>`
}
</div>`;
}

function without(filters: Filters, name: keyof Filters): Filters {
  return { ...filters, [name]: undefined };
}

/** The rows of a page. By amount, it begins at a number, as all are sorted for each page. */
async function rowsOf(visit: Visit, list: ListQuery, { found, ...totals }: TransactionTotals) {
  const { filters } = list;
  const isNone = !totals.isCapped && totalsOf(totals, filters.tab).count === 0;
  if (isNone) return { items: [], nextCursor: null, isSorted: true, place: list.place };
  const { start, cursor } = list.place;
  const isFew = found !== undefined && found.length <= ROWS && cursor === undefined;
  const ids = isFew ? found.map((id) => formatId('txn', id)) : undefined;
  const { byAmount, ...choice } = { ...choiceOf(filters, visit.reader), ids };
  if (byAmount !== undefined) {
    const ranks = { skip: start - 1, limit: ROWS + 1 };
    const sorted = await visit.read(sortByAmount(visit.access, { ...choice, byAmount }, ranks));
    if (sorted !== undefined) {
      const items = sorted
        .slice(0, ROWS)
        .map((id) => getTransaction(visit.access, formatId('txn', id)));
      const nextCursor = sorted.length > ROWS ? SORTED : null;
      return { items, nextCursor, isSorted: true, place: list.place };
    }
  }
  const { place } = cursor === SORTED ? new ListQuery(filters) : list;
  const page = { ...choice, limit: ROWS, cursor: place.cursor };
  // What was counted to its end has taken its share of the page.
  const shown = totals.isCapped ? STRETCH.perShownPage : STRETCH.perShownPage / 2;
  const most = visit.isWhole ? Infinity : shown;
  const rows = await visit.read(listTransactions(visit.access, page, most));
  return { ...rows, isSorted: byAmount === undefined, place };
}

/** A search that takes longer than a page may: the script goes where it is done to its end. */
function stillToSearch(address: string): Html {
  const link = html`<a class="button" href="${address}" data-search>Search all of them</a>`;
  return emptyPart('Nothing found yet', 'None of the transactions searched so far match.', link);
}

/** In the place of a cursor. */
const SORTED = 'sorted';

/** What the transactions of a tab add up to. */
function totalsOf({ byStatus }: TransactionTotals, tab: Filters['tab']): Totals {
  const { statuses, ...shown } = TABS.find(({ id }) => id === tab) ?? TABS[0];
  const sum = sumTotals(byStatus, statuses);
  return 'isAllocatable' in shown ? { ...sum, count: sum.count - sum.zeroes } : sum;
}

function tabsOf(filters: Filters, totals: TransactionTotals, reader: Reader) {
  const items = TABS.map(({ id, name }) => {
    const figure =
      !totals.isCapped &&
      html` <span class="figure">${reader.count(totalsOf(totals, id).count)}</span>`;
    const path = listPath(PATHS.list, { ...filters, tab: id });
    return [path, html`${name}${figure}`, id === filters.tab] as const;
  });
  return tabList('By status', items);
}

function fieldsOf({ access }: Visit) {
  const projects = listAll((page) => listProjects(access, page)).map(({ id, name }) => {
    return [formatId('prj', id), name] as const;
  });
  return {
    q: { label: 'Text or amount', type: 'search' },
    from: { label: 'From', type: 'date' },
    to: { label: 'To', type: 'date' },
    accountCode: { label: 'Account code' },
    projectCode: { label: 'Project code' },
    bankAccount: { label: 'Bank account' },
    project: { label: 'Project', type: 'select', options: [['', 'Any'], ...projects] },
    provider: {
      label: 'Source',
      type: 'select',
      options: [['', 'Any'], ...Object.entries(SOURCES)],
    },
  } as const;
}

/** Filters without a field. */
const UNSEEN = [
  'tab',
  'days',
  'contact',
  'like',
  'way',
  'line',
  'category',
  'reference',
  'recoded',
  'sort',
  'via',
] as const;

/** Open, unless a transaction is beside the list; on a phone the script closes it. */
function filterPart(visit: Visit, filters: Filters, isBeside: boolean): Html {
  const kept = UNSEEN.map((name) => hiddenField(name, filters[name]));
  const isSet = namesIn(filters).length > 0;
  const open = (isSet || !isBeside) && html` open`;
  const given = (name: string) => filters[name as keyof Filters];
  return html`<details class="filters"${isSet && html` data-set`}${open}>
<summary>Filter</summary>
${filterForm(PATHS.list, 'Filter transactions', fieldsOf(visit), { given, kept })}
</details>
`;
}

/** The filters in force, except the tab, the order and the way back. */
function namesIn(filters: Filters): (keyof Filters)[] {
  const names = Object.keys(FILTERS) as (keyof Filters)[];
  const isShown = (name: keyof Filters) =>
    FILTERS[name] !== '' || name === 'days' || name === 'way';
  return names.filter((name) => isShown(name) && filters[name] !== undefined);
}

function chipList(visit: Visit, filters: Filters): Html | undefined {
  const chips = namesIn(filters).map((name) => {
    const text = shownFilter(visit, name, filters[name] ?? '');
    return html`<li><a class="chip" href="${listPath(PATHS.list, without(filters, name))}"><span
class="hidden">Remove </span>${FILTERS[name]}${text}</a></li>\n`;
  });
  if (chips.length === 0) return undefined;
  const { tab, sort, via } = filters;
  return html`<ul class="chips" aria-label="Filters in force">
${chips}<li><a href="${listPath(PATHS.list, { tab, sort, via })}">Clear all</a></li>
</ul>\n`;
}

/** The filters in words, as a link to their list. */
export function sayFilters(visit: Visit, filters: Filters): Html {
  const words = namesIn(filters).map((name) => {
    return html`, ${FILTERS[name]}${shownFilter(visit, name, filters[name] ?? '')}`;
  });
  const { name } = TABS.find(({ id }) => id === filters.tab) ?? TABS[0];
  const list = listPath(PATHS.list, filters);
  return html`<p>Of this filter: <a href="${list}">${name}${words}</a></p>\n`;
}

function shownFilter(visit: Visit, name: keyof Filters, value: string): HtmlValue {
  const { access } = visit;
  if (name === 'recoded') return undefined;
  if (name === 'days') return WORDS.days[value as keyof typeof WORDS.days];
  if (name === 'way') return WORDS.way[value as keyof typeof WORDS.way];
  if (name === 'from' || name === 'to') return visit.reader.day(value);
  if (name === 'line') {
    const [line] = findBudgetLines(access, value);
    return typed(line === undefined ? value : nameLine(line));
  }
  if (name === 'provider') return isProvider(value) ? SOURCES[value] : typed(value);
  if (name !== 'project') return typed(value);
  const project = listAll((page) => listProjects(access, page)).find(({ id }) => {
    return formatId('prj', id) === value;
  });
  return typed(project?.name ?? value);
}

/** Totals that are not counted yet are fetched by the script; without it, a link leads to them. */
function sumLine(reader: Reader, list: ListQuery, totals: Totals | undefined): Html {
  const { currency } = reader;
  if (totals === undefined) {
    const whole = list.address({ count: 'all' });
    return html`<p class="sums"><a href="${whole}" data-count>Count and add up all
matching transactions</a></p>`;
  }
  const { count, outMinor, inMinor, allocatedMinor } = totals;
  const money = (minor: number) => html`<b>${reader.money(minor)}</b>`;
  const noun = nounFor(count, 'transaction');
  return html`<p class="sums"><span><b>${reader.count(count)}</b> ${noun}</span> <span>money out
${money(outMinor)}</span> <span>money in ${money(-inMinor)}</span>
<span>allocated${sayWhere(list.filters)} ${money(allocatedMinor)}</span>
<span>${currency.code}</span></p>`;
}

/** What is added up where the filters are of allocations: these, not all of each transaction. */
function sayWhere({ project, line, category, rule }: Filters): string {
  if (rule !== undefined) return ' by this rule';
  if (line !== undefined) return ' to this line';
  if (category !== undefined) return ' in this category';
  return project === undefined ? '' : ' in this project';
}

/** How far each filter that could be left out is tried. */
const FEW_STRETCHES = 2;

/** Why there is nothing to see, and what to do. */
async function nothing(visit: Visit, filters: Filters): Promise<Html> {
  const inForce = namesIn(filters);
  const drops: typeof inForce = [];
  for (const name of inForce) {
    const page = { ...choiceOf(without(filters, name), visit.reader), limit: 1 };
    const { items } = await visit.read(listTransactions(visit.access, page, FEW_STRETCHES));
    if (items.length > 0) drops.push(name);
  }
  if (inForce.length > 0) {
    const links = (drops.length > 0 ? drops : inForce).map(
      (name) =>
        html`<a class="button" href="${listPath(PATHS.list, without(filters, name))}">Without ${
          FILTERS[name]
        }${shownFilter(visit, name, filters[name] ?? '')}</a>\n`,
    );
    const title = 'No transaction matches all of these filters';
    return emptyPart(title, 'Leave one of them out:', links);
  }
  if (filters.tab !== undefined) {
    return emptyPart('None here', html`<a href="${PATHS.list}">All transactions</a>`);
  }
  const ways = html`<a class="button" href="/import">Import</a> <a class="button"
href="/settings/keys">API keys</a>`;
  const about = 'A program pushes them with a key, or someone imports a file.';
  return emptyPart('No transactions yet', about, visit.may('import') && ways);
}
