/** Allocates whole transactions to the budget line that claims their account code (contract 5). */

import type { Act, Actor } from '../core/audit.ts';
import { calendarDateOf } from '../core/calendar.ts';
import type { OrgId } from '../core/ids.ts';
import { atomically, consistently } from '../database/database.ts';
import { statement } from '../database/statements.ts';
import type { Access } from './access.ts';
import { type Decided, settle } from './acts.ts';
import { beginAct, lastWriteMs, recordAudit } from './audit.ts';
import type { Position } from './pages.ts';
import { listTransactions, sumAccountCodes, type TransactionRecord } from './transactions.ts';

/** The line that gets all of a transaction, or why none does. */
type Found =
  | { readonly kind: 'claimed'; readonly budgetLineId: number }
  /** Claimed by several budget lines: someone has to decide. */
  | { readonly kind: 'ambiguous' }
  /** Not claimed by any line, or without an account code. */
  | { readonly kind: 'unmatched' };

/** A transaction to allocate, with what was found for it. */
export type Claim = { readonly transaction: TransactionRecord } & Found;

/** What is looked at: a transaction of amount 0 waits for nobody. */
const WAITING = { statuses: ['unallocated'], isAllocatable: true } as const;

/** Which unallocated transactions to look at: at most `limit` of them, by date. */
export interface ClaimPage {
  readonly after?: Position | undefined;
  readonly limit: number;
  /** What earlier steps have looked up. */
  readonly known?: KnownClaims | undefined;
}

/** The claims on some transactions, and where the next ones begin. */
interface Claims {
  readonly claims: readonly Claim[];
  readonly next: Position | undefined;
}

/**
 * Looks for the only budget line that claims the account code of each unallocated transaction, in a
 * project that contains its date and is not archived. Leaves out those of amount 0.
 */
export function listClaims(access: Access, page: ClaimPage): Claims {
  const { after, limit, known = new KnownClaims() } = page;
  return consistently(access, () => {
    const filters = WAITING;
    const { items, next } = listTransactions(access, { filters, order: 'date', after, limit });
    known.refresh(access);
    return {
      claims: items.map((each) => ({
        transaction: each,
        ...claimOf(access, each, known),
      })),
      next,
    };
  });
}

/** The line that claims a code on a day, or why none does. */
function claimOf(
  access: Access,
  { accountCode, date }: Pick<TransactionRecord, 'accountCode' | 'date'>,
  known: KnownClaims,
): Found {
  const claiming = accountCode === null ? [] : known.linesOf(access, accountCode);
  const [line, other] = claiming.filter(({ startDate, endDate }) => {
    return startDate <= date && date <= endDate;
  });
  if (line === undefined) return { kind: 'unmatched' };
  if (other !== undefined) return { kind: 'ambiguous' };
  return { kind: 'claimed', budgetLineId: line.budgetLineId };
}

/** Unallocated transactions with one account code that would go to one line, or stay. */
export interface ClaimGroup {
  readonly accountCode: string | null;
  readonly kind: Claim['kind'];
  /** Undefined unless they are claimed. */
  readonly budgetLineId: number | undefined;
  /** The number of one of them. */
  readonly transactionId: number;
  readonly count: number;
  readonly sumMinor: number;
  /** Their first and their last day. */
  readonly from: string;
  readonly to: string;
}

/** Adds up what {@link listClaims} lists, in steps, without reading each transaction. */
export function* sumClaims(access: Access): Generator<undefined, ClaimGroup[], undefined> {
  const { db, organisation } = access;
  const known = new KnownClaims();
  const groups = new Map<string, ClaimGroup>();
  for (const { from, to } of selectPeriods(db).all(organisation.id, organisation.id)) {
    const filters = { ...WAITING, from: from === '' ? undefined : from, to: to ?? undefined };
    let after: Position | undefined;
    do {
      after = consistently(access, () => {
        known.refresh(access);
        const { sums, next } = sumAccountCodes(access, { filters, after });
        for (const [accountCode, count, sumMinor, transactionId, last, first] of sums) {
          const days = { from: calendarDateOf(first), to: calendarDateOf(last) };
          const found = claimOf(access, { accountCode, date: from }, known);
          const budgetLineId = found.kind === 'claimed' ? found.budgetLineId : undefined;
          const key = `${budgetLineId ?? found.kind} ${accountCode ?? ''}`;
          const before = groups.get(key);
          groups.set(key, {
            transactionId,
            ...before,
            accountCode,
            kind: found.kind,
            budgetLineId,
            count: (before?.count ?? 0) + count,
            sumMinor: (before?.sumMinor ?? 0) + sumMinor,
            from: before !== undefined && before.from < days.from ? before.from : days.from,
            to: before !== undefined && before.to > days.to ? before.to : days.to,
          });
        }
        return next;
      });
      yield;
    } while (after !== undefined);
  }
  return [...groups.values()];
}

