/**
 * Lists a project's allocations and saves those of a transaction, which replaces its earlier ones.
 * Every change of an allocation ends in `settle` (contract 5).
 */

import { findMisfit, type Misfit, settleWishes } from '../core/allocations.ts';
import {
  type Act,
  type Actor,
  type AuditAction,
  type AuditChange,
  type AuditState,
  changeOf,
} from '../core/audit.ts';
import { newestFirst } from '../core/calendar.ts';
import { Failure } from '../core/failures.ts';
import { formatId, type OrgId } from '../core/ids.ts';
import { type Provider, statusOf } from '../core/transactions.ts';
import { recordAudit, reviewState } from './audit.ts';
import { atomically, type Db } from './database.ts';
import { requireOrganisation } from './organisations.ts';
import { type Found, listPage, type Page, type Position, type Walk } from './pages.ts';
import { beginAct } from './stamps.ts';
import { type SqlRecord, statement } from './statements.ts';
import { findTransaction, type TransactionRecord } from './transactions.ts';

/** An allocation, with the fields of its line and transaction that are shown with it. */
export interface AllocationRecord {
  readonly id: number;
  readonly projectId: number;
  readonly budgetLineId: number;
  readonly lineCode: string | null;
  readonly lineName: string;
  readonly transactionId: number;
  readonly provider: Provider;
  readonly externalId: string | null;
  readonly date: string;
  readonly description: string;
  readonly contact: string | null;
  readonly amountMinor: number;
  readonly note: string | null;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** Which page of a project's allocations to list (contract 4). An absent filter matches all. */
export interface AllocationPage {
  readonly projectId: number;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly budgetLineId?: number | undefined;
  readonly transactionId?: number | undefined;
  readonly after?: Position | undefined;
  readonly limit: number;
}

/** A page of a project's allocations, by transaction date, newest first, then by id. */
export function listAllocations(
  db: Db,
  orgId: OrgId,
  page: AllocationPage,
): Page<AllocationRecord> {
  const { projectId, from, to, budgetLineId, transactionId, after, limit } = page;
  const range = ['a.organisation_id = @orgId', 'a.project_id = @projectId'];
  const values: Record<string, number> = { orgId, projectId };
  if (from !== undefined) values['from'] = newestFirst(from);
  if (to !== undefined) values['to'] = newestFirst(to);
  if (budgetLineId !== undefined) {
    range.push('a.budget_line_id = @budgetLineId');
    values['budgetLineId'] = budgetLineId;
  }
  if (transactionId !== undefined) {
    range.push('a.transaction_id = @transactionId');
    values['transactionId'] = transactionId;
  }
  const index =
    transactionId !== undefined
      ? 'allocations_by_transaction'
      : budgetLineId !== undefined
        ? 'allocations_by_line'
        : 'allocations_by_project';
  const walk: Walk = {
    columns: COLUMNS,
    table: 'allocations a',
    from: `allocations a indexed by ${index} ${JOINS}`,
    key: { sort: 'a.newest_first', id: 'a.id' },
    ranges: [range],
    begin: to === undefined ? undefined : 'a.newest_first >= @to',
    end: from === undefined ? undefined : 'a.newest_first <= @from',
    narrow: [],
    values,
    after,
    limit,
  };
  return listPage(db, walk, toAllocation);
}

const COLUMNS = `a.project_id, a.budget_line_id, l.code, l.name, a.transaction_id, t.provider,
  t.external_id, a.date, t.description, t.contact, a.amount_minor, a.note, a.created_at,
  a.updated_at`;
const JOINS = `cross join transactions t on t.id = a.transaction_id
  cross join budget_lines l on l.id = a.budget_line_id`;

type AllocationColumns = [
  projectId: number,
  budgetLineId: number,
  lineCode: string | null,
  lineName: string,
  transactionId: number,
  provider: Provider,
  externalId: string | null,
  date: string,
  description: string,
  contact: string | null,
  amountMinor: number,
  note: string | null,
  createdAtMs: number,
  updatedAtMs: number,
];

function toAllocation(found: Found<AllocationColumns>): AllocationRecord {
  return {
    id: found[1],
    projectId: found[2],
    budgetLineId: found[3],
    lineCode: found[4],
    lineName: found[5],
    transactionId: found[6],
    provider: found[7],
    externalId: found[8],
    date: found[9],
    description: found[10],
    contact: found[11],
    amountMinor: found[12],
    note: found[13],
    createdAtMs: found[14],
    updatedAtMs: found[15],
  };
}

/** One allocation to save. */
export interface AllocationDraft {
  readonly budgetLineId: number;
  /** By default, the part of the transaction that the other allocations leave. */
  readonly amountMinor?: number | undefined;
  readonly note: string | null;
}

/** One allocation of a transaction: stored if it has a number, otherwise new. */
export interface Share {
  readonly id?: number;
  readonly budgetLineId: number;
  /** 0 removes a stored allocation. */
  readonly amountMinor: number;
  readonly note: string | null;
}

/** The result of an act on a transaction. Ends its review, if any. */
export interface Outcome {
  readonly action: AuditAction;
  /** All its allocations after the act. */
  readonly shares: readonly Share[];
  readonly excluded?: { readonly reason: string };
}

/**
 * Replaces a transaction's allocations; an empty list clears them. Ends a review, as the resolution
 * "replace". Throws `not_found` (the transaction or a line), `conflict` (excluded) or
 * `invalid_input` (amounts that do not fit).
 */
export function saveAllocations(
  db: Db,
  orgId: OrgId,
  request: { transactionId: number; drafts: readonly AllocationDraft[] },
  actor: Actor,
): TransactionRecord {
  const { transactionId, drafts } = request;
  return actOn(db, orgId, { transactionId, actor }, (transaction) => {
    if (transaction.status === 'excluded') {
      const id = formatId('txn', transaction.id);
      const message = `${id} is excluded. Run \`budgetd restore ${id}\` first.`;
      throw new Failure('conflict', message);
    }
    const amounts = settleWishes(transaction.amountMinor, drafts);
    const misfit = checkAmounts(db, orgId, transaction, amounts);
    if (misfit !== undefined) {
      throw new Failure('invalid_input', `${misfit.problem} ${misfit.advice}`);
    }
    return {
      action: transaction.review === null ? 'transaction.allocated' : 'review.replaced',
      shares: drafts.map((draft, index) => ({ ...draft, amountMinor: amounts[index] ?? 0 })),
    };
  });
}

/** What is wrong with allocations of these amounts; undefined if they fit. */
export function checkAmounts(
  db: Db,
  orgId: OrgId,
  { id, amountMinor }: TransactionRecord,
  amounts: readonly number[],
): Misfit | undefined {
  const { currency } = requireOrganisation(db, orgId);
  return findMisfit({ id: formatId('txn', id), amountMinor, currency }, amounts);
}

/** Changes one transaction: finds it, decides, writes and logs the change in one atomic step. */
export function actOn(
  db: Db,
  orgId: OrgId,
  { transactionId, actor }: { transactionId: number; actor: Actor },
  decide: (transaction: TransactionRecord, shares: readonly Required<Share>[]) => Outcome,
): TransactionRecord {
  return atomically(db, () => {
    const transaction = requireTransaction(db, orgId, transactionId);
    const shares = listShares(db, orgId, transactionId);
    const outcome = decide(transaction, shares);
    const act = beginAct(db, orgId, actor);
    const change = settle(db, orgId, { transaction, shares, outcome }, act);
    const { action } = outcome;
    recordAudit(db, orgId, act, {
      action,
      subject: change.subject,
      details: { changes: [change] },
    });
    return requireTransaction(db, orgId, transactionId);
  });
}

/** Writes an outcome. The caller provides the atomic step and logs the change. */
export function settle(
  db: Db,
  orgId: OrgId,
  decided: {
    transaction: TransactionRecord;
    shares: readonly Required<Share>[];
    outcome: Omit<Outcome, 'action'>;
  },
  act: Act,
): AuditChange {
  const { transaction, shares, outcome } = decided;
  const { excluded = null } = outcome;
  const before = stateOf(transaction, shares, findExclusion(db, orgId, transaction));
  const kept = outcome.shares.filter(({ amountMinor }) => amountMinor !== 0);
  saveShares(db, orgId, { transaction, shares, kept }, act);
  const { amountMinor } = transaction;
  const allocatedMinor = kept.reduce((sum, share) => sum + share.amountMinor, 0);
  const facts = { excluded: excluded !== null, review: null, amountMinor, allocatedMinor };
  const status = statusOf(facts);
  updateTransaction(db).run({
    id: transaction.id,
    allocatedMinor,
    status,
    excludedAt: excluded && act.stampMs,
    excludedBy: excluded && act.name,
    excludedReason: excluded?.reason ?? null,
    stampMs: act.stampMs,
  });
  const after = stateOf({ status, allocatedMinor, review: null }, kept, excluded);
  return changeOf(formatId('txn', transaction.id), before, after, transaction.updatedAtMs);
}

function saveShares(
  db: Db,
  orgId: OrgId,
  change: {
    transaction: TransactionRecord;
    shares: readonly Required<Share>[];
    kept: readonly Share[];
  },
  { stampMs }: Act,
): void {
  const { transaction, shares, kept } = change;
  for (const { id, amountMinor } of shares) {
    const after = kept.find((share) => share.id === id)?.amountMinor;
    if (after === undefined) deleteAllocation(db).run(orgId, id);
    else if (after !== amountMinor) updateShare(db).run(after, stampMs, orgId, id);
  }
  for (const { id, budgetLineId, amountMinor, note } of kept) {
    if (id !== undefined) continue;
    const line = selectLine(db).get(orgId, budgetLineId);
    if (line === undefined) {
      const message = `There is no budget line ${formatId('bln', budgetLineId)}.`;
      throw new Failure('not_found', `${message} Check the id, or use the line's code.`);
    }
    const { id: transactionId, date } = transaction;
    const values = { orgId, transactionId, date, budgetLineId, amountMinor, note, stampMs };
    insertAllocation(db).run({ ...values, projectId: line.project_id });
  }
}

/** The fields that the audit log compares when someone works on a transaction. */
function stateOf(
  transaction: Pick<TransactionRecord, 'status' | 'allocatedMinor' | 'review'>,
  shares: readonly Share[],
  excluded: { reason: string } | null,
): AuditState {
  const { status, allocatedMinor, review } = transaction;
  const allocations = shares.map(({ budgetLineId, amountMinor, note }) => {
    return { budgetLineId: formatId('bln', budgetLineId), amountMinor, note };
  });
  return { status, allocatedMinor, allocations, review: reviewState(review), excluded };
}

function findExclusion(db: Db, orgId: OrgId, { id, status }: TransactionRecord) {
  if (status !== 'excluded') return null;
  return selectExclusion(db).get(orgId, id) ?? null;
}

/** A transaction's allocations, oldest first. */
export function listShares(db: Db, orgId: OrgId, transactionId: number): Required<Share>[] {
  return selectShares(db).all(orgId, transactionId);
}

/** The transaction. Throws the same `not_found` whether it is missing or another organisation's. */
export function requireTransaction(db: Db, orgId: OrgId, id: number): TransactionRecord {
  const transaction = findTransaction(db, orgId, id);
  if (transaction === undefined) {
    const message = `There is no transaction ${formatId('txn', id)}. Check the id.`;
    throw new Failure('not_found', message);
  }
  return transaction;
}

const deleteAllocation = statement<[OrgId, number]>(
  'delete from allocations where organisation_id = ? and id = ?',
);
const updateShare = statement<[number, number, OrgId, number]>(
  `update allocations set amount_minor = ?, updated_at = ?
    where organisation_id = ? and id = ?`,
);
const selectLine = statement<[OrgId, number], { project_id: number }>(
  'select project_id from budget_lines where organisation_id = ? and id = ?',
);
const insertAllocation = statement<[SqlRecord]>(
  `insert into allocations
     (organisation_id, project_id, budget_line_id, transaction_id, date, under_review,
      amount_minor, note, created_at, updated_at)
   values
     (@orgId, @projectId, @budgetLineId, @transactionId, @date, 0,
      @amountMinor, @note, @stampMs, @stampMs)`,
);
const selectShares = statement<[OrgId, number], Required<Share>>(
  `select id, budget_line_id as budgetLineId, amount_minor as amountMinor, note
     from allocations where organisation_id = ? and transaction_id = ? order by id`,
);
const selectExclusion = statement<[OrgId, number], { reason: string }>(
  `select excluded_reason as reason from transactions where organisation_id = ? and id = ?`,
);
const updateTransaction = statement<[SqlRecord]>(
  `update transactions
      set allocated_minor = @allocatedMinor, status = @status, updated_at = @stampMs,
          review_previous_minor = null, review_changed_at = null,
          excluded_at = @excludedAt, excluded_by = @excludedBy, excluded_reason = @excludedReason
    where id = @id`,
);
