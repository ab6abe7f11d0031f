/** What a rule that is being written would take, and what it fits besides (contract 15). */

import { monthOf, newestFirst } from '../core/calendar.ts';
import { STRETCH } from '../core/limits.ts';
import { RuleFinder, splitShares } from '../core/rules.ts';
import type { Access } from '../store/access.ts';
import type { Position } from '../store/pages.ts';
import { decideAll, KnownRules } from '../store/rule-runs.ts';
import { type RuleDraft, type RuleRecord, readRules, type ShownShare } from '../store/rules.ts';
import { mapShares } from '../store/shares.ts';
import { isBestAsStored } from '../store/totals.ts';
import type { TransactionFilters } from '../store/transaction-walks.ts';
import { listRuled, type RuledRecord } from '../store/transactions.ts';
import { mapBudgetLines } from './budget-lines.ts';
import { addToSum, type RuleSum } from './rule-runs.ts';
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
  readonly examples: readonly Example[];
  /** What earlier rules take, by the number of the rule. */
  readonly earlier: ReadonlyMap<number, RuleSum>;
  readonly left: ReadonlyMap<LeftReason, RuleSum>;
}

type Example = readonly [RuledRecord, amountsMinor: readonly number[]];

/** Contract 15. */
const EXAMPLES = 10;
/** Transactions of one step, which takes a few milliseconds. */
const AT_ONCE = 250;

/** Finds it in steps of some milliseconds. The rule counts as on, in the place that it has. */
export function* previewRule(access: Access, given: RuleDraft): Steps<RulePreview> {
  const stored = readRules(access).rules.find(({ id }) => id === given.id);
  const draft = placeRule(access, given, stored);
  const known = new KnownRules({ draft });
  const everyDay = { startDate: '', endDate: '9', isArchived: false };
  const fitting = new RuleFinder([
    { ...draft, shares: draft.shares.map((share) => ({ ...share, ...everyDay })) },
  ]);
  const placed = new RuleFinder([draft]);
  let [taken, inMinor]: [RuleSum | undefined, number] = [undefined, 0];
  const months = new Map<string, Map<number, number>>();
  const examples: Example[] = [];
  const earlier = new Map<number, RuleSum>();
  const left = new Map<LeftReason, RuleSum>();
  const leave = (reason: LeftReason, { amountMinor }: RuledRecord) =>
    left.set(reason, addToSum(left.get(reason), amountMinor));
  const filters = filtersOf(draft);
  const isAsStored = isBestAsStored(access, filters);
  const work = STRETCH.work / 2;
  const page = { filters, order: 'date', isAsStored, limit: AT_ONCE, work } as const;
  let after: Position | undefined;
  do {
    const { items, next } = listRuled(access, { ...page, after });
    after = next;
    const found = items.filter((each) => fitting.find(each) !== undefined);
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
      else if (rule.id !== draft.id)
        earlier.set(rule.id, addToSum(earlier.get(rule.id), amountMinor));
      else {
        taken = addToSum(taken, amountMinor);
        inMinor += Math.min(0, amountMinor);
        const amounts = splitShares(amountMinor, draft.shares);
        examples.push([transaction, amounts]);
        const month = months.get(monthOf(date)) ?? new Map<number, number>();
        months.set(monthOf(date), month);
        for (const [at, { budgetLineId }] of draft.shares.entries()) {
          month.set(budgetLineId, (month.get(budgetLineId) ?? 0) + (amounts[at] ?? 0));
        }
      }
    }
    examples.sort(([one], [other]) => {
      return newestFirst(one.date) - newestFirst(other.date) || one.id - other.id;
    });
    examples.splice(EXAMPLES);
    yield;
  } while (after !== undefined);
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

/** Filters that every transaction which the rule fits passes. */
function filtersOf({ conditions, from, until }: RuleRecord): TransactionFilters {
  const { contact, description, accountCode, projectCode, provider, direction } = conditions;
  return {
    from: from ?? undefined,
    to: until ?? undefined,
    contactText: contact,
    descriptionText: description,
    accountCode: accountCode?.is,
    accountCodePrefix: accountCode?.startsWith,
    projectCode: projectCode?.is,
    provider,
    isIn: direction && direction === 'in',
    isAllocatable: true,
  };
}
