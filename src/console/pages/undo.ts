/** Undo: takes back what was done to transactions, as a new change. */

import { Failure } from '../../core/failures.ts';
import { type Html, html } from '../../http/html.ts';
import type { Reply } from '../../http/message.ts';
import { isLocalTarget, pageReply } from '../../http/pages.ts';
import { nextTurn } from '../../operations/turns.ts';
import { undoUnchanged } from '../../operations/undo.ts';
import { actorOf, readerOf, type Visit } from '../desk.ts';
import { framedPage } from '../layout.ts';
import type { Outcome } from '../outcomes.ts';
import { type Left, sayLeft } from '../refused.ts';

/** `POST /undo`: undoes some acts, the last first, and leads back to where that was offered. */
export async function takeUndo(visit: Visit): Promise<Reply> {
  const { desk, request } = visit;
  const form = await request.readForm();
  const acts = new Set(form.values('act').map(Number));
  const wanted = form.value('to') ?? '/';
  const to = isLocalTarget(wanted) ? wanted : '/';
  try {
    return await desk.outcomes.run(visit, form, () => undoAll(visit, acts, to));
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'conflict') throw error;
    return nothingUndone(visit, error.message, to);
  }
}

/** What was undone, and what was left. */
interface Sums extends Left {
  undone: number;
}

async function undoAll(visit: Visit, acts: ReadonlySet<number>, to: string): Promise<Outcome> {
  const { request, session } = visit;
  const newestFirst = [...acts].sort((one, two) => two - one);
  const undo: number[] = [];
  const sums: Sums = { undone: 0, changedSince: 0, reasons: [] };
  for (const atMs of newestFirst) {
    // Each act is a few hundred transactions; other requests run between two.
    await nextTurn();
    try {
      const actor = actorOf(request, session.userId);
      const { changed, changedSince, refusals } = undoUnchanged(session.access, { atMs }, actor);
      sums.undone += changed.length;
      sums.changedSince += changedSince;
      sums.reasons.push(...refusals.map(({ message }) => message));
      const [first] = changed;
      if (first !== undefined) undo.push(first.updatedAtMs);
    } catch (error) {
      if (!(error instanceof Failure) || sums.undone === 0) throw error;
      return {
        to,
        message: html`${sayUndone(visit, sums)} The rest was left: ${error.message}`,
        undo,
      };
    }
  }
  if (acts.size === 0) throw new Failure('not_found', 'There is nothing to undo.');
  if (sums.undone === 0) throw new Failure('conflict', sayLeft(visit, sums).trim());
  return { to, message: sayUndone(visit, sums), undo };
}

function sayUndone(visit: Visit, sums: Sums): Html {
  const are = sums.undone === 1 ? 'transaction is' : 'transactions are';
  return html`${readerOf(visit).count(sums.undone)} ${are} as before.${sayLeft(visit, sums)}`;
}

/** 409: everything has changed since, so nothing is as before. */
function nothingUndone(visit: Visit, message: string, to: string): Reply {
  const title = 'Nothing was undone';
  const content = html`<div class="head"><div><h1>${title}</h1>
<p>${message}</p></div></div>
<p class="actions"><a class="button primary" href="${to}">Back</a></p>`;
  return pageReply(framedPage({ title, content }, visit), 409);
}
