/** How much of a budget belongs to the days until today. */

import type { Period } from '../../core/calendar.ts';
import type { Cell } from '../../core/report.ts';

const DAY_MS = 86_400_000;

/** The budget of the periods that have passed, and of a part of the present one. */
export function dueUntil(
  today: string,
  periods: readonly Period[],
  cells: readonly Cell[],
): number {
  const due = cells.map(({ budgeted }, at) => budgeted * shareUntil(today, periods[at]));
  return Math.round(due.reduce((sum, minor) => sum + minor, 0));
}

/** The part of a period that has passed at the end of a day. */
export function shareUntil(today: string, period: Period | undefined): number {
  if (period === undefined || today < period.startDate) return 0;
  if (today >= period.endDate) return 1;
  const [start, end, now] = [period.startDate, period.endDate, today].map(
    (day) => Date.parse(day) / DAY_MS,
  );
  return ((now ?? 0) - (start ?? 0) + 1) / ((end ?? 0) - (start ?? 0) + 1);
}
