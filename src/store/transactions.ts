/** Reads transactions: one by its number, or a page of a filtered list. */

import type { OrgId } from '../core/ids.ts';
import { readRecoded } from '../core/recoded.ts';
import { STORED_MEMBERS, type ValidRow } from '../core/row-members.ts';
import type { RuledTransaction } from '../core/rules.ts';
import type { Provider, Recoded, Review, Status } from '../core/transactions.ts';
import { namedColumns, statement, valueAt } from '../database/statements.ts';
import type { Access } from './access.ts';
import { type Found, listColumns, listPage, type Page, type Position } from './pages.ts';
import { type ListOrder, prepareWalk, type TransactionFilters } from './transaction-walks.ts';

/** A transaction, without its raw data and the details of its exclusion (Spec 2.4). */
export interface TransactionRecord extends Omit<ValidRow, 'externalId'> {
  readonly id: number;
  readonly provider: Provider;
  readonly externalId: string | null;
  readonly status: Status;
  readonly allocatedMinor: number;
  readonly review: Review | null;
  readonly recoded: Recoded | null;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** What to read of a list. */
interface TransactionPage {
  readonly filters: TransactionFilters;
  readonly order: ListOrder;
  readonly after?: Position | undefined;
  readonly limit: number;
  /** The work after which it ends early; see {@link Walk}. */
  readonly work?: number | undefined;
}

export function findTransaction(
  { db, organisation }: Access,
  id: number,
): TransactionRecord | undefined {
  const found = selectTransaction(db).raw().get(organisation.id, id);
  return found && toTransaction(found);
}

/** A stretch of the matching transactions, in the requested order (contract 4). */
export function pageOfTransactions(access: Access, page: TransactionPage): Page<TransactionRecord> {
  const { filters, order, ...wanted } = page;
  const walk = { ...prepareWalk(access, filters, order), columns: TRANSACTION_COLUMNS.text };
  return listPage(access.db, { ...walk, after: undefined, ...wanted }, toTransaction);
}

/** What rules look at in a transaction, its state and its last change. */
export interface RuledRecord
  extends RuledTransaction,
    Pick<TransactionRecord, 'id' | 'status' | 'allocatedMinor' | 'updatedAtMs'> {}

/** Which of them to read. */
interface RuledPage extends TransactionPage {
  /** Whether to walk the table as it is stored, whatever the order: see `isBestAsStored`. */
  readonly isAsStored?: boolean | undefined;
}

/** Stretches of matching transactions, each with what rules look at: in two thirds of the time. */
export function listRuled(access: Access, page: RuledPage): Page<RuledRecord> {
  const { filters, order, isAsStored, ...wanted } = page;
  const walk = { ...prepareWalk(access, filters, order), ...(isAsStored && AS_STORED) };
  const asked = { ...walk, columns: RULED.text, after: undefined, ...wanted };
  return listPage(access.db, asked, RULED.toItem);
}

const AS_STORED = {
  from: 'transactions t not indexed',
  key: { sort: 't.organisation_id', id: 't.id' },
  isCovered: false,
} as const;

export const ROW_COLUMNS = Object.fromEntries(
  STORED_MEMBERS.map(({ name, column }) => [name, `t.${column}`]),
) as Record<keyof ValidRow, string>;

/** The columns of {@link TransactionRecord} that most have, by the names of its members. */
const COLUMNS = {
  provider: 't.provider',
  ...ROW_COLUMNS,
  status: 't.status',
  allocatedMinor: 't.allocated_minor',
  createdAtMs: 't.created_at',
  updatedAtMs: 't.updated_at',
} as const;
const SHOWN = listColumns<Omit<TransactionRecord, 'id' | 'review' | 'recoded'>>(COLUMNS);
const { externalId, reference, bankAccount, createdAtMs, ...ruled } = COLUMNS;
const RULED = listColumns<Omit<RuledRecord, 'id'>>(ruled);
const RARE = namedColumns<{
  readonly reviewPreviousMinor: number | null;
  readonly reviewChangedAtMs: number | null;
  readonly recoded: string | null;
}>(
  {
    reviewPreviousMinor: 't.review_previous_minor',
    reviewChangedAtMs: 't.review_changed_at',
    recoded: 't.recoded',
  },
  2 + SHOWN.count,
);

/** The columns of a transaction except those that only an export has. */
export const TRANSACTION_COLUMNS = {
  text: `${SHOWN.text}, ${RARE.text}`,
  count: SHOWN.count + RARE.count,
} as const;

const selectTransaction = statement<[OrgId, number], Found>`
  select t.newest_first, t.id, ${TRANSACTION_COLUMNS.text} from transactions t
    where t.organisation_id = ? and t.id = ?`;

/** Converts the two review columns. */
export function toReview(previousMinor: number | null, changedAtMs: number | null): Review | null {
  return previousMinor === null || changedAtMs === null ? null : { previousMinor, changedAtMs };
}

/** Converts a sort key, the number and these columns. */
export function toTransaction(found: Found): TransactionRecord {
  const { at } = RARE;
  const changedAtMs = valueAt(found, at.reviewChangedAtMs);
  return SHOWN.toObject(found, {
    id: found[1],
    review: toReview(valueAt(found, at.reviewPreviousMinor), changedAtMs),
    recoded: readRecoded(valueAt(found, at.recoded)),
  });
}
