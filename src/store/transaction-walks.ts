/**
 * Chooses what a list of transactions walks: an index in date order that has the columns of most
 * filters, the allocations of a project, the changes in their order, or a few records to sort.
 */

import { newestFirst } from '../core/calendar.ts';
import type { OrgId } from '../core/ids.ts';
import { PAGE_ITEMS, STRETCH } from '../core/limits.ts';
import type { TextCondition } from '../core/rules.ts';
import {
  PROVIDERS,
  type Provider,
  type Status,
  type TransactionOrder,
} from '../core/transactions.ts';
import { type SqlValue, statement } from '../database/statements.ts';
import type { Access } from './access.ts';
import { searchOf, type Walk } from './pages.ts';
import { addSearch, addText, searchCondition, textCondition } from './search.ts';

/** The filters of a list (contract 4). An absent filter matches all. */
export interface TransactionFilters {
  readonly ids?: readonly number[] | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly statuses?: readonly Status[] | undefined;
  /** Leaves out those of amount 0: nothing of them can be allocated. */
  readonly isAllocatable?: true | undefined;
  /** Whether someone has removed its allocations, so that the rules leave it alone. */
  readonly isCleared?: boolean | undefined;
  readonly provider?: Provider | undefined;
  readonly externalId?: string | undefined;
  readonly accountCode?: string | undefined;
  readonly contact?: string | undefined;
  readonly reference?: string | undefined;
  readonly bankAccount?: string | undefined;
  readonly projectCode?: string | undefined;
  readonly externalIdPrefix?: string | undefined;
  readonly accountCodePrefix?: string | undefined;
  /** Whether it is marked as recoded. */
  readonly isRecoded?: boolean | undefined;
  readonly projectId?: number | undefined;
  /** A project, or one below it. */
  readonly branchId?: number | undefined;
  readonly budgetLineId?: number | undefined;
  /** The category of a line. */
  readonly category?: string | undefined;
  /** What made an allocation, by its name at that time. */
  readonly rule?: string | undefined;
  /** Only allocations on a day of their project. */
  readonly isWithin?: true | undefined;
  /** Only what a report of these days, `YYYY-MM-DD`, has on other days. */
  readonly outside?: readonly [from: string, to: string] | undefined;
  readonly updatedSinceMs?: number | undefined;
  /** A part of description, contact, externalId or reference, in any case. */
  readonly search?: string | undefined;
  /** Each is such a part, or the amount. */
  readonly words?: readonly SearchWord[] | undefined;
  /** What a rule asks of the contact, and of the description. */
  readonly contactText?: TextCondition | undefined;
  readonly descriptionText?: TextCondition | undefined;
  /** What stays the same of the description, where there is no contact: core/fixed-part. */
  readonly fixedPart?: string | undefined;
  /** Whether money came in. */
  readonly isIn?: boolean | undefined;
  /** The least and the largest amount, without its sign. */
  readonly sizes?: readonly [leastMinor: number, mostMinor: number] | undefined;
}

interface SearchWord {
  readonly text: string;
  /** The amounts that it can mean. */
  readonly minors: readonly number[];
}

/** The filters that read texts of the table. */
function isSearched(filters: TransactionFilters): boolean {
  const { search, words, contactText, descriptionText, fixedPart } = filters;
  const all = [search, words, contactText, descriptionText, fixedPart];
  return all.some((each) => each !== undefined);
}

type FilterName = keyof TransactionFilters;

const WITHIN =
  'exists (select 1 from projects p where p.id = s.project_id ' +
  'and s.date between p.start_date and p.end_date)';

/** The filters of allocations, as conditions on one of them, `s`, which has to match all. */
const SHARE_CONDITIONS = {
  projectId: 's.project_id = @projectId',
  branchId:
    's.project_id in (with recursive branch(id) as (select @branchId union ' +
    'select p.id from projects p join branch b on p.parent_project_id = b.id ' +
    'where p.organisation_id = @orgId) select id from branch)',
  budgetLineId: 's.budget_line_id = @budgetLineId',
  category:
    'exists (select 1 from budget_lines l where l.id = s.budget_line_id ' +
    'and l.category = @category)',
  rule: 's.rule = @rule',
  isWithin: WITHIN,
  outside: `not (${WITHIN} and s.date between @outsideFrom and @outsideTo)`,
} as const satisfies Partial<Record<FilterName, string>>;
type ShareFilterName = keyof typeof SHARE_CONDITIONS;

