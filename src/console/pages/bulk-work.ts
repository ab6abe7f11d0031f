/** What a change of several transactions would do, and how it is done. */

import { formatId } from '../../core/ids.ts';
import { type Html, html } from '../../http/html.ts';
import type { Access } from '../../operations/access.ts';
import { type AllocationRequest, allocations } from '../../operations/allocations.ts';
import { type LineChoice, sumBudgetLines } from '../../operations/budget-lines.ts';
import { inSteps, type PlannedChange, previewMany } from '../../operations/changes.ts';
import type { TransactionRecord } from '../../operations/transactions.ts';
import { type ExclusionRequest, exclusions, restorations } from '../../operations/workflow.ts';
import { typed } from '../components/elements.ts';
import { holds, listDaysWithoutProject, nameLine, sayLeft } from '../components/line-fields.ts';
import type { Visit } from '../session/visit.ts';

/** What can be asked of each transaction; each kind of work reads its own part. */
type Request = AllocationRequest & ExclusionRequest;

/** The kinds of work on several transactions: their words, why others are left, and the change. */
export const KINDS = {
  allocate: {
    title: 'Allocate several transactions',
    done: 'allocated',
    left: 'excluded, or of no amount',
    change: allocations,
  },
  exclude: {
    title: 'Exclude several transactions',
    done: 'excluded',
    left: 'allocated, or excluded already. Clear their allocations first',
    change: exclusions,
  },
  restore: {
    title: 'Restore several transactions',
    done: 'restored',
    left: 'not excluded',
    change: (_: Access, requests: readonly Request[]) => restorations(requests),
  },
} as const;

export type Work = keyof typeof KINDS;

/** What would become of some transactions. */
export interface Look {
  readonly work: Work;
  /** The line that they go to; undefined if none was chosen, or one that cannot be. */
  readonly line: LineChoice | undefined;
  /** All of them. */
  readonly found: readonly TransactionRecord[];
  /** What is done in any case, and what only if allocations are replaced. */
  readonly now: readonly PlannedChange[];
  readonly replaced: readonly PlannedChange[];
  /** Those that the project of the line does not contain: left, although the store takes them. */
  readonly outside: readonly PlannedChange[];
  readonly request: (transaction: TransactionRecord) => Request;
}

/** Looks what would become of transactions. Other requests run in between. */
export async function lookAtWork(
  access: Access,
  task: Pick<Look, 'work' | 'line'> & { readonly reason: string },
  found: readonly TransactionRecord[],
): Promise<Look> {
  const { work, line } = task;
  const shares = line === undefined ? [] : [{ budgetLineId: formatId('bln', line.id) }];
  // Nobody needs to say why before they have seen what would happen.
  const reason = task.reason.trim() === '' ? 'a reason' : task.reason;
  const request = ({ id, updatedAtMs: seenUpdatedAtMs }: TransactionRecord): Request => {
    return { transactionId: formatId('txn', id), seenUpdatedAtMs, allocations: shares, reason };
  };
  const steps = inSteps(found.map(request), (step) => KINDS[work].change(access, step));
  const { planned } = await previewMany(access, steps);
  const isInside = ({ transaction: { date } }: PlannedChange) =>
    line === undefined || holds(line, date);
  const inside = planned.filter(isInside);
  const isNew = ({ before }: PlannedChange) => before.length === 0;
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
  const { done, left } = KINDS[work];
  const { reader } = visit;
  const say = (planned: readonly PlannedChange[]) => {
    const many = html`<b>${reader.count(planned.length, 'transaction')}</b>`;
    return html`${many}, ${visit.amount(sumOf(planned))} together`;
  };
  const rest = found.length - now.length - replaced.length - outside.length;
  const effects = [
    (now.length > 0 || found.length === 0) &&
      html`${say(now)}: ${done}${line && html` to ${typed(nameLine(line))}`}`,
    replaced.length > 0 && html`${say(replaced)}: they have allocations already`,
    line !== undefined &&
      outside.length > 0 &&
      html`${say(outside)}, left as they are: ${sayOutside(visit, line, outside)}`,
    rest > 0 && html`<b>${reader.count(rest, 'transaction')}</b> left as they are: ${left}`,
    line !== undefined && sayLeftAfter(visit, line, look),
  ];
  return html`<ul class="effects">
${effects.map((effect) => effect && html`<li>${effect}</li>\n`)}</ul>`;
}

/** Why those are left that the project of the line does not contain. */
function sayOutside(
  visit: Visit,
  { projectName, startDate, endDate }: LineChoice,
  outside: readonly PlannedChange[],
): Html {
  const dates = outside.map(({ transaction: { date } }) => date);
  const [day = '', ...others] = new Set(dates);
  const bare = new Set(listDaysWithoutProject(visit, [day, ...others]));
  const many = dates.filter((date) => bare.has(date)).length;
  const which =
    others.length === 0
      ? visit.day(day)
      : many === dates.length
        ? 'their days'
        : `the days of ${visit.count(many)} of them`;
  return html`${typed(projectName)} runs from ${visit.day(startDate)} to ${visit.day(endDate)}.${
    many > 0 && html` No project runs on ${which}.`
  }`;
}

/** What the line then has left, and what if allocations are replaced. */
function sayLeftAfter(visit: Visit, line: LineChoice, { now, replaced }: Look): Html {
  const [sums] = sumBudgetLines(visit.access, [formatId('bln', line.id)]);
  const { budgetMinor = 0, actualMinor = 0 } = sums ?? {};
  const partOf = (shares: PlannedChange['after']) => {
    const own = shares.filter(({ budgetLineId }) => budgetLineId === line.id);
    return own.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
  };
  const takenBy = (planned: readonly PlannedChange[]) => {
    return planned.reduce((sum, { before, after }) => sum + partOf(after) - partOf(before), 0);
  };
  const leftMinor = budgetMinor - actualMinor - takenBy(now);
  const say = (minor: number) => html`<b>${sayLeft(visit, line, minor)}</b>`;
  const what = line.kind === 'income' ? 'To come in' : 'Left in';
  return html`${what} ${typed(nameLine(line))} after: ${say(leftMinor)}${
    replaced.length > 0 && html`, or ${say(leftMinor - takenBy(replaced))} if all are replaced`
  }`;
}
