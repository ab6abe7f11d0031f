/** The transactions behind a statement: what a figure counted, and what has changed since. */

import { nameLine } from '../../core/projects.ts';
import type { StatementDocument } from '../../core/statements.ts';
import { type Html, html } from '../../http/html.ts';
import type { Reply } from '../../http/message.ts';
import { missing } from '../../operations/access.ts';
import { listBehind } from '../../operations/statement-items.ts';
import { type Column, codedName, figureList, stackTable, typed } from '../components/elements.ts';
import { showPage } from '../components/layout.ts';
import { addressOf, LIST } from '../components/transaction-filters.ts';
import type { Visit } from '../session/visit.ts';
import { sayChange, sayMajor } from './statement-sheet.ts';
import { documentOf, placeOf } from './statements.ts';

const PLACE = '/projects';

/** Transactions that are shown one by one. */
const SHOWN_ITEMS = 500;

/** `GET /projects/{id}/statements/{number}/transactions`: what is behind a figure of a line. */
export function showBehind(visit: Visit): Reply {
  const { projectId, path, above } = placeOf(visit);
  const document = documentOf(visit, projectId);
  const { number } = document;
  const column = COLUMNS.find(([each]) => each === visit.asked('column'));
  if (column === undefined || document.status === 'draft') {
    throw missing('figure', visit.asked('column') ?? '');
  }
  const budgetLineId = visit.asked('line') ?? '';
  const { line, items } = listBehind(visit.access, document, { budgetLineId, column: column[0] });
  const now = new Map(
    document.changedSince?.transactions
      .filter((each) => each.budgetLineId === budgetLineId)
      .map((each) => [each.transactionId, each.now]),
  );
  type Item = (typeof items)[number];
  const sayNow = ({ transactionId }: Item) => {
    const major = now.get(transactionId);
    return major !== undefined && html`<b>${sayMajor(visit, major)}</b>`;
  };
  const columns: readonly Column<Item>[] = [
    ['Date', '', ({ date }) => visit.day(date)],
    ['Description', 'whole', (item) => transactionLink(item)],
    [`Reported, ${visit.currency.code}`, 'num', ({ minor }) => visit.money(minor), 'Reported'],
    ['Counted now, if different', 'num', sayNow, 'Now'],
  ];
  const sum = items.reduce((minor, item) => minor + item.minor, 0);
  return showPage(visit, {
    title: `Statement ${number}: ${nameLine(line)}`,
    place: PLACE,
    above: [...above, [`${path}/${number}#${budgetLineId}`, `Statement ${number}`]],
    heading: typed(nameLine(line)),
    lead: html`${column[1]}: ${visit.money(sum)}, ${visit.count(items.length, 'transaction')}`,
    content: firstOf(visit, columns, items, 'Transactions'),
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
  return html`<a href="${addressOf(LIST, {}, { open: transactionId })}">${typed(description)}</a>`;
}

/** A table of the first rows, and how many more there are. */
function firstOf<Row>(
  visit: Visit,
  columns: readonly Column<Row>[],
  all: readonly Row[],
  label: string,
): Html {
  const rest = all.length - SHOWN_ITEMS;
  return html`${stackTable(columns, all.slice(0, SHOWN_ITEMS), { label })}${
    rest > 0 && html`<p class="soft">And ${visit.count(rest, 'more', 'more')}.</p>`
  }`;
}

/** `GET /projects/{id}/statements/{number}/changed`. */
export function showChanged(visit: Visit): Reply {
  const { projectId, path, above } = placeOf(visit);
  const document = documentOf(visit, projectId);
  const { number, lines, changedSince } = document;
  const all = changedSince?.transactions ?? [];
  const names = new Map(lines.map((line) => [line.budgetLineId, line]));
  // The parts of a transaction are beside each other.
  const near = all.slice(0, 2 * SHOWN_ITEMS);
  const money = (major: number) => sayMajor(visit, major);
  const columns: readonly Column<ChangedItem>[] = [
    ['Date', '', ({ date }) => visit.day(date)],
    ['Description', 'whole', transactionLink],
    ['What happened', '', (item) => sayHappened(item, near)],
    [
      'Budget line',
      'whole',
      ({ budgetLineId }) => {
        return codedName(names.get(budgetLineId) ?? { code: null, name: budgetLineId });
      },
    ],
    [`Reported, ${visit.currency.code}`, 'num', ({ reported }) => money(reported), 'Reported'],
    ['Now', 'num', ({ now }) => money(now), 'Now'],
    ['Change', 'num', ({ change }) => html`<b>${sayChange(visit, change)}</b>`, 'Change'],
  ];
  const content =
    all.length === 0
      ? html`<p class="empty">Nothing in its months has changed since.</p>`
      : html`${figureList([
          ['Transactions', visit.count(changedSince?.count ?? 0)],
          ['Income', sayChange(visit, changedSince?.income ?? 0)],
          ['Expenses', sayChange(visit, changedSince?.expenses ?? 0)],
        ])}${firstOf(visit, columns, all, 'Changes')}`;
  return showPage(visit, {
    title: `Changed since statement ${number}`,
    place: PLACE,
    above: [...above, [`${path}/${number}`, `Statement ${number}`]],
    lead: `What is counted now in the months of the statement, where it is not what was reported.
The next statement shows the changes.`,
    content,
  });
}

type ChangedItem = NonNullable<StatementDocument['changedSince']>['transactions'][number];

/** What happened to a part of a transaction, by the others. */
function sayHappened(item: ChangedItem, all: readonly ChangedItem[]): string {
  const { reported, now, transactionId } = item;
  if (reported !== 0 && now !== 0) return 'Amount changed';
  const others = all.filter((each) => each.transactionId === transactionId && each !== item);
  if (reported === 0) {
    return others.some((each) => each.reported !== 0) ? 'From another line' : 'Came later';
  }
  return others.some((each) => each.now !== 0) ? 'To another line' : 'Counts no longer';
}
