/** What pages of transactions say of statements that reported their months. Nothing is locked. */

import { monthOf } from '../../core/calendar.ts';
import { formatId } from '../../core/ids.ts';
import { type Html, html } from '../../http/html.ts';
import type { NamedAllocation } from '../../operations/allocations.ts';
import { listReportedTransactions } from '../../operations/statement-items.ts';
import type { TransactionRecord } from '../../store/transactions.ts';
import { typed } from '../components/elements.ts';
import type { Visit } from '../session/visit.ts';

/** Which statement reported a transaction, or its month without it, and what has changed since. */
export function reportedNotes(
  { access, reader }: Visit,
  transaction: TransactionRecord,
  allocations: readonly NamedAllocation[],
): readonly Html[] {
  return listReportedTransactions(access, transaction, allocations).map((each) => {
    const { project, number, last, reportedMinor, nowMinor } = each;
    const named = number ?? last;
    const path = `/projects/${formatId('prj', project.id)}/statements/${named}`;
    const statement = html`<a href="${path}">Statement ${named}</a> of ${typed(project.name)}`;
    const change = nowMinor - reportedMinor;
    const next =
      change === 0
        ? `What you change shows in statement ${last + 1}.`
        : html`Statement ${last + 1} shows the change: ${reader.change(change)}.`;
    const month = reader.months([monthOf(transaction.date)]);
    const what =
      number === undefined
        ? `reported ${month} without it`
        : html`reported this: ${reader.money(reportedMinor)}`;
    return html`<p class="note"><span>${statement} ${what}. ${next}</span></p>\n`;
  });
}
