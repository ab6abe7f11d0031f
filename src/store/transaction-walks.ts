/**
 * Chooses the index that a list of transactions walks, and the filters to check record by record.
 * The first index below whose filter is present is used.
 */

import { newestFirst } from '../core/calendar.ts';
import type { OrgId } from '../core/ids.ts';
import { foldCase } from '../core/text.ts';
import {
  PROVIDERS,
  type Provider,
  type Status,
  type TransactionOrder,
} from '../core/transactions.ts';
import type { Walk } from './pages.ts';
import type { SqlValue } from './statements.ts';

/** The filters of a list (contract 4). An absent filter matches all. */
export interface TransactionFilters {
  readonly ids?: readonly number[] | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly statuses?: readonly Status[] | undefined;
  readonly provider?: Provider | undefined;
  readonly externalId?: string | undefined;
  readonly accountCode?: string | undefined;
  readonly contact?: string | undefined;
  readonly projectId?: number | undefined;
  readonly updatedSinceMs?: number | undefined;
  /** A part of description, contact or externalId, in any case. */
  readonly search?: string | undefined;
}

type FilterName = keyof TransactionFilters;

/** Each filter as a condition on a transaction `t`. */
const CONDITIONS: Readonly<Record<FilterName, string>> = {
  ids: 't.id in (select value from json_each(@ids))',
  from: 't.newest_first <= @from',
  to: 't.newest_first >= @to',
  statuses: 't.status in (select value from json_each(@statuses))',
  provider: 't.provider = @provider',
  // The providers lead to the index of externalId.
  externalId: `t.external_id = @externalId and t.provider in ('${PROVIDERS.join("', '")}')`,
  accountCode: 't.account_code = @accountCode',
  contact: 't.contact = @contact',
  projectId:
    'exists (select 1 from allocations a where a.organisation_id = t.organisation_id ' +
    'and a.transaction_id = t.id and a.project_id = @projectId)',
  updatedSinceMs: 't.updated_at >= @updatedSinceMs',
  search: 'contains_folded(@search, t.description, t.contact, t.external_id)',
};

/** The statuses of the index `transactions_set_aside`. */
const SET_ASIDE: readonly Status[] = ['needs_review', 'excluded'];

/** An index to walk, and the filters that it covers. */
interface Route extends Pick<Walk, 'from' | 'key' | 'distinct'> {
  /** The filter that selects this index; null for the default. */
  readonly filter: FilterName | null;
  /** Whether it finds few enough records to sort. */
  readonly isShort?: boolean;
  readonly organisation: string;
  readonly answers: Readonly<Partial<Record<FilterName, string>>>;
}

/** The filters on the sort key that begin a walk, in either order, and those that end it. */
const BEGINS: readonly FilterName[] = ['to', 'updatedSinceMs'];
const ENDS: readonly FilterName[] = ['from'];

const { from, to } = CONDITIONS;
const BY_DATE = { sort: 't.newest_first', id: 't.id_copy' };
const BY_DATE_AND_ID = { sort: 't.newest_first', id: 't.id' };
const BY_UPDATE = { sort: 't.updated_at', id: 't.id' };
const organisation = 't.organisation_id = @orgId';

/** Recent changes of any date, when there are few. */
const BY_RECENT_UPDATE: Route = {
  filter: 'updatedSinceMs',
  isShort: true,
  from: 'transactions t indexed by transactions_by_update',
  key: BY_DATE_AND_ID,
  organisation,
  answers: { updatedSinceMs: CONDITIONS.updatedSinceMs },
};

/** A few identifiers: found by their numbers, then sorted. */
const BY_ID = {
  filter: 'ids',
  isShort: true,
  from: 'transactions t not indexed',
  organisation,
  answers: { ids: CONDITIONS.ids },
} as const;

