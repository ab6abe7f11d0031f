/** Refusals of changes: why, of what, and what it is now if someone else has changed it. */

import { count } from './counts.ts';
import { Failure, type FailureCode } from './failures.ts';

/** Why one thing cannot be changed. */
export interface Refusal<Now = unknown> {
  /** Its public identifier. */
  readonly subject: string;
  readonly code: FailureCode;
  readonly message: string;
  /** If it has changed since the caller saw it: what it is now. */
  readonly now?: Now;
}

/** Why some things cannot be changed: at least one. */
type Refusals<Now> = readonly [Refusal<Now>, ...Refusal<Now>[]];

/** A refused change, with the reason for each thing that could not be changed. */
export class ChangeRefused<Now = unknown> extends Failure {
  readonly refusals: Refusals<Now>;

  /** `asked`: how many things were to be changed. If one is refused, none is changed. */
  constructor(refusals: Refusals<Now>, asked: number) {
    const [first] = refusals;
    const code = refusals.every((each) => each.code === first.code) ? first.code : 'conflict';
    if (asked === 1) super(code, first.message);
    else {
      const of = `${refusals.length} of ${count(asked, 'change')}`;
      const message = `${of} cannot be made, so nothing was changed. ${first.message}`;
      super(code, message, {
        details: refusals.map(({ subject: field, code: reason, message: why }) => {
          return { field, code: reason, message: why };
        }),
      });
    }
    this.refusals = refusals;
  }
}

/** The refusal to change something that has changed `since` the caller saw it. */
export function staleRefusal<Now>(subject: string, since: string, now: Now): Refusal<Now> {
  const message = `${subject} has changed since ${since}. Look at it again first.`;
  return { subject, code: 'conflict', message, now };
}
