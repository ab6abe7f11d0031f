/** Allocating by account code: what it would do, and doing exactly that. */

import { nounFor } from '../../core/counts.ts';
import { formatId } from '../../core/ids.ts';
import { PAGE_ITEMS } from '../../core/limits.ts';
import { BY_ACCOUNT_CODE } from '../../core/rules.ts';
import { type Html, type HtmlValue, html } from '../../http/html.ts';
import type { Reply } from '../../http/message.ts';
import {
  type ClaimGroup,
  KnownRules,
  listProjectCodes,
  mapOtherClaims,
  previewByAccountCode,
  type Ruling,
  sumByAccountCode,
} from '../../operations/account-codes.ts';
import { allocations } from '../../operations/allocations.ts';
import { mapBudgetLines, sumBudgetLines } from '../../operations/budget-lines.ts';
import { CHANGED_AT_ONCE, changeMany, inSteps } from '../../operations/changes.ts';
import { lastWriteMs } from '../../operations/organisations.ts';
import { listTransactions } from '../../operations/transactions.ts';
import { finish, nextTurn } from '../../operations/turns.ts';
import { type Column, emptyPart, stackTable, typed } from '../components/elements.ts';
import { mainActions, postForm, type Sent, UNSENT } from '../components/forms.ts';
import { showPage } from '../components/layout.ts';
import { nameLine, sayLeft } from '../components/line-fields.ts';
import { addressOf, BY_CODE, LIST } from '../components/transaction-filters.ts';
import { NAMED_LINES, NO_PROJECT, sayAmbiguous, sayOther } from '../sentences/claims.ts';
import { outcomeOf } from '../sentences/refusals.ts';
import type { Outcome } from '../session/outcomes.ts';
import type { Visit } from '../session/visit.ts';

/** Rows of codes that a line claims: more of them would take long to show. */
const CLAIMED_ROWS = PAGE_ITEMS;
/** Rows of codes that nothing claims. */
const LEFT_ROWS = 100;

/** `POST /transactions/by-code`: allocates what the page showed and was ticked. */
export async function takeByCode(visit: Visit): Promise<Reply> {
  const ticked = new Set(visit.form.values('group'));
  const untilMs = Number(visit.form.value('until') ?? 0);
  const again = (group: string, status?: number) => {
    return showByCode(visit, { faults: { group }, status });
  };
  if (ticked.size === 0) return again('Select at least one account code.');
  return visit.runOr(
    ({ message }, status) => again(`Nothing was done. ${message}`, status),
    () => allocateShown(visit, ticked, untilMs),
  );
}

/**
 * Allocates the transactions of the ticked groups that have not changed since the page was shown.
 * Every write has a later stamp than the one before, so what came since has a later one too.
 */
async function allocateShown(
  visit: Visit,
  ticked: ReadonlySet<string>,
  untilMs: number,
): Promise<Outcome> {
  const requests = [];
  for await (const claims of listClaims(visit)) {
    for (const claim of claims) {
      const { id, accountCode, updatedAtMs } = claim.transaction;
      if (claim.kind !== 'claimed' || updatedAtMs > untilMs) continue;
      const [lineId = 0] = claim.budgetLineIds;
      const budgetLineId = formatId('bln', lineId);
      if (!ticked.has(`${budgetLineId}~${accountCode}`)) continue;
      const transactionId = formatId('txn', id);
      const seen = { transactionId, seenUpdatedAtMs: updatedAtMs };
      requests.push({ ...seen, allocations: [{ budgetLineId, rule: BY_ACCOUNT_CODE }] });
    }
  }
  const steps = inSteps(requests, (step) => allocations(visit.access, step));
  const done = await changeMany(visit.access, steps, visit.actor);
  const sum = visit.reader.money(done.sumMinor);
  const many = visit.reader.count(done.count, 'transaction');
  const message = html`${many} allocated by account code, ${sum} in total.`;
  return outcomeOf(visit, done, BY_CODE, message);
}

