/** What the panel of a transaction does: allocates, excludes, restores. */

import { Failure } from '../../core/failures.ts';
import { formatId } from '../../core/ids.ts';
import { ALLOCATED_LINES } from '../../core/limits.ts';
import { shareByWeight, shareEqually } from '../../core/money.ts';
import { nameLine } from '../../core/projects.ts';
import { PERCENT, readPercent } from '../../core/typed-amounts.ts';
import { html } from '../../http/html.ts';
import type { Reply } from '../../http/message.ts';
import { decodePairs } from '../../http/target.ts';
import { allocate, type NewAllocation, requireFew } from '../../operations/allocations.ts';
import type { Target } from '../../operations/input.ts';
import { getTransaction } from '../../operations/transactions.ts';
import { nextTurn } from '../../operations/turns.ts';
import { exclude, restore } from '../../operations/workflow.ts';
import type { LineChoice } from '../../store/line-list.ts';
import type { TransactionRecord } from '../../store/transactions.ts';
import { typed } from '../components/elements.ts';
import { type FormFaults, isFaulty, readAt, readFields } from '../components/forms.ts';
import { showPlain } from '../components/layout.ts';
import {
  lineControl,
  readLineField,
  readLines,
  ruleLink,
  type TypedShare,
} from '../components/line-fields.ts';
import { ListQuery } from '../components/transaction-filters.ts';
import type { Outcome } from '../session/outcomes.ts';
import type { Visit } from '../session/visit.ts';
import { offerSame, placeAfter } from './rows.ts';
import { EXCLUDING, type TypedShares, transactionPanel } from './transaction.ts';
import { showTransactions } from './transactions.ts';

interface PanelForm {
  readonly transaction: TransactionRecord;
  /** The transaction as it was shown. */
  readonly target: Required<Target>;
  /** The list as it was. */
  readonly list: ListQuery;
}

function readSent(visit: Visit): PanelForm {
  const transactionId = visit.field('id');
  const notText = () => new Failure('invalid_input', 'The filters cannot be read.');
  const query = decodePairs(visit.field('filters'), notText);
  return {
    transaction: getTransaction(visit.access, transactionId),
    target: { transactionId, seenUpdatedAtMs: Number(visit.field('seen')) },
    list: ListQuery.read(query),
  };
}

/** `GET /lines`: the list of lines, for the script of a page that has too many for one. */
export async function showLines(visit: Visit): Promise<Reply> {
  const lines = await visit.read(readLines(visit.access));
  const content = html`<label for="line">Budget line</label>
${lineControl({ attributes: html`id="line" name="line"`, lines })}`;
  return showPlain({ title: 'Budget lines', content });
}

/** `POST /transactions/allocate`: saves the allocations, or shows the form with another row. */
export async function takeAllocations(visit: Visit): Promise<Reply> {
  const { reader } = visit;
  const sent = readSent(visit);
  const given = readShares(visit);
  const { amountMinor } = sent.transaction;
  const write = (minor: number) => reader.field(minor);
  const shares = editShares(visit, given.shares, amountMinor, write);
  const tooMany: Record<string, string> = {};
  readAt(tooMany, 'line-0', () => requireFew(shares ?? given.shares));
  if (isFaulty(tooMany)) {
    const fewer = given.shares.slice(0, ALLOCATED_LINES);
    return panelReply(visit, sent, { faults: tooMany, given: { ...given, shares: fewer } });
  }
  if (shares !== undefined) return panelReply(visit, sent, { given: { ...given, shares } });
  const { faults, lines, allocations } = await readAllocations(visit, sent, given);
  if (isFaulty(faults)) return panelReply(visit, sent, { faults, given });
  return change(visit, sent, given, async () => {
    const after = allocate(visit.access, { ...sent.target, allocations }, visit.actor);
    const left = after.amountMinor - after.allocatedMinor;
    const rest = left !== 0 && ` ${reader.money(left)} is left.`;
    const what =
      lines.length === 0
        ? html`All allocations of ${nameOf(after)} were removed.`
        : html`${reader.money(after.allocatedMinor)} of ${nameOf(after)} allocated to
${sayLines(lines)}.${rest}${ruleLink(visit, after)}`;
    const [line, ...others] = lines;
    const isWhole = line !== undefined && others.length === 0 && left === 0;
    const at = { list: sent.list, isOpen: true, transaction: after, isNamed: true };
    return { after, what, offer: isWhole ? await offerSame(visit, at, line) : undefined };
  });
}

