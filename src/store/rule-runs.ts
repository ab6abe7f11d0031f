/**
 * What the rules make of transactions (contract 15), and doing it: the rules of the list, then the
 * built-in one by account code, each transaction by the first that fits.
 */

import type { Actor } from '../core/audit.ts';
import type { ClaimResult } from '../core/claims.ts';
import type { OrgId } from '../core/ids.ts';
import { BY_ACCOUNT_CODE, RuleFinder, splitShares } from '../core/rules.ts';
import { atomically, consistently } from '../database/database.ts';
import { statement } from '../database/statements.ts';
import type { Access } from './access.ts';
import { KnownClaims, WAITING } from './account-codes.ts';
import { type Decided, settle } from './acts.ts';
import { beginAct, recordAudit } from './audit.ts';
import type { Position } from './pages.ts';
import { type RuleList, type RuleRecord, readRules } from './rules.ts';
import type { Share } from './shares.ts';
import { listRuled, type RuledRecord } from './transactions.ts';

/** What the rules make of a transaction: claimed if one takes it. */
export interface Ruling extends ClaimResult {
  readonly transaction: RuledRecord;
  /** The rule that takes it; null: by account code. Undefined: none does. */
  readonly rule: RuleRecord | null | undefined;
  /** What the rule makes of it; empty without one. */
  readonly shares: readonly Share[];
  /** Whether the rules leave it alone, because someone removed or undid its allocations. */
  readonly isLeft?: true;
}

/** Which rules run: only by account code, or all; whether nobody asked for it; and over what. */
export interface RunScope {
  readonly onlyByAccountCode?: boolean | undefined;
  readonly isAutomatic?: boolean | undefined;
  /** A rule that replaces the stored one with its number, or is tried last. */
  readonly draft?: RuleRecord | undefined;
  /** The first day of the transactions to look at, and the last one. */
  readonly from?: string | undefined;
  readonly until?: string | undefined;
  /** Only those from this stamp on have changed. */
  readonly sinceMs?: number | undefined;
  /** Which of the rulings to carry out: all by default. If it stops, the answer says so. */
  readonly accepts?: ((ruling: Ruling) => boolean) | undefined;
}

/** The rules, looked up once for several steps, and again after any other write. */
export class KnownRules {
  readonly claims = new KnownClaims();
  readonly #scope: RunScope;
  #list: RuleList | undefined;
  #finder = new RuleFinder<RuleRecord>([]);

  constructor(scope: RunScope = {}) {
    this.#scope = scope;
  }

