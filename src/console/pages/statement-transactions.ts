/** The transactions behind a statement: what a figure counted, and what has changed since. */

import { kindsOf, type LineKind, nameLine } from '../../core/projects.ts';
import type { StatementDocument } from '../../core/statements.ts';
import { type Html, html } from '../../http/html.ts';
import type { Reply } from '../../http/message.ts';
import { missing } from '../../operations/access.ts';
import { listTransactionHistory } from '../../operations/audit.ts';
import { findBehind, mapChangedLines } from '../../operations/statement-items.ts';
import { countStatements } from '../../operations/statements.ts';
import { nextTurn } from '../../operations/turns.ts';
import {
  type Column,
  codedName,
  figureList,
  sectionPart,
  stackTable,
  typed,
} from '../components/elements.ts';
import { showPage } from '../components/layout.ts';
import { PATHS } from '../components/paths.ts';
import { listPath } from '../components/transaction-filters.ts';
import { Names } from '../sentences/names.ts';
import type { Reader } from '../session/reader.ts';
import type { Visit } from '../session/visit.ts';
import { askedFormat, changesFile, fileLinks } from './statement-files.ts';
import { documentOf, placeOf } from './statements.ts';

/** Transactions that are shown one by one. */
const SHOWN_ITEMS = 500;

/** `GET /projects/{id}/statements/{number}/transactions`: what is behind a figure of a line. */
export async function showBehind(visit: Visit): Promise<Reply> {
  const { reader } = visit;
  const { projectId, path, above } = placeOf(visit);
  const document = await visit.read(documentOf(visit, projectId));
  const { number } = document;
  const column = COLUMNS.find(([each]) => each === visit.asked('column'));
  if (column === undefined || document.status === 'draft') {
    throw missing('figure', visit.asked('column') ?? '');
  }
  const budgetLineId = visit.asked('line') ?? '';
  const wanted = { budgetLineId, column: column[0], most: SHOWN_ITEMS };
  const found = await visit.read(findBehind(visit.access, document, wanted));
  const { line, items, count, minor } = found;
  const now = new Map(
    document.changedSince?.transactions
      .filter((each) => each.budgetLineId === budgetLineId)
      .map((each) => [each.transactionId, each.now]),
  );
  type Item = (typeof items)[number];
  const sayNow = ({ transactionId }: Item) => {
    const major = now.get(transactionId);
    return major !== undefined && html`<b>${reader.major(major)}</b>`;
  };
  const columns: readonly Column<Item>[] = [
    ['Date', '', ({ date }) => reader.day(date)],
    ['Description', 'whole', (item) => transactionLink(item)],
    [`Reported, ${reader.currency.code}`, 'num', ({ minor }) => reader.money(minor), 'Reported'],
    ['Counted now, if different', 'num', sayNow, 'Now'],
  ];
  return showPage(visit, {
    title: `Statement ${number}: ${nameLine(line)}`,
    place: PATHS.projects,
    above: [...above, [`${path}/${number}#${budgetLineId}`, `Statement ${number}`]],
    heading: typed(nameLine(line)),
    lead: html`${column[1]}: ${reader.money(minor)}, ${reader.count(count, 'transaction')}`,
    content: firstOf(reader, columns, items, { label: 'Transactions', count }),
  });
}

const COLUMNS = [
  ['before', 'Reported before'],
  ['period', 'This period'],
  ['changes', 'Changes to earlier periods'],
  ['toDate', 'To date'],
] as const;

function transactionLink({
  transactionId,
  description,
}: {
  readonly transactionId: string;
  readonly description: string;
}): Html {
  const path = listPath(PATHS.list, {}, { open: transactionId });
  return html`<a href="${path}">${typed(description)}</a>`;
}