/** The rows as a button other than saving leaves them; undefined if they are to be saved. */
export function editShares(
  { form }: Visit,
  shares: readonly TypedShare[],
  whole: number,
  write: (part: number) => string,
): readonly TypedShare[] | undefined {
  const work = form.value('do') ?? '';
  if (work === 'add') return [...shares, { line: '', amount: '' }];
  const [, removed] = /^remove-(\d+)$/.exec(work) ?? [];
  if (removed !== undefined) return shares.filter((_, at) => at !== Number(removed));
  if (work !== 'split') return undefined;
  const chosen = shares.filter(({ line }) => line.trim() !== '');
  const parts = shareEqually(whole, Math.max(1, chosen.length));
  return shares.map((share) => {
    const at = chosen.indexOf(share);
    return at < 0 ? share : { ...share, amount: write(parts[at] ?? 0) };
  });
}

export async function takeExclusion(visit: Visit): Promise<Reply> {
  const sent = readSent(visit);
  const { values, faults } = readFields(EXCLUDING, visit.form);
  if (values === undefined) return panelReply(visit, sent, { faults });
  return change(visit, sent, undefined, () => {
    const after = exclude(visit.access, { ...sent.target, reason: values.reason }, visit.actor);
    return { after, what: html`${nameOf(after)} is excluded from the budgets.` };
  });
}

export async function takeRestoration(visit: Visit): Promise<Reply> {
  const sent = readSent(visit);
  return change(visit, sent, undefined, () => {
    const after = restore(visit.access, sent.target, visit.actor);
    return { after, what: html`${nameOf(after)} is included in the budgets again.` };
  });
}

/** A transaction as a form left it, and what the page says of that. */
interface Done extends Pick<Outcome, 'offer'> {
  readonly after: TransactionRecord;
  readonly what: Outcome['message'];
}

/** Makes a change, and leads to the next transaction or back to this one; or says why not. */
async function change(
  visit: Visit,
  sent: PanelForm,
  given: TypedShares | undefined,
  work: () => Done | Promise<Done>,
): Promise<Reply> {
  const { list, target } = sent;
  const { transactionId: id } = target;
  const refused = (failure: Failure) => {
    if (failure.code === 'conflict') {
      // What was typed was meant for the transaction as it was.
      const message =
        'Your change was not saved: the transaction has changed. Below is the current version.';
      return panelReply(visit, sent, { faults: { panel: message }, isFresh: true });
    }
    const field = given === undefined ? 'reason' : 'line-0';
    return panelReply(visit, sent, { faults: { [field]: sayOf(failure, id) }, given });
  };
  return visit.runOr(refused, async () => {
    const { after, what, offer } = await work();
    const isNext = visit.field('do') === 'next';
    const next = { list, isOpen: true, transaction: after };
    const to = isNext ? await placeAfter(visit, next) : list.address({ open: id });
    const none = to === list.address() && ' No transactions left in this view.';
    return { to, message: html`${what}${none}`, undo: [after.updatedAtMs], offer };
  });
}

