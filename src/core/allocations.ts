/**
 * Allocations give part or all of a transaction to budget lines (contract 5): an
 * allocation is never 0, has the transaction's sign, and all of them fit into the transaction.
 */

import type { Currency } from './currencies.ts';
import { Failure } from './failures.ts';
import { shareByWeight, showMoney } from './money.ts';
import type { Review } from './transactions.ts';

/** How a review can end; `replace` is the fourth, and comes with new allocations (contract 5). */
export const REVIEW_RESOLUTIONS = ['keep', 'rescale', 'clear'] as const;
export type ReviewResolution = (typeof REVIEW_RESOLUTIONS)[number];

/**
 * Why a transaction cannot have allocations of these amounts, and what to do, each as a sentence;
 * undefined when they fit.
 */
export function findMisfit(
  { id, amountMinor, currency }: { id: string; amountMinor: number; currency: Currency },
  sharesMinor: readonly number[],
) {
  const show = (minor: number) => showMoney(minor, currency);
  const isReversed = (share: number) => share !== 0 && Math.sign(share) !== Math.sign(amountMinor);
  const reversed = sharesMinor.find(isReversed);
  if (reversed !== undefined) {
    if (amountMinor === 0) {
      const problem = `${id} is ${show(0)}: there is nothing to allocate.`;
      return { problem, advice: 'Leave it unallocated.' };
    }
    const signs = `${id} is ${show(amountMinor)}, so an allocation of ${show(reversed)}`;
    const advice = 'Money in is negative, money out positive.';
    return { problem: `${signs} has the wrong sign.`, advice };
  }
  const sum = sharesMinor.reduce((all, share) => all + share, 0);
  const excess = Math.abs(sum - amountMinor);
  if (Math.abs(sum) > Math.abs(amountMinor)) {
    const together = `these allocations add up to ${show(sum)}`;
    const problem = `${id} is ${show(amountMinor)}; ${together}, ${show(excess)} too much.`;
    return { problem, advice: 'Lower an amount or remove a line.' };
  }
  if (sharesMinor.some((share) => share === 0)) {
    return { problem: 'An allocation cannot be 0.', advice: 'Leave that line out.' };
  }
  return undefined;
}

/**
 * The shares in proportion to a changed amount, in their order, exact to the minor unit. A share
 * can become 0: that allocation is removed. The unallocated part shrinks or grows with the rest.
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

/**
 * The amounts of wishes, one for each line, in their order. The one without an amount gets what is
 * left, or 0 when the others use up the transaction. Refuses a second one with `invalid_input`.
 */
export function settleWishes(
  amountMinor: number,
  wishes: readonly { readonly amountMinor?: number | undefined }[],
): number[] {
  const stated = wishes.reduce((sum, wish) => sum + (wish.amountMinor ?? 0), 0);
  const rest = amountMinor - stated;
  const left = Math.sign(rest) === Math.sign(amountMinor) ? rest : 0;
  if (wishes.filter((wish) => wish.amountMinor === undefined).length > 1) {
    const message = 'Only one allocation can have no amount: that one gets what is left.';
    throw new Failure('invalid_input', message);
  }
  return wishes.map((wish) => wish.amountMinor ?? left);
}
