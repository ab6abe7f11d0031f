/**
 * Rules allocate what nobody has allocated (contract 15): which rule of a list takes a transaction,
 * and how it shares the amount. The first one that fits takes all of it.
 */

import { shareByWeight } from './money.ts';
import type { RareField, ValidRow } from './row-members.ts';
import { foldCase } from './text.ts';
import type { Provider } from './transactions.ts';

/** The last rule of every list, which is built in: see core/claims. */
export const BY_ACCOUNT_CODE = 'By account code';

/** Money out is above 0, money in below. */
export const DIRECTIONS = ['out', 'in'] as const;

/** Exactly one member of each is there. */
export interface TextCondition {
  readonly is?: string | undefined;
  readonly contains?: string | undefined;
}

/** The conditions of a rule: all of them have to hold. */
export interface RuleConditions {
  readonly contact?: TextCondition | undefined;
  readonly description?: TextCondition | undefined;
  readonly accountCode?:
    | { readonly is?: string | undefined; readonly startsWith?: string | undefined }
    | undefined;
  readonly projectCode?: { readonly is?: string | undefined } | undefined;
  /** Of the magnitude in minor units, both included. */
  readonly amount?:
    | { readonly fromMinor?: number | undefined; readonly toMinor?: number | undefined }
    | undefined;
  readonly direction?: (typeof DIRECTIONS)[number] | undefined;
  readonly provider?: Provider | undefined;
}

/** What a budget line gets. */
interface RuleShare {
  readonly budgetLineId: number;
  /** In hundredths of a percent; null: the rest. */
  readonly weight: number | null;
}

/** All of a transaction, in hundredths of a percent. */
export const WHOLE = 10_000;

export interface Rule<Share extends RuleShare = RuleShare> {
  readonly name: string;
  readonly isOn: boolean;
  /** Dates of transactions, included; null: no bound. */
  readonly from: string | null;
  readonly until: string | null;
  readonly conditions: RuleConditions;
  readonly shares: readonly Share[];
}

/** A share with the project of its line. */
export interface PlacedShare extends RuleShare {
  readonly startDate: string;
  readonly endDate: string;
  readonly isArchived: boolean;
}

/** What rules look at in a transaction. */
export interface RuledTransaction
  extends Omit<ValidRow, 'externalId' | Exclude<RareField, 'projectCode'>> {
  readonly provider: Provider;
}

/** Days, both included. */
interface Days {
  readonly from: string;
  readonly until: string;
}

/** The days that a rule and the projects of its lines have in common; undefined for none. */
export function daysOf({ from, until, shares }: Rule<PlacedShare>): Days | undefined {
  if (shares.some(({ isArchived }) => isArchived)) return undefined;
  const starts = shares.map(({ startDate }) => startDate);
  const ends = shares.map(({ endDate }) => endDate);
  const first = [from ?? '', ...starts].reduce((one, two) => (one > two ? one : two));
  const last = [until ?? '9', ...ends].reduce((one, two) => (one < two ? one : two));
  return first > last ? undefined : { from: first, until: last };
}

/** The amounts of the shares, exact to the minor unit: the largest remainder, then the earlier. */
export function splitShares(amountMinor: number, shares: readonly RuleShare[]): number[] {
  if (shares.length === 1) return [amountMinor];
  const given = shares.reduce((sum, { weight }) => sum + (weight ?? 0), 0);
  const weights = shares.map(({ weight }) => weight ?? WHOLE - given);
  return shareByWeight(amountMinor, weights);
}

/** A text as conditions compare it: in any case, with single spaces, as most have them. */
export function foldText(text: string): string {
  return foldCase(text.trim().replace(/[^\S ]\s*|\s{2,}/g, ' '));
}

/** A transaction whose texts are folded at most once, and only if a rule asks. */
class Folded {
  readonly transaction: RuledTransaction;
  readonly contact: string | null;
  #description: string | undefined;

  constructor(transaction: RuledTransaction) {
    this.transaction = transaction;
    this.contact = transaction.contact === null ? null : foldText(transaction.contact);
  }

  get description(): string {
    this.#description ??= foldText(this.transaction.description);
    return this.#description;
  }
}

type Test = (folded: Folded) => boolean;

