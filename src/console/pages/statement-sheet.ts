/** The figures of a statement: its totals, and the table of its lines. */

import { formatInstant, monthsBetween } from '../../core/calendar.ts';
import { groupBy } from '../../core/groups.ts';
import { kindsOf, type LineKind } from '../../core/projects.ts';
import type { StatementDocument } from '../../core/statements.ts';
import { type Html, type HtmlValue, html } from '../../http/html.ts';
import type { CountedColumn } from '../../operations/statement-items.ts';
import {
  codedName,
  type Figure,
  figureList,
  KINDS,
  sectionPart,
  switchList,
  typed,
} from '../components/elements.ts';
import { listPath } from '../components/transaction-filters.ts';
import type { Reader } from '../session/reader.ts';

/** A percentage above it says nothing: that of a budget of pence. */
const MOST_PERCENT = 9999;

export type StatementLine = StatementDocument['lines'][number];
/** Where a figure of a line leads. */
type LinkOf = (line: StatementLine, column: CountedColumn) => string;

export function sayMonths(
  reader: Reader,
  { from, to }: Pick<StatementDocument, 'from' | 'to'>,
): string {
  if (from === null) return `Changes up to ${reader.months([to])}`;
  return reader.months(monthsBetween(`${from}-01`, `${to}-01`));
}

/** How far a line is off what was budgeted to date, in words; a short one names no amount. */
export function sayOff(
  reader: Reader,
  { toDate, budgetToDate, kind }: StatementLine,
  isShort = false,
): string {
  if (budgetToDate === 0) return toDate === 0 ? 'as planned' : 'nothing was budgeted to date';
  const percent = Math.round((100 * Math.abs(toDate - budgetToDate)) / Math.abs(budgetToDate));
  if (percent === 0) return 'as planned';
  const side = toDate > budgetToDate ? 'above' : 'below';
  const off = `${sayPercent(reader, percent) ?? 'far'} ${side}`;
  if (isShort) return off;
  const budget = reader.major(budgetToDate);
  return `${off} the ${budget} ${kind === 'income' ? 'expected' : 'budgeted'}`;
}

function sayPercent(reader: Reader, percent: number): string | undefined {
  if (Math.abs(percent) > MOST_PERCENT) return undefined;
  return `${reader.count(percent).replace('-', '−')}%`;
}

/** What is beside the figures of a page. */
interface FigureParts extends Pick<TableParts, 'linkOf' | 'reasonOf'> {
  readonly about: HtmlValue;
  /** The page, and the members of its address. */
  readonly own: string;
  readonly query: Readonly<Record<string, string | undefined>>;
  /** What the address asks to show in place of every line. */
  readonly asked: string | undefined;
}

/** The figures, with how they came to be, and links that show others in place of the lines. */
export function figuresPart(
  reader: Reader,
  document: StatementDocument,
  { about, own, query, asked, ...parts }: FigureParts,
): Html {
  const { lines, categories } = document;
  const used = lines.filter(isUsed).length;
  const by = BY.find((each) => each === asked);
  const table = statementTable(reader, document, { ...parts, by, labelledBy: 'figures' });
  const hidden = lines.length - used;
  const rest =
    hidden > 0 && html`<p class="legend">Without ${reader.count(hidden, 'line')} of zeros.</p>`;
  const way = (name: string, each: typeof by) => {
    return [name, `${listPath(own, {}, { ...query, by: each })}#figures`, by === each] as const;
  };
  const ways = switchList('Figures', [
    way(`Lines ${reader.count(used)}`, undefined),
    categories.length > 1 && way(`Categories ${reader.count(categories.length)}`, 'categories'),
    way('Totals', 'kinds'),
  ]);
  const aside = html`<p class="soft">${about}</p>${ways}`;
  return sectionPart('figures', 'Figures', html`${table}${rest}`, { aside });
}

/** The reason of a line, as it was issued. */
export function shownReason(reader: Reader, line: StatementLine): Html | undefined {
  const { asksReason, reason } = line;
  if (!asksReason && reason === null) return undefined;
  const said =
    reason === null ? html`<i>no reason given</i>` : html`<span class="note-text">${reason}</span>`;
  return html`${said} <span class="sub">${sayOff(reader, line)}</span>`;
}

