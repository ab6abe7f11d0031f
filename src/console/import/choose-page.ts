/** The first step of an import: choosing a file. */

import { IMPORTS } from '../../core/limits.ts';
import { cleanText } from '../../core/text-width.ts';
import { type Html, html } from '../../http/html.ts';
import type { Reply, UploadedFile } from '../../http/message.ts';
import { redirectReply } from '../../http/pages.ts';
import { type FormFaults, fieldOf } from '../components/forms.ts';
import { showPage } from '../components/layout.ts';
import { PATHS } from '../components/paths.ts';
import type { Visit } from '../session/visit.ts';
import type { HeldFile } from './held-files.ts';

const FILE = 'file';

/** `POST /import`: takes the file, and leads to its page. */
export function takeFile(visit: Visit): Reply {
  const { desk, file, session } = visit;
  const fault = faultOfFile(file);
  if (file === undefined || fault !== undefined) {
    return showImport(visit, { [FILE]: fault ?? 'Choose a file.' });
  }
  return redirectReply(`${PATHS.import}/${desk.heldFiles.hold(file, session).id}`);
}

function faultOfFile(file: UploadedFile | undefined): string | undefined {
  if (file === undefined) return undefined;
  const name = cleanText(file.name);
  if (/\.(?:nd)?jsonl?$/i.test(file.name)) {
    return `"${name}" is a JSON file. On the server, budgetd import reads it.`;
  }
  return file.bytes === 0 ? `"${name}" is empty.` : undefined;
}

/** What a browser offers first; the contents say what a file is. */
const ENDINGS =
  '.csv,.tsv,.tab,.txt,.xlsx,.xlsm,.ofx,.qfx,.qbo,.xml,.zip,.sta,.mt940,.940,text/csv';

/** `GET /import`: the first step, with what was wrong with the file. */
export function showImport(visit: Visit, faults: FormFaults = {}, status?: number): Reply {
  const megabytes = visit.reader.count(IMPORTS.fileBytes / 1024 ** 2);
  const field = {
    label: 'File',
    hint: html`Up to ${megabytes} MB; larger ones with <code>budgetd import</code> on the server.`,
    control: (marks: Html) => html`<input ${marks} type="file" accept="${ENDINGS}">`,
  };
  const head = html`<div class="head"><div><p class="crumb">Step 1 of 3</p><h1>Import</h1>
<p>A file from your bank or your accounts: CSV, Excel, OFX, CAMT or MT940. You see its totals before
anything is stored.</p></div></div>`;
  const content = html`<form class="narrow" method="post" action="${PATHS.import}"
enctype="multipart/form-data" novalidate>
${fieldOf(FILE, field, { faults })}<p class="actions"><button
class="button primary">Read the file</button></p>
</form>
<section aria-labelledby="about"><h2 id="about">What happens then</h2>
<p>budgetd works out how to read the file, and shows the evidence. It asks about anything that the
file does not say, and then shows the totals to compare with your bank. You can import a file again
without harm: budgetd recognises rows that are stored already.</p>
<p>The activity lists <a href="/activity?kind=pushes">earlier imports</a>. There you can exclude the
transactions of an import.</p>
</section>`;
  return showPage(visit, { title: 'Import', place: PATHS.import, head, content, faults, status });
}

/** A page about a file; the first step if that is gone, or someone else's. */
export function ofFile(show: (visit: Visit, file: HeldFile) => Reply | Promise<Reply>) {
  return (visit: Visit): Reply | Promise<Reply> => {
    const { desk, request, session } = visit;
    const file = desk.heldFiles.find(request.params['id'] ?? '', session);
    if (file !== undefined) return show(visit, file);
    const words =
      `This upload has expired. Your ${IMPORTS.perUser} most recent uploads are kept for two ` +
      'hours, but not after a restart. To see what was imported, open Activity. To continue, ' +
      'upload the file again: rows that are already stored are not added twice.';
    return showImport(visit, { [FILE]: words }, 404);
  };
}