/** What an allocation `s` has to match; undefined without such a filter. */
export function shareCondition(filters: TransactionFilters): string | undefined {
  const names = Object.keys(SHARE_CONDITIONS) as ShareFilterName[];
  const given = names.filter((name) => filters[name] !== undefined);
  if (given.length === 0) return undefined;
  return given.map((name) => SHARE_CONDITIONS[name]).join(' and ');
}

/** The allocations `s` of a transaction `t`. */
export const SHARES_OF =
  'from allocations s indexed by allocations_by_transaction ' +
  'where s.organisation_id = t.organisation_id and s.transaction_id = t.id';

/** The order of a list. With a minus the same from its end. */
export type ListOrder = TransactionOrder | `-${TransactionOrder}`;

export function sortKeyOf(order: ListOrder): TransactionOrder {
  return order.replace('-', '') as TransactionOrder;
}

/** Each other filter as a condition on a transaction `t`; of `words`, of the one with a number. */
const CONDITIONS: Readonly<Record<Exclude<FilterName, ShareFilterName>, string>> = {
  ids: 't.id in (select value from json_each(@ids))',
  from: 't.newest_first <= @from',
  to: 't.newest_first >= @to',
  statuses: 't.status in (select value from json_each(@statuses))',
  isAllocatable: 't.amount_minor <> 0',
  isCleared:
    'exists (select 1 from left_alone c where c.organisation_id = t.organisation_id ' +
    'and c.transaction_id = t.id and c.is_undone = 0 and c.stamp = t.updated_at) = @isCleared',
  provider: 't.provider = @provider',
  // The providers lead to the index of externalId.
  externalId: `t.external_id = @externalId and t.provider in ('${PROVIDERS.join("', '")}')`,
  accountCode: 't.account_code = @accountCode',
  contact: 't.contact = @contact',
  reference: 't.reference = @reference',
  bankAccount: 't.bank_account = @bankAccount',
  projectCode: 't.project_code = @projectCode',
  externalIdPrefix: beginsWith('t.external_id', '@externalIdPrefix'),
  accountCodePrefix: beginsWith('t.account_code', '@accountCodePrefix'),
  isRecoded: '(t.recoded is not null) = @isRecoded',
  updatedSinceMs: 't.updated_at >= @updatedSinceMs',
  search: searchCondition('', 't.description', 't.contact', 't.external_id', 't.reference'),
  words: searchCondition('#', 't.description', 't.contact', 't.external_id', 't.reference'),
  contactText: textCondition('Contact', 't.contact'),
  descriptionText: textCondition('Description', 't.description'),
  // SQLite finds most of the others by a word, which takes less time than calling a function.
  fixedPart:
    't.contact is null and t.description like @fixedWord ' +
    'and fixed_part(t.description) = @fixedPart',
  isIn: '(t.amount_minor < 0) = @isIn',
  sizes: 'abs(t.amount_minor) between @least and @most',
};

function beginsWith(column: string, prefix: string): string {
  return `substr(${column}, 1, length(${prefix})) = ${prefix}`;
}

/** What else finds a word that can be an amount; most words cannot. */
const WORD_AS_AMOUNT = 't.amount_minor in (select value from json_each(@minors#))';

/** Filters that few transactions match, and the columns of the indexes in date order answer. */
const NARROWING: readonly FilterName[] = [
  'accountCode',
  'accountCodePrefix',
  'contact',
  'contactText',
  'projectCode',
];

/**
 * The filters that these columns answer, and the one that is only used with statuses or for a rule:
 * those it looks at are read in any case.
 */
const COVERED: ReadonlySet<FilterName> = new Set([
  ...NARROWING,
  'statuses',
  'isAllocatable',
  'provider',
]);

/** The statuses of the index `transactions_set_aside`. */
const SET_ASIDE: readonly Status[] = ['needs_review', 'excluded'];

interface Route extends Pick<Walk, 'from' | 'key' | 'range' | 'distinct'> {
  /** Whether it finds so few records that they are sorted. */
  readonly isFew?: boolean;
  /** The filters that bound the sort key. */
  readonly begin?: FilterName;
  readonly end?: FilterName;
  /** Another filter that the range answers. */
  readonly answers?: FilterName;
}

const KEYS = {
  date: { sort: 't.newest_first', id: 't.id' },
  updatedAt: { sort: 't.updated_at', id: 't.id' },
} as const;