/** At most one transaction per provider has an externalId: found by it, then sorted. */
const BY_EXTERNAL_ID = {
  filter: 'externalId',
  isShort: true,
  from: 'transactions t indexed by transactions_by_external_id',
  organisation,
  answers: { externalId: CONDITIONS.externalId },
} as const;

const ROUTES: Readonly<Record<TransactionOrder, readonly Route[]>> = {
  date: [
    { ...BY_ID, key: BY_DATE_AND_ID },
    { ...BY_EXTERNAL_ID, key: BY_DATE_AND_ID },
    {
      filter: 'projectId',
      from:
        'allocations a indexed by allocations_by_project_transaction ' +
        'cross join transactions t on t.id = a.transaction_id',
      key: { sort: 'a.newest_first', id: 'a.transaction_id' },
      distinct: true,
      organisation: 'a.organisation_id = @orgId',
      answers: {
        projectId: 'a.project_id = @projectId',
        from: 'a.newest_first <= @from',
        to: 'a.newest_first >= @to',
      },
    },
    {
      filter: null,
      from: 'transactions t indexed by transactions_by_date',
      key: BY_DATE,
      organisation,
      answers: { from, to },
    },
  ],
  updatedAt: [
    { ...BY_ID, key: BY_UPDATE },
    { ...BY_EXTERNAL_ID, key: BY_UPDATE },
    {
      filter: null,
      from: 'transactions t indexed by transactions_by_update',
      key: BY_UPDATE,
      organisation,
      answers: { updatedSinceMs: CONDITIONS.updatedSinceMs },
    },
  ],
};

/**
 * How to walk the matching transactions in the requested order. `isRecent`: few transactions have
 * changed since `updatedSinceMs`.
 */
export function walkOf(
  orgId: OrgId,
  filters: TransactionFilters,
  order: TransactionOrder,
  isRecent: boolean,
): Omit<Walk, 'columns' | 'after' | 'limit'> {
  const asked = (Object.keys(CONDITIONS) as FilterName[]).filter((name) => {
    return filters[name] !== undefined;
  });
  const routes = isRecent && order === 'date' ? [BY_RECENT_UPDATE] : ROUTES[order];
  const route = routes.find(({ filter }) => filter === null || asked.includes(filter));
  if (route === undefined) throw new Error(`no index serves the order ${order}`);
  const range = [route.organisation];
  const narrow: string[] = [];
  let begin: string | undefined;
  let end: string | undefined;
  for (const name of asked) {
    const answer = route.answers[name];
    if (route.isShort) range.push(answer ?? CONDITIONS[name]);
    else if (answer !== undefined && BEGINS.includes(name)) begin = answer;
    else if (answer !== undefined && ENDS.includes(name)) end = answer;
    else if (answer !== undefined) range.push(answer);
    else narrow.push(CONDITIONS[name]);
  }
  const isAside =
    route.key === BY_DATE && filters.statuses?.every((status) => SET_ASIDE.includes(status));
  if (isAside) range.push(`t.status in ('${SET_ASIDE.join("', '")}')`);
  return {
    table: 'transactions t',
    from: isAside ? 'transactions t indexed by transactions_set_aside' : route.from,
    key: route.key,
    distinct: route.distinct ?? false,
    ranges: [range],
    begin,
    end,
    narrow,
    values: valuesOf(orgId, filters),
  };
}

function valuesOf(orgId: OrgId, filters: TransactionFilters): Record<string, SqlValue> {
  const { ids, statuses, search, ...plain } = filters;
  const values: Record<string, SqlValue> = { orgId };
  for (const [name, value] of Object.entries(plain)) if (value !== undefined) values[name] = value;
  if (filters.from !== undefined) values['from'] = newestFirst(filters.from);
  if (filters.to !== undefined) values['to'] = newestFirst(filters.to);
  if (ids !== undefined) values['ids'] = JSON.stringify(ids);
  if (search !== undefined) values['search'] = foldCase(search);
  if (statuses !== undefined) values['statuses'] = JSON.stringify(statuses);
  return values;
}
