/** Allocating by account code alone (contract 5): the built-in rule, as a run or a preview. */

import type { Actor } from '../core/audit.ts';
import * as store from '../store/account-codes.ts';
import { KnownRules, listRulings, type Ruling } from '../store/rule-runs.ts';
import type { Access } from './access.ts';
import { type Listing, type PageRequest, readPage } from './pages.ts';
import { type RuleOutcome, type RunCounts, type RunOutcome, runRules } from './rule-runs.ts';
import type { Steps } from './turns.ts';

export {
  type ClaimGroup,
  claimsOn,
  listProjectCodes,
  listSharedCodes,
  mapOtherClaims,
  type OtherClaim,
  type SharedCodes,
} from '../store/account-codes.ts';
export { KnownRules, type Ruling } from '../store/rule-runs.ts';

/** What became of the transactions, with what each line got. */
type AccountCodeOutcome = Omit<RunOutcome, 'rules'> & Pick<RuleOutcome, 'lines'>;

/** The run of the built-in rule alone, whether or not it is part of other runs. */
export async function allocateByAccountCode(
  access: Access,
  actor: Actor,
  onStep?: (soFar: RunCounts) => void,
): Promise<AccountCodeOutcome> {
  const { rules, ...outcome } = await runRules(access, actor, { onlyByAccountCode: true, onStep });
  return { ...outcome, lines: rules[0]?.lines ?? new Map() };
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
  known = new KnownRules({ onlyByAccountCode: true }),
): Listing<Ruling> {
  const list = { name: 'claims', sortKey: 'date', filters: {} } as const;
  return readPage(access, list, page, (position) => {
    const { rulings, next } = listRulings(access, { ...position, known });
    return { items: [...rulings], next };
  });
}

/**
 * What {@link previewByAccountCode} lists, added up by account code and line: in steps of some
 * milliseconds, and in a fraction of the time.
 */
export function sumByAccountCode(access: Access): Steps<store.ClaimGroup[]> {
  return store.sumClaims(access);
}
