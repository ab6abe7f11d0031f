/** A statement on paper: a page of its own, A4 and white, that a treasurer hands over. */

import { kindsOf, nameLine } from '../../core/projects.ts';
import type { StatementDocument } from '../../core/statements.ts';
import { type Html, html } from '../../http/html.ts';
import type { Reply } from '../../http/message.ts';
import { type Column, pairList, sectionPart, stackTable, typed } from '../components/elements.ts';
import { showPaper } from '../components/layout.ts';
import { addressOf } from '../components/transaction-filters.ts';
import type { Visit } from '../session/visit.ts';
import {
  isUsed,
  type StatementLine,
  sayChange,
  sayMajor,
  sayMonths,
  shownReason,
  statementTable,
  totals,
} from './statement-sheet.ts';
import { documentOf, placeOf } from './statements.ts';

/** `GET /projects/{id}/statements/{number}/print`. */
export function showPrint(visit: Visit): Reply {
  const { projectId, path } = placeOf(visit);
  const document = documentOf(visit, projectId);
  const { number, project, note, lines } = document;
  const organisation = visit.access.organisation.name;
  const isBoth = kindsOf(lines).length > 1;
  const notes = lines.filter(({ asksReason, reason }) => asksReason || reason !== null);
  const markOf = (line: StatementLine) => {
    const at = notes.indexOf(line);
    return at >= 0 && html`\u00a0<sup>${visit.count(at + 1)}</sup>`;
  };
  const content = html`<p class="letterhead">${organisation}</p>
<h1>${isBoth ? 'Statement of income and expenses' : 'Statement of expenses'}</h1>
<p class="lead">${typed(project)} · statement ${number} · ${sayMonths(visit, document)}</p>
${statusOf(visit, document)}${aboutOf(visit, document)}${
  note !== null && html`<p class="note-text">${note}</p>\n`
}${totals(visit, document)}<h2 class="hidden" id="figures">Figures</h2>
${statementTable(visit, document, { labelledBy: 'figures', markOf })}${
  lines.some((line) => !isUsed(line)) &&
  html`<p class="small">The table omits lines of zeros.</p>\n`
}${notes.length > 0 && differences(visit, document, notes)}${methodOf(visit, document)}
<div class="signatures"><p>${
    document.issuedBy === null
      ? 'Prepared by'
      : html`<span>Prepared by ${typed(document.issuedBy.name)}</span>`
  } <span>Date</span></p><p>Approved by (name, role) <span>Date</span></p></div>`;
  const title = `Statement ${number}, ${project}, ${organisation}`;
  const own = `${path}/${visit.param('number')}`;
  const [issue, until, below] = ['issue', 'until', 'below'].map((name) => visit.asked(name));
  const query = { issue, until, below };
  // The sheet of its lower margin.
  const style = addressOf(`${own}/print.css`, {}, query);
  const way = [addressOf(own, {}, query), `Back to statement ${number}`] as const;
  return showPaper({ title, content, style, way });
}

/** What it is, if it is not in force. */
function statusOf(visit: Visit, { status, withdrawn }: StatementDocument): Html | undefined {
  if (status === 'draft') {
    const today = visit.dayAt(visit.nowMs);
    return html`<p class="note"><span><b>Draft of ${today}.</b> Its figures may
change.</span></p>\n`;
  }
  if (withdrawn === null) return undefined;
  const { at, by, reason } = withdrawn;
  return html`<p class="note warn"><span><b>Withdrawn</b> ${visit.dayAt(Date.parse(at))} by ${typed(
    by.name,
  )}: ${typed(reason)}</span></p>\n`;
}

