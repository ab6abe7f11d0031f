/** The second and the third step of an import: what a file leaves open, and what it would bring. */

import { isCalendarDate } from '../../core/calendar.ts';
import { cleanText, cutText } from '../../core/text-width.ts';
import {
  type Choice,
  type Inspection,
  isAnswer,
  MappingError,
  nameColumns,
  type OtherWay,
  type Question,
  readAnswers,
  type Subject,
  type WrittenAnswer,
  WrittenAnswerError,
  writeAnswer,
} from '../../files/index.ts';
import { type Html, type HtmlValue, html } from '../../http/html.ts';
import { redirectReply } from '../../http/pages.ts';
import { nextTurn } from '../../operations/turns.ts';
import { sectionPart, typed } from '../components/elements.ts';
import { type FormFaults, fieldOf, hiddenField, isFaulty, type Sent } from '../components/forms.ts';
import { showPage } from '../components/layout.ts';
import { PATHS } from '../components/paths.ts';
import type { Reader } from '../session/reader.ts';
import type { Visit } from '../session/visit.ts';
import { isSubject, Wish } from './answers.ts';
import { ofFile } from './choose-page.ts';
import type { HeldFile } from './held-files.ts';
import { findingsTable, readyPart } from './ready.ts';
import { progressReply, resultReply } from './result-page.ts';
import { nameValue, SUBJECTS } from './subjects.ts';
import type { Looked } from './tally.ts';
import { lookAt, problemOf } from './work.ts';

/** The fields of a form that changes a finding. */
const FIELDS = ['value', 'second', 'third'] as const;
const [FIRST_FIELD] = FIELDS;

/** The field that shows that the form with the questions was sent. */
const SENT = 'answered';

/** What a page offers when no choice is right: a link to a form, or only words; null: nothing. */
const OTHER_WAYS: Readonly<
  Record<OtherWay, { readonly change?: Subject; readonly words: string } | null>
> = {
  'another amount': { change: 'amount', words: 'choose another column' },
  'whole units': { words: 'export whole units' },
  totals: { words: 'add a column of totals to the file' },
  'two amounts': { change: 'amount', words: 'choose two columns: money out and money in' },
  'one currency': { change: 'currency', words: 'choose the currency' },
  'any date': { change: 'date', words: 'choose another column' },
  'any date format': { change: 'dateFormat', words: 'give the format' },
  'a date format with a year': {
    change: 'dateFormat',
    words: 'give the format with the year, such as DDMM@2016',
  },
  'one account': { words: 'export only the bank account, and choose that file' },
  'export as UTF-8': { words: 'export the file again, as UTF-8' },
  'any encoding': { change: 'encoding', words: 'choose another encoding' },
  indicator: { change: 'moneyOut', words: 'choose a column that shows the direction' },
  signs: { words: 'export the file with signs' },
  'several words': { change: 'moneyOut', words: 'give several words' },
  neither: null,
  'joined descriptions': { change: 'description', words: 'join two columns or more' },
};

/** `GET /import/{id}`: the questions about a file, what it would bring, or what it brought. */
export const showFile = ofFile(async (visit, file) => {
  const { request, form } = visit;
  const wish = Wish.read(request);
  const names = request.query.map(([name]) => name);
  visit.knows(names.filter((name) => isAnswer(name) || isMember(name)));
  if (file.imported !== undefined) return resultReply(visit, file, file.imported);
  const chosen = readChosen(request.query);
  if (chosen !== undefined && chosen.length > 0) {
    return redirectReply(wish.address({ written: [...wish.written, ...chosen] }));
  }
  const [subject] = form.values('set');
  if (!isSubject(subject))
    return lookReply(visit, file, wish, { isUnanswered: chosen?.length === 0 });
  const given = Object.fromEntries(FIELDS.map((name) => [name, form.values(name)]));
  const [first = '', second = '', third = ''] = FIELDS.map((name) => form.value(name));
  const added = SUBJECTS[subject].read([first, second, third], form.values(FIRST_FIELD));
  const changed = new Wish({ ...wish, written: wish.replacing(subject, added) });
  const wrong = faultsOfAnswers(subject, added);
  const faults = isFaulty(wrong) ? wrong : await faultsOfFile(visit, file, changed, subject);
  if (!isFaulty(faults)) return redirectReply(changed.address());
  return lookReply(visit, file, new Wish({ ...wish, change: subject }), { faults, given });
});

/** Whether the address of the page can have a name that is not an answer. */
function isMember(name: string): boolean {
  return CHOSEN.test(name) || ['change', 'again', 'set', SENT, ...FIELDS].includes(name);
}

/** What was chosen at a question. */
const CHOSEN = /^q\d{1,2}$/;

/** The answers that were chosen, from the query of the form; undefined if it was not sent. */
function readChosen(
  query: readonly (readonly [name: string, value: string])[],
): WrittenAnswer[] | undefined {
  if (!query.some(([name]) => name === SENT)) return undefined;
  const chosen = query.filter(([name]) => CHOSEN.test(name));
  return chosen.flatMap(([, text]) => {
    return [...new URLSearchParams(text)].flatMap(([name, value]) => {
      return isAnswer(name) ? [{ name, value }] : [];
    });
  });
}

