/**
 * The mark of a transaction that was recoded while it was allocated (contract 17): it stays on
 * its budget lines, and is marked until someone settles it. Pure: the store finds the facts.
 */

import { type Days, holds } from './calendar.ts';
import type { Coded, Recoded } from './transactions.ts';

/** Why a transaction is marked: the first of these that holds. */
type RecodedField = keyof Coded;

/** Where a transaction is allocated, and where its codes lead now. */
export interface Coding {
  readonly places: readonly LinePlace[];
  /** The one line to which account code, project code and date lead; undefined if none or more. */
  readonly budgetLineId: number | undefined;
  /** The projects that have its project code; undefined while no project has any. */
  readonly projectIds: ReadonlySet<number> | undefined;
}

/** The budget line of an allocation, with the days of its project. */
export interface LinePlace extends Days {
  readonly budgetLineId: number;
  readonly projectId: number;
}

/**
 * The mark of an allocated transaction after a row. `find` is asked only if the row has changed
 * something that decides where it belongs. The first mark stays until the transaction is again as
 * that mark says, or its codes lead to where it is allocated. The field is undefined if the row has
 * changed nothing that matters here, or has taken the mark away.
 */
export function decideRecoded(
  { row: before, recoded }: { readonly row: Coded; readonly recoded: Recoded | null },
  row: Coded,
  nowMs: number,
  find: () => Coding,
): { readonly recoded: Recoded | null; readonly field?: RecodedField | undefined } {
  const { accountCode, projectCode, date } = before;
  if (accountCode === row.accountCode && projectCode === row.projectCode && date === row.date) {
    return { recoded };
  }
  const coding = find();
  const isOnlyUnseen = accountCode === row.accountCode && date === row.date;
  if (isOnlyUnseen && coding.projectIds === undefined) return { recoded };
  const field = findField({ before, row, since: recoded ?? before }, coding);
  if (field === undefined) return { recoded: null };
  const mark = { accountCode, projectCode, date, changedAtMs: nowMs };
  return { recoded: recoded ?? mark, field };
}

/** What differs from `since`, as far as it can be another place. */
function findField(
  { before, row, since }: Readonly<Record<'before' | 'row' | 'since', Coded>>,
  { places, budgetLineId, projectIds }: Coding,
): RecodedField | undefined {
  if (places.every((place) => place.budgetLineId === budgetLineId)) return undefined;
  if (row.accountCode !== since.accountCode) return 'accountCode';
  const isElsewhere =
    projectIds !== undefined &&
    projectIds.size > 0 &&
    places.some(({ projectId }) => !projectIds.has(projectId));
  const isKnown = (before.projectCode ?? since.projectCode) !== null || isElsewhere;
  if (projectIds !== undefined && row.projectCode !== since.projectCode && isKnown) {
    return 'projectCode';
  }
  const isOut = places.some((place) => holds(place, since.date) && !holds(place, row.date));
  return isOut ? 'date' : undefined;
}

/** A mark as it is stored. */
export function writeRecoded(recoded: Recoded): string {
  const { accountCode, projectCode, date, changedAtMs } = recoded;
  return JSON.stringify([accountCode, projectCode, date, changedAtMs]);
}

/** A stored mark. */
export function readRecoded(text: string | null): Recoded | null {
  if (text === null) return null;
  const [accountCode, projectCode, date, changedAtMs] = JSON.parse(text);
  return { accountCode, projectCode, date, changedAtMs };
}
