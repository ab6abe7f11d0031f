/** Transactions that were recoded after they were allocated: settled one by one, or together. */

import { formatId } from '../../core/ids.ts';
import { nameLine } from '../../core/projects.ts';
import { type Html, type HtmlValue, html } from '../../http/html.ts';
import type { Reply } from '../../http/message.ts';
import { mapBudgetLines } from '../../operations/budget-lines.ts';
import { countTransactions, listTransactions } from '../../operations/transactions.ts';
import { finish } from '../../operations/turns.ts';
import { resolveReview, type Settlement, settleAll } from '../../operations/workflow.ts';
import { listClaims } from '../../store/account-codes.ts';
import { lastWriteMs } from '../../store/audit.ts';
import type { TransactionRecord } from '../../store/transactions.ts';
import { type Column, emptyPart, stackTable, typed, unseen } from '../components/elements.ts';
import { oneAmong, postForm, type Sent, takeForm, UNSENT } from '../components/forms.ts';
import { showPage } from '../components/layout.ts';
import { sayAllocated } from '../components/line-fields.ts';
import { PATHS } from '../components/paths.ts';
import { listPath, transactionLink } from '../components/transaction-filters.ts';
import { outcomeOf } from '../sentences/refusals.ts';
import type { Outcome } from '../session/outcomes.ts';
import type { Reader } from '../session/reader.ts';
import type { Visit } from '../session/visit.ts';

/** Rows on the page. */
const ROWS = 50;

/** What was done, of one or several. */
const DONE: Readonly<Record<Settlement, string>> = {
  recode: 'allocated by account code',
  keep: 'kept where allocated',
  void: 'of amount 0 cleared',
};

/** What is marked as recoded, and how many as text: "25,000+" if a page counts only a part. */
export async function countRecoded(visit: Visit) {
  const totals = await visit.read(countTransactions(visit.access, { isRecoded: true }));
  return { ...totals, shown: `${visit.reader.count(totals.count)}${totals.isCapped ? '+' : ''}` };
}

/** `GET /review/recoded`: the newest, each with where it is and where its codes lead now. */
export async function showRecoded(visit: Visit, sent: Sent = UNSENT): Promise<Reply> {
  const { access } = visit;
  const seenMs = lastWriteMs(access);
  const { count } = await countRecoded(visit);
  const { items } = finish(listTransactions(access, { isRecoded: true, limit: ROWS }));
  const content =
    items.length === 0
      ? NONE
      : html`${rowTable(visit, items)}
${items.length < count ? html`<p class="soft">These are the newest ${ROWS}.</p>` : ''}
${togetherForm(RECODE_OR_KEEP, seenMs)}`;
  return showPage(visit, {
    title: 'Recoded',
    place: PATHS.review,
    above: [[PATHS.review, 'Review']],
    lead: `The finance system changed their codes or dates after they were allocated. They stay on
their budget lines until someone settles them.`,
    content,
    ...sent,
  });
}

const NONE = emptyPart(
  'Nothing is marked as recoded',
  'Allocated transactions are listed here when they come again with other codes or dates.',
);

function rowTable(visit: Visit, items: readonly TransactionRecord[]): Html {
  const { access, reader } = visit;
  const leads = new Map(
    listClaims(access, items).map(({ kind, transaction: { id, amountMinor }, budgetLineIds }) => {
      const [line = 0] = kind === 'claimed' && amountMinor !== 0 ? budgetLineIds : [];
      return [id, line];
    }),
  );
  const lines = mapBudgetLines(access, leads.values());
  const lineOf = ({ id }: TransactionRecord) => lines.get(leads.get(id) ?? 0);
  const lead = (each: TransactionRecord): HtmlValue => {
    const line = lineOf(each);
    if (line === undefined) return html`<span class="soft">no single line</span>`;
    return html`${typed(nameLine(line))} <span class="sub">${typed(line.projectName)}</span>`;
  };
  const settleOf = (each: TransactionRecord) => oneForm(each, lineOf(each) !== undefined);
  const columns: readonly Column<TransactionRecord>[] = [
    ['Contact', '', (each) => transactionLink(each)],
    ['Amount', 'num', ({ amountMinor }) => reader.money(amountMinor)],
    ['Was', 'whole soft', ({ recoded }) => recoded && sayCoded(reader, recoded), 'Was'],
    ['Now', 'whole', (each) => sayCoded(reader, each), 'Now'],
    ['Allocated to', 'whole', sayAllocated(visit, items), 'Allocated to'],
    ['Its codes lead to', 'whole', lead, 'Its codes lead to'],
    ['Settle', 'whole', settleOf],
  ];
  return stackTable(columns, items, {
    label: 'Recoded transactions',
    idOf: ({ id }) => formatId('txn', id),
  });
}

