/** The rows of the list of transactions, where their lines are chosen, and the bar below them. */

import { formatId } from '../../core/ids.ts';
import { type Html, html } from '../../http/html.ts';
import type { Target } from '../../operations/input.ts';
import type { Totals } from '../../store/totals.ts';
import type { TransactionRecord } from '../../store/transactions.ts';
import { type Column, moneyCell, stackTable, statusTag, typed } from '../components/elements.ts';
import type { Faults } from '../components/forms.ts';
import { lineControl, listLines, sayAllocated } from '../components/line-fields.ts';
import {
  addressOf,
  type Filters,
  LIST,
  type ListQuery,
  listAddress,
  orderOf,
} from '../components/transaction-filters.ts';
import type { Visit } from '../session/visit.ts';

/** What was chosen in the list before something was found wrong with it. */
export interface Chosen {
  readonly ids: ReadonlySet<string>;
  readonly scope?: string;
  readonly line?: string;
  /** What was chosen or typed in rows, by the identifiers of their transactions. */
  readonly texts?: ReadonlyMap<string, string>;
}

/** How the list is shown. */
export interface ListView {
  readonly chosen: Chosen;
  readonly faults: Faults;
  /** Whether a transaction is open beside it. */
  readonly isNarrow: boolean;
  readonly open: string | undefined;
  readonly list: ListQuery;
}

/** The field of a row for its line, whose name has the stamp with which the row was shown. */
const ROW_FIELD = /^for\.(txn_\w+)\.(\d+)$/;

/** A row with a line, as it was chosen or typed. */
export interface FilledRow extends Required<Target> {
  readonly text: string;
}

/** The rows with something in their fields. */
export function readRowFields({ form }: Pick<Visit, 'form'>): readonly FilledRow[] {
  return form.fields.flatMap(([name, value]) => {
    const [, transactionId, stamp] = ROW_FIELD.exec(name) ?? [];
    const text = value.trim();
    if (transactionId === undefined || text === '') return [];
    return [{ transactionId, seenUpdatedAtMs: Number(stamp), text }];
  });
}

/** The id of the field for the line of a transaction. */
export function rowFieldOf(id: string): string {
  return `for-${id}`;
}

/** The account code, then the project code. */
function codesOf({ accountCode, projectCode }: TransactionRecord): (Html | false)[] {
  return [
    accountCode !== null && html`<code>${accountCode}</code>`,
    projectCode !== null && html` <code>${projectCode}</code>`,
  ];
}

const PICK_ALL = html`<label data-script hidden><input type="checkbox" data-all
aria-label="Select all on this page"></label>`;

export function rowTable(
  visit: Visit,
  items: readonly TransactionRecord[],
  { chosen, faults, isNarrow, open, list }: ListView,
): Html {
  const { filters } = list;
  const idOf = ({ id }: Pick<TransactionRecord, 'id'>) => formatId('txn', id);
  const pick = ({
    contact,
    description,
    date,
    amountMinor,
    updatedAtMs,
    ...each
  }: TransactionRecord) => {
    const id = idOf(each);
    const checked = chosen.ids.has(id) && html` checked`;
    const name = `Select ${contact ?? description}, ${visit.reader.dayText(date)}`;
    return html`<label><input type="checkbox" name="id" value="${id}.${updatedAtMs}"
aria-label="${name}" data-minor="${amountMinor}"${checked}></label>`;
  };
  const link = (each: TransactionRecord) => {
    const target = listAddress(list, { open: idOf(each) });
    const name = typed(each.contact ?? each.description);
    return html`<a class="row-link" href="${target}#${idOf(each)}">${name}</a>`;
  };
  const lineOf = sayAllocated(visit, items, filters);
  const status: Column<TransactionRecord> = ['Status', 'state', ({ status }) => statusTag(status)];
  const wide = (): readonly Column<TransactionRecord>[] =>
    filters.tab === 'open'
      ? [['Budget line', 'lines', (each) => lineField(visit, each, chosen, faults) ?? lineOf(each)]]
      : [status, ['Budget line', 'lines', lineOf]];
  const amount = `Amount, ${visit.currency.code}`;
  const columns: readonly Column<TransactionRecord>[] = [
    [PICK_ALL, 'pick', pick],
    [sortHead(filters, 'Date', ['newest', 'oldest']), 'date', ({ date }) => visit.day(date)],
    ['Contact', 'what', link],
    ['Description', 'desc', (each) => each.contact !== null && typed(each.description)],
    ['Code', 'code', codesOf],
    [
      sortHead(filters, amount, ['largest', 'smallest']),
      'num',
      (each) => moneyCell(each.amountMinor, visit.reader),
    ],
    ...(isNarrow ? [] : wide()),
  ];
  const isOpen = (each: TransactionRecord) => idOf(each) === open;
  const label = `Transactions, ${orderOf(filters)} first`;
  const parts = { label, look: 'list ', idOf, isOpen, hasRowHeads: false };
  return stackTable(columns, items, parts);
}

