/** Undo: takes back what was done to transactions or a project, as a new change. */

import { Failure } from '../../core/failures.ts';
import { html } from '../../http/html.ts';
import type { Reply } from '../../http/message.ts';
import { readTarget } from '../../http/pages.ts';
import { readPushes } from '../../operations/audit.ts';
import { changeMany } from '../../operations/changes.ts';
import { undoProjects } from '../../operations/project-plans.ts';
import { exclusionsOfPush } from '../../operations/workflow.ts';
import { listAsCreated, undoing } from '../../store/undo.ts';
import { nameFirst, typed } from '../components/elements.ts';
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
  const to = readTarget(visit.form.value('to')) ?? '/';
  return visit.runOr(
    (failure) => nothingUndone(visit, failure, to),
    () => (visit.form.value('by') === undefined ? undoAll(visit, acts, to) : exclude(visit, to)),
  );
}

async function undoAll(visit: Visit, acts: ReadonlySet<number>, to: string): Promise<Outcome> {
  if (acts.size === 0) throw missing();
  const [first] = acts;
  const projects = acts.size === 1 && undoProjects(visit.access, first ?? 0, visit.actor);
  if (projects) {
    const names = nameFirst(visit.reader, projects, NAMED, ({ name }) => typed(name));
    const are = projects.length === 1 ? 'is' : 'are';
    return { to, message: html`${names} ${are} as before.`, undo: [projects[0]?.updatedAtMs ?? 0] };
  }
  const newestFirst = [...acts].sort((one, two) => two - one);
  const steps = newestFirst.map((atMs) => () => undoing(visit.access, atMs));
  const done = await changeMany(visit.access, steps, visit.actor);
  const are = visit.count(done.count, 'transaction is', 'transactions are');
  return outcomeOf(visit, done, to, `${are} as before.`);
}

/** Excludes what the pushes that a form names brought. */
async function exclude(visit: Visit, to: string): Promise<Outcome> {
  const { access } = visit;
  const [since, until] = [Number(visit.field('since')), Number(visit.field('until'))];
  if (![since, until].every(Number.isSafeInteger)) throw missing();
  const requests = visit.form.value('requests')?.split(' ');
  const pushes = { by: visit.field('by'), since, until, requests };
  const steps: (() => ReturnType<typeof exclusionsOfPush>)[] = [];
  let [file, created] = [PUSH, 0];
  for await (const { atMs, details } of readPushes(access, pushes)) {
    if (typeof details['file'] === 'string') file = `Import of ${details['file']}`;
    created += Number(details['created'] ?? 0);
    if (listAsCreated(access, atMs).length === 0) continue;
    const reason = `${file} taken back`;
    steps.push(() => exclusionsOfPush(access, atMs, reason));
  }
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

/** Projects that a message names. */
const NAMED = 3;

/** Why transactions are excluded that a program pushed. */
const PUSH = 'Push';

const missing = () => new Failure('not_found', 'There is nothing to undo.');

/** 409: everything has changed since, so nothing is as before. */
function nothingUndone(visit: Visit, { message }: Failure, to: string): Reply {
  const content = html`<p class="actions"><a class="button primary" href="${to}">Back</a></p>`;
  return showPage(visit, { title: 'Nothing was undone', lead: message, content, status: 409 });
}
