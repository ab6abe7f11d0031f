/** What is in a statement: its totals, what is unfinished, the covering note and the figures. */

import { daysInMonth, monthsBetween } from '../../core/calendar.ts';
import { kindsOf, nameLine } from '../../core/projects.ts';
import type { StatementDocument } from '../../core/statements.ts';
import { type Html, type HtmlValue, html } from '../../http/html.ts';
import { type Figure, figureList, sectionPart, typed } from '../components/elements.ts';
import { addressOf, LIST } from '../components/transaction-filters.ts';
import type { Visit } from '../session/visit.ts';
import {
  isUsed,
  minorOf,
  type StatementLine,
  sayChange,
  statementTable,
  type TableParts,
} from './statement-table.ts';

/** The months of a statement. */
export function sayMonths(
  { reader }: Visit,
  { from, to }: Pick<StatementDocument, 'from' | 'to'>,
): string {
  if (from === null) return `Changes up to ${reader.months([to])}`;
  return reader.months(monthsBetween(`${from}-01`, `${to}-01`));
}

/** How far a line is off what was budgeted to date, in words; a short one names no amount. */
export function sayOff(
  visit: Visit,
  { toDate, budgetToDate, kind }: StatementLine,
  isShort = false,
): string {
  if (budgetToDate === 0) return toDate === 0 ? 'as planned' : 'nothing was budgeted to date';
  const percent = Math.round((100 * Math.abs(toDate - budgetToDate)) / Math.abs(budgetToDate));
  if (percent === 0) return 'as planned';
  const side = toDate > budgetToDate ? 'above' : 'below';
  if (isShort) return `${visit.count(percent)} % ${side}`;
  const budget = visit.money(minorOf(visit, budgetToDate));
  return `${visit.count(percent)} % ${side} the ${budget} ${
    kind === 'income' ? 'expected' : 'budgeted'
  }`;
}

/** Everything below the head of the page but the figures. */
export function statementNotes(visit: Visit, document: StatementDocument): Html {
  const { note, status } = document;
  const isShown = note !== null && status !== 'draft';
  return html`${totals(visit, document)}${unfinishedPart(visit, document)}${
    isShown && sectionPart('note', 'Covering note', html`<p class="note-text">${note}</p>`)
  }`;
}

/** The figures, with how they came to be. */
export function figuresPart(
  visit: Visit,
  document: StatementDocument,
  {
    about,
    actions,
    ...parts
  }: Omit<TableParts, 'labelledBy'> & { readonly about: HtmlValue; readonly actions?: HtmlValue },
): Html {
  const hidden = document.lines.filter((line) => !isUsed(line)).length;
  return html`<section><div class="title"><h2 id="figures">Figures</h2><p
class="soft">${about}</p>${actions}</div>
${statementTable(visit, document, { ...parts, labelledBy: 'figures' })}${
  hidden > 0 && html`<p class="legend">Without ${visit.count(hidden, 'line')} of zeros.</p>`
}</section>
`;
}

/** The reason of a line, as it was issued. */
export function shownReason(visit: Visit, line: StatementLine): Html | undefined {
  const { asksReason, reason } = line;
  if (!asksReason && reason === null) return undefined;
  const said = reason === null ? 'no reason given' : html`<span class="note-text">${reason}</span>`;
  return html`${said} <span class="sub">${sayOff(visit, line)}</span>`;
}

/** What came in, what went out, the balance and what has changed. */
export function totals(visit: Visit, document: StatementDocument): Html {
  const { income, expenses, balance } = document;
  const money = (major: number) => visit.money(minorOf(visit, major));
  const share = ({ usedPercent, budget }: typeof income, of: string) =>
    usedPercent !== null && `${visit.count(usedPercent)} % of ${of} ${money(budget)}`;
  const rest = balance.toDate < 0 ? 'more spent than received' : 'received, not yet spent';
  const isBoth = kindsOf(document.lines).length > 1;
  const changes = `income ${sayChange(visit, income.changes)}, expenses ${sayChange(
    visit,
    expenses.changes,
  )}`;
  const figures: readonly Figure[] = [
    isBoth && ['Received to date', money(income.toDate), share(income, 'the expected')],
    ['Spent to date', money(expenses.toDate), share(expenses, 'the budget of')],
    isBoth && ['Balance', money(balance.toDate), rest],
    isBoth
      ? ['Changes to earlier periods', sayChange(visit, balance.changes), changes]
      : ['Changes to earlier periods', sayChange(visit, expenses.changes)],
  ];
  return figureList(figures);
}

/** How many lines without a reason are named. The table marks each. */
const NAMED_LINES = 12;

/** What was not finished when the figures were taken; of a draft with what settles it. */
function unfinishedPart(visit: Visit, document: StatementDocument): Html {
  const { unfinished, outside, status, startDate, endDate, lines } = document;
  const { unallocated, underReview, reasonsMissing } = unfinished;
  const isDraft = status === 'draft';
  const money = (major: number) => visit.money(minorOf(visit, major));
  const say = (count: number, words: string, [path, name]: readonly [string, string]) => {
    const link = isDraft && html` <a href="${path}">${name}</a>`;
    return (
      count > 0 && html`<li><b>${visit.count(count, 'transaction')}</b> ${words}${link}</li>\n`
    );
  };
  const open = addressOf(LIST, { tab: 'open', from: startDate ?? undefined, to: endDate });
  const project = { project: document.projectId, days: 'other' } as const;
  const ofProject = { from: endDate.slice(0, 4).concat('-01-01'), to: endDate };
  const missing = lines.filter(({ budgetLineId }) => reasonsMissing.includes(budgetLineId));
  const named = missing.slice(0, NAMED_LINES).map((line, at) => {
    const name = typed(nameLine(line));
    const link = html`<a href="#reason-${line.budgetLineId}">${name}</a>`;
    return html`${at > 0 && ', '}${isDraft ? link : name}`;
  });
  const more = missing.length - named.length;
  const items = [
    say(
      unallocated.count,
      `not allocated, or not in full: ${money(unallocated.out)} out, ${money(unallocated.in)} in`,
      [open, 'Show them'],
    ),
    say(underReview.count, `under review, with ${money(underReview.amount)} as it was allocated`, [
      '/review',
      'Review them',
    ]),
    say(outside.count, 'dated outside the project, so not counted', [
      addressOf(LIST, { ...project, ...ofProject }),
      'Show them',
    ]),
    missing.length > 0 &&
      html`<li><b>${visit.count(missing.length, 'line')}</b> without a reason: ${named}${
        more > 0 && `, and ${visit.count(more, 'more line')}`
      }</li>\n`,
  ].filter((item) => item !== false);
  if (items.length === 0) {
    return html`${
      isDraft && html`<p class="note">Everything in these months is allocated and settled.</p>\n`
    }`;
  }
  const next = html`${
    isDraft &&
    html`<p class="soft">You can issue it anyway: what comes later
shows in statement ${document.number + 1}.</p>`
  }`;
  const list = html`<ul class="effects">\n${items}</ul>${next}`;
  return sectionPart('unfinished', isDraft ? 'Not finished in these months' : 'Not finished', list);
}

/** The first and last day of a month. */
export function daysOf(month: string): { readonly from: string; readonly to: string } {
  return { from: `${month}-01`, to: `${month}-${daysInMonth(month)}` };
}