/** What is wrong with answers as they were typed into the form about a subject. */
function faultsOfAnswers(subject: Subject, added: readonly WrittenAnswer[]): FormFaults {
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
): Promise<FormFaults> {
  try {
    // If it takes longer than a page waits, the next page says it.
    void (await lookAt(visit, file, wish)).result;
    return {};
  } catch (error) {
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

async function lookReply(visit: Visit, file: HeldFile, wish: Wish, said: FileFaults) {
  try {
    const task = await lookAt(visit, file, wish);
    const looked = task.result;
    if (looked === undefined) return await progressReply(visit, file, task);
    // The look has used this turn, and a page takes long when its words are first written.
    await nextTurn();
    return await fileReply(visit, file, { wish, looked, said });
  } catch (error) {
    const problem = problemOf(error);
    if (problem === undefined) throw error;
    const { written } = wish;
    const back = written.length > 0 && wish.address({ written: written.slice(0, -1) });
    const content = html`<div class="problem" tabindex="-1" role="alert"><h2>There is a problem</h2>
<p>${typed(`${cleanText(file.name)}: ${problem}`)}</p></div>
<p class="actions">${
      back && html`<a class="button primary" href="${back}">Without the last answer</a> `
    }<a class="button" href="${PATHS.import}">Another file</a></p>`;
    const title = `Error: ${cleanText(file.name)}`;
    const head = fileHead(visit.reader, file);
    return showPage(visit, { title, place: PATHS.import, head, content, status: 422 });
  }
}

/** The heading of every page about a file. */
function fileHead(
  reader: Reader,
  file: HeldFile,
  { step, looked }: { readonly step?: number; readonly looked?: Looked } = {},
): Html {
  const kilobytes = reader.count(Math.max(1, Math.round(file.bytes / 1024)));
  return html`<div class="head"><div><p class="crumb"><a href="/import">Import</a>${
    step !== undefined && ` · step ${step} of 3`
  }</p><h1>${typed(cleanText(file.name))}</h1>
<p>${looked && sayRows(reader, looked)}${kilobytes} KB. Nothing is stored yet.</p></div></div>`;
}

/** How many rows there are: until the columns are known, only what looks like one is counted. */
function sayRows(reader: Reader, { tally, inspection: { check, facts } }: Looked): string {
  const whole = tally?.rows ?? (check && check.rows + check.repeated.total + check.refusedCount);
  const rows = whole ?? facts?.rows ?? 0;
  if (rows === 0) return '';
  const words = reader.count(rows, 'row');
  return whole === undefined ? `${words} with a date and an amount, ` : `${words}, `;
}

interface FileView {
  readonly wish: Wish;
  readonly looked: Looked;
  readonly said: FileFaults;
}

async function fileReply(visit: Visit, file: HeldFile, { wish, looked, said }: FileView) {
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
      ? html`${form !== false ? form : questionForm(visit.reader, { looked, wish }, asked)}
${sectionPart('findings', 'What the file proves', findingsTable(inspection, wish))}
${firstLines(inspection)}`
      : html`${form}${await readyPart(visit, file, { looked, wish })}`;
  const head = fileHead(visit.reader, file, { step, looked });
  await nextTurn();
  const what = change === undefined ? cleanText(file.name) : SUBJECTS[change].name;
  return showPage(visit, {
    title: `Import ${what}`,
    place: PATHS.import,
    head,
    content: body,
    faults,
  });
}

/** The form about one finding, with what was typed. */
function changeForm({ facts, layout }: Inspection, wish: Wish, change: Subject, sent: Sent): Html {
  const { name, fields } = SUBJECTS[change];
  const names = facts?.columns.map(({ title }) => title) ?? nameColumns(layout?.names ?? []);
  const parts = fields(names.map((each) => [each, each] as const)).map((field, at) => {
    return fieldOf(FIELDS[at] ?? '', field, sent);
  });
  const action = `${PATHS.import}/${wish.fileId}`;
  return html`<form class="question" method="get" action="${action}" novalidate>
<h2>${name}</h2>
${wish.hidden}${hiddenField('set', change)}
${parts}<p class="actions"><button class="button primary">Use
this</button> <a class="button" href="${wish.address()}">Cancel</a></p>
</form>`;
}

/** What to say of questions that nobody answered. */
function unanswered(questions: readonly Question[]): FormFaults {
  return Object.fromEntries(
    questions.flatMap(({ choices, text }, at) =>
      choices.length === 0 ? [] : [[nameOf(at), `Choose an answer: ${text}`] as const],
    ),
  );
}

/** The name of the field of a question, by its place. */
function nameOf(at: number): string {
  return `q${at + 1}`;
}

/** The form with all questions, each with its choices: two lines as each would read them. */
function questionForm(
  reader: Reader,
  { looked: { inspection }, wish }: Pick<FileView, 'looked' | 'wish'>,
  faults: FormFaults,
): Html {
  const fields = inspection.questions.map((question, at) => {
    const name = nameOf(at);
    const fault = faults[name];
    const { text, choices, others } = question;
    const hint = others.includes('joined descriptions') && choices.length > 0;
    return html`<fieldset class="question"${
      fault !== undefined && html` aria-describedby="${name}-fault"`
    }>
<legend>${typed(text)}</legend>
${hint && html`<p class="hint">Choose two or more to join them.</p>\n`}${
  fault !== undefined && html`<p class="fault" id="${name}-fault">${fault}</p>\n`
}${choices.map((choice, place) => choiceField(question, choice, { name, place, reader }))}${
  others.length > 0 && otherWays(others, wish)
}</fieldset>
`;
  });
  return html`<form method="get" action="${PATHS.import}/${wish.fileId}" novalidate>
${wish.hidden}${hiddenField(SENT, 'yes')}
${fields}<p class="actions"><button class="button primary">Continue</button> <a
class="button" href="${PATHS.import}">Another file</a></p>
</form>`;
}

function choiceField(
  { others }: Question,
  choice: Choice,
  { name, place, reader }: { readonly name: string; place: number; reader: Reader },
): Html {
  const type = others.includes('joined descriptions') ? 'checkbox' : 'radio';
  const id = place === 0 ? name : `${name}-${place + 1}`;
  const { examples = [] } = choice;
  return html`<div class="choice"><input type="${type}" name="${name}" id="${id}" value="${encode(
    choice,
  )}"><label for="${id}"><b>${typed(wordsOf(choice, reader))}</b> <span class="soft">${examples.map(
    (line) => html`<span class="line">${typed(sayDays(line, reader))}</span> `,
  )}</span></label></div>
`;
}

/** What a choice means, after the column or the format that it names. */
function wordsOf({ answers, meaning: said }: Choice, reader: Reader): string {
  const meaning = said === undefined ? undefined : sayDays(said, reader);
  const [first] = answers;
  if (first?.kind === 'decimal') return `${DECIMAL_SIGNS[first.decimal]}: ${meaning ?? ''}`;
  // All amounts have one sign: the side says enough.
  if (meaning !== undefined && /^money (?:out|in)$/.test(meaning)) return meaning;
  if (first?.kind === 'delimiter') return nameValue('delimiter', first.delimiter);
  // `Negative amounts are money out: 41 rows, 3,210.00 in total`.
  if (first?.kind === 'moneyOut' && ['negative', 'positive'].includes(first.moneyOut)) {
    const sign = first.moneyOut === 'negative' ? 'Negative' : 'Positive';
    return `${sign} amounts are ${meaning ?? 'money out'}`;
  }
  const values = answers.map((answer) => {
    const { name, value } = writeAnswer(answer);
    if (answer.kind === 'everyLine') return '';
    if (answer.kind === 'encoding') return nameValue('encoding', value);
    return name === 'map' ? value.slice(value.indexOf('=') + 1) : value;
  });
  const named = values.filter((value) => value !== '').join(' and ');
  const isSaid = named === '' || meaning?.includes(named) === true;
  return isSaid ? (meaning ?? '') : [named, meaning].filter(Boolean).join(', ');
}

const DECIMAL_SIGNS = { '.': 'a point', ',': 'a comma' } as const;

function otherWays(others: readonly OtherWay[], wish: Wish): Html {
  const offered = others.flatMap((other) => OTHER_WAYS[other] ?? []);
  const ways = offered.map(({ change, words }, at) => {
    const begin = at === 0 ? 'Or ' : ', or ';
    if (change === undefined) return html`${begin}${words}`;
    return html`${begin}<a href="${wish.address({ change })}">${words}</a>`;
  });
  return html`<p class="other soft">${ways}.</p>\n`;
}

/** The answers of a choice as the value of a field. */
function encode({ answers }: Choice): string {
  const fields = new URLSearchParams();
  for (const { name, value } of answers.map(writeAnswer)) fields.append(name, value);
  return fields.toString();
}

/** What an answer would read: `line 2: 1 Feb 2016, −1,200.00` of a line, `it is 1 Feb 2016`. */
function sayDays(text: string, reader: Reader): string {
  return text
    .replace(DAY, (day) => (isCalendarDate(day) ? reader.dayText(day) : day))
    .replace(MINUS, '−');
}

/** Only at the beginning: what follows is as it is in the file. */
const DAY = /(?<=^(?:line \d+: (?:skipped: |rejected: )?|it is ))\d{4}-\d\d-\d\d\b/;
/** Of the amount, which comes before the texts of the file, in quotation marks. */
const MINUS = /(?<=^line \d+: [^"]*, )-(?=\d)/;

/** How many lines of the file a page shows, and how much of each value. */
const LINES = 5;
const CELL_WIDTH = 60;

/** The first rows of the file under the names of its columns, as they are. */
function firstLines({ facts }: Looked['inspection']): HtmlValue {
  if (facts === undefined) return undefined;
  const rows = facts.samples.slice(0, LINES);
  return html`<section><h2 id="lines">First rows of the file</h2>
<div class="sheet" tabindex="0" role="region" aria-labelledby="lines"><table
aria-labelledby="lines"><thead><tr><th scope="col">Line</th>${facts.columns.map(
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
