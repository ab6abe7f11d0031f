/** Allocating by account code: each transaction whole to the line that claims it (contract 5). */

import type { Act, Actor, AuditChange } from '../core/audit.ts';
import type { OrgId } from '../core/ids.ts';
import { settle } from './allocations.ts';
import { recordAudit } from './audit.ts';
import { atomically, type Db } from './database.ts';
import type { Position } from './pages.ts';
import { beginAct } from './stamps.ts';
import { statement } from './statements.ts';
import { listTransactions } from './transactions.ts';

/** What became of the unallocated transactions; those of amount 0 have nothing to allocate. */
export interface AccountCodeOutcome {
  allocated: number;
  /** Claimed by several budget lines: left for a person. */
  ambiguous: number;
  /** Claimed by none, or without an account code. */
  unmatched: number;
}

/** Transactions allocated in one atomic step, so that nobody else waits for long. */
const STEP_TRANSACTIONS = 500;

/**
 * Allocates every unallocated transaction whose account code is claimed by exactly one budget line
 * of one project that contains its date. Done in steps: stopped half-way, it goes on when called
 * again. `onStep` hears the counts so far. Each step is one write, with one entry in the audit log.
 */
export function allocateByAccountCode(
  db: Db,
  orgId: OrgId,
  actor: Actor,
  onStep: (soFar: AccountCodeOutcome) => void = () => {},
): AccountCodeOutcome {
  const outcome: AccountCodeOutcome = { allocated: 0, ambiguous: 0, unmatched: 0 };
  let after: Position | undefined;
  do {
    after = allocateStep(db, orgId, { after, outcome }, actor);
    onStep({ ...outcome });
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

/** At most two: more than one is as ambiguous as many. */
const selectClaims = statement<
  [OrgId, accountCode: string, date: string],
  { budget_line_id: number }
>(
  `select c.budget_line_id
     from budget_line_account_codes c join projects p on p.id = c.project_id
    where c.organisation_id = ? and c.account_code = ? and ? between p.start_date and p.end_date
    limit 2`,
);
