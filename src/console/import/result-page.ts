/** Importing what was looked at, what that brought, and taking it back by excluding it. */

import { readFile } from 'node:fs/promises';
import { formatId } from '../../core/ids.ts';
import { cleanText } from '../../core/text-width.ts';
import { isAnswer } from '../../files/index.ts';
import { type HtmlValue, html } from '../../http/html.ts';
import type { Reply } from '../../http/message.ts';
import { fileReply, redirectReply } from '../../http/pages.ts';
import { failureOf } from '../../operations/access.ts';
import { CHANGED_AT_ONCE, changeMany, inSteps } from '../../operations/changes.ts';
import { getTransaction } from '../../operations/transactions.ts';
import { nextTurn } from '../../operations/turns.ts';
import { exclusions } from '../../operations/workflow.ts';
import type { TransactionRecord } from '../../store/transactions.ts';
import { sectionPart, typed } from '../components/elements.ts';
import { askOnce } from '../components/forms.ts';
import { showPage } from '../components/layout.ts';
import { addressOf, LIST } from '../components/transaction-filters.ts';
import { outcomeOf, sayChanged } from '../sentences/refusals.ts';
import type { Outcome } from '../session/outcomes.ts';
import { Task } from '../session/task.ts';
import type { Visit } from '../session/visit.ts';
import { fileAddress, type Wish } from './answers.ts';
import { IMPORT, ofFile } from './choose-page.ts';
import type { HeldFile } from './held-files.ts';
import { tallyFigures } from './ready.ts';
import { doubtfulPart, rejectedPart, replacedPart } from './rows.ts';
import type { Imported, Looked } from './tally.ts';
import { importRows, lookAt, PATIENCE_MS, problemOf, remember } from './work.ts';

/** `POST /import/{id}`: imports the file as the page showed it. */
export const takeImport = ofFile(async (visit, file) => {
  // Once however often it is sent.
  if (file.imported === undefined) {
    const written = visit.form.fields.flatMap(([name, value]) =>
      isAnswer(name) ? [{ name, value }] : [],
    );
    const isAgain = visit.form.value('again') !== undefined;
    const wish: Wish = { fileId: file.id, written, isAgain, change: undefined };
    const looked = await lookedOf(visit, file, wish);
    const mapping = looked?.inspection.mapping;
    // The page says what is wrong, or how far it is.
    if (looked === undefined || mapping === undefined) return redirectReply(fileAddress(wish));
    const { access } = visit;
    const { standing, ...by } = visit.actor;
    // Signing out does not stop an import half-way; another role does.
    const actor = { ...by, standing: { ...standing, sessionId: null } };
    if (visit.form.value('keep') !== undefined) remember(access, mapping, actor);
    const job = { mapping, replacedBy: looked.replacedBy, access, actor };
    file.imported ??= new Task('', (task) => importRows(file, { ...job, task }));
  }
  await file.imported.wait(PATIENCE_MS);
  return redirectReply(`${IMPORT}/${file.id}`);
});

/** What the file is with these answers; undefined if it cannot be read, or has not been yet. */
async function lookedOf(visit: Visit, file: HeldFile, wish: Wish): Promise<Looked | undefined> {
  try {
    return (await lookAt(visit, file, wish)).result;
  } catch (error) {
    if (problemOf(error) === undefined) throw error;
    return undefined;
  }
}

const PLACE = { place: IMPORT, above: [IMPORT, 'Import'] } as const;

/** How far long work is. The browser asks again every second. */
export function progressReply(visit: Visit, file: HeldFile, task: Task<unknown>): Reply {
  const isImport = task === file.imported;
  const words = isImport ? 'Importing' : 'Reading';
  const whole = file.looked?.result?.tally?.rows;
  const of = isImport && whole !== undefined ? ` of ${visit.count(whole)}` : '';
  const content = html`<p class="note" role="status"><span>${visit.count(task.done, 'row')}${
    of
  } so far. This page shows the rest by itself.</span></p>`;
  const heading = html`${words} ${typed(cleanText(file.name))}`;
  const headers = { Refresh: '1' };
  return showPage(visit, { ...PLACE, title: words, heading, content, headers });
}

/** What an import brought. */
export async function resultReply(
  visit: Visit,
  file: HeldFile,
  task: Task<Imported>,
): Promise<Reply> {
  let imported: Imported | undefined;
  try {
    imported = task.result;
  } catch (error) {
    return stoppedReply(visit, file, { task, error });
  }
  if (imported === undefined) return progressReply(visit, file, task);
  const { tally, createdIds } = imported;
  const { created, updated, unchanged, needsReview } = tally;
  const stored = created + updated;
  const title = `${visit.count(stored, 'transaction')} imported`;
  const facts = [
    unchanged > 0 && `${visit.count(unchanged)} were stored already.`,
    needsReview > 0 &&
      html`<a href="/review">${visit.count(needsReview)} to review</a>: they have changed since
they were allocated.`,
  ].filter((fact) => fact !== false);
  const lead = html`From ${typed(cleanText(file.name))}.${facts.map((fact) => html` ${fact}`)}`;
  const content = html`${tallyFigures(visit, tally, 'done')}
<p class="actions"><a class="button primary" href="${addressOf(LIST, {
    tab: 'open',
  })}">Allocate</a> <a class="button" href="${IMPORT}">Import another file</a></p>
${rejectedPart(visit, file, tally)}${replacedPart(visit, tally)}${doubtfulPart(visit, tally)}
${createdIds.length > 0 && (await exclusionPart(visit, file, createdIds))}`;
  return showPage(visit, { ...PLACE, title, lead, content });
}

