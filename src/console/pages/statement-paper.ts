/** A statement on paper: a page of its own, A4 and white, that a treasurer hands over. */

import { formatId } from '../../core/ids.ts';
import { kindsOf, type LineKind, nameLine } from '../../core/projects.ts';
import { WHOLE } from '../../core/rules.ts';
import type { StatementChange, StatementDocument } from '../../core/statements.ts';
import { type Html, html } from '../../http/html.ts';
import type { Reply } from '../../http/message.ts';
import { letterheadOf, readWithChanges } from '../../operations/statement-items.ts';
import { nextTurn } from '../../operations/turns.ts';
import { readRules } from '../../store/rules.ts';
import {
  type Column,
  KINDS,
  pairList,
  sectionPart,
  stackTable,
  typed,
} from '../components/elements.ts';
import { showPaper } from '../components/layout.ts';
import { listPath } from '../components/transaction-filters.ts';
import type { Reader } from '../session/reader.ts';
import type { Visit } from '../session/visit.ts';
import {
  isUsed,
  type StatementLine,
  sayMonths,
  shownReason,
  statementTable,
  totals,
} from './statement-sheet.ts';
import { sayHappened } from './statement-transactions.ts';
import { documentOf, placeOf } from './statements.ts';

export async function showPrint(visit: Visit): Promise<Reply> {
  const { reader } = visit;
  const { projectId, path } = placeOf(visit);
  const reading = readWithChanges(visit.access, () => documentOf(visit, projectId), visit);
  const { document, changes } = await visit.read(reading);
  await nextTurn();
  const { number, project, note, lines } = document;
  const [organisation = '', ...address] = letterheadOf(visit.access, document);
  const isBoth = kindsOf(lines).length > 1;
  const notes = lines.filter(({ asksReason, reason }) => asksReason || reason !== null);
  const markOf = (line: StatementLine) => {
    const at = notes.indexOf(line);
    return at >= 0 && html`\u00a0<sup>${reader.count(at + 1)}</sup>`;
  };
  const content = html`<div class="letterhead"><p>${typed(organisation)}</p>${
    address.length > 0 && html`<p class="small">${address.join('\n')}</p>`
  }</div>
<h1>${isBoth ? 'Statement of income and expenses' : 'Statement of expenses'}</h1>
<p class="lead">${typed(project)} · statement ${number} · ${sayMonths(reader, document)}</p>
${statusOf(visit, document)}${aboutOf(reader, document)}${
  note !== null && html`<p class="note-text">${note}</p>\n`
}${totals(reader, document)}<h2 class="hidden" id="figures">Figures</h2>
${statementTable(reader, document, { labelledBy: 'figures', markOf })}${
  lines.some((line) => !isUsed(line)) &&
  html`<p class="small">The table omits lines of zeros.</p>\n`
}${notes.length > 0 && differences(reader, document, notes)}${
  changes.length > 0 && changesPart(reader, document, changes)
}${methodOf(visit, document)}
<div class="signatures"><p>${
    // The command line has no name to sign with.
    document.issuedBy?.id == null
      ? 'Prepared by'
      : html`<span>Prepared by ${typed(document.issuedBy.name)}</span>`
  } <span>Date</span></p><p>Approved by (name, role) <span>Date</span></p></div>`;
  const title = `Statement ${number}, ${project}, ${organisation}`;
  const own = `${path}/${visit.param('number')}`;
  const [issue, until, below] = ['issue', 'until', 'below'].map((name) => visit.asked(name));
  const query = { issue, until, below };
  // The sheet of its lower margin.
  const style = listPath(`${own}/print.css`, {}, query);
  const way = [listPath(own, {}, query), `Back to statement ${number}`] as const;
  return showPaper({ title, content, style, way });
}

/** What it is, if it is not in force. */
function statusOf(visit: Visit, { status, withdrawn }: StatementDocument): Html | undefined {
  if (status === 'draft') {
    const today = visit.reader.dayAt(visit.nowMs);
    return html`<p class="note"><span><b>Draft of ${today}.</b> Its figures may
change.</span></p>\n`;
  }
  if (withdrawn === null) return undefined;
  const { at, by, reason } = withdrawn;
  const day = visit.reader.dayAt(Date.parse(at));
  return html`<p class="note warn"><span><b>Withdrawn</b> ${day} by ${typed(
    by.name,
  )}: ${typed(reason)}</span></p>\n`;
}

