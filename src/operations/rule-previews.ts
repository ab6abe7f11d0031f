/** What a rule that is being written would take, and what it fits besides (contract 15). */

import { type PlacedShare, RuleFinder, splitShares, type TextCondition } from '../core/rules.ts';
import type { Access } from '../store/access.ts';
import { decideAll, KnownRules } from '../store/rule-runs.ts';
import { type RuleDraft, type RuleRecord, readRules, type ShownShare } from '../store/rules.ts';
import { mapShares } from '../store/shares.ts';
import type { RuledRecord } from '../store/transactions.ts';
import { mapBudgetLines } from './budget-lines.ts';
import { plus, type RuleSum } from './rule-runs.ts';
import { listRuled, type TransactionChoice } from './transactions.ts';
import type { Steps } from './turns.ts';

/** Why a rule leaves a transaction that it fits. */
export type LeftReason = 'own' | 'rule' | 'person' | 'setAside' | 'outside' | 'cleared';

/** What a rule takes now, and what of the transactions that it fits it leaves. */
export interface RulePreview {
  readonly taken: RuleSum;
  /** What of its amount came in; not above 0. */
  readonly inMinor: number;
  /** What each line gets, by its number, in each month, `YYYY-MM`. */
  readonly months: ReadonlyMap<string, ReadonlyMap<number, number>>;
  /** The newest, with the amount for each share. */
  readonly examples: readonly (readonly [RuledRecord, amountsMinor: readonly number[]])[];
  /** What earlier rules take, by the number of the rule. */
  readonly earlier: ReadonlyMap<number, RuleSum>;
  readonly left: ReadonlyMap<LeftReason, RuleSum>;
}

/** Contract 15. */
const EXAMPLES = 10;
/** Transactions of one step, which takes a few milliseconds. */
const AT_ONCE = 250;

/** Finds it in steps of some milliseconds. The rule counts as on, in the place that it has. */
export function* previewRule(access: Access, given: RuleDraft): Steps<RulePreview> {
  const stored = readRules(access).rules.find(({ id }) => id === given.id);
  const draft = placeRule(access, given, stored);
  const known = new KnownRules({ draft });
  const fitting = new RuleFinder([{ ...draft, shares: draft.shares.map(everyDay) }]);
  const placed = new RuleFinder([draft]);
  let [taken, inMinor]: [RuleSum | undefined, number] = [undefined, 0];
  const months = new Map<string, Map<number, number>>();
  const examples: [RuledRecord, readonly number[]][] = [];
  const earlier = new Map<number, RuleSum>();
  const left = new Map<LeftReason, RuleSum>();
  const leave = (reason: LeftReason, { amountMinor }: RuledRecord) =>
    left.set(reason, plus(left.get(reason), amountMinor));
  const choice = choiceOf(draft);
  let cursor: string | undefined;
  do {
    const page = yield* listRuled(access, { ...choice, cursor, limit: AT_ONCE });
    cursor = page.nextCursor ?? undefined;
    const found = page.items.filter((each) => fitting.find(each) !== undefined);
    const waiting = found.filter(({ status }) => status === 'unallocated');
    const others = found.filter(({ status }) => status !== 'unallocated');
    const shares = mapShares(access, others);
    for (const each of others) {
      const rules = shares.get(each.id)?.map(({ rule = null }) => rule) ?? [];
      if (each.status === 'excluded' || each.status === 'needs_review') leave('setAside', each);
      else if (rules.includes(null)) leave('person', each);
      else leave(rules[0] === stored?.name ? 'own' : 'rule', each);
    }
    const open: RuledRecord[] = [];
    for (const each of waiting) {
      if (placed.find(each) === undefined) leave('outside', each);
      else open.push(each);
    }
    for (const { transaction, rule } of decideAll(access, open, known)) {
      const { amountMinor, date } = transaction;
      if (rule === undefined || rule === null) leave('cleared', transaction);
      else if (rule.id !== draft.id) earlier.set(rule.id, plus(earlier.get(rule.id), amountMinor));
      else {
        taken = plus(taken, amountMinor);
        inMinor += Math.min(0, amountMinor);
        const amounts = splitShares(amountMinor, draft.shares);
        if (examples.length < EXAMPLES) examples.push([transaction, amounts]);
        const month = months.get(date.slice(0, 7)) ?? new Map<number, number>();
        months.set(date.slice(0, 7), month);
        for (const [at, { budgetLineId }] of draft.shares.entries()) {
          month.set(budgetLineId, (month.get(budgetLineId) ?? 0) + (amounts[at] ?? 0));
        }
      }
    }
    yield;
  } while (cursor !== undefined);
  const nothing = { transactions: 0, amountMinor: 0 };
  return { taken: taken ?? nothing, inMinor, months, examples, earlier, left };
}

/** The rule with the days of its lines, as if it were saved and on. */
function placeRule(access: Access, rule: RuleDraft, stored: RuleRecord | undefined): RuleRecord {
  const ids = rule.shares.map(({ budgetLineId }) => budgetLineId);
  const lines = mapBudgetLines(access, ids);
  const open = mapBudgetLines(access, ids, { isArchived: false });
  const shares = rule.shares.flatMap((share): ShownShare[] => {
    const line = lines.get(share.budgetLineId);
    if (line === undefined) return [];
    const { code: lineCode, name: lineName } = line;
    return [{ ...line, ...share, lineCode, lineName, isArchived: !open.has(line.id) }];
  });
  return { position: 0, allocated: 0, ...stored, ...rule, id: rule.id ?? 0, isOn: true, shares };
}

function everyDay(share: ShownShare): PlacedShare {
  return { ...share, startDate: '', endDate: '9', isArchived: false };
}

/** Words of a description that are searched, the longest first. */
const WORDS = 4;

/** Filters that every transaction which the rule fits passes. */
function choiceOf({ conditions, from, until }: RuleRecord): TransactionChoice {
  const { contact, description, accountCode, projectCode, provider, direction } = conditions;
  return {
    from: from ?? undefined,
    to: until ?? undefined,
    contactLike: contact && { words: wordsOf(contact), isWhole: contact.is !== undefined },
    words: description && longestOf(description).map((text) => ({ text, minors: [] })),
    accountCode: accountCode?.is,
    projectCode: projectCode?.is,
    provider,
    isIn: direction && direction === 'in',
    isAllocatable: true,
  };
}

function wordsOf({ is, contains = '' }: TextCondition): readonly string[] {
  return (is ?? contains).split(/\s+/).filter((word) => word !== '');
}

function longestOf(condition: TextCondition): readonly string[] {
  return [...wordsOf(condition)].sort((one, two) => two.length - one.length).slice(0, WORDS);
}