function aboutOf(visit: Visit, document: StatementDocument): Html {
  const { funder, number, issue, currency, issuedAt, issuedBy, withSubProjects } = document;
  const again = issue > 1 && `, issue ${issue}`;
  const after = number > 1 && `, after statement ${number - 1}`;
  return pairList([
    ['Funder', funder !== null && typed(funder.name)],
    ['Reference', funder?.reference != null && typed(funder.reference)],
    ['Statement', html`${number}${again}${after}`],
    ['Currency', currency],
    ['Project', typed(document.project)],
    ['Projects below', withSubProjects && 'included'],
    [
      'Issued',
      issuedAt !== null &&
        html`${visit.dayAt(Date.parse(issuedAt))}, ${typed(issuedBy?.name ?? '')}`,
    ],
  ]);
}

const BUDGET = 'Budget to date';

/** The lines that are further off than the tolerance, with their reasons. */
function differences(
  visit: Visit,
  { endDate, tolerancePercent }: StatementDocument,
  lines: readonly StatementLine[],
): Html {
  const money = (major: number) => sayMajor(visit, major);
  const places = (major: number) => Number(major.toFixed(visit.currency.places));
  const columns: readonly Column<StatementLine>[] = [
    ['Note', '', (line) => visit.count(lines.indexOf(line) + 1)],
    ['Budget line', '', (line) => typed(nameLine(line))],
    [BUDGET, 'num whole', ({ budgetToDate }) => money(budgetToDate), BUDGET],
    ['To date', 'num whole', ({ toDate }) => money(toDate), 'To date'],
    [
      'Difference',
      'num whole',
      ({ toDate, budgetToDate }) => sayChange(visit, places(toDate - budgetToDate)),
      'Difference',
    ],
    ['Reason', 'why whole', (line) => shownReason(visit, line)],
  ];
  const title = html`Differences of more than ${tolerancePercent ?? 0} % from the budget to
${visit.day(endDate)}`;
  const table = stackTable(columns, lines, { labelledBy: 'differences', look: 'differences ' });
  return sectionPart('differences', tolerancePercent === null ? 'Reasons' : title, table);
}

/** How it was made: sentences from a list, each left out where it is not true. */
function methodOf(visit: Visit, document: StatementDocument): Html {
  const { number, issuedAt, lines, unfinished, withSubProjects } = document;
  const what = kindsOf(lines).length > 1 ? 'Income and expenses are' : 'Expenses are';
  const sentences = [
    `${what} counted in the month of their date in the organisation’s ledger.`,
    issuedAt !== null &&
      html`Budget: the whole project, as agreed on ${visit.dayAt(Date.parse(issuedAt))}.`,
    withSubProjects && 'The projects below this one are included.',
    number > 1 && `Reported before: the column “To date” of statement ${number - 1}, unchanged.`,
    number > 1 &&
      html`Changes to earlier periods: what was added, corrected or moved to another line since
statement ${number - 1}. Reported before, this period and changes add up to the figure to date.`,
    'Every figure is the sum of recorded transactions. A list of them is available on request.',
    issuedAt !== null &&
      unfinished.underReview.count === 0 &&
      'When it was issued, no transaction of these months was under review.',
  ].filter((sentence) => sentence !== false);
  const list = html`<ul class="method">
${sentences.map((sentence) => html`<li>${sentence}</li>\n`)}</ul>`;
  return sectionPart('method', 'How this statement was made', list);
}

const STATUSES = {
  draft: 'Draft of statement',
  issued: 'Statement',
  withdrawn: 'Withdrawn statement',
} as const;

/**
 * `GET /projects/{id}/statements/{number}/print.css`: the style of the lower margin, because policy
 * forbids styles in the page.
 */
export function showPrintStyle(visit: Visit): Reply {
  const { project, number, status } = documentOf(visit);
  const named = `${STATUSES[status]} ${number}`;
  const text = [visit.access.organisation.name, project, named].join(' · ');
  const escaped = text.replace(/[\p{C}"\\<]/gu, (character) => {
    return `\\${character.charCodeAt(0).toString(16)} `;
  });
  const body = `@page statement { @bottom-left { content: "${escaped}"; } }\n`;
  return { status: 200, headers: { 'Content-Type': 'text/css; charset=utf-8' }, body };
}
