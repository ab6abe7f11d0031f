/** Allocates whole transactions to the budget line that claims their account code (contract 5). */

import type { Act, Actor } from '../core/audit.ts';
import type { OrgId } from '../core/ids.ts';
import { type Decided, settle } from './acts.ts';
import { beginAct, lastWriteMs, recordAudit } from './audit.ts';
import { atomically, consistently, type Db } from './database.ts';
import type { Position } from './pages.ts';
import { statement } from './statements.ts';
import { listTransactions, type TransactionRecord } from './transactions.ts';

/** A transaction to allocate, with the line that gets all of it, or why none does. */
export type Claim = { readonly transaction: TransactionRecord } & (
  | { readonly kind: 'claimed'; readonly budgetLineId: number }
  /** Claimed by several budget lines: someone has to decide. */
  | { readonly kind: 'ambiguous' }
  /** Not claimed by any line, or without an account code. */
  | { readonly kind: 'unmatched' }
);

/** Which unallocated transactions to look at: at most `limit` of them, by date. */
export interface ClaimPage {
  readonly after?: Position | undefined;
  readonly limit: number;
  /** What earlier steps have looked up. */
  readonly known?: KnownClaims | undefined;
}

/** The claims on some transactions, and where the next ones begin. */
export interface Claims {
  readonly claims: readonly Claim[];
  readonly next: Position | undefined;
}

/**
 * Looks for the only budget line that claims the account code of each unallocated transaction, in a
 * project that contains its date and is not archived. Leaves out those of amount 0.
 */
export function listClaims(db: Db, orgId: OrgId, page: ClaimPage): Claims {
  const { after, limit, known = new KnownClaims() } = page;
  return consistently(db, () => {
    const filters = { statuses: ['unallocated'] } as const;
    const { items, next } = listTransactions(db, orgId, { filters, order: 'date', after, limit });
    const allocatable = items.filter(({ amountMinor }) => amountMinor !== 0);
    known.refresh(db, orgId);
    return { claims: allocatable.map((each) => findClaim(db, orgId, each, known)), next };
  });
}

function findClaim(
  db: Db,
  orgId: OrgId,
  transaction: TransactionRecord,
  known: KnownClaims,
): Claim {
  const { accountCode, date } = transaction;
  const claiming = accountCode === null ? [] : known.linesOf(db, orgId, accountCode);
  const [line, other] = claiming.filter(({ startDate, endDate }) => {
    return startDate <= date && date <= endDate;
  });
  if (line === undefined) return { kind: 'unmatched', transaction };
  if (other !== undefined) return { kind: 'ambiguous', transaction };
  return { kind: 'claimed', transaction, budgetLineId: line.budgetLineId };
}

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
  refresh(db: Db, orgId: OrgId): void {
    const stampMs = lastWriteMs(db, orgId);
    if (stampMs !== this.#stampMs) this.#lines.clear();
    this.#stampMs = stampMs;
  }

  /** Takes note of a write that changed no plan: the one after the last `refresh`. */
  follow({ stampMs }: Act): void {
    this.#stampMs = stampMs;
  }

  /** The lines of any project that claim this code. Archived projects claim nothing. */
  linesOf(db: Db, orgId: OrgId, accountCode: string): readonly ClaimingLine[] {
    const known = this.#lines.get(accountCode);
    if (known !== undefined) return known;
    const lines = selectLines(db).all(orgId, accountCode);
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
  db: Db,
  orgId: OrgId,
  page: ClaimPage,
  actor: Actor,
): Claims & { readonly atMs: number | undefined } {
  return atomically(db, () => {
    const found = listClaims(db, orgId, page);
    const decided = found.claims.flatMap((claim): Decided[] => {
      if (claim.kind !== 'claimed') return [];
      const { transaction, budgetLineId } = claim;
      const shares = [{ budgetLineId, amountMinor: transaction.amountMinor, note: null }];
      return [{ transaction, shares: [], outcome: { action: ACTION, shares } }];
    });
    if (decided.length === 0) return { ...found, atMs: undefined };
    const act = beginAct(db, orgId, actor);
    page.known?.follow(act);
    const changes = settle(db, orgId, decided, act);
    recordAudit(db, orgId, act, { action: ACTION, subject: null, details: { changes } });
    return { ...found, atMs: act.stampMs };
  });
}

const ACTION = 'transactions.allocated';

const selectLines = statement<[OrgId, accountCode: string], ClaimingLine>(
  `select c.budget_line_id as budgetLineId, p.start_date as startDate, p.end_date as endDate
     from budget_line_account_codes c join projects p on p.id = c.project_id
    where c.organisation_id = ? and c.account_code = ? and p.archived_at is null`,
);
