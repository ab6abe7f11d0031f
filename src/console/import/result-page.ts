/** Importing what was looked at, and what that brought. */

import { readFile } from 'node:fs/promises';
import { cleanText } from '../../core/text-width.ts';
import { isAnswer } from '../../files/index.ts';
import { type HtmlValue, html } from '../../http/html.ts';
import type { Reply } from '../../http/message.ts';
import { fileReply, redirectReply } from '../../http/pages.ts';
import { failureOf } from '../../operations/access.ts';
import { readPushes } from '../../operations/audit.ts';
import { saveCsvMapping } from '../../operations/csv-mappings.ts';
import { nextTurn } from '../../operations/turns.ts';
import { listAsCreated } from '../../store/undo.ts';
import { sectionPart, typed } from '../components/elements.ts';
import { showPage } from '../components/layout.ts';
import { PATHS } from '../components/paths.ts';
import { listPath } from '../components/transaction-filters.ts';
import { exclusionForm } from '../sentences/activity.ts';
import { Task } from '../session/task.ts';
import type { Visit } from '../session/visit.ts';
import { Wish } from './answers.ts';
import { ofFile } from './choose-page.ts';
import type { HeldFile } from './held-files.ts';
import { tallyFigures, troublePart } from './ready.ts';
import { type Imported, type Looked, readingOf } from './tally.ts';
import { importRows, lookAt, problemOf } from './work.ts';

