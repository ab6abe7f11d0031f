/** Allocates whole transactions to the budget line that claims their account code (contract 5). */

import type { Act, Actor, AuditChange } from '../core/audit.ts';
import type { OrgId } from '../core/ids.ts';
import { settle } from './allocations.ts';
import { recordAudit } from './audit.ts';
import { atomically, type Db } from './database.ts';
import type { Position } from './pages.ts';
import { beginAct } from './stamps.ts';
import { statement } from './statements.ts';
import { listTransactions } from './transactions.ts';

/** What happened to the unallocated transactions, except those of amount 0. */
export interface AccountCodeCounts {
  allocated: number;
  /** Claimed by several budget lines: someone has to decide. */
  ambiguous: number;
  /** Not claimed by any line, or without an account code. */
  unmatched: number;
}

/** The counts, and the total for each budget line. */
export interface AccountCodeOutcome extends AccountCodeCounts {
  /** By the record number of the line. */
  readonly lines: Map<number, { transactions: number; amountMinor: number }>;
}

/** Transactions in one atomic step, so that other writers do not wait for long. */
const STEP_TRANSACTIONS = 500;

/**
 * Allocates every unallocated transaction whose account code is claimed by exactly one budget line
 * of one project that contains its date. It works in steps, each one write with one audit entry. If
 * it is interrupted, the next call continues. `onStep` receives the counts so far.
 */
export function allocateByAccountCode(
  db: Db,
  orgId: OrgId,
  actor: Actor,
  onStep: (soFar: AccountCodeCounts) => void = () => {},
): AccountCodeOutcome {
  const counts = { allocated: 0, ambiguous: 0, unmatched: 0 };
  const outcome: AccountCodeOutcome = { ...counts, lines: new Map() };
  let after: Position | undefined;
  do {
    after = allocateStep(db, orgId, { after, outcome }, actor);
    const { lines, ...soFar } = outcome;
    onStep(soFar);
  } while (after !== undefined);
  return outcome;
}

function allocateStep(
  db: Db,
  orgId: OrgId,
  step: { after: Position | undefined; outcome: AccountCodeOutcome },
  actor: Actor,
): Position | undefined {
  return atomically(db, () => {
    const { items, next } = listTransactions(db, orgId, {
      filters: { statuses: ['unallocated'] },
      order: 'date',
      after: step.after,
      limit: STEP_TRANSACTIONS,
    });
    let act: Act | undefined;
    const changes: AuditChange[] = [];
    for (const transaction of items) {
      const { accountCode, date, amountMinor } = transaction;
      if (amountMinor === 0) continue;
      const claims = accountCode === null ? [] : selectClaims(db).all(orgId, accountCode, date);
      const [claim] = claims;
      if (claim === undefined) step.outcome.unmatched += 1;
      else if (claims.length > 1) step.outcome.ambiguous += 1;
      else {
        act ??= beginAct(db, orgId, actor);
        const shares = [{ budgetLineId: claim.budget_line_id, amountMinor, note: null }];
        const decided = { transaction, shares: [], outcome: { shares } };
        changes.push(settle(db, orgId, decided, act));
        const line = step.outcome.lines.get(claim.budget_line_id);
        step.outcome.lines.set(claim.budget_line_id, {
          transactions: (line?.transactions ?? 0) + 1,
          amountMinor: (line?.amountMinor ?? 0) + amountMinor,
        });
        step.outcome.allocated += 1;
      }
    }
    if (act !== undefined) {
      const action = 'transactions.allocated';
      recordAudit(db, orgId, act, { action, subject: null, details: { changes } });
    }
    return next;
  });
}

/** At most two, since a second claim makes it ambiguous. */
const selectClaims = statement<
  [OrgId, accountCode: string, date: string],
  { budget_line_id: number }
>(
  `select c.budget_line_id
     from budget_line_account_codes c join projects p on p.id = c.project_id
    where c.organisation_id = ? and c.account_code = ? and ? between p.start_date and p.end_date
    limit 2`,
);
