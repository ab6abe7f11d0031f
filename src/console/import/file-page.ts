/** The second and the third step of an import: what a file leaves open, and what it would bring. */

import { cleanText, cutText } from '../../core/text-width.ts';
import type { Inspection, Subject, WrittenAnswer } from '../../files/index.ts';
import { MappingError, nameColumns, readAnswers, WrittenAnswerError } from '../../files/index.ts';
import { type Html, type HtmlValue, html } from '../../http/html.ts';
import type { Reply } from '../../http/message.ts';
import { redirectReply } from '../../http/pages.ts';
import { sectionPart, typed } from '../components/elements.ts';
import { type Faults, fieldOf, hiddenField, isFaulty, type Sent } from '../components/forms.ts';
import { showPage } from '../components/layout.ts';
import type { Visit } from '../session/visit.ts';
import {
  fileAddress,
  hiddenAnswers,
  isSubject,
  readWish,
  replaceAnswers,
  type Wish,
} from './answers.ts';
import { IMPORT, ofFile } from './choose-page.ts';
import { findingsTable } from './findings.ts';
import type { HeldFile } from './held-files.ts';
import { questionFields, readChosen, SENT, unanswered } from './questions.ts';
import { fileHead, readyPart } from './ready.ts';
import { progressReply, resultReply } from './result-page.ts';
import { SUBJECTS } from './subjects.ts';
import type { Looked } from './tally.ts';
import { lookAt, problemOf } from './work.ts';

/** The fields of a form that changes a finding. */
const FIELDS = ['value', 'second', 'third'] as const;
const [FIRST_FIELD] = FIELDS;

/** `GET /import/{id}`: the questions about a file, what it would bring, or what it brought. */
export const showFile = ofFile(async (visit, file) => {
  const { request, form } = visit;
  const wish = readWish(request);
  if (file.imported !== undefined) return resultReply(visit, file, file.imported);
  const chosen = readChosen(request.query);
  if (chosen !== undefined && chosen.length > 0) {
    return redirectReply(fileAddress(wish, { written: [...wish.written, ...chosen] }));
  }
  const [subject] = form.values('set');
  if (!isSubject(subject))
    return lookReply(visit, file, wish, { isUnanswered: chosen?.length === 0 });
  const given = Object.fromEntries(FIELDS.map((name) => [name, form.values(name)]));
  const [first = '', second = '', third = ''] = FIELDS.map((name) => form.value(name));
  const added = SUBJECTS[subject].read([first, second, third], form.values(FIRST_FIELD));
  const changed = { ...wish, written: replaceAnswers(wish.written, subject, added) };
  const wrong = faultsOfAnswers(subject, added);
  const faults = isFaulty(wrong) ? wrong : await faultsOfFile(visit, file, changed, subject);
  if (!isFaulty(faults)) return redirectReply(fileAddress(changed));
  return lookReply(visit, file, { ...wish, change: subject }, { faults, given });
});

/** What is wrong with answers as they were typed into the form about a subject. */
function faultsOfAnswers(subject: Subject, added: readonly WrittenAnswer[]): Faults {
  if (added.length === 0) return { [FIRST_FIELD]: 'Say what it is.' };
  try {
    readAnswers(added);
    return {};
  } catch (error) {
    if (error instanceof WrittenAnswerError) {
      return { [FIRST_FIELD]: `${SUBJECTS[subject].name}${error.message}` };
    }
    if (error instanceof MappingError) return { [FIRST_FIELD]: error.message };
    throw error;
  }
}

/** What the file itself has against new answers about a subject. */
async function faultsOfFile(
  visit: Visit,
  file: HeldFile,
  wish: Wish,
  subject: Subject,
): Promise<Faults> {
  try {
    // If it takes longer than a page waits, the next page says it.
    void (await lookAt(visit, file, wish)).result;
    return {};
  } catch (error) {
    file.looked = undefined;
    const problem = problemOf(error, subject);
    if (problem === undefined) throw error;
    return { [FIRST_FIELD]: problem };
  }
}

/** What a page about a file has to say, besides its findings. */
interface FileFaults extends Partial<Sent> {
  /** Whether the form with the questions was sent without an answer. */
  readonly isUnanswered?: boolean;
}