/** The codes and the day of a transaction. */
export function sayCoded(
  reader: Reader,
  {
    accountCode,
    projectCode,
    date,
  }: Pick<TransactionRecord, 'accountCode' | 'projectCode' | 'date'>,
): Html {
  const codes = [accountCode, projectCode].filter((code) => code !== null);
  const shown = codes.map((code) => html`<code>${code}</code> `);
  return html`${codes.length === 0 && 'no code '}${shown}<span
class="sub">${reader.day(date)}</span>`;
}

/** Whether to keep one whose amount has changed too is settled with the amount. */
function oneForm(
  { id, contact, description, updatedAtMs, review }: TransactionRecord,
  canRecode: boolean,
): Html {
  const open = formatId('txn', id);
  const which = unseen(` ${contact ?? description}`);
  const move =
    canRecode && html`<button class="button" name="do" value="recode">Move${which}</button>`;
  const keep =
    review === null
      ? html`<button class="button" name="do" value="keep">Keep${which}</button>`
      : html`<a class="button" href="${listPath(PATHS.review, {}, { open })}">Review${which}</a>`;
  const buttons = html`<span class="actions">${move}${keep}</span>`;
  return postForm(PATHS.recoded, { id: open, seen: updatedAtMs }, buttons);
}

/** Buttons that settle all of a kind, but for what came after the last write before the page. */
export function togetherForm(
  buttons: Partial<Record<Settlement, string>>,
  seen: number | undefined,
): Html {
  const shown = Object.entries(buttons).map(([value, text]) => {
    return html`<button class="button" name="do" value="${value}">${text}</button>\n`;
  });
  const content = html`<p class="actions">${shown}</p>`;
  return postForm(PATHS.recoded, { seen }, content, html` class="together"`);
}

const RECODE_OR_KEEP = {
  recode: 'Move those that no person allocated to the lines of their codes',
  keep: 'Keep all where they are allocated',
} as const;

/** `POST /review/recoded`: settles one, or all of a kind. */
export function takeRecoded(visit: Visit): Promise<Reply> {
  return takeForm(visit, SETTLING, showRecoded, (wish) => settle(visit, wish.do));
}

const SETTLING = {
  do: {
    label: 'What to do',
    refused: 'Nothing was settled. ',
    read: oneAmong(Object.keys(DONE) as Settlement[], 'Choose what to do.'),
  },
};

async function settle(visit: Visit, settlement: Settlement): Promise<Outcome> {
  const { access, actor } = visit;
  const seenMs = Number(visit.form.value('seen'));
  const transactionId = visit.form.value('id');
  if (transactionId !== undefined) {
    const target = { transactionId, seenUpdatedAtMs: seenMs };
    const resolution = settlement === 'recode' ? 'by-account-code' : 'keep';
    const after = resolveReview(access, { ...target, resolution }, actor);
    const message = html`${typed(after.contact ?? after.description)}: ${DONE[settlement]}.`;
    return { to: PATHS.recoded, message, undo: [after.updatedAtMs] };
  }
  const done = await settleAll(access, settlement, actor, seenMs);
  const message = `${visit.reader.count(done.count, 'transaction')} ${DONE[settlement]}.`;
  return outcomeOf(visit, done, settlement === 'void' ? PATHS.review : PATHS.recoded, message);
}