/** What came in, what went out, the balance and what has changed. */
export function totals(reader: Reader, document: StatementDocument): Html {
  const { income, expenses, balance } = document;
  const share = ({ usedPercent, budget }: typeof income, of: string) => {
    const used = usedPercent === null ? undefined : sayPercent(reader, usedPercent);
    return used && `${used} of ${of} ${reader.major(budget)}`;
  };
  const rest = balance.toDate < 0 ? 'more spent than received' : 'received, not yet spent';
  const isBoth = kindsOf(document.lines).length > 1;
  const moved = ({ changes }: typeof balance) => reader.majorChanged(changes);
  const changes = `income ${moved(income)}, expenses ${moved(expenses)}`;
  const figures: readonly Figure[] = [
    isBoth && ['Received to date', reader.major(income.toDate), share(income, 'the expected')],
    ['Spent to date', reader.major(expenses.toDate), share(expenses, 'the budget of')],
    isBoth && ['Balance', reader.major(balance.toDate), rest],
    isBoth
      ? ['Changes to earlier periods', moved(balance), changes]
      : ['Changes to earlier periods', moved(expenses)],
  ];
  return figureList(figures);
}

/** What the table has besides names and figures. */
interface TableParts {
  /** The heading that names it. */
  readonly labelledBy: string;
  readonly linkOf?: LinkOf;
  /** The last column, if the table has one. */
  readonly reasonOf?: (line: StatementLine) => HtmlValue;
  /** Behind the name of a line. */
  readonly markOf?: (line: StatementLine) => HtmlValue;
  /** What is shown besides the sums; lines if undefined. */
  readonly by?: (typeof BY)[number] | undefined;
}

/** What a table can show in place of every line. */
const BY = ['categories', 'kinds'] as const;

/** Whether a line has a figure; pages leave out the others. */
export function isUsed({ budget, before, period, changes, toDate }: StatementLine): boolean {
  return [budget, before, period, changes, toDate].some((amount) => amount !== 0);
}

/** A row: a line, a category, a sum or the balance. */
type Row = StatementDocument['balance'] & {
  readonly look: 'line-of' | 'group' | 'total' | 'balance';
  readonly name: HtmlValue;
  readonly line?: StatementLine;
  readonly left?: number;
  readonly usedPercent?: number | null;
};

/** Income, expenses, and the balance if there are both. */
export function statementTable(
  reader: Reader,
  document: StatementDocument,
  parts: TableParts,
): Html {
  const kinds = kindsOf(document.lines);
  const isBoth = kinds.length > 1;
  const bodies = kinds.map((kind) => {
    const { income, expenses } = document;
    const sum = { ...(kind === 'income' ? income : expenses), look: 'total' as const };
    const rows = parts.by === 'kinds' ? [] : rowsOf(document, kind, parts);
    return html`<tbody role="rowgroup">
${isBoth && parts.by !== 'kinds' && kindRow(kind, parts)}${rows.map((row) => {
  return rowOf(reader, row, parts);
})}${rowOf(reader, { ...sum, name: isBoth ? KINDS[kind].total : 'Total' }, parts)}</tbody>
`;
  });
  const balance: Row = {
    ...document.balance,
    look: 'balance',
    name: html`Balance <span class="sub">received less spent</span>`,
  };
  const sums = [document.income, document.expenses];
  const largest = Math.max(...sums.flatMap(({ budget, toDate }) => [budget, toDate]).map(Math.abs));
  // Smaller on a phone, so that each is on one line; of billions, a table is wider than a desktop.
  const size = largest >= 1e9 ? ' millions billions' : largest >= 1e7 && ' millions';
  // Whoever has no mouse scrolls it with the keys, if no link in it takes them there.
  const focus =
    parts.by !== undefined &&
    html` tabindex="0" role="group" aria-labelledby="${parts.labelledBy}"`;
  return html`<div class="statement-sheet"${focus}><table
class="statement stack${size}" role="table"
aria-labelledby="${parts.labelledBy}">
${headOf(reader, document, parts)}${bodies}${
  isBoth && html`<tfoot role="rowgroup">${rowOf(reader, balance, parts)}</tfoot>\n`
}</table></div>
`;
}

