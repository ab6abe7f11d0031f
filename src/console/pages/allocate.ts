/** What the panel of a transaction does: allocates, excludes, restores. */

import { Failure } from '../../core/failures.ts';
import { formatId } from '../../core/ids.ts';
import { shareByWeight, shareEqually } from '../../core/money.ts';
import { PERCENT, readPercent } from '../../core/typed-amounts.ts';
import { html } from '../../http/html.ts';
import type { Reply } from '../../http/message.ts';
import { decodePairs } from '../../http/target.ts';
import { type AllocationInput, allocate } from '../../operations/allocations.ts';
import type { LineChoice } from '../../operations/budget-lines.ts';
import type { Target } from '../../operations/input.ts';
import { getTransaction, type TransactionRecord } from '../../operations/transactions.ts';
import { exclude, restore } from '../../operations/workflow.ts';
import { typed } from '../components/elements.ts';
import { type Faults, faultOf, isFaulty, readFields } from '../components/forms.ts';
import { nameLine, readLineField } from '../components/line-fields.ts';
import { type PlaceQuery, placeQuery } from '../components/pager.ts';
import { addressOf, type Filters, LIST, readFilters } from '../components/transaction-filters.ts';
import type { Outcome } from '../session/outcomes.ts';
import type { Visit } from '../session/visit.ts';
import {
  EXCLUDING,
  findNext,
  type Share,
  type TypedShares,
  transactionPanel,
} from './transaction.ts';
import { showTransactions } from './transactions.ts';

/** A form of the panel. */
interface PanelForm {
  readonly transaction: TransactionRecord;
  /** The transaction as it was shown. */
  readonly target: Required<Target>;
  readonly filters: Filters;
  /** Where the list was. */
  readonly place: PlaceQuery;
}

function readSent(visit: Visit): PanelForm {
  const transactionId = visit.field('id');
  const notText = () => new Failure('invalid_input', 'The filters cannot be read.');
  const query = decodePairs(visit.field('filters'), notText);
  return {
    transaction: getTransaction(visit.access, transactionId),
    target: { transactionId, seenUpdatedAtMs: Number(visit.field('seen')) },
    filters: readFilters(query),
    place: placeQuery(query),
  };
}

/** `POST /transactions/allocate`: saves the allocations, or shows the form with another row. */
export async function takeAllocations(visit: Visit): Promise<Reply> {
  const sent = readSent(visit);
  const { transaction } = sent;
  const given = readShares(visit);
  const work = visit.field('do');
  if (work === 'add') {
    const shares = [...given.shares, { line: '', amount: '' }];
    return panelReply(visit, sent, { given: { ...given, shares } });
  }
  if (work === 'split') {
    const shares = splitEqually(visit, given.shares, transaction.amountMinor);
    return panelReply(visit, sent, { given: { ...given, shares } });
  }
  const [, removed] = /^remove-(\d+)$/.exec(work) ?? [];
  if (removed !== undefined) {
    const shares = given.shares.filter((_, at) => at !== Number(removed));
    return panelReply(visit, sent, { given: { ...given, shares } });
  }
  const { faults, lines, allocations } = readAllocations(visit, sent, given);
  if (allocations.length === 0 && transaction.allocatedMinor === 0 && !isFaulty(faults)) {
    const none = { 'line-0': 'Choose a budget line.' };
    return panelReply(visit, sent, { faults: none, given });
  }
  if (isFaulty(faults)) return panelReply(visit, sent, { faults, given });
  return change(visit, sent, given, () => {
    const after = allocate(visit.access, { ...sent.target, allocations }, visit.actor);
    const left = after.amountMinor - after.allocatedMinor;
    const rest = left !== 0 && ` ${visit.money(left)} is left.`;
    const what =
      lines.length === 0
        ? html`All allocations of ${nameOf(after)} were removed.`
        : html`${visit.money(after.allocatedMinor)} of ${nameOf(after)} allocated to
${sayLines(lines)}.${rest}`;
    return { after, what };
  });
}

/** `POST /transactions/exclude`. */
export async function takeExclusion(visit: Visit): Promise<Reply> {
  const sent = readSent(visit);
  const { values, faults } = readFields(EXCLUDING, visit.form);
  if (values === undefined) return panelReply(visit, sent, { faults });
  return change(visit, sent, undefined, () => {
    const after = exclude(visit.access, { ...sent.target, reason: values.reason }, visit.actor);
    return { after, what: html`${nameOf(after)} is excluded from the budgets.` };
  });
}

/** `POST /transactions/restore`. */
export async function takeRestoration(visit: Visit): Promise<Reply> {
  const sent = readSent(visit);
  return change(visit, sent, undefined, () => {
    const after = restore(visit.access, sent.target, visit.actor);
    return { after, what: html`${nameOf(after)} is included in the budgets again.` };
  });
}

/** Makes a change, and leads to the next transaction or back to this one; or says why not. */
async function change(
  visit: Visit,
  sent: PanelForm,
  given: TypedShares | undefined,
  work: () => { after: TransactionRecord; what: Outcome['message'] },
): Promise<Reply> {
  const { filters, place, target } = sent;
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
  return visit.runOr(refused, () => {
    const { after, what } = work();
    const isNext = visit.field('do') === 'next';
    const open = isNext ? findNext(visit, after, filters) : id;
    const none = isNext && open === undefined && ' No transactions left in this view.';
    const to = addressOf(LIST, filters, { ...place, open });
    return { to, message: html`${what}${none}`, undo: [after.updatedAtMs] };
  });
}

