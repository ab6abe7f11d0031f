/** What the audit log has, in words. */

import type { AuditAction, AuditChange, AuditState, AuditValue } from '../core/audit.ts';
import type { Currency } from '../core/currencies.ts';
import { STATUSES } from '../core/transactions.ts';
import { type Html, type HtmlValue, html } from '../http/html.ts';
import { statusWord, typed } from './parts.ts';
import type { Reader } from './reader.ts';

/** What happened, after who did it: `Ann` *allocated a transaction*. */
export function sayAction(action: AuditAction): string {
  return ACTIONS[action];
}

const ACTIONS: Readonly<Record<AuditAction, string>> = {
  'database.upgraded': 'upgraded the database',
  'organisation.created': 'created the organisation',
  'organisation.renamed': 'changed the name of the organisation',
  'plan.changed': 'changed the plan',
  'user.added': 'added a user',
  'user.role_changed': 'changed the role of a user',
  'user.removed': 'removed a user',
  'user.link_created': 'made a link for a new password',
  'user.password_changed': 'set a new password',
  'key.created': 'made a key',
  'key.revoked': 'revoked a key',
  'project.created': 'created a project',
  'project.updated': 'changed a project',
  'project.archived': 'archived a project',
  'project.brought_back': 'brought back a project',
  'transactions.pushed': 'pushed transactions',
  'transactions.allocated': 'allocated transactions',
  'transaction.allocated': 'allocated a transaction',
  'transactions.excluded': 'excluded transactions',
  'transaction.excluded': 'excluded a transaction',
  'transactions.restored': 'restored transactions',
  'transaction.restored': 'restored a transaction',
  'review.kept': 'kept the allocations in a review',
  'review.rescaled': 'rescaled the allocations in a review',
  'review.replaced': 'replaced the allocations in a review',
  'review.cleared': 'cleared the allocations in a review',
  'reviews.settled': 'settled reviews',
  'changes.undone': 'undid a change',
};

/** What was done to transactions: before the name of one, and before their number. */
const DONE: Readonly<Partial<Record<AuditAction, readonly [one: string, many: string]>>> = {
  'transactions.allocated': ['Allocated', 'Allocated'],
  'transaction.allocated': ['Allocated', 'Allocated'],
  'transactions.excluded': ['Excluded', 'Excluded'],
  'transaction.excluded': ['Excluded', 'Excluded'],
  'transactions.restored': ['Restored', 'Restored'],
  'transaction.restored': ['Restored', 'Restored'],
  'reviews.settled': ['Settled a review', 'Settled the reviews of'],
  'changes.undone': ['Undid a change', 'Undid a change of'],
};

/**
 * What happened, at the beginning of a line: `Allocated 2 transactions`, or `Allocated: ` before
 * the name of the only one. `count`: how many things it changed, 0 if that is not known.
 */
export function sayDone(
  action: AuditAction,
  count: number,
  { name, reader }: { readonly name: Html | undefined; readonly reader: Reader },
): Html {
  const [one, many] = DONE[action] ?? [];
  const words = sayAction(action);
  const begun = words.charAt(0).toUpperCase() + words.slice(1);
  if (name !== undefined) return html`${one ?? begun}: ${name}`;
  if (many === undefined) return html`${begun}${count > 1 && `: ${reader.count(count)}`}`;
  if (count === 0) return html`${begun}`;
  return html`${many} ${reader.count(count)} ${count === 1 ? 'transaction' : 'transactions'}`;
}

/** What is needed to write values as the reader does. */
export interface Words {
  readonly reader: Reader;
  readonly currency: Currency;
  /** The name of a budget line. */
  readonly nameOfLine: (id: string) => string;
}

/** What a change changed: a line for each member, with before and after. */
export function changeList({ before, after }: AuditChange, words: Words): Html {
  const members = Object.keys(after ?? before ?? {}).filter((name) => MEMBERS[name] !== null);
  const lines = members.map((name) => {
    const [from, to] = [before, after].map((state) => sayMember(state, name, words));
    return html`<li><span class="soft">${MEMBERS[name] ?? name}</span> ${from} → ${to}</li>\n`;
  });
  return html`<ul class="changes">\n${lines}</ul>`;
}

/** Null: another member says the same. */
const MEMBERS: Readonly<Record<string, string | null>> = {
  name: 'Name',
  amountMinor: 'Amount',
  date: 'Date',
  description: 'Description',
  contact: 'Contact',
  accountCode: 'Account code',
  status: 'Status',
  archived: 'Archived',
  allocations: 'Allocated to',
  excluded: 'Excluded',
  allocatedMinor: null,
  review: null,
};

function sayMember(state: AuditState | null, name: string, words: Words): HtmlValue {
  const value = state?.[name] ?? null;
  if (value === null || value === '') return 'nothing';
  if (name.endsWith('Minor') && typeof value === 'number') {
    return words.reader.money(value, words.currency);
  }
  if (name === 'status') {
    const status = STATUSES.find((each) => each === value);
    return status === undefined ? String(value) : statusWord(status);
  }
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (name === 'date' && typeof value === 'string') return words.reader.day(value);
  if (name === 'allocations' && Array.isArray(value)) return sayShares(value, words);
  if (name === 'excluded') return typed(String(memberOf(value, 'reason') ?? ''));
  return typed(sayValue(value));
}

/** A text, or several in a list or in an object such as a funder. */
function sayValue(value: AuditValue): string {
  if (typeof value === 'string') return value;
  const parts = Object.values(value ?? {}).filter((part) => part !== null);
  const areTexts = parts.length > 0 && parts.every((part) => typeof part === 'string');
  return areTexts ? parts.join(', ') : JSON.stringify(value);
}

function sayShares(shares: readonly AuditValue[], words: Words): HtmlValue {
  if (shares.length === 0) return 'nothing';
  return shares.map((share, at) => {
    const minor = Number(memberOf(share, 'amountMinor') ?? 0);
    const line = words.nameOfLine(String(memberOf(share, 'budgetLineId') ?? ''));
    const amount = words.reader.money(minor, words.currency);
    return html`${at > 0 && ', '}${typed(line)} ${amount}`;
  });
}

/** A member of a value that is an object. */
export function memberOf(value: AuditValue, name: string): AuditValue | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return (value as { readonly [member: string]: AuditValue })[name];
}
