/**
 * The filters of the list of transactions. The address of the page has them, so that a link,
 * Back and a second tab show the same.
 */

import { explainDate, isCalendarDate } from '../../core/calendar.ts';
import { COMPARED_UNITS } from '../../core/limits.ts';
import { isProvider, PROVIDERS, STATUSES, type Status } from '../../core/transactions.ts';
import type { Query } from '../../http/target.ts';
import { TO_ALLOCATE, type TransactionChoice } from '../../operations/transactions.ts';
import { type Faults, faultsOf } from './forms.ts';

/** The path of the list. */
export const LIST = '/transactions';
/** The path of allocating by account code. */
export const BY_CODE = '/transactions/by-code';
/** The path of those that were recoded after they were allocated. */
export const RECODED = '/review/recoded';

/** What the list can be filtered by, as the address names it. */
const FILTERS = [
  'tab',
  'q',
  'from',
  'to',
  'accountCode',
  'projectCode',
  'bankAccount',
  'reference',
  'contact',
  'provider',
  'project',
  'line',
  'recoded',
] as const;
export type FilterName = (typeof FILTERS)[number];

/** The filters in force, as texts that are not blank. */
export type Filters = Readonly<Partial<Record<FilterName, string | undefined>>>;

/** A tab: some statuses, all of them or those of an amount that can be allocated. */
type Tab = Pick<TransactionChoice, 'isAllocatable'> & {
  readonly id: string | undefined;
  readonly name: string;
  readonly statuses: readonly Status[];
};

/** The tabs. */
export const TABS = [
  { id: undefined, name: 'All', statuses: STATUSES },
  { id: 'open', name: 'To allocate', ...TO_ALLOCATE },
  { id: 'review', name: 'To review', statuses: ['needs_review'] },
  { id: 'allocated', name: 'Allocated', statuses: ['allocated'] },
  { id: 'excluded', name: 'Excluded', statuses: ['excluded'] },
] as const satisfies readonly Tab[];

/** The filters in a query, whatever else it has. */
export function readFilters(query: Query): Filters {
  const found: Partial<Record<FilterName, string>> = {};
  for (const name of FILTERS) {
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

/** What cannot be a filter: someone changed the address, or typed a date by hand. */
export function faultsOfFilters({ from, to, provider, tab, recoded }: Filters): Faults {
  const day = (text: string | undefined) =>
    text === undefined || isCalendarDate(text) ? undefined : `"${text}": ${explainDate(text)}`;
  const isTab = TABS.some(({ id }) => id === tab);
  return faultsOf({
    from: day(from),
    to: day(to),
    provider:
      provider === undefined || isProvider(provider)
        ? undefined
        : `The provider is one of ${PROVIDERS.join(', ')}, not "${provider}".`,
    recoded: recoded === undefined || recoded === 'true' ? undefined : 'Only "true" is a filter.',
    tab: isTab ? undefined : `There is no tab "${tab}".`,
  });
}

/** The transactions of the filters, in every tab unless `tab` is among them. */
export function choiceOf({ tab, ...filters }: Filters): TransactionChoice {
  const { q, provider, project, line, recoded, ...exact } = filters;
  return {
    ...exact,
    search: q,
    provider: provider !== undefined && isProvider(provider) ? provider : undefined,
    projectId: project,
    budgetLineId: line,
    isRecoded: recoded === undefined ? undefined : true,
    ...(tab === undefined ? {} : choiceOfTab(tab)),
  };
}

function choiceOfTab(tab: string): TransactionChoice {
  const { statuses, isAllocatable }: Tab = TABS.find(({ id }) => id === tab) ?? TABS[0];
  return { statuses, isAllocatable };
}

/** The address of a page with these filters and more members. */
export function addressOf(
  path: string,
  filters: Filters,
  more: Readonly<Record<string, string | undefined>> = {},
): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...filters, ...more })) {
    if (value !== undefined) query.set(name, value);
  }
  return query.size === 0 ? path : `${path}?${query}`;
}

/** The filters without one. */
export function without(filters: Filters, name: FilterName): Filters {
  return { ...filters, [name]: undefined };
}
