/** Undo: takes back what was done to transactions, as a new change. */

import { Failure } from '../../core/failures.ts';
import { html } from '../../http/html.ts';
import type { Reply } from '../../http/message.ts';
import { isLocalTarget } from '../../http/pages.ts';
import { listActivity } from '../../operations/audit.ts';
import { changeMany, listAsCreated, undoing } from '../../operations/changes.ts';
import { nextTurn } from '../../operations/turns.ts';
import { exclusionsOfPush } from '../../operations/workflow.ts';
import { showPage } from '../components/layout.ts';
import { outcomeOf, sayChanged } from '../sentences/refusals.ts';
import type { Outcome } from '../session/outcomes.ts';
import type { Visit } from '../session/visit.ts';

/**
 * `POST /undo`: undoes some acts, the last first, or excludes what a push brought. Leads back to
 * where that was offered.
 */
export async function takeUndo(visit: Visit): Promise<Reply> {
  const acts = new Set(visit.form.values('act').map(Number));
  const wanted = visit.form.value('to') ?? '/';
  const to = isLocalTarget(wanted) ? wanted : '/';
  return visit.runOr(
    (failure) => nothingUndone(visit, failure, to),
    () => (visit.form.value('by') === undefined ? undoAll(visit, acts, to) : exclude(visit, to)),
  );
}

async function undoAll(visit: Visit, acts: ReadonlySet<number>, to: string): Promise<Outcome> {
  if (acts.size === 0) throw missing();
  const newestFirst = [...acts].sort((one, two) => two - one);
  const steps = newestFirst.map((atMs) => () => undoing(visit.access, atMs));
  const done = await changeMany(visit.access, steps, visit.actor);
  const are = visit.count(done.count, 'transaction is', 'transactions are');
  return outcomeOf(visit, done, to, `${are} as before.`);
}

/** Excludes what the pushes between two stamps brought, of those by one actor. */
async function exclude(visit: Visit, to: string): Promise<Outcome> {
  const [since = '', until = '', by = ''] = ['since', 'until', 'by'].map((name) =>
    visit.field(name),
  );
  const range = { sinceMs: Number(since), beforeMs: Number(until) + 1 };
  if (Object.values(range).some((each) => !Number.isSafeInteger(each))) throw missing();
  const steps: (() => ReturnType<typeof exclusionsOfPush>)[] = [];
  let [file, created] = [PUSH, 0];
  let cursor: string | undefined;
  do {
    const filter = { ...range, actor: by, actions: ['transactions.pushed'], cursor } as const;
    const { items, nextCursor } = listActivity(visit.access, filter);
    for (const { atMs, details } of items) {
      created += Number(details['created'] ?? 0);
      if (typeof details['file'] === 'string') file = `Import of ${details['file']}`;
      if (listAsCreated(visit.access, atMs).length === 0) continue;
      const reason = `${file} taken back`;
      steps.push(() => exclusionsOfPush(visit.access, atMs, reason));
    }
    cursor = nextCursor ?? undefined;
    await nextTurn();
  } while (cursor !== undefined);
  if (steps.length === 0) throw missing();
  const done = await changeMany(visit.access, steps, visit.actor);
  const left = created - done.count - done.refusals.length;
  const rest = left > 0 && ` ${sayChanged(visit.reader, left)}`;
  return outcomeOf(
    visit,
    done,
    to,
    html`${visit.count(done.count, 'transaction')} excluded.${rest}`,
  );
}

/** Why transactions are excluded that a program pushed. */
const PUSH = 'Push';

const missing = () => new Failure('not_found', 'There is nothing to undo.');

/** 409: everything has changed since, so nothing is as before. */
function nothingUndone(visit: Visit, { message }: Failure, to: string): Reply {
  const content = html`<p class="actions"><a class="button primary" href="${to}">Back</a></p>`;
  return showPage(visit, { title: 'Nothing was undone', lead: message, content, status: 409 });
}