/**
 * The days from which on a code may be claimed otherwise, as a project begins or has ended: each
 * with the last day before the next one. The first is empty and means all days before.
 */
const selectPeriods = statement<[OrgId, OrgId], { from: string; to: string | null }>(
  `select day as "from", date(lead(day) over (order by day), '-1 day') as "to"
     from (select '' as day
            union
           select start_date from projects where organisation_id = ? and archived_at is null
            union
           select date(end_date, '+1 day') from projects
            where organisation_id = ? and archived_at is null)
    where day is not null
    order by day`,
);

/** Codes after which only those are kept that a line claims. */
const KNOWN_CODES = 10_000;

/** A line that claims an account code, with the dates of its project. */
interface ClaimingLine {
  readonly budgetLineId: number;
  readonly startDate: string;
  readonly endDate: string;
}

/**
 * The lines that claim each account code, so that steps one after the other look them up once. They
 * are looked up again after any write of the organisation that is not such a step, as it may have
 * changed a plan.
 */
export class KnownClaims {
  readonly #lines = new Map<string, readonly ClaimingLine[]>();
  #stampMs: number | undefined;

  /** Forgets what may have changed. Call it first in each step. */
  refresh(access: Access): void {
    const stampMs = lastWriteMs(access);
    if (stampMs !== this.#stampMs) this.#lines.clear();
    this.#stampMs = stampMs;
  }

  /** Takes note of a write that changed no plan: the one after the last `refresh`. */
  follow({ stampMs }: Act): void {
    this.#stampMs = stampMs;
  }

  /** The lines of any project that claim this code. Archived projects claim nothing. */
  linesOf({ db, organisation }: Access, accountCode: string): readonly ClaimingLine[] {
    const known = this.#lines.get(accountCode);
    if (known !== undefined) return known;
    const lines = selectLines(db).all(organisation.id, accountCode);
    // There can be any number of codes that nobody claims.
    if (lines.length > 0 || this.#lines.size < KNOWN_CODES) this.#lines.set(accountCode, lines);
    return lines;
  }
}

/**
 * Allocates the claimed ones of the next transactions, as one write with one audit entry. Returns
 * their claims, and the stamp of the write if there was one.
 */
export function allocateClaims(
  access: Access,
  page: ClaimPage,
  actor: Actor,
): Claims & { readonly atMs: number | undefined } {
  return atomically(access, () => {
    const found = listClaims(access, page);
    const decided = found.claims.flatMap((claim): Decided[] => {
      if (claim.kind !== 'claimed') return [];
      const { transaction, budgetLineId } = claim;
      const shares = [{ budgetLineId, amountMinor: transaction.amountMinor, note: null }];
      return [{ transaction, shares: [], outcome: { action: ACTION, shares } }];
    });
    if (decided.length === 0) return { ...found, atMs: undefined };
    const act = beginAct(access, actor);
    page.known?.follow(act);
    const changes = settle(access, decided, act);
    recordAudit(access, act, { action: ACTION, subject: null, details: { changes } });
    return { ...found, atMs: act.stampMs };
  });
}

const ACTION = 'transactions.allocated';

const selectLines = statement<[OrgId, accountCode: string], ClaimingLine>(
  `select c.budget_line_id as budgetLineId, p.start_date as startDate, p.end_date as endDate
     from budget_line_account_codes c join projects p on p.id = c.project_id
    where c.organisation_id = ? and c.account_code = ? and p.archived_at is null`,
);
