/**
 * The filters of the list of transactions. The address of the page has them, so that a link,
 * Back and a second tab show the same.
 */

import { explainDate, isCalendarDate } from '../../core/calendar.ts';
import { formatId, readId } from '../../core/ids.ts';
import { COMPARED_UNITS } from '../../core/limits.ts';
import {
  isProvider,
  PROVIDERS,
  type Provider,
  STATUSES,
  type Status,
} from '../../core/transactions.ts';
import { type Html, html } from '../../http/html.ts';
import type { Query } from '../../http/target.ts';
import {
  TO_ALLOCATE,
  type TransactionChoice,
  type TransactionFilter,
} from '../../operations/transactions.ts';
import type { Totals } from '../../store/totals.ts';
import type { TransactionRecord } from '../../store/transactions.ts';
import type { Reader } from '../session/reader.ts';
import { typed } from './elements.ts';
import type { FormFaults } from './forms.ts';
import { PATHS } from './paths.ts';

/** The orders of the list, and what the links of the pages before and after are called. */
const ORDERS = {
  newest: ['Newest', 'Newer', 'Older'],
  oldest: ['Oldest', 'Older', 'Newer'],
  largest: ['Largest', 'Larger', 'Smaller'],
  smallest: ['Smallest', 'Smaller', 'Larger'],
} as const;

/** What the list can be filtered by, as the address names it, and the words before its value. */
export const FILTERS = {
  tab: '',
  q: 'Text: ',
  from: 'From ',
  to: 'To ',
  days: '',
  accountCode: 'Account code ',
  projectCode: 'Project code ',
  bankAccount: 'Bank account ',
  reference: 'Reference ',
  contact: 'Contact ',
  like: 'Text like ',
  way: '',
  provider: 'Source: ',
  project: 'Project ',
  line: 'Budget line ',
  category: 'Category ',
  rule: 'Allocated by the rule ',
  recoded: 'Recoded',
  sort: '',
  via: '',
} as const;
type FilterName = keyof typeof FILTERS;

/** Where a transaction came from, in words. */
export const SOURCES: Readonly<Record<Provider, string>> = {
  api: 'pushed by a program',
  csv: 'imported from a file',
  manual: 'entered by hand',
};

/** Filters whose values are words of an address, with what each of them means. */
export const WORDS = {
  /** Allocations on days of their project, or what a report has on other days. */
  days: { own: 'On days of its project', other: 'Outside these days or those of its project' },
  way: { out: 'Money out', in: 'Money in' },
} as const satisfies Partial<Record<FilterName, unknown>>;

/** The filters in force, as texts that are not blank. */
export type Filters = Readonly<Partial<Record<FilterName, string | undefined>>>;

/** A tab: some statuses, all of them or those of an amount that can be allocated. */
type Tab = Pick<TransactionChoice, 'isAllocatable'> & {
  readonly id: string | undefined;
  readonly name: string;
  readonly statuses: readonly Status[];
};

export const TABS = [
  { id: undefined, name: 'All', statuses: STATUSES },
  { id: 'open', name: 'To allocate', ...TO_ALLOCATE },
  { id: 'review', name: 'To review', statuses: ['needs_review'] },
  { id: 'allocated', name: 'Allocated', statuses: ['allocated'] },
  { id: 'excluded', name: 'Excluded', statuses: ['excluded'] },
] as const satisfies readonly Tab[];

/** The filters in a query, whatever else it has. */
function readFilters(query: Query): Filters {
  const found: Partial<Record<FilterName, string>> = {};
  for (const name of Object.keys(FILTERS) as FilterName[]) {
    // No field has a longer text, and an address with one could not be opened.
    const text =
      query
        .find(([each]) => each === name)?.[1]
        .slice(0, COMPARED_UNITS)
        .trim() ?? '';
    if (text !== '') found[name] = text;
  }
  return found;
}

function faultsOf(filters: Filters): FormFaults {
  const { from, to, days, way, provider, tab, recoded, sort } = filters;
  const day = (text: string | undefined) =>
    text === undefined || isCalendarDate(text) ? undefined : `"${text}": ${explainDate(text)}`;
  const isTab = TABS.some(({ id }) => id === tab);
  const found = {
    from: day(from),
    to: day(to),
    provider:
      provider === undefined || isProvider(provider)
        ? undefined
        : `The provider is one of ${PROVIDERS.join(', ')}, not "${provider}".`,
    days: isOneOf(WORDS.days, days) ? undefined : `The days are "own" or "other", not "${days}".`,
    way: isOneOf(WORDS.way, way) ? undefined : `Money goes "in" or "out", not "${way}".`,
    recoded: recoded === undefined || recoded === 'true' ? undefined : 'Only "true" is a filter.',
    sort: isOneOf(ORDERS, sort) ? undefined : `Transactions cannot be sorted by "${sort}".`,
    tab: isTab ? undefined : `No tab is called "${tab}".`,
  };
  return Object.fromEntries(
    Object.entries(found).flatMap(([name, fault]) => (fault === undefined ? [] : [[name, fault]])),
  );
}