  /** Looks up what may have changed, and the codes of a step. Call it first in each step. */
  refresh(access: Access, items: readonly RuledRecord[]): void {
    if (!this.claims.refresh(access, items) || this.#scope.onlyByAccountCode) return;
    this.#list = readRules(access);
    const { rules } = this.#list;
    const { draft } = this.#scope;
    const isKnown = rules.some(({ id }) => id === draft?.id);
    const tried = rules.map((rule) => (rule.id === draft?.id ? draft : rule));
    this.#finder = new RuleFinder(draft === undefined || isKnown ? tried : [...rules, draft]);
  }

  /** What becomes of a transaction that waits; `left` is why it may have to be left alone. */
  decide(access: Access, transaction: RuledRecord, left: LeftAlone | undefined): Ruling {
    if (this.#isLeft(transaction, left)) return { transaction, ...LEFT, isLeft: true };
    const { amountMinor } = transaction;
    const rule = this.#finder.find(transaction);
    if (rule !== undefined) {
      const amounts = splitShares(amountMinor, rule.shares);
      const shares = rule.shares.map(({ budgetLineId }, at) => {
        return { budgetLineId, amountMinor: amounts[at] ?? 0, note: null, rule: rule.name };
      });
      return { transaction, ...LEFT, kind: 'claimed', rule, shares };
    }
    const found = this.claims.claimOf(access, transaction);
    const { kind, budgetLineIds, projectIds } = found;
    const [budgetLineId] = budgetLineIds;
    if (kind !== 'claimed' || budgetLineId === undefined) {
      return { transaction, kind, budgetLineIds, projectIds, rule: undefined, shares: [] };
    }
    if (this.#list?.byAccountCode === false) return { transaction, ...LEFT };
    const share = { budgetLineId, amountMinor, note: null, rule: BY_ACCOUNT_CODE };
    return { transaction, kind, budgetLineIds, projectIds, rule: null, shares: [share] };
  }

  #isLeft({ updatedAtMs }: RuledRecord, left: LeftAlone | undefined): boolean {
    if (left?.stampMs !== updatedAtMs) return false;
    const changedAtMs = this.#list?.changedAtMs ?? 0;
    return left.isUndone === 0 || (this.#scope.isAutomatic === true && changedAtMs < updatedAtMs);
  }
}

const LEFT = {
  kind: 'unmatched',
  budgetLineIds: [],
  projectIds: [],
  rule: undefined,
  shares: [],
} as const;

/** Why the rules leave a transaction alone while its last change has this stamp. */
interface LeftAlone {
  readonly stampMs: number;
  /** 0: someone has removed its allocations; 1: an act that a rule had done was undone. */
  readonly isUndone: number;
}

/** Which of the transactions that wait to look at: at most `limit`. */
interface RunPage extends Pick<RunScope, 'from' | 'until' | 'sinceMs' | 'accepts'> {
  readonly known: KnownRules;
  readonly limit: number;
  readonly after?: Position | undefined;
  readonly isOldestFirst?: boolean | undefined;
  /** Whether to walk the table as it is stored: see `lastIdOfMany`. */
  readonly isAsStored?: boolean | undefined;
}

/** The rulings on some transactions, where the next ones begin, and the stamp of a write. */
interface Rulings {
  readonly rulings: readonly Ruling[];
  readonly next: Position | undefined;
  readonly atMs: number | undefined;
}

/** What the rules would make of the next transactions. Leaves out those of amount 0. */
function listRulings(access: Access, page: RunPage): Rulings {
  const { known, limit, after, isAsStored, from, until: to, sinceMs: updatedSinceMs } = page;
  const byDate = page.isOldestFirst === true ? '-date' : 'date';
  const order = updatedSinceMs === undefined ? byDate : 'updatedAt';
  return consistently(access, () => {
    const filters = { ...WAITING, from, to, updatedSinceMs };
    const { items, next } = listRuled(access, { filters, order, isAsStored, after, limit });
    return { rulings: decideAll(access, items, known), next, atMs: undefined };
  });
}

/** What the rules make of transactions that wait. */
export function decideAll(
  access: Access,
  items: readonly RuledRecord[],
  known: KnownRules,
): readonly Ruling[] {
  known.refresh(access, items);
  const left = mapLeft(access, items);
  return items.map((each) => known.decide(access, each, left.get(each.id)));
}

function mapLeft({ db, organisation }: Access, items: readonly RuledRecord[]) {
  const ids = JSON.stringify(items.map(({ id }) => id));
  const found = selectLeft(db).all(ids, organisation.id);
  return new Map(found.map(({ id, ...left }) => [id, left]));
}

const selectLeft = statement<[ids: string, OrgId], LeftAlone & { id: number }>`
  select c.transaction_id as id, c.stamp as stampMs, c.is_undone as isUndone
     from json_each(?) j
    cross join left_alone c on c.organisation_id = ? and c.transaction_id = j.value`;

const ACTION = 'transactions.allocated';

/**
 * Does what the rules make of the next transactions, as one write with one audit entry, as far as
 * `accepts` them. Without an actor it only says what it would do.
 */
export function takeRulings(access: Access, page: RunPage, actor: Actor | undefined): Rulings {
  if (actor === undefined) return listRulings(access, page);
  return atomically(access, () => {
    const found = listRulings(access, page);
    const { accepts = () => true } = page;
    const rulings = found.rulings.filter((each) => each.rule === undefined || accepts(each));
    const decided = rulings.flatMap(({ transaction, shares }): Decided[] => {
      if (shares.length === 0) return [];
      return [{ transaction, shares: [], outcome: { action: ACTION, shares } }];
    });
    if (decided.length === 0) return { ...found, rulings };
    const act = beginAct(access, actor);
    page.known.claims.follow(act);
    const changes = settle(access, decided, act);
    recordAudit(access, act, { action: ACTION, subject: null, details: { changes } });
    return { ...found, rulings, atMs: act.stampMs };
  });
}