const range = ['t.organisation_id = @orgId'];

const BY_DATE: Route = {
  from: 'transactions t indexed by transactions_by_date',
  key: { sort: 't.newest_first', id: 't.id_copy' },
  range,
  begin: 'to',
  end: 'from',
};

/** By date, only the transactions that are set aside. */
const BY_DATE_SET_ASIDE: Route = {
  ...BY_DATE,
  from: 'transactions t indexed by transactions_set_aside',
  range: [...range, `t.status in ('${SET_ASIDE.join("', '")}')`],
};

/** By date, only the transactions that are marked as recoded. */
const BY_DATE_RECODED: Route = {
  ...BY_DATE,
  from: 'transactions t indexed by transactions_recoded',
  range: [...range, 't.recoded is not null'],
  answers: 'isRecoded',
};

/** By date, only the transactions with an allocation to one project. */
const BY_PROJECT: Route = {
  from:
    'allocations a indexed by allocations_by_project_transaction ' +
    'cross join transactions t on t.id = a.transaction_id',
  key: { sort: 'a.newest_first', id: 'a.transaction_id' },
  distinct: true,
  range: ['a.organisation_id = @orgId', 'a.project_id = @projectId'],
  begin: 'to',
  end: 'from',
  answers: 'projectId',
};

const BY_UPDATE: Route = {
  from: 'transactions t indexed by transactions_by_update',
  key: KEYS.updatedAt,
  range,
  begin: 'updatedSinceMs',
};

/** `isRecent`: few transactions have changed since `updatedSinceMs`. */
function routeOf(filters: TransactionFilters, by: TransactionOrder, isRecent: boolean): Route {
  const few = { key: KEYS[by], range, isFew: true };
  if (filters.ids !== undefined) return { ...few, from: 'transactions t not indexed' };
  if (filters.externalId !== undefined) {
    return { ...few, from: 'transactions t indexed by transactions_by_external_id' };
  }
  if (by === 'updatedAt') return BY_UPDATE;
  if (isRecent) return { ...few, from: BY_UPDATE.from };
  if (filters.isRecoded === true) return BY_DATE_RECODED;
  if (filters.projectId !== undefined) return BY_PROJECT;
  const isSetAside = filters.statuses?.every((status) => SET_ASIDE.includes(status));
  return isSetAside ? BY_DATE_SET_ASIDE : BY_DATE;
}

/** How to walk the matching transactions in the requested order. */
export function prepareWalk(
  access: Access,
  filters: TransactionFilters,
  order: ListOrder,
): TransactionWalk {
  const search = isSearched(filters) ? searchOf(access.db) : undefined;
  const isRecent = filters.updatedSinceMs !== undefined && hasChangedLittle(access, filters);
  const found = narrowBranch(access, filters);
  return { ...walkOf(access.organisation.id, found, order, isRecent), search };
}

/** A project without others below it is found by an index. */
function narrowBranch(access: Access, filters: TransactionFilters): TransactionFilters {
  const { branchId, ...rest } = filters;
  if (branchId === undefined || rest.projectId !== undefined) return filters;
  const hasBelow = selectBelow(access.db).get(access.organisation.id, branchId) !== undefined;
  return hasBelow ? filters : { ...rest, projectId: branchId };
}

const selectBelow = statement<[OrgId, number], unknown>`
  select 1 from projects where organisation_id = ? and parent_project_id = ?`;

/** Whether so little has changed that sorting all of it is as fast as reading a page. */
function hasChangedLittle({ db, organisation }: Access, filters: TransactionFilters): boolean {
  const { updatedSinceMs = 0 } = filters;
  const little = isSearched(filters) ? STRETCH.searchedRecords : PAGE_ITEMS;
  return selectManyChanges(db).get(organisation.id, updatedSinceMs, little) === undefined;
}

const selectManyChanges = statement<[OrgId, number, number]>`
  select 1 from transactions indexed by transactions_by_update
    where organisation_id = ? and updated_at >= ? limit 1 offset ?`;

/** What is allocated of a transaction `t`, as a column: to the allocations that match. */
export function allocatedColumn(access: Access, filters: TransactionFilters): string {
  const share = shareCondition(narrowBranch(access, filters));
  if (share === undefined) return 't.allocated_minor';
  return `ifnull((select sum(s.amount_minor) ${SHARES_OF} and ${share}), 0)`;
}