async function lookReply(
  visit: Visit,
  file: HeldFile,
  wish: Wish,
  said: FileFaults,
): Promise<Reply> {
  try {
    const task = await lookAt(visit, file, wish);
    const looked = task.result;
    if (looked === undefined) return progressReply(visit, file, task);
    return fileReply(visit, file, { wish, looked, said });
  } catch (error) {
    file.looked = undefined;
    const problem = problemOf(error);
    if (problem === undefined) throw error;
    const back =
      wish.written.length > 0 && fileAddress(wish, { written: wish.written.slice(0, -1) });
    const content = html`<div class="problem" tabindex="-1" role="alert"><h2>There is a problem</h2>
<p>${typed(`${cleanText(file.name)}: ${problem}`)}</p></div>
<p class="actions">${
      back && html`<a class="button primary" href="${back}">Without the last answer</a> `
    }<a class="button" href="${IMPORT}">Another file</a></p>`;
    const title = `Error: ${cleanText(file.name)}`;
    const head = fileHead(visit, file);
    return showPage(visit, { title, place: IMPORT, head, content, status: 422 });
  }
}

interface FileView {
  readonly wish: Wish;
  readonly looked: Looked;
  readonly said: FileFaults;
}

function fileReply(visit: Visit, file: HeldFile, { wish, looked, said }: FileView): Reply {
  const { inspection } = looked;
  const { questions } = inspection;
  const { change } = wish;
  const asked = said.isUnanswered === true ? unanswered(questions) : {};
  const faults = { ...asked, ...said.faults };
  const form =
    change !== undefined && changeForm(inspection, wish, change, { faults: {}, ...said });
  const step = questions.length > 0 ? 2 : 3;
  const body =
    step === 2
      ? html`${form !== false ? form : questionForm(visit, { looked, wish }, asked)}
${sectionPart('findings', 'What the file proves', findingsTable(inspection, wish))}
${firstLines(inspection)}`
      : html`${form}${readyPart(visit, file, { looked, wish })}`;
  const head = fileHead(visit, file, { step, looked });
  const what = change === undefined ? cleanText(file.name) : SUBJECTS[change].name;
  return showPage(visit, { title: `Import ${what}`, place: IMPORT, head, content: body, faults });
}

/** The form about one finding, with what was typed. */
function changeForm({ facts, layout }: Inspection, wish: Wish, change: Subject, sent: Sent): Html {
  const { name, fields } = SUBJECTS[change];
  const names = facts?.columns.map(({ title }) => title) ?? nameColumns(layout?.names ?? []);
  const parts = fields(names.map((each) => [each, each] as const)).map((field, at) => {
    return fieldOf(FIELDS[at] ?? '', field, sent);
  });
  return html`<form class="question" method="get" action="${IMPORT}/${wish.fileId}" novalidate>
<h2>${name}</h2>
${hiddenAnswers(wish)}${hiddenField('set', change)}
${parts}<p class="actions"><button class="button primary">Use
this</button> <a class="button" href="${fileAddress(wish)}">Cancel</a></p>
</form>`;
}

function questionForm(
  visit: Visit,
  { looked: { inspection }, wish }: Pick<FileView, 'looked' | 'wish'>,
  faults: Faults,
): Html {
  const fields = questionFields(inspection.questions, { wish, reader: visit.reader }, faults);
  return html`<form method="get" action="${IMPORT}/${wish.fileId}" novalidate>
${hiddenAnswers(wish)}${hiddenField(SENT, 'yes')}
${fields}<p class="actions"><button class="button primary">Answer and look</button> <a
class="button" href="${IMPORT}">Another file</a></p>
</form>`;
}

/** How many lines of the file a page shows, and how much of each value. */
const LINES = 5;
const CELL_WIDTH = 60;

/** The first rows of the file under the names of its columns, as they are. */
function firstLines({ facts }: Looked['inspection']): HtmlValue {
  if (facts === undefined) return undefined;
  const rows = facts.samples.slice(0, LINES);
  return html`<section><h2 id="lines">Its first rows, as they are</h2>
<div class="sheet" tabindex="0" role="region" aria-labelledby="lines"><table><thead><tr><th
scope="col">Line</th>${facts.columns.map(
    ({ title }) => html`<th scope="col">${typed(title)}</th>\n`,
  )}</tr></thead>
<tbody>
${rows.map(
  ({ line, fields }) =>
    html`<tr><th scope="row">${line}</th>${facts.columns.map(
      ({ index }) => html`<td>${typed(cutText(fields[index] ?? '', CELL_WIDTH))}</td>`,
    )}</tr>\n`,
)}</tbody></table></div></section>`;
}
