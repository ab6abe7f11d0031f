import { auditDocument } from '../../api/documents.ts';
import {
  AUDIT_ACTIONS,
  type AuditChange,
  type AuditDetails,
  type AuditState,
  type AuditValue,
} from '../../core/audit.ts';
import { formatInstant } from '../../core/calendar.ts';
import { count } from '../../core/counts.ts';
import type { Currency } from '../../core/currencies.ts';
import { formatAmount } from '../../core/money.ts';
import { listAudit } from '../../operations/audit.ts';
import type { AuditRecord } from '../../store/audit.ts';
import type { Call, Command } from '../command.ts';
import { asUsage } from '../errors.ts';
import { optionText, pickOption, readWhole } from '../options.ts';
import { printNotes, printResult, printTable } from '../output.ts';
import { paintsFor, terminalWidth } from '../paint.ts';
import { type ListColumn, ONE_LINE_WIDTH } from '../table.ts';

/** How many entries are shown without --limit. */
const SHOWN_ENTRIES = 100;

const audit: Command = {
  name: 'audit',
  summary: 'lists who changed what and when, oldest first',
  usage: '[--since DATE] [--action A] [--subject ID] [--actor WHO] [--limit N]',
  details: `
  --since DATE   since this date (UTC) or date-time
  --action A     one kind of change, such as key.revoked
  --subject ID   the history of one thing, such as txn_0000000001, including
                 the pushes that created or changed it
  --actor WHO    who did it, such as key_0000000001 or "command line"
  --limit N      only the newest N (default ${SHOWN_ENTRIES}; all with --json)`,
  choices: { action: AUDIT_ACTIONS },
  async run(call) {
    const action = optionText(call, 'action');
    const max = Number.MAX_SAFE_INTEGER;
    const limit = readWhole(call, 'limit', { min: 1, max });
    const filter = {
      since: optionText(call, 'since'),
      subject: optionText(call, 'subject'),
      actor: optionText(call, 'actor'),
      action: action === undefined ? undefined : pickOption('--action', action, AUDIT_ACTIONS),
    };
    const { access } = await call.openOrganisation();
    const found = asUsage(() => listAudit(access, filter));
    const newest = (number: number) => found.slice(Math.max(0, found.length - number));
    printResult(call, newest(limit ?? max).map(auditDocument), () => {
      const shown = newest(limit ?? SHOWN_ENTRIES);
      printEntries(call, shown, access.organisation.currency);
      const hidden = found.length - shown.length;
      if (hidden > 0 && limit === undefined) {
        const older = count(hidden, 'older entry is', 'older entries are');
        printNotes(call.io, `${older} not shown. Pass --limit ${found.length} to see all.`);
      }
    });
  },
};

function printEntries(call: Call, entries: readonly AuditRecord[], currency: Currency): void {
  const { io } = call;
  const subject = optionText(call, 'subject');
  const { dim } = paintsFor(io);
  const isWide = terminalWidth(io) >= ONE_LINE_WIDTH;
  const shown = entries.map((entry) => {
    const lines = describeEntry(entry, { currency, subject });
    return { ...entry, lines, isInline: isWide && lines.length <= 1 };
  });
  type Shown = (typeof shown)[number];
  const columns: readonly ListColumn<Shown>[] = [
    { title: 'When (UTC)', cell: ({ atMs }) => formatInstant(atMs).slice(0, 19).replace('T', ' ') },
    { title: 'Who', min: 8, cell: ({ actor }) => actor },
    { title: 'What', cell: ({ action }) => action },
    { title: 'Subject', cell: (entry) => entry.subject ?? '' },
    {
      title: 'Details',
      min: 4,
      rank: 1,
      cell: ({ isInline, lines: [only = ''] }) => (isInline ? only : ''),
    },
    { title: 'Request', rank: 2, cell: ({ requestId }) => (isWide ? (requestId ?? '') : '') },
  ];
  // Never cut: the new value comes last.
  const below = ({ isInline, lines }: Shown) => {
    if (isInline) return [];
    return lines.map((text) => ({ banner: { text: `    ${text}`, paint: dim }, isWhole: true }));
  };
  printTable(io, shown, columns, { below, none: 'No entries match.' });
}

export const commands = [audit];

/** A push can change 500 transactions. `--json` has all of them. */
const SHOWN_CHANGES = 10;

/** Members that are derived from others in the same change. */
const DERIVED = ['allocatedMinor', 'review'];

/** The facts of an entry, then one line per change; with a subject, only its own changes. */
export function describeEntry(
  {
    subject: own,
    details: { changes, createdIds = [], ...facts },
  }: { readonly subject: string | null; readonly details: AuditDetails },
  { currency, subject }: { currency: Currency; subject: string | undefined },
): string[] {
  const text = Object.entries(facts)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}=${showFact(name, value, currency)}`)
    .join(' ');
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
  if (member === 'conditions' || member === 'recoded') return showNamed(value, currency);
  return showFact(member, value, currency);
}

/** `contact is Harbour Hall and direction out`, for values that need their names. */
function showNamed(value: AuditValue, currency: Currency): string {
  return Object.entries(value ?? {})
    .map(([name, each]) => {
      const isNested = typeof each === 'object' && each !== null;
      const shown = isNested ? showNamed(each, currency) : showFact(name, each, currency);
      return `${name.replace(/Minor$/, '')} ${shown}`;
    })
    .join(' and ');
}