/** The claims on all unallocated transactions, in steps. */
async function* listClaims({ access }: Visit): AsyncGenerator<readonly Ruling[]> {
  const known = new KnownRules({ onlyByAccountCode: true });
  let cursor: string | undefined;
  do {
    const request = { limit: Math.min(CHANGED_AT_ONCE, PAGE_ITEMS), cursor };
    const page = previewByAccountCode(access, request, known);
    yield page.items;
    cursor = page.nextCursor ?? undefined;
    await nextTurn();
  } while (cursor !== undefined);
}

/** `GET /transactions/by-code`. */
export async function showByCode(visit: Visit, sent: Sent = UNSENT): Promise<Reply> {
  // Before the claims are read: transactions that are pushed from now on are left.
  const untilMs = lastWriteMs(visit.access) ?? 0;
  const groups = await visit.desk.readings.take(visit, sumByAccountCode(visit.access));
  groups.sort((one, two) => two.sumMinor - one.sumMinor);
  const claimed = groups.filter(({ kind }) => kind === 'claimed');
  const left = groups.filter(({ kind }) => kind !== 'claimed');
  return showPage(visit, {
    title: 'Allocate by account code',
    place: LIST,
    above: [LIST, 'Transactions'],
    lead: `Nothing is saved yet. Each transaction goes in full to the only budget line with its
account code, in a project that covers its date and, if it has a project code, has that code.`,
    content: html`${claimed.length === 0 ? NOTHING : claimForm(visit, claimed, untilMs)}
${leftTable(visit, left)}`,
    ...sent,
  });
}

const NOTHING = emptyPart(
  'Nothing to allocate this way',
  'No unallocated transaction has an account code that exactly one budget line claims on its day.',
);

function claimForm(visit: Visit, all: readonly ClaimGroup[], untilMs: number): Html {
  const { access, currency, reader } = visit;
  const groups = all.slice(0, CLAIMED_ROWS);
  const more = all.length - groups.length;
  const numbers = new Set(groups.map(({ budgetLineIds: [id = 0] }) => id));
  const ids = [...numbers].map((id) => formatId('bln', id));
  const lines = mapBudgetLines(access, numbers);
  const leftAfter = new Map<number, number>();
  for (const { id, budgetMinor, actualMinor } of sumBudgetLines(access, ids)) {
    leftAfter.set(id, budgetMinor - actualMinor);
  }
  for (const { budgetLineIds, sumMinor } of groups) {
    const [lineId = 0] = budgetLineIds;
    leftAfter.set(lineId, (leftAfter.get(lineId) ?? 0) - sumMinor);
  }
  const tick = ({ accountCode: code, budgetLineIds: [lineId = 0] }: ClaimGroup) => {
    // A fault of the form leads to the first.
    const [{ accountCode, budgetLineIds = [] } = {}] = groups;
    const isFirst = accountCode === code && budgetLineIds[0] === lineId;
    return html`<label class="choice"><input type="checkbox" name="group"${
      isFirst && html` id="group"`
    } value="${formatId('bln', lineId)}~${code}" checked> <code>${code}</code></label>`;
  };
  const sayLine = ({ budgetLineIds: [lineId = 0] }: ClaimGroup) => {
    const line = lines.get(lineId);
    return (
      line && html`${typed(nameLine(line))} <span class="soft">· ${typed(line.projectName)}</span>`
    );
  };
  const columns: readonly Column<ClaimGroup>[] = [
    ['Code', '', tick],
    ['Goes to', 'whole', sayLine],
    ['Transactions', 'num', (group) => linkWaiting(visit, group), 'Transactions'],
    [`Amount, ${currency.code}`, 'num lead', ({ sumMinor }) => visit.money(sumMinor)],
    [
      'Left in the line after',
      'num',
      ({ budgetLineIds: [lineId = 0] }) =>
        sayLeft(visit, lines.get(lineId), leftAfter.get(lineId) ?? 0),
      'Left after',
    ],
  ];
  const count = groups.reduce((sum, each) => sum + each.count, 0);
  const sumMinor = groups.reduce((sum, each) => sum + each.sumMinor, 0);
  const say = (number: number, noun: string) => {
    return html`<span><b>${reader.count(number)}</b> ${nounFor(number, noun)}</span> `;
  };
  const content = html`${stackTable(columns, groups, { label: 'What would be allocated' })}
<p class="sums">${say(groups.length, 'code')}${say(count, 'transaction')}<span><b>${visit.money(
    sumMinor,
  )}</b> ${currency.code}</span></p>
${
  more > 0 &&
  html`<p class="soft">And ${reader.count(more, 'more code')}, which this page shows once these are
allocated.</p>\n`
}${mainActions('Allocate the selected codes', LIST)}
`;
  return postForm(BY_CODE, { until: untilMs }, content);
}

