/** Undo: takes back what was done to transactions, as a new change. */

import { Failure } from '../../core/failures.ts';
import { html } from '../../http/html.ts';
import type { Reply } from '../../http/message.ts';
import { isLocalTarget } from '../../http/pages.ts';
import { changeMany, undoing } from '../../operations/changes.ts';
import { showPage } from '../components/layout.ts';
import { outcomeOf } from '../sentences/refusals.ts';
import type { Outcome } from '../session/outcomes.ts';
import type { Visit } from '../session/visit.ts';

/** `POST /undo`: undoes some acts, the last first, and leads back to where that was offered. */
export async function takeUndo(visit: Visit): Promise<Reply> {
  const acts = new Set(visit.form.values('act').map(Number));
  const wanted = visit.form.value('to') ?? '/';
  const to = isLocalTarget(wanted) ? wanted : '/';
  return visit.runOr(
    (failure) => nothingUndone(visit, failure, to),
    () => undoAll(visit, acts, to),
  );
}

async function undoAll(visit: Visit, acts: ReadonlySet<number>, to: string): Promise<Outcome> {
  if (acts.size === 0) throw new Failure('not_found', 'There is nothing to undo.');
  const newestFirst = [...acts].sort((one, two) => two - one);
  const steps = newestFirst.map((atMs) => () => undoing(visit.access, atMs));
  const done = await changeMany(visit.access, steps, visit.actor);
  const are = visit.count(done.count, 'transaction is', 'transactions are');
  return outcomeOf(visit, done, to, `${are} as before.`);
}

/** 409: everything has changed since, so nothing is as before. */
function nothingUndone(visit: Visit, { message }: Failure, to: string): Reply {
  const content = html`<p class="actions"><a class="button primary" href="${to}">Back</a></p>`;
  return showPage(visit, { title: 'Nothing was undone', lead: message, content, status: 409 });
}
