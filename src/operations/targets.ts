/** The transactions that a change is about, and whether the caller has seen their last change. */

import type * as store from '../store/acts.ts';
import { requireNumber } from './access.ts';

/** A transaction to change. */
export interface Target {
  readonly transactionId: string;
  /**
   * Its `updatedAtMs` when the caller saw it. The change is refused with `conflict` if it has moved
   * since; the refusal has the transaction as it is now. Absent: the change is made in any case.
   */
  readonly seenUpdatedAtMs?: number | undefined;
}

/** A target by its record number. Refuses a text that is not an identifier with `not_found`. */
export function readTarget({ transactionId, seenUpdatedAtMs }: Target): store.Target {
  return { transactionId: requireNumber('txn', 'transaction', transactionId), seenUpdatedAtMs };
}