async function exclusionPart(
  visit: Visit,
  file: HeldFile,
  ids: readonly number[],
): Promise<HtmlValue> {
  const { hasNew, excluded } = await findStates(visit, ids);
  const many = visit.count(ids.length, 'new transaction');
  if (!hasNew) {
    const list = html`<a href="${addressOf(LIST, { tab: 'excluded' })}">excluded</a>`;
    const are = visit.count(excluded, 'is', 'are');
    const rest = excluded < ids.length && ' The others were allocated or changed since.';
    const about = html`<p>Of ${many} of this file, ${are} ${list}.${rest}</p>`;
    return sectionPart('back', 'Taken back', about);
  }
  const question = html`Exclude ${many} of this file? Those that were allocated or changed since
stay.`;
  const name = cleanText(file.name);
  const words = { open: 'Exclude these again', on: name, question, button: 'Exclude them' };
  const about = html`<p>Transactions cannot be deleted, but excluded transactions are in no budget
and no report.</p>
${askOnce(words, `${IMPORT}/${file.id}/exclude`, {})}`;
  return sectionPart('back', 'The wrong file?', about);
}

/** Whether any of these transactions is as it was made, else how many are excluded. */
async function findStates(
  { access }: Visit,
  ids: readonly number[],
): Promise<{ hasNew: boolean; excluded: number }> {
  let excluded = 0;
  for await (const transaction of readInTurns(access, ids)) {
    if (isAsMade(transaction)) return { hasNew: true, excluded };
    if (transaction.status === 'excluded') excluded += 1;
  }
  return { hasNew: false, excluded };
}

async function* readInTurns(access: Visit['access'], ids: readonly number[]) {
  for (const [at, id] of ids.entries()) {
    if (at % CHANGED_AT_ONCE === CHANGED_AT_ONCE - 1) await nextTurn();
    yield getTransaction(access, formatId('txn', id));
  }
}

/** Whether nothing has changed a transaction since it was imported. */
function isAsMade({ createdAtMs, updatedAtMs }: TransactionRecord): boolean {
  return createdAtMs === updatedAtMs;
}

/** An import that ended half-way: what it stored stays, and is recognised the next time. */
function stoppedReply(
  visit: Visit,
  file: HeldFile,
  { task, error }: { task: Task<Imported>; error: unknown },
): Reply {
  // The next try looks again first.
  file.imported = undefined;
  file.looked = undefined;
  const stopped = failureOf(error);
  if (stopped === undefined) throw error;
  const content = html`<div class="problem" tabindex="-1" role="alert"><h2>The import stopped</h2>
<p>After about ${visit.count(task.done, 'row')}: ${stopped.message} What was stored stays.
Import the file again: nothing is stored twice.</p></div>
<p class="actions"><a class="button primary" href="${IMPORT}/${file.id}">Look again</a></p>`;
  const [title, heading] = ['Error: the import stopped', typed(cleanText(file.name))];
  return showPage(visit, { ...PLACE, title, heading, content, status: 503 });
}

/** `GET /import/{id}/rejected`: the rejected rows as a file to correct and import. */
export const sendRejected = ofFile(async (_, file) => {
  const tally = (file.imported?.result ?? file.looked?.result)?.tally;
  const body = (tally?.rejected.total ?? 0) > 0 ? await readFile(file.rejectedPath) : '';
  return fileReply('rejected.csv', 'text/csv', body);
});

/** `POST /import/{id}/exclude`: excludes the transactions that the import made. */
export const takeImportExclusion = ofFile((visit, file) => {
  const ids = file.imported?.result?.createdIds ?? [];
  return visit.run(() => excludeAgain(visit, file, ids));
});

async function excludeAgain(
  visit: Visit,
  file: HeldFile,
  ids: readonly number[],
): Promise<Outcome> {
  const { access } = visit;
  const asMade: TransactionRecord[] = [];
  for await (const transaction of readInTurns(access, ids)) {
    if (isAsMade(transaction)) asMade.push(transaction);
  }
  const requests = asMade.map(({ id, updatedAtMs }) => ({
    transactionId: formatId('txn', id),
    seenUpdatedAtMs: updatedAtMs,
    reason: `Import of ${cleanText(file.name)} taken back`,
  }));
  const steps = inSteps(requests, (step) => exclusions(access, step));
  const done = await changeMany(access, steps, visit.actor);
  const { reader } = visit;
  const others = ids.length - requests.length;
  const message = `${reader.count(done.count, 'transaction')} excluded.${
    others > 0 ? ` ${sayChanged(reader, others)}` : ''
  }`;
  return outcomeOf(visit, done, `${IMPORT}/${file.id}`, message);
}
