/** Which budget line gets a transaction by its codes (contract 5 and 17). */

/** A line that claims the account code of a transaction. */
export interface ClaimingLine {
  readonly budgetLineId: number;
  /** The days of its project. */
  readonly startDate: string;
  readonly endDate: string;
  /** The codes of its project. */
  readonly projectCodes: readonly string[];
}

/** What was found for a transaction. */
export interface Found {
  /** Ambiguous: someone has to decide. Unmatched: not claimed, or without an account code. */
  readonly kind: 'claimed' | 'ambiguous' | 'unmatched';
  /** The lines that claim it on its day, by number: one if it is claimed. */
  readonly budgetLineIds: readonly number[];
}

/**
 * Of the lines that claim the account code of a transaction, those that can have it: on the days of
 * their project and, if the transaction has a project code, in a project with that code.
 */
export function findClaim(
  { date, projectCode }: { readonly date: string; readonly projectCode: string | null },
  lines: readonly ClaimingLine[],
): Found {
  const claiming = lines.filter(({ startDate, endDate, projectCodes }) => {
    const isWithin = startDate <= date && date <= endDate;
    return isWithin && (projectCode === null || projectCodes.includes(projectCode));
  });
  const budgetLineIds = claiming.map((line) => line.budgetLineId).sort((a, b) => a - b);
  const kind =
    budgetLineIds.length > 1 ? 'ambiguous' : budgetLineIds.length === 1 ? 'claimed' : 'unmatched';
  return { kind, budgetLineIds };
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
    const lines = one.budgetLineIds.map((id, at) => id - (two.budgetLineIds[at] ?? 0));
    return (
      two.count - one.count ||
      compare(one.accountCode, two.accountCode) ||
      compare(one.projectCode ?? '', two.projectCode ?? '') ||
      lines.find((difference) => difference !== 0) ||
      one.budgetLineIds.length - two.budgetLineIds.length
    );
  });
}

function compare(one: string, two: string): number {
  return one < two ? -1 : Number(one > two);
}