function aboutOf(reader: Reader, document: StatementDocument): Html {
  const { funder, number, issue, currency, issuedAt, issuedBy, withSubProjects } = document;
  const { startDate, endDate } = document;
  const again = issue > 1 && `, issue ${issue}`;
  const after = number > 1 && `, after statement ${number - 1}`;
  return pairList([
    ['Funder', funder !== null && typed(funder.name)],
    ['Reference', funder?.reference != null && typed(funder.reference)],
    ['Statement', html`${number}${again}${after}`],
    ['Currency', currency],
    ['Period', startDate !== null && html`${reader.day(startDate)} to ${reader.day(endDate)}`],
    ['Projects below', withSubProjects && 'included'],
    [
      'Issued',
      issuedAt !== null &&
        html`${reader.dayAt(Date.parse(issuedAt))}${
          issuedBy?.id != null && html`, ${typed(issuedBy.name)}`
        }`,
    ],
  ]);
}

const BUDGET = 'Budget to date';

/** The lines that are further off than the tolerance, with their reasons. */
function differences(
  reader: Reader,
  { endDate, tolerancePercent }: StatementDocument,
  lines: readonly StatementLine[],
): Html {
  const places = (major: number) => Number(major.toFixed(reader.currency.places));
  const columns: readonly Column<StatementLine>[] = [
    ['Note', '', (line) => reader.count(lines.indexOf(line) + 1), 'Note'],
    ['Budget line', '', (line) => typed(nameLine(line))],
    [BUDGET, 'num', ({ budgetToDate }) => reader.major(budgetToDate), BUDGET],
    ['To date', 'num', ({ toDate }) => reader.major(toDate), 'To date'],
    [
      'Difference',
      'num',
      ({ toDate, budgetToDate }) => reader.majorChanged(places(toDate - budgetToDate)),
      'Difference',
    ],
    ['Reason', 'why whole', (line) => shownReason(reader, line)],
  ];
  // Someone can give a reason for a smaller one too.
  const least =
    lines.every(({ asksReason }) => asksReason) && html` of more than ${tolerancePercent ?? 0}%`;
  const title = html`Differences${least} from the budget to ${reader.day(endDate)}`;
  const look = 'differences three ';
  return sectionPart(
    'differences',
    title,
    stackTable(columns, lines, { labelledBy: 'differences', look }),
  );
}

/** What is counted differently than before, by line and what happened. */
function changesPart(
  reader: Reader,
  { number, startDate, lines, income, expenses }: StatementDocument,
  changes: readonly StatementChange[],
): Html {
  type Row = readonly [line: Html | string, what: string, count: number | undefined, minor: number];
  const happened = sayHappened(changes, (date) => startDate !== null && date >= startDate);
  const sums = new Map<string, [line: StatementLine, what: string, count: number, minor: number]>();
  const byId = new Map(lines.map((line) => [line.budgetLineId, line]));
  for (const each of changes) {
    const line = byId.get(each.budgetLineId);
    if (line === undefined) continue;
    const what = happened(each);
    const key = `${each.budgetLineId} ${what}`;
    const [, , count, minor] = sums.get(key) ?? [line, what, 0, 0];
    sums.set(key, [line, what, count + 1, minor + each.change]);
  }
  const rowsOf = (kind: LineKind): Row[] => {
    const own = [...sums.values()].filter(([line]) => line.kind === kind);
    own.sort(([one], [other]) => lines.indexOf(one) - lines.indexOf(other));
    const rows = own.map(([line, ...more]): Row => [typed(nameLine(line)), ...more]);
    const sum = reader.minor((kind === 'income' ? income : expenses).changes);
    return rows.length === 0 ? [] : [...rows, [KINDS[kind].total, '', undefined, sum]];
  };
  const bold = ([name]: Row, text: string) =>
    typeof name === 'string' ? html`<b>${text}</b>` : text;
  const columns: readonly Column<Row>[] = [
    ['Budget line', '', (row) => (typeof row[0] === 'string' ? bold(row, row[0]) : row[0])],
    ['What happened', 'whole', ([, what]) => what],
    ['Transactions', 'num', ([, , count]) => count && reader.count(count), 'Transactions'],
    ['Change', 'num', (row) => bold(row, reader.changed(row[3])), 'Change'],
  ];
  const count = new Set(changes.map(({ transactionId }) => transactionId)).size;
  const since = `${reader.count(count, 'transaction')} from earlier months ${
    count === 1 ? 'is' : 'are'
  } counted differently than in statement ${number - 1}.`;
  const rows = [...rowsOf('income'), ...rowsOf('expense')];
  const table = stackTable(columns, rows, { labelledBy: 'changes', look: 'differences moved ' });
  return sectionPart('changes', 'Changes to earlier periods', html`<p>${since}</p>\n${table}`);
}

