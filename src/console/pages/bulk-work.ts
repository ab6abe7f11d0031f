/** What a change of several transactions would do, and how it is done. */

import { holds } from '../../core/calendar.ts';
import { formatId } from '../../core/ids.ts';
import { nameLine } from '../../core/projects.ts';
import { type Html, html } from '../../http/html.ts';
import { allocations } from '../../operations/allocations.ts';
import { mapBudgetLines } from '../../operations/budget-lines.ts';
import { inSteps } from '../../operations/changes.ts';
import { getProject } from '../../operations/projects.ts';
import { countReportedDays } from '../../operations/statement-items.ts';
import type { Steps } from '../../operations/turns.ts';
import { exclusions, restorations } from '../../operations/workflow.ts';
import type { Access } from '../../store/access.ts';
import { type PlannedChange, previewChange } from '../../store/acts.ts';
import type { LineChoice } from '../../store/line-list.ts';
import type { TransactionRecord } from '../../store/transactions.ts';
import { type Column, moneyCell, stackTable, typed } from '../components/elements.ts';
import {
  listDaysWithoutProject,
  mapLinesAfter,
  sayAllocated,
  sayLeft,
} from '../components/line-fields.ts';
import type { Visit } from '../session/visit.ts';

/** What can be asked of each transaction; each kind of work reads its own part. */
type Request = Parameters<typeof allocations>[1][number] & Parameters<typeof exclusions>[1][number];

/** The kinds of work on several transactions: their words, why others are left, and the change. */
export const BULK_WORK = {
  allocate: {
    verb: 'Allocate',
    done: 'allocated',
    left: 'excluded, or with an amount of 0',
    change: allocations,
  },
  exclude: {
    verb: 'Exclude',
    done: 'excluded',
    left: 'allocated, or excluded already. Clear their allocations first',
    change: exclusions,
  },
  restore: {
    verb: 'Restore',
    done: 'restored',
    left: 'not excluded',
    change: (_: Access, requests: readonly Request[]) => restorations(requests),
  },
  clear: {
    verb: 'Clear the allocations of',
    done: 'cleared of their allocations',
    left: 'excluded, or without allocations',
    change: allocations,
  },
} as const;

/** What would become of some transactions. */
export interface Look {
  readonly work: keyof typeof BULK_WORK;
  /** The line that they go to; undefined if none was chosen, or one that cannot be. */
  readonly line: LineChoice | undefined;
  /** All of them. */
  readonly found: readonly TransactionRecord[];
  /** What is done in any case, and what only if allocations are replaced. */
  readonly now: readonly PlannedChange[];
  readonly replaced: readonly PlannedChange[];
  /** Outside the days of the line's project: these are left, although the store takes them. */
  readonly outside: readonly PlannedChange[];
  readonly request: (transaction: TransactionRecord) => Request;
}

/** Looks what would become of transactions, in steps of some milliseconds. */
export function* lookAtWork(
  access: Access,
  task: Pick<Look, 'work' | 'line'> & { readonly reason: string },
  found: readonly TransactionRecord[],
): Steps<Look> {
  const { work, line } = task;
  const shares = line === undefined ? [] : [{ budgetLineId: formatId('bln', line.id) }];
  // Nobody needs to say why before they have seen what would happen.
  const reason = task.reason.trim() === '' ? 'a reason' : task.reason;
  const request = ({ id, updatedAtMs: seenUpdatedAtMs }: TransactionRecord): Request => {
    return { transactionId: formatId('txn', id), seenUpdatedAtMs, allocations: shares, reason };
  };
  const steps = inSteps(found.map(request), (step) => BULK_WORK[work].change(access, step));
  const planned: PlannedChange[] = [];
  for (const step of steps) {
    yield;
    planned.push(...previewChange(access, step()).planned);
  }
  const isInside = ({ transaction: { date } }: PlannedChange) =>
    line === undefined || holds(line, date);
  const isClearing = work === 'clear';
  const isNew = ({ before }: PlannedChange) => isClearing || before.length === 0;
  const isChanged = ({ before, after }: PlannedChange) =>
    !isClearing || before.length > after.length;
  const inside = planned.filter((each) => isInside(each) && isChanged(each));
  return {
    work,
    line,
    found,
    now: inside.filter(isNew),
    replaced: inside.filter((each) => !isNew(each)),
    outside: planned.filter((each) => !isInside(each)),
    request,
  };
}

/** Their amounts together. */
export function sumOf(planned: readonly PlannedChange[]): number {
  return planned.reduce((minor, { transaction }) => minor + transaction.amountMinor, 0);
}

/** What would happen, in words. */
export function effectList(visit: Visit, look: Look): Html {
  const { work, found, line, now, replaced, outside } = look;
  const { done, left } = BULK_WORK[work];
  const { reader } = visit;
  const say = (planned: readonly PlannedChange[]) => {
    const many = html`<b>${reader.count(planned.length, 'transaction')}</b>`;
    return html`${many}, ${reader.amount(sumOf(planned))} in total`;
  };
  const rest = found.length - now.length - replaced.length - outside.length;
  const effects = [
    (now.length > 0 || found.length === 0) &&
      html`${say(now)}: ${done}${line && html` to ${typed(nameLine(line))}`}`,
    replaced.length > 0 && html`${say(replaced)}: they have allocations already`,
    line !== undefined &&
      outside.length > 0 &&
      html`${say(outside)}, not changed: ${sayOutside(visit, line, outside)}`,
    sayReported(visit, [...now, ...replaced]),
    rest > 0 && html`<b>${reader.count(rest, 'transaction')}</b> not changed: ${left}`,
    ...sayLeftAfter(visit, look),
  ];
  return html`<ul class="effects">
${effects.map((effect) => effect && html`<li>${effect}</li>\n`)}</ul>
${sampleOf(visit, look)}`;
}

