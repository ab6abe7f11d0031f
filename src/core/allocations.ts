/**
 * Allocations give part or all of a transaction to budget lines. The rules of contract 5: never 0,
 * the transaction's sign, never more than the transaction.
 */

import { shareByWeight } from './shares.ts';
import type { Review } from './transactions.ts';

/** The four ways out of a review; `replace` comes with new allocations (contract 5). */
export const REVIEW_RESOLUTIONS = ['keep', 'rescale', 'clear'] as const;
export type ReviewResolution = (typeof REVIEW_RESOLUTIONS)[number];

/** Why a transaction's allocations cannot stand; undefined when they can. */
export function findMisfit(
  amountMinor: number,
  sharesMinor: readonly number[],
): string | undefined {
  let sum = 0;
  for (const share of sharesMinor) {
    if (share === 0) return 'an allocation of 0 is none: leave the line out';
    if (share > 0 !== amountMinor > 0) {
      return 'an allocation has the sign of its transaction: money in is negative';
    }
    sum += share;
  }
  if (Math.abs(sum) > Math.abs(amountMinor)) {
    return 'the allocations add up to more than the transaction';
  }
  return undefined;
}

/**
 * The shares brought pro rata to a changed amount, in their order, exact to the minor unit; a share
 * may come out as 0 and is then none. What was left unallocated keeps its part (contract 5).
 */
export function rescaleShares(
  amountMinor: number,
  sharesMinor: readonly number[],
  review: Review,
): number[] {
  const allocated = sharesMinor.reduce((sum, share) => sum + share, 0);
  const left = review.previousMinor - allocated;
  return shareByWeight(amountMinor, [...sharesMinor, left]).slice(0, -1);
}

/** One wish of an allocation: a line, and an amount or, once, what is left. */
export interface AllocationWish {
  readonly amountMinor?: number | undefined;
}

/** The amounts of wishes in their order: one without an amount takes what is left by then. */
export function settleWishes(amountMinor: number, wishes: readonly AllocationWish[]): number[] {
  const stated = wishes.reduce((sum, wish) => sum + (wish.amountMinor ?? 0), 0);
  let left = amountMinor - stated;
  return wishes.map((wish) => {
    if (wish.amountMinor !== undefined) return wish.amountMinor;
    const rest = left;
    left = 0;
    return rest;
  });
}