/** A link that sorts by this, or turns that order. */
function sortHead(
  filters: Filters,
  name: string,
  [down, up]: readonly [ReturnType<typeof orderOf>, ReturnType<typeof orderOf>],
): Html {
  const order = orderOf(filters);
  const next = order === down ? up : down;
  const mark = order === down ? ' ↓' : order === up ? ' ↑' : '';
  const sorted = addressOf(LIST, { ...filters, sort: next === 'newest' ? undefined : next });
  return html`<a href="${sorted}">${name}<span aria-hidden="true">${mark}</span><span
class="hidden">, ${next} first</span></a>`;
}

/** Where the line of a row is chosen; undefined for one that has a line already. */
function lineField(
  { reader }: Pick<Visit, 'reader'>,
  { id: number, status, date, contact, description, updatedAtMs }: TransactionRecord,
  { texts }: Chosen,
  faults: Faults,
): Html | undefined {
  if (status !== 'unallocated') return undefined;
  const id = formatId('txn', number);
  const field = rowFieldOf(id);
  const fault = faults[field];
  const isWrong = fault !== undefined;
  const text = texts?.get(id);
  return html`<input id="${field}" name="for.${id}.${updatedAtMs}" data-day="${date}"
aria-label="Budget line of ${contact ?? description}, ${reader.dayText(date)}"${
    text !== undefined && html` value="${text}"`
  }${isWrong && html` aria-invalid="true" aria-describedby="${field}-fault"`}>${
    isWrong && html`<span class="fault" id="${field}-fault">${fault}</span>`
  }`;
}

/** What can be done with the selected ones. */
export function bulkBar(
  visit: Visit,
  totals: Totals | undefined,
  { chosen: { scope, line }, isNarrow, list }: ListView,
): Html {
  const { tab } = list.filters;
  const count = totals === undefined ? '' : `${visit.count(totals.count)} `;
  const attributes = html`id="line" name="line" class="grow"`;
  // Beside a transaction, which has a list of them, a text field is enough.
  const lines = isNarrow ? undefined : listLines(visit.access);
  return html`<div class="bulk" role="group" aria-label="With the selected transactions">
<b data-selected aria-live="polite" hidden></b>
<label for="scope" class="hidden">Which</label>
<select id="scope" name="scope"><option value="selected">The selected</option><option
value="all" id="all"${scope === 'all' && html` selected`}>All ${count}matching this
filter</option></select>
${
  tab === 'excluded'
    ? html`<span class="actions"><button class="button primary" name="do"
value="restore">Restore</button></span>`
    : html`<label for="line" class="hidden">Budget line</label>
${lineControl({ attributes, value: line, lines })}
<span class="actions"><button class="button primary" name="do" value="allocate">Allocate</button>
<button class="button" name="do" value="exclude">Exclude</button>${
        tab !== 'open' &&
        html` <button class="button" name="do" value="clear">Clear allocations</button>`
      }</span>`
}
</div>`;
}