/** The tests of conditions, from the fastest. */
function testsOf({ amount, direction, provider, ...texts }: RuleConditions): Test[] {
  const { contact, description, accountCode, projectCode } = texts;
  const tests: Test[] = [];
  if (direction !== undefined) {
    tests.push(({ transaction: { amountMinor } }) => amountMinor > 0 === (direction === 'out'));
  }
  if (provider !== undefined) tests.push(({ transaction }) => transaction.provider === provider);
  if (amount !== undefined) {
    const { fromMinor = 0, toMinor = Number.POSITIVE_INFINITY } = amount;
    tests.push(({ transaction: { amountMinor } }) => {
      const magnitude = Math.abs(amountMinor);
      return fromMinor <= magnitude && magnitude <= toMinor;
    });
  }
  if (projectCode !== undefined) {
    tests.push(({ transaction }) => transaction.projectCode === projectCode.is);
  }
  if (accountCode !== undefined) {
    const { is, startsWith = '' } = accountCode;
    tests.push(({ transaction: { accountCode: code } }) => {
      return code !== null && (is === undefined ? code.startsWith(startsWith) : code === is);
    });
  }
  if (contact !== undefined) tests.push(testText(contact, ({ contact: text }) => text));
  if (description !== undefined) tests.push(testText(description, (each) => each.description));
  return tests;
}

function testText(
  { is, contains = '' }: TextCondition,
  textOf: (folded: Folded) => string | null,
): Test {
  const wanted = foldText(is ?? contains);
  return is === undefined
    ? (folded) => textOf(folded)?.includes(wanted) === true
    : (folded) => textOf(folded) === wanted;
}

/** Whether an earlier rule takes all that a later one could, so that none is left for it. */
export function hides(earlier: Rule<PlacedShare>, later: Rule<PlacedShare>): boolean {
  const [days, own] = [daysOf(earlier), daysOf(later)];
  if (!earlier.isOn || days === undefined || own === undefined) return false;
  const [wide, narrow] = [earlier.conditions, later.conditions];
  const { fromMinor = 0, toMinor = Number.POSITIVE_INFINITY } = wide.amount ?? {};
  const { fromMinor: from = 0, toMinor: to = Number.POSITIVE_INFINITY } = narrow.amount ?? {};
  const code = narrow.accountCode?.is ?? narrow.accountCode?.startsWith;
  const { is, startsWith } = wide.accountCode ?? {};
  return (
    days.from <= own.from &&
    own.until <= days.until &&
    fromMinor <= from &&
    to <= toMinor &&
    (wide.direction ?? narrow.direction) === narrow.direction &&
    (wide.provider ?? narrow.provider) === narrow.provider &&
    (wide.projectCode?.is ?? narrow.projectCode?.is) === narrow.projectCode?.is &&
    (is === undefined || is === narrow.accountCode?.is) &&
    (startsWith === undefined || code?.startsWith(startsWith) === true) &&
    includesText(wide.contact, narrow.contact) &&
    includesText(wide.description, narrow.description)
  );
}

function includesText(wide: TextCondition | undefined, narrow: TextCondition | undefined): boolean {
  if (wide === undefined) return true;
  const own = narrow?.is ?? narrow?.contains;
  if (own === undefined) return false;
  if (wide.is !== undefined) return narrow?.is !== undefined && foldText(own) === foldText(wide.is);
  return foldText(own).includes(foldText(wide.contains ?? ''));
}

/** A rule that can take something. */
interface Active<Each> extends Days {
  readonly rule: Each;
  readonly position: number;
  readonly tests: readonly Test[];
}

/** Finds the rule that takes a transaction. Most rules are found by a contact or a code. */
export class RuleFinder<Each extends Rule<PlacedShare>> {
  readonly #byContact = new Map<string, Active<Each>[]>();
  readonly #byCode = new Map<string, Active<Each>[]>();
  readonly #others: Active<Each>[] = [];

  constructor(rules: readonly Each[]) {
    for (const [position, rule] of rules.entries()) {
      const days = rule.isOn ? daysOf(rule) : undefined;
      if (days === undefined) continue;
      const { contact, accountCode } = rule.conditions;
      const active = { rule, position, ...days, tests: testsOf(rule.conditions) };
      if (contact?.is !== undefined) add(this.#byContact, foldText(contact.is), active);
      else if (accountCode?.is !== undefined) add(this.#byCode, accountCode.is, active);
      else this.#others.push(active);
    }
  }

  /** The first rule that fits a transaction, which it then takes whole; undefined for none. */
  find(transaction: RuledTransaction): Each | undefined {
    const { date, accountCode, amountMinor } = transaction;
    if (amountMinor === 0) return undefined;
    const folded = new Folded(transaction);
    let best: Active<Each> | undefined;
    const lists = [
      folded.contact === null ? undefined : this.#byContact.get(folded.contact),
      accountCode === null ? undefined : this.#byCode.get(accountCode),
      this.#others,
    ];
    for (const active of lists) {
      for (const each of active ?? []) {
        if (best !== undefined && best.position < each.position) break;
        if (date < each.from || each.until < date) continue;
        if (!each.tests.every((test) => test(folded))) continue;
        best = each;
        break;
      }
    }
    return best?.rule;
  }
}

function add<Each>(known: Map<string, Active<Each>[]>, key: string, active: Active<Each>): void {
  const list = known.get(key);
  if (list === undefined) known.set(key, [active]);
  else list.push(active);
}