/** A refusal in words of the page, which has only one transaction. */
function sayOf({ message }: Failure, id: string): string {
  const text = message.replaceAll(id, 'the transaction');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/**
 * The page with the panel and what was typed, 422 if something is wrong with it; or with the panel
 * as it is now, 409, if that was meant for something that has changed.
 */
async function panelReply(
  visit: Visit,
  { target: { transactionId: id, seenUpdatedAtMs }, list }: PanelForm,
  again: { faults?: FormFaults; given?: TypedShares | undefined; isFresh?: boolean },
): Promise<Reply> {
  const { faults = {}, given, isFresh = false } = again;
  const typed = { typed: given, seenMs: seenUpdatedAtMs, reason: visit.form.value('reason') };
  const view = isFresh ? { faults } : { faults, ...typed };
  const panel = await transactionPanel(visit, id, list, view);
  const sent = { faults, status: isFresh ? 409 : undefined };
  return showTransactions(visit, list, { sent, panel });
}

export function readShares({ form }: Pick<Visit, 'form'>): TypedShares {
  const amounts = form.values('amount');
  const shares = form.values('line').map((line, at) => ({ line, amount: amounts[at] ?? '' }));
  return { shares, note: form.value('note') ?? '' };
}

/** The allocations that a form asks for. Skips rows without a line and an amount. */
async function readAllocations(
  visit: Visit,
  { transaction }: PanelForm,
  { shares, note }: TypedShares,
): Promise<{ faults: FormFaults; lines: LineChoice[]; allocations: NewAllocation[] }> {
  const { amountMinor: wholeMinor, allocatedMinor } = transaction;
  const faults: Record<string, string> = {};
  const parts = readPercentages(shares, wholeMinor);
  if (parts === undefined) faults['amount-0'] = 'The percentages are more than 100.';
  const rows: { at: number; line: LineChoice; amountMinor: number | undefined; isRest: boolean }[] =
    [];
  for (const [at, { line: text, amount }] of shares.entries()) {
    const isRest = amount.trim() === '';
    if (text.trim() === '' && isRest) continue;
    const line = readAt(faults, `line-${at}`, () => readLineField(visit, text, transaction));
    const amountMinor = isRest
      ? undefined
      : (parts?.get(at) ?? readAt(faults, `amount-${at}`, () => visit.reader.readMoney(amount)));
    if (line !== undefined) rows.push({ at, line, amountMinor, isRest });
    await nextTurn();
  }
  if (rows.length === 0 && allocatedMinor === 0) faults['line-0'] ??= 'Choose a budget line.';
  const [first, second] = rows.filter(({ isRest }) => isRest);
  if (second !== undefined) {
    faults[`amount-${second.at}`] ??= 'Leave only one amount empty: that line gets the rest.';
  }
  const sums = rows.map((_, at) => {
    return rows.slice(0, at + 1).reduce((sum, { amountMinor = 0 }) => sum + amountMinor, 0);
  });
  const sumMinor = sums.at(-1) ?? 0;
  if (!isFaulty(faults) && Math.abs(sumMinor) > Math.abs(wholeMinor)) {
    const last = sums.findIndex((minor) => Math.abs(minor) > Math.abs(wholeMinor));
    const say = (minor: number) => visit.reader.money(minor);
    faults[`amount-${rows[last]?.at ?? 0}`] = `The lines add up to ${say(sumMinor)}, which is ${say(
      sumMinor - wholeMinor,
    )} more than ${say(wholeMinor)}.`;
  }
  if (!isFaulty(faults) && first !== undefined && sumMinor === wholeMinor) {
    faults[`amount-${first.at}`] = 'Nothing is left for this line.';
  }
  const lines = rows.map(({ line }) => line);
  const allocations = rows.map(({ line, amountMinor }) => {
    const budgetLineId = formatId('bln', line.id);
    return { budgetLineId, amountMinor, note: note.trim() === '' ? null : note };
  });
  return { faults, lines, allocations };
}

/**
 * The amounts of the rows with a percentage, exact to the minor unit; undefined if they are more
 * than the whole.
 */
function readPercentages(shares: readonly TypedShare[], wholeMinor: number) {
  const weights = shares.flatMap(({ amount }, at) => {
    const percent = readPercent(amount);
    return percent === undefined ? [] : [[at, percent] as const];
  });
  const rest = 100 * PERCENT - weights.reduce((sum, [, weight]) => sum + weight, 0);
  if (rest < 0) return undefined;
  const minors = shareByWeight(wholeMinor, [...weights.map(([, weight]) => weight), rest]);
  return new Map(weights.map(([at], index) => [at, minors[index] ?? 0]));
}

function sayLines([first, ...others]: readonly LineChoice[]) {
  const more = others.length > 0 && ` and ${others.length} more`;
  return html`${first !== undefined && typed(nameLine(first))}${more}`;
}

function nameOf({ contact, description }: TransactionRecord) {
  return typed(contact ?? description);
}