/** How many transactions a group has, as a link to them. */
function linkWaiting({ reader }: Visit, { accountCode, count }: ClaimGroup, days = {}): HtmlValue {
  if (accountCode === null) return reader.count(count);
  const list = addressOf(LIST, { tab: 'open', accountCode, ...days });
  return html`<a href="${list}">${reader.count(count)}</a>`;
}

/** Codes that no line claims on those days, or several. */
function leftTable(visit: Visit, groups: readonly ClaimGroup[]): Html | undefined {
  if (groups.length === 0) return undefined;
  const { access, reader } = visit;
  const shown = groups.slice(0, LEFT_ROWS);
  const ids = shown.map(({ transactionId }) => formatId('txn', transactionId));
  const { items } = finish(listTransactions(access, { ids, limit: LEFT_ROWS }));
  const examples = new Map(items.map(({ id, description }) => [id, description]));
  const sayExample = ({ transactionId: id }: ClaimGroup) => typed(examples.get(id) ?? '');
  const others = mapOtherClaims(access, shown);
  const ambiguous = shown.filter(({ kind }) => kind === 'ambiguous');
  const lines = mapBudgetLines(
    access,
    ambiguous.flatMap((group) => group.budgetLineIds.slice(0, NAMED_LINES)),
  );
  const say = (group: ClaimGroup) => {
    if (!isKnown(group)) return NO_PROJECT;
    if (group.accountCode === null) return 'without an account code';
    if (group.kind === 'ambiguous') return sayAmbiguous(visit, group, lines);
    return sayOther(visit, group, others.get(shown.indexOf(group)));
  };
  const canClaim = visit.may('projects');
  const known = listProjectCodes(access);
  const isKnown = ({ projectCode }: ClaimGroup) => projectCode === null || known.has(projectCode);
  const sayCode = ({ accountCode: code, projectCode }: ClaimGroup) =>
    html`${code === null ? 'None' : html`<code>${code}</code>`}${
      projectCode !== null &&
      html` <span class="sub">project code <code>${projectCode}</code></span>`
    }`;
  const claimLink = (group: ClaimGroup) => {
    const { kind, accountCode: code, projectCode } = group;
    if (!canClaim || !isKnown(group) || kind !== 'unmatched' || code === null) return undefined;
    const claim = addressOf(`${BY_CODE}/claim`, {}, { code, project: projectCode ?? undefined });
    return html` <a href="${claim}">Claim it with a line<span class="hidden"> ${code}</span></a>`;
  };
  const columns: readonly Column<ClaimGroup>[] = [
    ['Code', '', sayCode],
    ['Such as', 'whole', sayExample],
    [
      'Transactions',
      'num',
      (group) => {
        const { from, to, projectCode } = group;
        return linkWaiting(visit, group, { from, to, projectCode: projectCode ?? undefined });
      },
      'Transactions',
    ],
    [`Amount, ${visit.currency.code}`, 'num lead', ({ sumMinor }) => visit.money(sumMinor)],
    ['Why', 'whole', (group) => html`${say(group)}${claimLink(group)}`],
  ];
  const more = groups.length - LEFT_ROWS;
  const rest = more > 0 && html`<p class="soft">And ${reader.count(more, 'more code')}.</p>`;
  return html`<section aria-labelledby="left"><div class="title"><h2 id="left">Not
allocated</h2><p class="soft">Edit a project to give its lines account codes.</p></div>
${stackTable(columns, shown, { labelledBy: 'left' })}${rest}
</section>`;
}
