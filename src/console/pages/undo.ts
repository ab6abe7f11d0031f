/** Undo: takes back what was done to transactions, as a new change. */

import { Failure } from '../../core/failures.ts';
import { html } from '../../http/html.ts';
import type { Reply } from '../../http/message.ts';
import { isLocalTarget } from '../../http/pages.ts';
import { nextTurn } from '../../operations/turns.ts';
import { undo } from '../../operations/undo.ts';
import { actorOf, readerOf, type Visit } from '../desk.ts';
import type { Outcome } from '../outcomes.ts';

/** `POST /undo`: undoes some acts, the last first, and leads back to where that was offered. */
export async function takeUndo(visit: Visit): Promise<Reply> {
  const { desk, request } = visit;
  const form = await request.readForm();
  const acts = form.values('act').map(Number);
  const wanted = form.value('to') ?? '/';
  const to = isLocalTarget(wanted) ? wanted : '/';
  return desk.outcomes.run(visit, form, () => undoAll(visit, acts, to));
}

async function undoAll(visit: Visit, acts: readonly number[], to: string): Promise<Outcome> {
  const { request, session } = visit;
  const newestFirst = [...acts].sort((one, two) => two - one);
  const undone: number[] = [];
  let transactions = 0;
  const are = (count: number) => (count === 1 ? 'transaction is' : 'transactions are');
  const say = (rest: string) =>
    html`${readerOf(visit).count(transactions)} ${are(transactions)} as before.${rest}`;
  for (const atMs of newestFirst) {
    // Each act is a few hundred transactions; other requests run between two.
    await nextTurn();
    try {
      const changed = undo(session.access, { atMs }, actorOf(request, session.userId));
      transactions += changed.length;
      undone.push(changed[0]?.updatedAtMs ?? request.nowMs);
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'conflict') throw error;
      return {
        to,
        message: say(` The rest has changed since, and was left: ${error.message}`),
        undo: undone,
      };
    }
  }
  return { to, message: say(''), undo: undone };
}
