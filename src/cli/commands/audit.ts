import { auditDocument } from '../../api/documents.ts';
import { AUDIT_ACTIONS } from '../../core/audit.ts';
import { describeEntry } from '../../core/audit-text.ts';
import { formatInstant } from '../../core/calendar.ts';
import { count } from '../../core/counts.ts';
import type { Currency } from '../../core/currencies.ts';
import { type AuditRecord, listAudit } from '../../operations/audit.ts';
import type { Call, Command } from '../command.ts';
import { asUsage } from '../errors.ts';
import { optionText, readChoice, readWhole } from '../options.ts';
import { printNotes, printResult, printTable } from '../output.ts';
import { paintsFor, terminalWidth } from '../paint.ts';
import { type Entry, ONE_LINE_WIDTH } from '../table.ts';

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
  async run(call) {
    const action = optionText(call, 'action');
    const max = Number.MAX_SAFE_INTEGER;
    const limit = readWhole(call, 'limit', { min: 1, max });
    const filter = {
      since: optionText(call, 'since'),
      subject: optionText(call, 'subject'),
      actor: optionText(call, 'actor'),
      action: action === undefined ? undefined : readChoice('--action', action, AUDIT_ACTIONS),
    };
    const { access } = await call.openOrganisation();
    const found = asUsage(() => listAudit(access, filter));
    const newest = (number: number) => found.slice(Math.max(0, found.length - number));
    printResult(call, newest(limit ?? max).map(auditDocument), () => {
      const shown = newest(limit ?? SHOWN_ENTRIES);
      if (shown.length === 0) printNotes(call.io, 'No entries match.');
      else printEntries(call, shown, access.organisation.currency);
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
  printTable(io, {
    columns: [
      { title: 'When (UTC)' },
      { title: 'Who', min: 8 },
      { title: 'What' },
      { title: 'Subject' },
      { title: 'Details', min: 4, rank: 1 },
      { title: 'Request', rank: 2 },
    ],
    entries: entries.flatMap((entry): Entry[] => {
      const lines = describeEntry(entry, { currency, subject });
      const [only = ''] = lines;
      const isInline = isWide && lines.length <= 1;
      const { atMs, actor, action, requestId } = entry;
      const when = formatInstant(atMs).slice(0, 19).replace('T', ' ');
      const request = isWide ? (requestId ?? '') : '';
      const cells = [when, actor, action, entry.subject ?? '', isInline ? only : '', request];
      // Never cut: the new value comes last.
      const below = lines.map((text) => {
        return { banner: { text: `    ${text}`, paint: dim }, isWhole: true };
      });
      return isInline ? [cells] : [cells, ...below];
    }),
  });
}

export const commands = [audit];
