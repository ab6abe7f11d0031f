/** Allocating by account code (contract 5): in short steps, or as a preview. */

import type { Actor } from '../core/audit.ts';
import { type AmbiguousCode, rankAmbiguous } from '../core/claims.ts';
import { REPORTED } from '../core/limits.ts';
import { whenCheckpointed } from '../database/checkpoints.ts';
import * as store from '../store/account-codes.ts';
import type { Access } from './access.ts';
import { type Listing, type PageRequest, readPage } from './pages.ts';
import { nextTurn, type Steps } from './turns.ts';

export {
  type Claim,
  type ClaimGroup,
  claimsOn,
  KnownClaims,
  listProjectCodes,
  listSharedCodes,
  mapOtherClaims,
  type OtherClaim,
  type SharedCodes,
} from '../store/account-codes.ts';
export { BY_ACCOUNT_CODE } from '../store/acts.ts';

/** What happened to the unallocated transactions, except those of amount 0. */
export interface AccountCodeCounts {
  allocated: number;
  /** Claimed by several budget lines: someone has to decide. */
  ambiguous: number;
  /** Not claimed by any line on that day, or without an account code. */
  unmatched: number;
}

/** The counts, the total for each budget line, and the acts, each of which can be undone. */
export interface AccountCodeOutcome extends AccountCodeCounts {
  /** The codes of the ambiguous ones: at most REPORTED.ambiguousCodes, the most frequent first. */
  readonly ambiguousCodes: readonly AmbiguousCode[];
  /** By the record number of the line. */
  readonly lines: Map<number, { transactions: number; amountMinor: number }>;
  /** The stamp of each step that allocated something. */
  readonly actsMs: number[];
}

/** Transactions in one step: about 6 ms, after which other requests run. 300 took up to 20 ms. */
const STEP_TRANSACTIONS = 200;

/**
 * Allocates every unallocated transaction whose codes are claimed by exactly one budget line of one
 * project that contains its date. Each step is one write with one audit entry, and finds
 * what is stored by then. If it is interrupted, the next call continues. `onStep` receives the
 * counts so far.
 */
export async function allocateByAccountCode(
  access: Access,
  actor: Actor,
  onStep: (soFar: AccountCodeCounts) => void = () => {},
): Promise<AccountCodeOutcome> {
  const counts = { claimed: 0, ambiguous: 0, unmatched: 0 };
  const [lines, actsMs]: [AccountCodeOutcome['lines'], number[]] = [new Map(), []];
  const countsSoFar = () => {
    const { claimed: allocated, ambiguous, unmatched } = counts;
    return { allocated, ambiguous, unmatched };
  };
  const known = new store.KnownClaims();
  const ambiguous = new Map<string, AmbiguousCode>();
  let after: store.ClaimPage['after'];
  do {
    if (after !== undefined) {
      // Other requests run, and the disk catches up: a commit would block them for longer.
      await nextTurn();
      await whenCheckpointed(access.db);
    }
    const page = { after, limit: STEP_TRANSACTIONS, known };
    // Reads `access.db` each time: the service can be closed between two steps.
    const step = store.allocateClaims(access, page, actor);
    for (const claim of step.claims) {
      counts[claim.kind] += 1;
      const { kind, budgetLineIds, transaction } = claim;
      const [budgetLineId] = budgetLineIds;
      if (kind === 'ambiguous') countAmbiguous(ambiguous, claim, known);
      else if (budgetLineId !== undefined) addTo(lines, budgetLineId, transaction.amountMinor);
    }
    if (step.atMs !== undefined) actsMs.push(step.atMs);
    onStep(countsSoFar());
    after = step.next;
  } while (after !== undefined);
  const ambiguousCodes = rankAmbiguous(ambiguous.values()).slice(0, REPORTED.ambiguousCodes);
  return { ...countsSoFar(), ambiguousCodes, lines, actsMs };
}

function countAmbiguous(
  found: Map<string, AmbiguousCode>,
  { transaction, budgetLineIds, projectIds }: store.Claim,
  known: store.KnownClaims,
): void {
  const { accountCode } = transaction;
  if (accountCode === null) return;
  const projectCode = known.projectCodeOf(transaction.projectCode);
  const key = JSON.stringify([accountCode, projectCode, projectIds]);
  const count = (found.get(key)?.count ?? 0) + 1;
  found.set(key, { accountCode, projectCode, count, budgetLineIds });
}

function addTo(lines: AccountCodeOutcome['lines'], lineId: number, amountMinor: number): void {
  const line = lines.get(lineId) ?? { transactions: 0, amountMinor: 0 };
  const { transactions } = line;
  lines.set(lineId, {
    transactions: transactions + 1,
    amountMinor: line.amountMinor + amountMinor,
  });
}

/**
 * A page of the unallocated transactions, each with the line that would get all of it, or why none
 * would. To do exactly this, pass the claimed ones to `allocateTransactions`, with their
 * `updatedAtMs`. A page can have fewer items than `limit`. The pages of one list can share what
 * they looked up.
 */
export function previewByAccountCode(
  access: Access,
  page: PageRequest = {},
  known = new store.KnownClaims(),
): Listing<store.Claim> {
  const list = { name: 'claims', sortKey: 'date', filters: {} } as const;
  return readPage(access, list, page, (position) => {
    const { claims, next } = store.listClaims(access, { ...position, known });
    return { items: [...claims], next };
  });
}

/**
 * What {@link previewByAccountCode} lists, added up by account code and line: in steps of some
 * milliseconds, and in a fraction of the time.
 */
export function sumByAccountCode(access: Access): Steps<store.ClaimGroup[]> {
  return store.sumClaims(access);
}