function isOneOf(names: object, text: string | undefined): boolean {
  return text === undefined || Object.hasOwn(names, text);
}

/** Words that are searched one by one; what follows them is searched as it is. */
const MOST_WORDS = 8;

/** Each word as a part of a text, or as the amount that it is: `40` in and out, `-40` in. */
function readWords(text: string, reader: Reader): TransactionChoice['words'] {
  const words = text.split(/\s+/);
  const all = [...words.slice(0, MOST_WORDS - 1), words.slice(MOST_WORDS - 1).join(' ')];
  return all
    .filter((word) => word !== '')
    .map((word) => {
      const minor = reader.findMoney(word);
      if (typeof minor !== 'number') return { text: word, minors: [] };
      return { text: word, minors: minor < 0 ? [minor] : [minor, -minor] };
    });
}

/** The transactions of the filters, in every tab unless `tab` is among them. */
export function choiceOf(filters: Filters, reader: Reader): TransactionFilter {
  const { accountCode, projectCode, bankAccount, reference, contact, category, rule } = filters;
  const { tab, q, from, to, days, way, provider, project, line, recoded, sort } = filters;
  // A line, or a category, is one of the project itself.
  const isBranch = line === undefined && category === undefined;
  return {
    ...{ accountCode, projectCode, bankAccount, reference, contact, category, rule },
    ...(days === 'other' ? { outside: [from ?? '', to ?? LAST_DAY] } : { from, to }),
    isWithin: days === 'own' ? true : undefined,
    words: q === undefined ? undefined : readWords(q, reader),
    fixedPart: filters.like,
    isIn: way === undefined ? undefined : way === 'in',
    provider: provider !== undefined && isProvider(provider) ? provider : undefined,
    [isBranch ? 'branchId' : 'projectId']: project,
    budgetLineId: line,
    isRecoded: recoded === undefined ? undefined : true,
    ...(tab === undefined ? {} : choiceOfTab(tab)),
    order: sort === 'oldest' ? '-date' : 'date',
    byAmount: sort === 'largest' || sort === 'smallest' ? sort : undefined,
  };
}

/** After every day. */
const LAST_DAY = '9999-99-99';

/** Words of `via` about a report, with the members of its address. */
const VIEWS = new Map(
  Object.entries({
    months: 'by',
    quarters: 'by',
    totals: 'by',
    all: 'show',
    own: 'order',
    categories: 'show',
    over: 'show',
    without: 'below',
  }),
);
/** A month of a report in `via`. */
const MONTH_WORD = /^(from|to|fold)-([\d-]+)$/;
/** Other pages that lead to the list. */
const PLACES = new Map([
  ['home', ['/', 'Home']],
  ['projects', [PATHS.projects, 'the projects']],
  ['rules', [PATHS.rules, 'the rules']],
  ['code', [PATHS.byCode, 'the account codes']],
]);

/** The way back to the page that led to the list: to its line, in a report. */
export function linkBack({ via = '', line = 'lines' }: Filters): Html | undefined {
  const [place = '', id = '', ...words] = via.split('.');
  const query = words.map((word) => {
    const [, name, month] = MONTH_WORD.exec(word) ?? [];
    return [name ?? VIEWS.get(word) ?? '', month ?? word] as const;
  });
  const [path, name] =
    place === 'report' && readId('prj', id) !== undefined
      ? [`${listPath(`/projects/${id}`, {}, Object.fromEntries(query))}#${line}`, 'the report']
      : (PLACES.get(place) ?? []);
  return path === undefined
    ? undefined
    : html`<p class="crumb"><a href="${path}">Back to ${name}</a></p>\n`;
}

function choiceOfTab(tab: string): TransactionChoice {
  const { statuses, isAllocatable }: Tab = TABS.find(({ id }) => id === tab) ?? TABS[0];
  return { statuses, isAllocatable };
}

/** Members of an address. */
type Members = Readonly<Record<string, string | undefined>>;