function firstOf<Row>(
  reader: Reader,
  columns: readonly Column<Row>[],
  all: readonly Row[],
  { label, count = all.length }: { readonly label: string; readonly count?: number },
): Html {
  const rest = count - SHOWN_ITEMS;
  return html`${stackTable(columns, all.slice(0, SHOWN_ITEMS), { label, look: 'three ' })}${
    rest > 0 && html`<p class="soft">And ${reader.count(rest, 'more', 'more')}.</p>`
  }`;
}

export async function showChanged(visit: Visit): Promise<Reply> {
  const { reader } = visit;
  const { projectId, path, above } = placeOf(visit);
  const document = await visit.read(documentOf(visit, projectId));
  const format = askedFormat(visit);
  if (format !== undefined) return changesFile(visit, format, document);
  const { number, changedSince } = document;
  const { count = 0, income = 0, expenses = 0, transactions: all = [] } = changedSince ?? {};
  const lines = mapChangedLines(visit.access, document);
  const lineOf = (id: string) => codedName(lines.get(id) ?? { code: null, name: id });
  const isLast = number === countStatements(visit.access, projectId);
  const next = isLast
    ? html`<a href="${path}/new">The next statement</a> has`
    : html`<a href="${path}/${number + 1}">Statement ${number + 1}</a> and later ones have`;
  const figures = figureList([
    ['Transactions', reader.count(count)],
    ['Income', reader.majorChanged(income)],
    ['Expenses', reader.majorChanged(expenses)],
    kindsOf(document.lines).length > 1 && [
      'Balance',
      reader.changed(reader.minor(income) - reader.minor(expenses)),
    ],
  ]);
  const content =
    all.length === 0
      ? html`<p class="empty">Nothing in its months has changed since.</p>`
      : html`${figures}
<p class="note"><span>Statement ${number} stays as it was issued. ${next} these amounts in
“Changes to earlier periods”.</span></p>
${sectionPart('changed', 'What changed', await changedTable(visit, document, lineOf))}
${sectionPart('effect', 'Effect on the budget lines', effectTable(reader, document, lineOf), {
  look: 'medium',
})}`;
  return showPage(visit, {
    title: `Changed since statement ${number}`,
    place: PATHS.projects,
    above: [...above, [`${path}/${number}`, `Statement ${number}`]],
    lead: `Amounts in the months of the statement that now differ from what it reported.`,
    actions:
      all.length === 0
        ? undefined
        : fileLinks((each) => {
            const more = { issue: visit.asked('issue'), format: each };
            return listPath(`${path}/${number}/changed`, {}, more);
          }),
    content,
  });
}

async function changedTable(
  visit: Visit,
  { endDate, issuedAt, changedSince }: StatementDocument,
  lineOf: LineNames,
): Promise<Html> {
  const { reader } = visit;
  const all = changedSince?.transactions ?? [];
  const shown = all.slice(0, SHOWN_ITEMS).map(({ transactionId }) => transactionId);
  const said = await sayLast(visit, new Set(shown), Date.parse(issuedAt ?? ''));
  const happened = sayHappened(all, (date) => date > endDate);
  const money = (major: number) => (major === 0 ? '–' : reader.major(major));
  const columns: readonly Column<ChangedItem>[] = [
    ['Date', '', ({ date }) => reader.day(date)],
    ['Description', 'whole', transactionLink],
    [
      'What happened',
      'whole',
      (item) => {
        const last = said.get(item.transactionId);
        return html`${happened(item)} <span class="sub">${last}</span>`;
      },
    ],
    ['Budget line', 'whole', ({ budgetLineId }) => lineOf(budgetLineId)],
    [`Reported, ${reader.currency.code}`, 'num', ({ reported }) => money(reported), 'Reported'],
    ['Now', 'num', ({ now }) => money(now), 'Now'],
    ['Change', 'num', ({ change }) => html`<b>${reader.majorChanged(change)}</b>`, 'Change'],
  ];
  return firstOf(reader, columns, all, { label: 'Changes' });
}

/** Transactions whose last changes are read in one turn. */
const READ_AT_ONCE = 20;