/** A walk, without what a list and a sum add. */
interface TransactionWalk extends Omit<Walk, 'columns' | 'after' | 'limit'> {
  /** Whether it reads every transaction of the organisation in the table. */
  readonly isWhole: boolean;
}

/** See `routeOf` for `isRecent`. */
function walkOf(
  orgId: OrgId,
  filters: TransactionFilters,
  order: ListOrder,
  isRecent: boolean,
): TransactionWalk {
  const { isFew, begin, end, answers, ...route } = routeOf(filters, sortKeyOf(order), isRecent);
  const { sort } = route.key;
  const narrow = (Object.keys(CONDITIONS) as (keyof typeof CONDITIONS)[]).filter((name) => {
    return filters[name] !== undefined && name !== begin && name !== end && name !== answers;
  });
  const others = answers === 'projectId' ? { ...filters, projectId: undefined } : filters;
  const hasShares = shareCondition(others) !== undefined;
  const isOneStatus = filters.statuses?.length === 1;
  const conditions = narrow.flatMap((name) => {
    if (name === 'words') {
      return (filters.words ?? []).map(({ minors }, at) => {
        const { words: word } = CONDITIONS;
        const text = minors.length === 0 ? word : `(${word} or ${WORD_AS_AMOUNT})`;
        return text.replaceAll('#', `${at}`);
      });
    }
    return name === 'statuses' && isOneStatus ? 't.status = @status' : CONDITIONS[name];
  });
  if (hasShares) conditions.push(`exists (select 1 ${SHARES_OF} and ${shareCondition(filters)})`);
  const low = begin && filters[begin] !== undefined ? `${sort} >= @${begin}` : undefined;
  const high = end && filters[end] !== undefined ? `${sort} <= @${end}` : undefined;
  const descending = order.startsWith('-');
  // Of those whose contact fits, the text that was compared says how much was read.
  const isAnswered = (name: FilterName) =>
    COVERED.has(name) || (name === 'isIn' && filters.contactText !== undefined);
  const isRead = hasShares || !narrow.every(isAnswered);
  return {
    ...route,
    descending,
    range: isFew ? [...route.range, ...conditions] : route.range,
    begin: descending ? high : low,
    end: descending ? low : high,
    narrow: isFew ? [] : conditions,
    isCovered: route.key === BY_DATE.key && !isRead,
    isWhole:
      isRead &&
      route.from === BY_DATE.from &&
      (low ?? high) === undefined &&
      NARROWING.every((name) => filters[name] === undefined),
    values: walkValues(orgId, filters),
  };
}

/** The values of the conditions. */
export function walkValues(orgId: OrgId, filters: TransactionFilters): Walk['values'] {
  const { ids, statuses, isAllocatable: _, isWithin: __, ...others } = filters;
  const { outside, sizes, search, words = [], fixedPart, ...rest } = others;
  const { from, to, contactText, descriptionText, ...plain } = rest;
  const values: Record<string, SqlValue | undefined> = { orgId };
  for (const [name, value] of Object.entries(plain)) {
    values[name] = typeof value === 'boolean' ? Number(value) : value;
  }
  if (search !== undefined) addSearch(values, search, '');
  for (const [at, { text, minors }] of words.entries()) {
    addSearch(values, text, `${at}`);
    values[`minors${at}`] = JSON.stringify(minors);
  }
  if (contactText !== undefined) addText(values, contactText, 'Contact');
  if (descriptionText !== undefined) addText(values, descriptionText, 'Description');
  const [outsideFrom, outsideTo] = outside ?? [];
  const [least, most] = sizes ?? [];
  const [status, second] = statuses ?? [];
  return {
    ...values,
    ...{ outsideFrom, outsideTo, least, most, fixedPart, fixedWord: wordOf(fixedPart) },
    from: from && newestFirst(from),
    to: to && newestFirst(to),
    ids: ids && JSON.stringify(ids),
    // Comparing one takes two thirds of the time of looking it up in a list.
    status: second === undefined ? status : undefined,
    statuses: statuses && JSON.stringify(statuses),
  };
}

/** The longest plain word of a text, as a part of others. */
function wordOf(fixedPart = ''): string {
  const words = fixedPart.match(/(?<![^ ])[a-z]+(?![^ ])/g) ?? [];
  const longest = words.reduce((most, each) => (each.length > most.length ? each : most), '');
  return `%${longest}%`;
}
