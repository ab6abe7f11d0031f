/** What pages of transactions say of statements that reported their months. Nothing is locked. */

import { monthOf } from '../../core/calendar.ts';
import { formatId } from '../../core/ids.ts';
import { type Html, html } from '../../http/html.ts';
import type { NamedAllocation } from '../../operations/allocations.ts';
import { mapBudgetLines } from '../../operations/budget-lines.ts';
import { getProject } from '../../operations/projects.ts';
import { countReportedDays, listReportedTransactions } from '../../operations/statement-items.ts';
import type { PlannedChange } from '../../store/acts.ts';
import type { TransactionRecord } from '../../store/transactions.ts';
import { typed } from '../components/elements.ts';
import type { Visit } from '../session/visit.ts';

/** Which statement reported a transaction, or its month without it, and what has changed since. */
export function reportedNotes(
  visit: Visit,
  transaction: TransactionRecord,
  allocations: readonly NamedAllocation[],
): readonly Html[] {
  const { access, reader } = visit;
  return listReportedTransactions(access, transaction, allocations).map((each) => {
    const { project, number, last, reportedMinor, nowMinor } = each;
    const named = number ?? last;
    const path = `/projects/${formatId('prj', project.id)}/statements/${named}`;
    const statement = html`<a href="${path}">Statement ${named}</a> of ${typed(project.name)}`;
    const change = nowMinor - reportedMinor;
    const next =
      change === 0
        ? `What you change shows in statement ${last + 1}.`
        : html`Statement ${last + 1} shows the change: ${visit.change(change)}.`;
    const month = reader.months([monthOf(transaction.date)]);
    const what =
      number === undefined
        ? `reported ${month} without it`
        : html`reported this: ${visit.money(reportedMinor)}`;
    return html`<p class="note"><span>${statement} ${what}. ${next}</span></p>\n`;
  });
}

/** How many of some changes are in months that statements have reported; undefined for none. */
export function sayReported(
  visit: Visit,
  planned: readonly Pick<PlannedChange, 'transaction' | 'before' | 'after'>[],
): Html | undefined {
  const { access } = visit;
  const touched = planned.map(({ transaction: { date }, before, after }) => {
    return { date, ids: [...before, ...after].map(({ budgetLineId }) => budgetLineId) };
  });
  const lines = mapBudgetLines(
    access,
    touched.flatMap(({ ids }) => ids),
  );
  const changes = touched.map(({ date, ids }) => {
    const projects = ids.flatMap((id) => lines.get(id)?.projectId ?? []);
    return { date, projectIds: [...new Set(projects)] };
  });
  const { count, statements } = countReportedDays(access, changes);
  if (count === 0) return undefined;
  const [[id = 0, number = 0] = [], another] = statements;
  const next =
    another === undefined
      ? html`statement ${number + 1} of ${typed(getProject(access, formatId('prj', id)).name)}`
      : 'the next statements';
  return html`<b>${visit.count(count)}</b> of them ${
    count === 1 ? 'is in a month that was' : 'are in months that were'
  } reported: ${next} will show ${count === 1 ? 'it' : 'them'}`;
}