/** How it was made: sentences from a list, each left out where it is not true. */
function methodOf(visit: Visit, document: StatementDocument): Html {
  const { number, issuedAt, lines, unfinished, withSubProjects } = document;
  const what = kindsOf(lines).length > 1 ? 'Income and expenses are' : 'Expenses are';
  const sentences = [
    `${what} counted in the month of their date in the organisation’s ledger.`,
    issuedAt !== null &&
      html`Budget: the whole project, as agreed on ${visit.reader.dayAt(Date.parse(issuedAt))}.`,
    withSubProjects && 'The projects below this one are included.',
    number > 1 && `Reported before: the column “To date” of statement ${number - 1}, unchanged.`,
    number > 1 &&
      html`Changes to earlier periods: what was added, corrected or moved to another line since
statement ${number - 1}. Reported before, this period and changes add up to the figure to date.`,
    sayShared(visit, document),
    'Every figure is the sum of recorded transactions. A list of them is available on request.',
    issuedAt !== null &&
      unfinished.underReview.count === 0 &&
      'When it was issued, no transaction of these months was under review.',
  ].filter((sentence) => sentence !== false);
  const list = html`<ul class="method">
${sentences.map((sentence) => html`<li>${sentence}</li>\n`)}</ul>`;
  return sectionPart('method', 'How this statement was made', list);
}

/** Which rules divide costs, and what part of each is here; if they are as they were at issue. */
function sayShared(
  { access }: Visit,
  { lines, issuedAt }: Pick<StatementDocument, 'lines' | 'issuedAt'>,
): Html | false {
  const { rules, changedAtMs } = readRules(access);
  if (issuedAt !== null && changedAtMs > Date.parse(issuedAt)) return false;
  const ids = new Set(lines.map(({ budgetLineId }) => budgetLineId));
  const shared = rules.flatMap(({ name, shares, allocated }) => {
    const given = shares.reduce((sum, { weight }) => sum + (weight ?? 0), 0);
    const own = shares.filter(({ budgetLineId }) => ids.has(formatId('bln', budgetLineId)));
    const part = own.reduce((sum, { weight }) => sum + (weight ?? WHOLE - given), 0);
    const isShared = allocated > 0 && own.length > 0 && part < WHOLE;
    return isShared ? [html`${typed(name)}, ${part / 100}%`] : [];
  });
  return (
    shared.length > 0 &&
    html`Shared costs are divided by fixed percentages:
${shared.map((each, at) => html`${at > 0 && '; '}${each}`)}.`
  );
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
export async function showPrintStyle(visit: Visit): Promise<Reply> {
  const document = await visit.read(documentOf(visit));
  const { project, number, status } = document;
  const named = `${STATUSES[status]} ${number}`;
  const [organisation = ''] = letterheadOf(visit.access, document);
  const text = [organisation, project, named].join(' · ');
  const escaped = text.replace(/[\p{C}"\\<]/gu, (character) => {
    return `\\${character.charCodeAt(0).toString(16)} `;
  });
  const body = `@page statement { @bottom-left { content: "${escaped}"; } }\n`;
  return { status: 200, headers: { 'Content-Type': 'text/css; charset=utf-8' }, body };
}
