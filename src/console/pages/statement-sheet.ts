/** What is in a statement: its totals, what is unfinished, the covering note and the figures. */

import { toMinor } from '../../core/money.ts';
import type { StatementDocument } from '../../core/statements.ts';
import { type Html, type HtmlValue, html } from '../../http/html.ts';
import {
  type Column,
  type Figure,
  figureList,
  sectionPart,
  stackTable,
  typed,
} from '../components/elements.ts';
import type { Visit } from '../session/visit.ts';

type Line = StatementDocument['lines'][number];

/** A row of the table: a line, a category, a sum or the balance. */
interface Row extends Pick<Line, 'budget' | 'before' | 'period' | 'changes' | 'toDate'> {
  readonly name: HtmlValue;
  readonly left?: number;
  readonly usedPercent?: number | null;
  readonly reason?: HtmlValue;
}

/** Minor units of an amount of a document. */
export function minorOf({ currency }: Visit, major: number): number {
  return Number(toMinor(major, currency.places));
}

/** A change has its sign. */
export function sayChange(visit: Visit, major: number): string {
  const text = visit.money(minorOf(visit, major));
  return major > 0 ? `+${text}` : major === 0 ? '–' : text;
}

/** Everything below the head of the page. */
export function statementContent(visit: Visit, document: StatementDocument): Html {
  const { note, lines } = document;
  const hidden = lines.filter((line) => !isUsed(line)).length;
  return html`${totals(visit, document)}${unfinishedPart(visit, document)}${
    note !== null && sectionPart('note', 'Covering note', html`<p class="note-text">${note}</p>`)
  }${sectionPart('figures', 'Figures', figureTable(visit, document))}${
    hidden > 0 && html`<p class="legend">Without ${visit.count(hidden, 'line')} of zeros.</p>`
  }`;
}

function isUsed({ budget, before, period, changes, toDate }: Row | Line): boolean {
  return [budget, before, period, changes, toDate].some((amount) => amount !== 0);
}

function hasIncome({ lines }: StatementDocument): boolean {
  return lines.some(({ kind }) => kind === 'income');
}

function totals(visit: Visit, document: StatementDocument): Html {
  const { income, expenses, balance } = document;
  const money = (major: number) => visit.money(minorOf(visit, major));
  const share = ({ usedPercent, budget }: typeof income, of: string) =>
    usedPercent !== null && `${visit.count(usedPercent)} % of ${of} ${money(budget)}`;
  const rest = balance.toDate < 0 ? 'more spent than received' : 'received, not yet spent';
  const isBoth = hasIncome(document);
  const figures: readonly Figure[] = [
    isBoth && ['Received to date', money(income.toDate), share(income, 'the expected')],
    ['Spent to date', money(expenses.toDate), share(expenses, 'the budget of')],
    isBoth && ['Balance', money(balance.toDate), rest],
    [
      'Changes to earlier periods',
      sayChange(visit, balance.changes),
      `income ${sayChange(visit, income.changes)}, expenses ${sayChange(visit, expenses.changes)}`,
    ],
  ];
  return figureList(figures);
}

/** What was not finished when the figures were taken. */
function unfinishedPart(visit: Visit, { unfinished, outside }: StatementDocument): Html {
  const { unallocated, underReview, reasonsMissing } = unfinished;
  const money = (major: number) => visit.money(minorOf(visit, major));
  const say = (count: number, words: HtmlValue) =>
    count > 0 && html`<li><b>${visit.count(count, 'transaction')}</b> ${words}</li>\n`;
  const items = [
    say(
      unallocated.count,
      `not allocated, or not in full: ${money(unallocated.out)} out, ${money(unallocated.in)} in`,
    ),
    say(underReview.count, `under review, with ${money(underReview.amount)} as it was allocated`),
    say(outside.count, 'dated outside the project, so not counted'),
    reasonsMissing.length > 0 &&
      html`<li><b>${visit.count(reasonsMissing.length, 'line')}</b> without a reason</li>\n`,
  ].filter((item) => item !== false);
  if (items.length === 0) return html``;
  return sectionPart('unfinished', 'Not finished', html`<ul class="effects">\n${items}</ul>`);
}