/** The address of a page with these filters and more members. */
export function listPath(path: string, filters: Filters, more: Members = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...filters, ...more })) {
    if (value !== undefined) query.set(name, value);
  }
  return query.size === 0 ? path : `${path}?${query}`;
}

/** A transaction, as a link that opens it in the list. */
export function transactionLink(
  { id, contact, description }: Pick<TransactionRecord, 'id' | 'contact' | 'description'>,
  filters: Filters = {},
): Html {
  const path = listPath(PATHS.list, filters, { open: formatId('txn', id) });
  return html`<a href="${path}#panel">${typed(contact ?? description)}</a>`;
}

/** Rows on a page: with 300 lines to choose from and a filter or two it has at most 60 kB. */
export const ROWS = 40;
/** The address of a page has the beginnings of this many pages before it. */
const PAGES_BACK = 10;

/** Where a page is in the list. */
interface ListPlace {
  readonly cursor: string | undefined;
  /** The number of its first row, from 1. */
  readonly start: number;
  /** The cursors of the pages before it, the last one last; the first page has none. */
  readonly back: readonly string[];
}

/** The members of the address that name a place. */
type PlaceQuery = Readonly<Partial<Record<'cursor' | 'start' | 'back', string | undefined>>>;

/** The list as someone sees it. */
export class ListQuery {
  readonly filters: Filters;
  readonly at: PlaceQuery;

  constructor(filters: Filters, at: PlaceQuery = {}) {
    this.filters = filters;
    this.at = at;
  }

  /** The list that a query names, whatever else it has. */
  static read(query: Query): ListQuery {
    const read = (name: string) => query.find(([each]) => each === name)?.[1];
    const at = { cursor: read('cursor'), start: read('start'), back: read('back') };
    return new ListQuery(readFilters(query), at);
  }

  /** How it is sorted. */
  get order(): keyof typeof ORDERS {
    const { sort = 'newest' } = this.filters;
    return Object.hasOwn(ORDERS, sort) ? (sort as keyof typeof ORDERS) : 'newest';
  }

  /** What cannot be a filter: someone changed the address, or typed a date by hand. */
  get faults(): FormFaults {
    return faultsOf(this.filters);
  }

  /** The place that the address of the page names. */
  get place(): ListPlace {
    const { cursor, start = '', back = '' } = this.at;
    if (cursor === undefined) return { cursor: undefined, start: 1, back: [] };
    return {
      cursor,
      start: /^\d{1,9}$/.test(start) ? Number(start) : 1,
      back: back.split('.').filter((each) => each !== ''),
    };
  }

  /** Its address, with more members, such as the transaction that is open beside it. */
  address(more: Members = {}): string {
    return listPath(PATHS.list, this.filters, { ...this.at, ...more });
  }

  /** The query of that address, for a form to send. */
  text(more?: Members): string {
    return this.address(more).slice(PATHS.list.length + 1);
  }
}

/** What is on the page. */
interface Shown {
  readonly place: ListPlace;
  readonly count: number;
  readonly nextCursor: string | null;
  /** Undefined until they are counted. */
  readonly shown: Totals | undefined;
  readonly reader: Reader;
}

/** The links to the pages before and after. */
export function pager(list: ListQuery, { place, count, nextCursor, shown, reader }: Shown): Html {
  const { filters } = list;
  const { cursor, start, back } = place;
  const end = start + count - 1;
  const whole = shown && ` of ${reader.count(shown.count)}`;
  const pages = cursor === undefined ? back : [...back, cursor].slice(-PAGES_BACK);
  const next = listPath(PATHS.list, filters, {
    cursor: nextCursor ?? undefined,
    start: String(end + 1),
    back: pages.join('.') || undefined,
  });
  const previousStart = start - ROWS;
  const previous = listPath(PATHS.list, filters, {
    cursor: previousStart > 1 ? back.at(-1) : undefined,
    start: previousStart > 1 ? String(previousStart) : undefined,
    back: back.slice(0, -1).join('.') || undefined,
  });
  const [first, before, after] = ORDERS[list.order];
  const canGoBack = cursor !== undefined && (back.length > 0 || previousStart <= 1);
  const shownRows = `${reader.count(start)} to ${reader.count(end)}`;
  return html`<nav class="pages" aria-label="Pages"><span id="place">${shownRows}${whole}</span>${
    cursor !== undefined && html`<a href="${listPath(PATHS.list, filters)}">${first}</a>`
  }${canGoBack && html`<a class="button" href="${previous}" rel="prev">${before}</a>`}${
    nextCursor !== null && html`<a class="button" href="${next}" rel="next">${after}</a>`
  }</nav>`;
}
