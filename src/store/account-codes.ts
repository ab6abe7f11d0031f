/** Allocates whole transactions to the budget line that claims their account code (contract 5). */

import type { Act, Actor, AuditChange } from '../core/audit.ts';
import type { OrgId } from '../core/ids.ts';
import { settle } from './acts.ts';
import { beginAct, recordAudit } from './audit.ts';
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
}

/** The claims on some transactions, and where the next ones begin. */
export interface Claims {
  readonly claims: readonly Claim[];
  readonly next: Position | undefined;
}

/**
 * Looks for the only budget line that claims the account code of each unallocated transaction, in a
 * project that contains its date. Leaves out those of amount 0.
 */
export function listClaims(db: Db, orgId: OrgId, { after, limit }: ClaimPage): Claims {
  return consistently(db, () => {
    const filters = { statuses: ['unallocated'] } as const;
    const { items, next } = listTransactions(db, orgId, { filters, order: 'date', after, limit });
    const allocatable = items.filter(({ amountMinor }) => amountMinor !== 0);
    return { claims: allocatable.map((transaction) => findClaim(db, orgId, transaction)), next };
  });
}

function findClaim(db: Db, orgId: OrgId, transaction: TransactionRecord): Claim {
  const { accountCode, date } = transaction;
  const lines = accountCode === null ? [] : selectLines(db).pluck().all(orgId, accountCode, date);
  const [budgetLineId] = lines;
  if (budgetLineId === undefined) return { kind: 'unmatched', transaction };
  if (lines.length > 1) return { kind: 'ambiguous', transaction };
  return { kind: 'claimed', transaction, budgetLineId };
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
    let act: Act | undefined;
    const changes: AuditChange[] = [];
    for (const claim of found.claims) {
      if (claim.kind !== 'claimed') continue;
      act ??= beginAct(db, orgId, actor);
      const { transaction, budgetLineId } = claim;
      const shares = [{ budgetLineId, amountMinor: transaction.amountMinor, note: null }];
      changes.push(settle(db, orgId, { transaction, shares: [], outcome: { shares } }, act));
    }
    if (act !== undefined) {
      const action = 'transactions.allocated';
      recordAudit(db, orgId, act, { action, subject: null, details: { changes } });
    }
    return { ...found, atMs: act?.stampMs };
  });
}

/** At most two, since a second claim makes it ambiguous. */
const selectLines = statement<[OrgId, accountCode: string, date: string], number>(
  `select c.budget_line_id
     from budget_line_account_codes c join projects p on p.id = c.project_id
    where c.organisation_id = ? and c.account_code = ? and ? between p.start_date and p.end_date
    limit 2`,
);