function figureTable(visit: Visit, document: StatementDocument): Html {
  const money = (major: number) => visit.money(minorOf(visit, major));
  const changed = (row: Row) => sayChange(visit, row.changes);
  const sayLeft = ({ left }: Row) => left !== undefined && money(left);
  const sayUsed = ({ usedPercent }: Row) =>
    typeof usedPercent === 'number' && `${visit.count(usedPercent)} %`;
  const columns: readonly Column<Row>[] = [
    ['Budget line', 'whole', ({ name }) => name],
    [`Budget, ${document.currency}`, 'num', ({ budget }) => money(budget), 'Budget'],
    ['Reported before', 'num', ({ before }) => money(before), 'Before'],
    ['This period', 'num', ({ period }) => money(period), 'This period'],
    ['Changes to earlier periods', 'num', changed, 'Changes'],
    ['To date', 'num', ({ toDate }) => html`<b>${money(toDate)}</b>`, 'To date'],
    ['Left or to come', 'num', sayLeft, 'Left'],
    ['Used', 'num', sayUsed, 'Used'],
    ['Reason', 'whole', ({ reason }) => reason],
  ];
  return stackTable(columns, rowsOf(document), { labelledBy: 'figures' });
}

/** Income, its sum, expenses, their sum, and the balance. */
function rowsOf(document: StatementDocument): readonly Row[] {
  const { income, expenses, balance } = document;
  const spent = linesOf(document, 'expense');
  const total = (name: string, figures: Omit<Row, 'name'>): Row => {
    return { ...figures, name: html`<b>${name}</b>` };
  };
  if (!hasIncome(document)) return [...spent, total('Total', expenses)];
  const less = html`<b>Balance</b> <span class="sub">received less spent</span>`;
  return [
    ...linesOf(document, 'income'),
    total('Total income', income),
    ...spent,
    total('Total expenses', expenses),
    { ...balance, name: less },
  ];
}

/** The lines of a kind; those of a category that has several below its sums. */
function linesOf(document: StatementDocument, kind: Line['kind']): readonly Row[] {
  const own = document.lines.filter((line) => line.kind === kind && isUsed(line));
  const keyOf = ({ projectId, category }: Pick<Line, 'projectId' | 'category'>) =>
    JSON.stringify([projectId, category]);
  const groups = new Map<string, Line[]>();
  for (const line of own) {
    const key = line.category === null ? line.budgetLineId : keyOf(line);
    groups.set(key, [...(groups.get(key) ?? []), line]);
  }
  const sums = new Map(
    document.categories.filter((each) => each.kind === kind).map((each) => [keyOf(each), each]),
  );
  return [...groups].flatMap(([key, lines]): Row[] => {
    const sum = lines.length > 1 ? sums.get(key) : undefined;
    const rows = lines.map((line) => lineRow(document, line, sum === undefined));
    if (sum === undefined) return rows;
    return [{ ...sum, name: html`<b>${typed(sum.category ?? '')}</b>` }, ...rows];
  });
}

function lineRow(
  { projectId, tolerancePercent }: StatementDocument,
  line: Line,
  isAlone: boolean,
): Row {
  const { code, name, category, project, asksReason, reason } = line;
  const about = [
    line.projectId !== projectId && typed(project),
    isAlone && category !== null && typed(category),
  ].filter((part) => part !== false);
  const shown = html`${code !== null && html`<span class="code">${code}</span> `}${typed(name)}${
    about.length > 0 &&
    html` <span class="sub">${about.map((part, at) => html`${at > 0 && ' · '}${part}`)}</span>`
  }`;
  const asked = asksReason && `no reason given: more than ${tolerancePercent} % off`;
  const why = reason === null ? asked : html`<span class="note-text">${reason}</span>`;
  return { ...line, name: shown, reason: why };
}