/** A refusal in words of the page, which has only one transaction. */
function sayOf({ message }: Failure, id: string): string {
  const text = message.replaceAll(id, 'the transaction');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/**
 * The page with the panel and what was typed, 422 if something is wrong with it; or with the panel
 * as it is now, 409.
 */
function panelReply(
  visit: Visit,
  { target: { transactionId: id, seenUpdatedAtMs }, filters, place }: PanelForm,
  { faults = {}, given, isFresh = false }: Again,
): Promise<Reply> {
  const again = { typed: given, seenMs: seenUpdatedAtMs, reason: visit.form.value('reason') };
  const view = { faults, place, ...(isFresh ? {} : again) };
  const content = transactionPanel(visit, id, filters, view);
  const status = isFresh ? 409 : undefined;
  return showTransactions(visit, filters, { faults, status, place, panel: { id, content } });
}

/** What is wrong with what was typed, or whether it was meant for something that has changed. */
interface Again {
  readonly faults?: Faults;
  readonly given?: TypedShares | undefined;
  readonly isFresh?: boolean;
}

function readShares({ form }: Visit): TypedShares {
  const amounts = form.values('amount');
  const shares = form.values('line').map((line, at) => ({ line, amount: amounts[at] ?? '' }));
  return { shares, note: form.value('note') ?? '' };
}

/** The allocations that a form asks for. Skips rows without a line and an amount. */
function readAllocations(
  visit: Visit,
  { transaction }: PanelForm,
  { shares, note }: TypedShares,
): { faults: Faults; lines: LineChoice[]; allocations: AllocationInput[] } {
  const { access, reader } = visit;
  const { amountMinor: wholeMinor } = transaction;
  const faults: Record<string, string> = {};
  const lines: LineChoice[] = [];
  const allocations: AllocationInput[] = [];
  const places: number[] = [];
  const parts = readPercentages(shares, wholeMinor);
  if (parts === undefined) faults['amount-0'] = 'The percentages are more than 100.';
  for (const [at, { line: text, amount }] of shares.entries()) {
    if (text.trim() === '' && amount.trim() === '') continue;
    const wrongLine = faultOf(() => {
      lines.push(readLineField(access, text, transaction));
    });
    if (wrongLine !== undefined) faults[`line-${at}`] = wrongLine;
    let amountMinor: number | undefined = parts?.get(at);
    const wrong = faultOf(() => {
      if (amountMinor === undefined && amount.trim() !== '') {
        amountMinor = reader.readMoney(amount);
      }
    });
    if (wrong !== undefined) faults[`amount-${at}`] ??= wrong;
    const line = lines.at(-1);
    if (wrongLine !== undefined || wrong !== undefined || line === undefined) continue;
    const noted = note.trim() === '' ? null : note;
    places.push(at);
    allocations.push({ budgetLineId: formatId('bln', line.id), amountMinor, note: noted });
  }
  const [first, second] = allocations.flatMap(({ amountMinor }, at) => {
    return amountMinor === undefined ? [places[at] ?? 0] : [];
  });
  if (second !== undefined) {
    faults[`amount-${second}`] ??= 'Leave only one amount empty: that line gets the rest.';
  }
  const sumMinor = allocations.reduce((sum, { amountMinor = 0 }) => sum + amountMinor, 0);
  if (!isFaulty(faults) && Math.abs(sumMinor) > Math.abs(wholeMinor)) {
    const [asked, over] = [sumMinor, sumMinor - wholeMinor].map((minor) => {
      return visit.money(minor);
    });
    const whole = visit.money(wholeMinor);
    let takenMinor = 0;
    const last = allocations.findIndex(({ amountMinor = 0 }) => {
      takenMinor += amountMinor;
      return Math.abs(takenMinor) > Math.abs(wholeMinor);
    });
    faults[`amount-${places[last] ?? 0}`] =
      `The lines add up to ${asked}, which is ${over} more than ${whole}.`;
  }
  if (!isFaulty(faults) && first !== undefined && sumMinor === wholeMinor) {
    faults[`amount-${first}`] = 'Nothing is left for this line.';
  }
  return { faults, lines, allocations };
}

/**
 * The amounts of the rows with a percentage, exact to the minor unit; undefined if they are more
 * than the whole.
 */
function readPercentages(
  shares: readonly Share[],
  wholeMinor: number,
): ReadonlyMap<number, number> | undefined {
  const weights = shares.flatMap(({ amount }, at) => {
    const percent = readPercent(amount);
    return percent === undefined ? [] : [[at, percent] as const];
  });
  const rest = 100 * PERCENT - weights.reduce((sum, [, weight]) => sum + weight, 0);
  if (rest < 0) return undefined;
  const minors = shareByWeight(wholeMinor, [...weights.map(([, weight]) => weight), rest]);
  return new Map(weights.map(([at], index) => [at, minors[index] ?? 0]));
}

function splitEqually(visit: Visit, shares: readonly Share[], wholeMinor: number): Share[] {
  const chosen = shares.filter(({ line }) => line.trim() !== '');
  const parts = shareEqually(wholeMinor, Math.max(1, chosen.length));
  return shares.map((share) => {
    const at = chosen.indexOf(share);
    return at < 0 ? share : { ...share, amount: visit.reader.field(parts[at] ?? 0) };
  });
}

function sayLines([first, ...others]: readonly LineChoice[]) {
  const more = others.length > 0 && ` and ${others.length} more`;
  return html`${first !== undefined && typed(nameLine(first))}${more}`;
}

function nameOf({ contact, description }: TransactionRecord) {
  return typed(contact ?? description);
}
