/** An entry of the audit log as readable lines; docs/audit.md describes the format. */

import type { AuditChange, AuditState, AuditValue } from '../core/audit.ts';
import { count } from '../core/counts.ts';
import type { Currency } from '../core/currencies.ts';
import { formatAmount } from '../core/money.ts';
import type { AuditRecord } from '../operations/audit.ts';

/** A push can change 500 transactions. `--json` has all of them. */
const SHOWN_CHANGES = 10;

/** Members that are derived from others in the same change. */
const DERIVED = ['allocatedMinor', 'review'];

/** The facts of an entry, then one line per change; with a subject, only its own changes. */
export function describeEntry(
  {
    subject: own,
    details: { changes, createdIds = [], ...facts },
  }: Pick<AuditRecord, 'subject' | 'details'>,
  { currency, subject }: { currency: Currency; subject: string | undefined },
): string[] {
  const text = describeFacts(facts, currency);
  const wanted = changes.filter((change) => {
    return subject === undefined || subject === own || subject === change.subject;
  });
  const lines = wanted.slice(0, SHOWN_CHANGES).flatMap((change) => {
    const members = describeChange(change, currency);
    if (members === '') return [];
    return [change.subject === own ? members : `${change.subject} ${members}`];
  });
  const hidden = wanted.length - SHOWN_CHANGES;
  if (hidden > 0) lines.push(`and ${count(hidden, 'more change')}: --json shows all`);
  const created = createdIds.map(([first, last]) => {
    return first === last ? `created ${first}` : `created ${first} to ${last}`;
  });
  return [...(text === '' ? [] : [text]), ...created, ...lines];
}

/** `provider=api received=3`. */
function describeFacts(facts: Readonly<Record<string, unknown>>, currency: Currency): string {
  return Object.entries(facts)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}=${showFact(name, value, currency)}`)
    .join(' ');
}

function showFact(name: string, value: unknown, currency: Currency): string {
  if (Array.isArray(value)) return value.map((each) => showFact(name, each, currency)).join(',');
  if (name.endsWith('Minor') && typeof value === 'number')
    return formatAmount(value, currency.places);
  if (typeof value !== 'object' || value === null) return String(value);
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return members.map(([each, member]) => showFact(each, member, currency)).join(':');
}

/** `amount 120.00 → 150.00, status allocated → needs_review`. */
function describeChange({ before, after }: AuditChange, currency: Currency): string {
  if (before === null) return `created: ${describeState(after ?? {}, currency)}`;
  if (after === null) return `removed: ${describeState(before, currency)}`;
  const members = Object.keys(after).filter((member) => !DERIVED.includes(member));
  // The status follows from the rest, so it comes last, where a long line is cut.
  members.sort((a, b) => Number(a === 'status') - Number(b === 'status'));
  return members
    .map((member) => {
      const [from, to] = [before, after].map((state) => {
        return showMember(member, state[member] ?? null, currency);
      });
      return `${member.replace(/Minor$/, '')} ${from} → ${to}`;
    })
    .join(', ');
}

function describeState(state: AuditState, currency: Currency): string {
  return Object.entries(state)
    .map(([member, value]) => [member.replace(/Minor$/, ''), showMember(member, value, currency)])
    .filter(([, text]) => text !== 'none')
    .map((pair) => pair.join(' '))
    .join(', ');
}

function showMember(member: string, value: AuditValue, currency: Currency): string {
  if (member === 'budgetMinor' && typeof value === 'object' && value !== null) {
    const months = Object.values(value).map(Number);
    const total = months.reduce((sum, each) => sum + each, 0);
    if (months.length === 0) return 'none';
    return `${formatAmount(total, currency.places)} over ${count(months.length, 'month')}`;
  }
  if (value === null || (Array.isArray(value) && value.length === 0)) return 'none';
  return showFact(member, value, currency);
}
