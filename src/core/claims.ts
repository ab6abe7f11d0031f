/** Which budget line gets a transaction by its codes (contract 5 and 17). */

import { type Days, holds } from './calendar.ts';

/** A project with lines that claim the account code of a transaction. */
export interface ClaimingProject extends Days {
  readonly id: number;
  readonly codes: ReadonlySet<string>;
  readonly budgetLineIds: readonly number[];
}

/** What was found for a transaction. */
export interface ClaimResult {
  /** Ambiguous: someone has to decide. Unmatched: not claimed, or without an account code. */
  readonly kind: 'claimed' | 'ambiguous' | 'unmatched';
  /** The lines that claim it on its day, by number: one if it is claimed. */
  readonly budgetLineIds: readonly number[];
  /** Their projects, which tell what was found for one account code apart with fewer numbers. */
  readonly projectIds: readonly number[];
}

/**
 * Of the projects with lines that claim the account code of a transaction, those whose lines can
 * have it: on their days and, if the transaction has a project code, with that code.
 */
export function claimingOf(
  { date, projectCode }: { readonly date: string; readonly projectCode: string | null },
  projects: readonly ClaimingProject[],
): ClaimingProject[] {
  return projects.filter((each) => {
    return holds(each, date) && (projectCode === null || each.codes.has(projectCode));
  });
}

/** What such projects are for a transaction. */
export function findClaim(claiming: readonly ClaimingProject[]): ClaimResult {
  const ids = claiming.flatMap((project) => project.budgetLineIds);
  const budgetLineIds = ids.sort((one, two) => one - two);
  const kind = ids.length > 1 ? 'ambiguous' : ids.length === 1 ? 'claimed' : 'unmatched';
  return { kind, budgetLineIds, projectIds: claiming.map(({ id }) => id) };
}

/** Transactions with the same codes that the same lines claim. */
export interface AmbiguousCode {
  readonly accountCode: string;
  readonly projectCode: string | null;
  readonly count: number;
  readonly budgetLineIds: readonly number[];
}

/** The largest count first; then by account code, project code (none first) and lines. */
export function rankAmbiguous(codes: Iterable<AmbiguousCode>): AmbiguousCode[] {
  return [...codes].sort((one, two) => {
    return (
      two.count - one.count ||
      compare(one.accountCode, two.accountCode) ||
      compare(one.projectCode ?? '', two.projectCode ?? '') ||
      compareNumbers(one.budgetLineIds, two.budgetLineIds)
    );
  });
}

function compareNumbers(ones: readonly number[], twos: readonly number[]): number {
  const at = ones.findIndex((one, index) => one !== twos[index]);
  return at < 0 ? ones.length - twos.length : (ones[at] ?? 0) - (twos[at] ?? 0);
}

function compare(one: string, two: string): number {
  return one < two ? -1 : Number(one > two);
}