/** Who changed each transaction last, how and when. A change of a project can be the only one. */
async function sayLast(
  visit: Visit,
  ids: Iterable<string>,
  sinceMs: number,
): Promise<ReadonlyMap<string, Html>> {
  const names = new Names(visit);
  const said = new Map<string, Html>();
  for (const id of ids) {
    const [entry] = listTransactionHistory(visit.access, id, { limit: 1 }).items;
    const ofProject = html`by a change of the project`;
    if (entry) said.set(id, entry.atMs > sinceMs ? names.sayEntry(entry) : ofProject);
    if (said.size % READ_AT_ONCE === 0) await nextTurn();
  }
  return said;
}

/** What the changes do to each line, to each kind and to the balance, in minor units. */
function effectTable(reader: Reader, document: StatementDocument, lineOf: LineNames): Html {
  type Row = readonly [name: Html | string, reported: number, change: number];
  const { income, expenses, balance, lines, changedSince } = document;
  const minor = (major = 0) => reader.minor(major);
  const effects = new Map(
    lines.map(({ budgetLineId, kind, toDate }) => {
      return [budgetLineId, { kind, reported: minor(toDate), change: 0 }];
    }),
  );
  for (const { budgetLineId, kind, change } of changedSince?.transactions ?? []) {
    const before = effects.get(budgetLineId) ?? { kind, reported: 0, change: 0 };
    effects.set(budgetLineId, { ...before, change: before.change + minor(change) });
  }
  const rowsOf = (wanted: LineKind): Row[] =>
    [...effects].flatMap(([id, { kind, reported, change }]) => {
      return kind === wanted && change !== 0 ? [[lineOf(id), reported, change]] : [];
    });
  const [more, less] = [minor(changedSince?.income), minor(changedSince?.expenses)];
  const spent: readonly Row[] = [
    ...rowsOf('expense'),
    ['Total expenses', minor(expenses.toDate), less],
  ];
  const rows: readonly Row[] =
    kindsOf(lines).length === 1
      ? spent
      : [
          ...rowsOf('income'),
          ['Total income', minor(income.toDate), more],
          ...spent,
          ['Balance', minor(balance.toDate), more - less],
        ];
  const figure = ([name]: Row, text: string) =>
    typeof name === 'string' ? html`<b>${text}</b>` : text;
  const columns: readonly Column<Row>[] = [
    ['Budget line', 'whole', ([name]) => name],
    [
      `Reported, ${reader.currency.code}`,
      'num',
      (row) => figure(row, reader.money(row[1])),
      'Reported',
    ],
    ['Now', 'num', (row) => figure(row, reader.money(row[1] + row[2])), 'Now'],
    ['Change', 'num', (row) => figure(row, reader.changed(row[2])), 'Change'],
  ];
  return stackTable(columns, rows, { labelledBy: 'effect', look: 'three ' });
}

type LineNames = (id: string) => Html;

type ChangedItem = NonNullable<StatementDocument['changedSince']>['transactions'][number];
type Happened = Omit<ChangedItem, 'description' | 'budgetLineId'>;

/** Says what happened to a part of a transaction, by the others, and by days that came later. */
export function sayHappened(
  all: readonly Happened[],
  isLater: (date: string) => boolean,
): (item: Happened) => string {
  // An amount that moves between a line of income and one of expenses changes both alike.
  const signOf = ({ kind, change }: Happened) => Math.sign(kind === 'income' ? -change : change);
  const signs = new Set(all.map((each) => `${each.transactionId} ${signOf(each)}`));
  return (item) => {
    const { reported, now, transactionId, date } = item;
    if (signs.has(`${transactionId} ${-signOf(item)}`)) {
      return Math.abs(now) < Math.abs(reported) ? 'To another line' : 'From another line';
    }
    if (reported === 0) return 'Came late';
    if (now !== 0) return 'Amount changed';
    return isLater(date) ? 'Date moved to another month' : 'Counts no longer';
  };
}