function headOf(reader: Reader, document: StatementDocument, { reasonOf }: TableParts): Html {
  const { number, from, endDate, currency, tolerancePercent } = document;
  // The last day before its first month.
  const reportedTo = from === null ? endDate : formatInstant(Date.parse(from) - 1).slice(0, 10);
  const columns = [
    ['Budget', 'whole project'],
    ['Reported before', number > 1 && html`to ${reader.day(reportedTo)}`],
    ['This period', from !== null && sayMonths(reader, document)],
    ['Changes to earlier periods', number > 1 && `since statement ${number - 1}`],
    ['To date', reader.day(endDate)],
    ['Left', currency],
    ['Used', ''],
  ] as const;
  const asked = `asked where more than ${tolerancePercent}% off the budget to date`;
  return html`<thead role="rowgroup"><tr role="row">
<th role="columnheader" scope="col">Budget line</th>
${columns.map(([name, about]) => {
  return html`<th role="columnheader" scope="col" class="num">${name} <span
class="sub">${about}</span></th>\n`;
})}${
  reasonOf &&
  html`<th role="columnheader" scope="col" class="reason">Reason <span
class="sub">${tolerancePercent !== null && asked}</span></th>\n`
}</tr></thead>
`;
}

function kindRow(kind: LineKind, { reasonOf }: TableParts): Html {
  const { name, budget, actual, left } = KINDS[kind];
  const used = `of ${budget}`;
  const cells = [budget, '', '', '', actual, left, used].map((word, at) => {
    return html`<td role="cell"${styleOf(at)}>${word}</td>\n`;
  });
  return html`<tr role="row" class="kind"><th role="rowheader" scope="rowgroup">${name}</th>
${cells}${reasonOf && html`<td role="cell" class="reason"></td>`}</tr>
`;
}

/** The columns that a rule separates. */
function styleOf(at: number): Html {
  const more = at === 1 ? ' sum-of' : at === 4 ? ' to-date' : '';
  return html` class="num${more}"`;
}

const AT_END = html` <span class="sub">at the end</span>`;

function rowOf(reader: Reader, row: Row, { linkOf, reasonOf, markOf }: TableParts): Html {
  const { look, name, line, left, usedPercent } = row;
  const linked = (column: CountedColumn, text: string) =>
    line === undefined || linkOf === undefined || row[column] === 0
      ? text
      : html`<a href="${linkOf(line, column)}">${text}</a>`;
  const isOver = left !== undefined && left < 0 && line?.kind === 'expense';
  const rest = isOver ? html`<span class="over">${reader.major(-left)}</span> over` : left;
  const cells: readonly HtmlValue[] = [
    html`${reader.major(row.budget)}${look === 'balance' && AT_END}`,
    linked('before', reader.major(row.before)),
    linked('period', reader.major(row.period)),
    linked('changes', reader.majorChanged(row.changes)),
    linked('toDate', reader.major(row.toDate)),
    typeof rest === 'number' ? reader.major(rest) : rest,
    typeof usedPercent === 'number' && sayPercent(reader, usedPercent),
  ];
  const id = line && html` id="${line.budgetLineId}"`;
  return html`<tr role="row" class="${look}"${id}><th role="rowheader" scope="row">${name}${
    line && markOf?.(line)
  }</th>
${cells.map((cell, at) => html`<td role="cell"${styleOf(at)}>${cell}</td>\n`)}${
  reasonOf && html`<td role="cell" class="reason">${line && reasonOf(line)}</td>`
}</tr>
`;
}

/** The lines of a kind; those of a category that has several below its sums. */
function rowsOf(document: StatementDocument, kind: LineKind, { by }: TableParts): readonly Row[] {
  const own = document.lines.filter((line) => line.kind === kind && isUsed(line));
  const keyOf = ({ projectId, category }: Pick<StatementLine, 'projectId' | 'category'>) =>
    JSON.stringify([projectId, category]);
  const groups = groupBy(own, (line) => (line.category === null ? line.budgetLineId : keyOf(line)));
  const sums = new Map(
    document.categories.filter((each) => each.kind === kind).map((each) => [keyOf(each), each]),
  );
  return [...groups].flatMap(([key, lines]): Row[] => {
    const sum = lines.length > 1 || by === 'categories' ? sums.get(key) : undefined;
    const rows = lines.map((line) => lineRow(document, line, sum === undefined));
    if (sum === undefined) return rows;
    const group = { ...sum, look: 'group', name: typed(sum.category ?? '') } as const;
    return by === 'categories' ? [group] : [group, ...rows];
  });
}

function lineRow({ projectId }: StatementDocument, line: StatementLine, isAlone: boolean): Row {
  const { code, name, category, project } = line;
  const about = [
    line.projectId !== projectId && typed(project),
    isAlone && category !== null && typed(category),
  ].filter((part) => part !== false);
  const shown = html`${codedName({ code, name })}${
    about.length > 0 &&
    html` <span class="sub">${about.map((part, at) => html`${at > 0 && ' · '}${part}`)}</span>`
  }`;
  return { ...line, look: 'line-of', name: shown, line };
}