/** `POST /import/{id}`: imports the file as the page showed it. */
export const takeImport = ofFile(async (visit, file) => {
  // Once however often it is sent.
  if (file.imported === undefined) {
    const written = visit.form.fields.flatMap(([name, value]) =>
      isAnswer(name) ? [{ name, value }] : [],
    );
    const isAgain = visit.form.value('again') !== undefined;
    const wish = new Wish({ fileId: file.id, written, isAgain });
    const looked = await lookedOf(visit, file, wish);
    const mapping = looked?.inspection.mapping;
    // The page says what is wrong, or how far it is.
    if (looked === undefined || mapping === undefined) return redirectReply(wish.address());
    // Someone may have kept other answers for these columns since.
    if ((visit.form.value('seen') ?? readingOf(looked)) !== readingOf(looked)) {
      const changed = 'the settings for this file have changed since you looked at it';
      const message = `Nothing was imported: ${changed}. Compare the totals again.`;
      return visit.run(() => ({ to: wish.address(), message }));
    }
    const { access } = visit;
    const { standing, ...by } = visit.actor;
    // Signing out does not stop an import half-way; another role does.
    const actor = { ...by, standing: { ...standing, sessionId: null } };
    // Files without a header have no columns by which the next one is known.
    if (visit.form.value('keep') !== undefined && mapping.header !== undefined) {
      saveCsvMapping(access, mapping.header, mapping, actor);
    }
    const job = { mapping, replacedBy: looked.replacedBy, access, actor };
    // On another page, a look may have begun.
    file.looked?.stop();
    file.imported ??= new Task('', (task) => importRows(file, { ...job, task }));
  }
  await file.imported.wait();
  return redirectReply(`${PATHS.import}/${file.id}`);
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

const PLACE = { place: PATHS.import, above: [[PATHS.import, 'Import']] } as const;

/** How far long work is. The browser asks again every second. */
export async function progressReply(
  visit: Visit,
  file: HeldFile,
  task: Task<unknown>,
): Promise<Reply> {
  const isImport = task === file.imported;
  const words = isImport ? 'Importing' : 'Reading';
  const whole = file.looked?.result?.tally?.rows;
  const of = isImport && whole !== undefined ? ` of ${visit.reader.count(whole)}` : '';
  const content = html`<p class="note" role="status"><span>${visit.reader.count(task.done, 'row')}${
    of
  } so far. This page updates automatically.</span></p>`;
  const heading = html`${words} ${typed(cleanText(file.name))}`;
  const headers = { Refresh: '1' };
  // The task works in each turn too.
  await nextTurn();
  return showPage(visit, { ...PLACE, title: words, heading, content, headers });
}

/** What an import brought. */
export async function resultReply(
  visit: Visit,
  file: HeldFile,
  task: Task<Imported>,
): Promise<Reply> {
  const { reader } = visit;
  let imported: Imported | undefined;
  try {
    imported = task.result;
  } catch (error) {
    return stoppedReply(visit, file, { task, error });
  }
  if (imported === undefined) return progressReply(visit, file, task);
  const { tally } = imported;
  const { created, updated, unchanged, needsReview, from, to } = tally;
  const stored = created + updated;
  const title = `${reader.count(stored, 'transaction')} imported`;
  const facts = [
    unchanged > 0 && `${reader.count(unchanged, 'was', 'were')} stored already.`,
    needsReview > 0 &&
      html`<a href="/review">${reader.count(needsReview)} to review</a>: they have changed since
they were allocated.`,
  ].filter((fact) => fact !== false);
  const lead = html`From ${typed(cleanText(file.name))}.${facts.map((fact) => html` ${fact}`)}`;
  await nextTurn();
  const figures = tallyFigures(reader, tally, 'done');
  await nextTurn();
  const open = listPath(PATHS.list, { tab: 'open', provider: 'csv', from, to });
  const content = html`${figures}
<p class="actions"><a class="button primary" href="${open}">Allocate</a> <a class="button"
href="${PATHS.import}">Import another file</a></p>
${troublePart(reader, file, tally)}
${file.brought.created > 0 && (await exclusionPart(visit, file, imported))}`;
  await nextTurn();
  return showPage(visit, { ...PLACE, title, lead, content });
}

/** Excludes what it brought, as long as some of that is as it was imported. */
async function exclusionPart(
  visit: Visit,
  file: HeldFile,
  { tally: { created: last, unchanged }, pushes }: Imported,
): Promise<HtmlValue> {
  let isLeft = false;
  for await (const { atMs } of readPushes(visit.access, pushes)) {
    isLeft = listAsCreated(visit.access, atMs).length > 0;
    if (isLeft) break;
  }
  if (!isLeft) {
    const about = html`<p>Every transaction from this file has been excluded or changed since.
<a href="${listPath(PATHS.list, { tab: 'excluded' })}">Excluded transactions</a></p>`;
    return sectionPart('back', 'Excluded or changed', about);
  }
  const to = `${PATHS.import}/${file.id}`;
  const { created } = file.brought;
  const before = unchanged - (created - last);
  const about = html`<p>You cannot delete transactions, but you can exclude them: they are then in
no budget and no report, even if you import the file again. If only the signs are wrong, import the
file again with the right signs instead.${
    before > 0 &&
    html` Transactions that were stored before this import stay: exclude those in <a
href="/activity?kind=pushes">Activity</a>.`
  }</p>
${exclusionForm(visit.reader, { created, on: cleanText(file.name), to }, pushes)}`;
  return sectionPart('back', 'The wrong file?', about);
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
  const rows = visit.reader.count(task.done, 'row');
  const content = html`<div class="problem" tabindex="-1" role="alert"><h2>The import stopped</h2>
<p>After about ${rows}: ${stopped.message} The stored transactions stay
until you exclude them in <a href="/activity?kind=pushes">Activity</a>. Import the file again:
nothing is stored twice.</p></div>
<p class="actions"><a class="button primary" href="${PATHS.import}/${file.id}">Look again</a></p>`;
  const [title, heading] = ['Error: the import stopped', typed(cleanText(file.name))];
  return showPage(visit, { ...PLACE, title, heading, content, status: 503 });
}

/** `GET /import/{id}/rejected`: the rejected rows as a file to correct and import. */
export const sendRejected = ofFile(async (_, file) => {
  const done = (file.imported ?? file.looked)?.result;
  // They are being written.
  if (done === undefined) return redirectReply(`${PATHS.import}/${file.id}`);
  const body = (done.tally?.rejected.total ?? 0) > 0 ? await readFile(file.rejectedPath) : '';
  return fileReply('rejected.csv', 'text/csv', body);
});