/** How many of some changes are in months that statements have reported; undefined for none. */
function sayReported(
  visit: Visit,
  planned: readonly Pick<PlannedChange, 'transaction' | 'before' | 'after'>[],
): Html | undefined {
  const { access } = visit;
  const touched = planned.map(({ transaction: { date }, before, after }) => {
    return { date, ids: [...before, ...after].map(({ budgetLineId }) => budgetLineId) };
  });
  const all = touched.flatMap(({ ids }) => ids);
  const lines = mapBudgetLines(access, all);
  const changes = touched.map(({ date, ids }) => {
    const projects = ids.flatMap((id) => lines.get(id)?.projectId ?? []);
    return { date, projectIds: [...new Set(projects)] };
  });
  const { count, statements } = countReportedDays(access, changes);
  if (count === 0) return undefined;
  const [[id = 0, number = 0] = [], another] = statements;
  const next =
    another === undefined
      ? html`statement ${number + 1} of ${typed(getProject(access, formatId('prj', id)).name)}`
      : 'the next statements';
  return html`<b>${visit.reader.count(count)}</b> of them ${
    count === 1 ? 'is in a month that was' : 'are in months that were'
  } reported: ${next} will show ${count === 1 ? 'it' : 'them'}`;
}

/** How many transactions are shown, and how many of the lines of each. */
const SHOWN = 5;

/** Some of those that are changed, as they are now. */
function sampleOf(visit: Visit, { now, replaced }: Look): Html | undefined {
  const { reader } = visit;
  const planned = [...now, ...replaced];
  const all = planned.map(({ transaction }) => transaction);
  const hasLines = planned.some(({ before }) => before.length > 0);
  const shown = all.slice(0, SHOWN);
  if (shown.length === 0) return undefined;
  const columns: readonly Column<TransactionRecord>[] = [
    ['Date', 'date', ({ date }) => reader.day(date)],
    ['Contact', 'what', ({ contact }) => contact !== null && typed(contact)],
    ['Description', 'desc', ({ description }) => typed(description)],
    [`Amount, ${reader.currency.code}`, 'num', (each) => moneyCell(each.amountMinor, reader)],
    ...(hasLines ? [['Budget line', 'lines', sayAllocated(visit, shown)] as const] : []),
  ];
  const more = all.length - shown.length;
  const parts = { label: 'Some of them', look: 'list ', hasRowHeads: false };
  return html`${stackTable(columns, shown, parts)}
${more > 0 && html`<p class="hint">And ${reader.count(more)} more.</p>`}`;
}

/** Why those are left that the project of the line does not contain. */
function sayOutside(
  visit: Visit,
  { projectName, startDate, endDate }: LineChoice,
  outside: readonly PlannedChange[],
): Html {
  const { reader } = visit;
  const dates = outside.map(({ transaction: { date } }) => date);
  const [day = '', ...others] = new Set(dates);
  const bare = new Set(listDaysWithoutProject(visit, [day, ...others]));
  const many = dates.filter((date) => bare.has(date)).length;
  const which =
    others.length === 0
      ? reader.day(day)
      : many === dates.length
        ? 'their days'
        : `the days of ${reader.count(many)} of them`;
  return html`${typed(projectName)} runs from ${reader.day(startDate)} to ${reader.day(endDate)}.${
    many > 0 && html` No project runs on ${which}.`
  }`;
}

/** What each line then has left, and what if allocations are replaced. */
function sayLeftAfter(visit: Visit, { line, now, replaced }: Look): readonly Html[] {
  const planned = [...now, ...replaced];
  const sharesOf = ({ before, after }: PlannedChange) => [...before, ...after];
  const touched = planned.flatMap(sharesOf).map(({ budgetLineId }) => budgetLineId);
  const ids = [...new Set([...(line === undefined ? [] : [line.id]), ...touched])];
  const shown = ids.slice(0, SHOWN);
  const takenBy = (some: readonly PlannedChange[], id: number) => {
    const partOf = (shares: PlannedChange['after']) => {
      const own = shares.filter(({ budgetLineId }) => budgetLineId === id);
      return own.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
    };
    return some.reduce((sum, { before, after }) => sum + partOf(after) - partOf(before), 0);
  };
  const taken = new Map(shown.map((id) => [id, takenBy(now, id)]));
  const said = [...mapLinesAfter(visit.access, taken)].map(([id, { line: each, leftMinor }]) => {
    const say = (minor: number) =>
      html`<b>${sayLeft(visit.reader, { line: each, leftMinor: minor })}</b>`;
    const what = each.kind === 'income' ? 'To come in' : 'Left in';
    return html`${what} ${typed(nameLine(each))} after: ${say(leftMinor)}${
      replaced.length > 0 &&
      html`, or ${say(leftMinor - takenBy(replaced, id))} if all are replaced`
    }`;
  });
  const more = ids.length - shown.length;
  return more > 0 ? [...said, html`And ${visit.reader.count(more, 'more line')}.`] : said;
}
