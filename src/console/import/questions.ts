/** The questions about a file as fields: each choice shows two lines as it would read them. */

import type { Choice, OtherWay, Question, Subject } from '../../files/index.ts';
import { isAnswer, type WrittenAnswer, writeAnswer } from '../../files/index.ts';
import { type Html, type HtmlValue, html } from '../../http/html.ts';
import { typed } from '../components/elements.ts';
import type { Faults } from '../components/forms.ts';
import type { Reader } from '../session/reader.ts';
import { fileAddress, type Wish } from './answers.ts';
import { nameDelimiter, nameEncoding, sayDays } from './values.ts';

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

/** The name of the field of a question, by its place. */
function nameOf(at: number): string {
  return `q${at + 1}`;
}

/** All questions, each with its choices. */
export function questionFields(
  questions: readonly Question[],
  { wish, reader }: { readonly wish: Wish; readonly reader: Reader },
  faults: Faults,
): HtmlValue {
  return questions.map((question, at) => {
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
  if (first?.kind === 'delimiter') return nameDelimiter(first.delimiter);
  if (first?.kind === 'moneyOut' && isSign(first.moneyOut)) return saySign(first.moneyOut, meaning);
  const values = answers.map((answer) => {
    const { name, value } = writeAnswer(answer);
    if (answer.kind === 'everyLine') return '';
    if (answer.kind === 'encoding') return nameEncoding(value);
    return name === 'map' ? value.slice(value.indexOf('=') + 1) : value;
  });
  const named = values.filter((value) => value !== '').join(' and ');
  const isSaid = named === '' || meaning?.includes(named) === true;
  return isSaid ? (meaning ?? '') : [named, meaning].filter(Boolean).join(', ');
}

function isSign(moneyOut: string): boolean {
  return moneyOut === 'negative' || moneyOut === 'positive';
}

/** `Negative amounts are money out: 41 rows, 3,210.00 in total`. */
function saySign(sign: string, meaning = 'money out'): string {
  return `${sign === 'negative' ? 'Negative' : 'Positive'} amounts are ${meaning}`;
}

const DECIMAL_SIGNS = { '.': 'a point', ',': 'a comma' } as const;

function otherWays(others: readonly OtherWay[], wish: Wish): Html {
  const offered = others.flatMap((other) => OTHER_WAYS[other] ?? []);
  const ways = offered.map(({ change, words }, at) => {
    const begin = at === 0 ? 'Or ' : ', or ';
    if (change === undefined) return html`${begin}${words}`;
    return html`${begin}<a href="${fileAddress(wish, { change })}">${words}</a>`;
  });
  return html`<p class="other soft">${ways}.</p>\n`;
}

/** The answers of a choice as the value of a field. */
function encode({ answers }: Choice): string {
  const fields = new URLSearchParams();
  for (const { name, value } of answers.map(writeAnswer)) fields.append(name, value);
  return fields.toString();
}

/** The answers that were chosen, from the query of the form; undefined if it was not sent. */
export function readChosen(
  query: readonly (readonly [name: string, value: string])[],
): WrittenAnswer[] | undefined {
  if (!query.some(([name]) => name === SENT)) return undefined;
  const chosen = query.filter(([name]) => /^q\d{1,2}$/.test(name));
  return chosen.flatMap(([, text]) => {
    return [...new URLSearchParams(text)].flatMap(([name, value]) => {
      return isAnswer(name) ? [{ name, value }] : [];
    });
  });
}

/** The field that shows that the form with the questions was sent. */
export const SENT = 'answered';

/** What to say of questions that nobody answered. */
export function unanswered(questions: readonly Question[]): Faults {
  return Object.fromEntries(
    questions.flatMap(({ choices }, at) =>
      choices.length === 0 ? [] : [[nameOf(at), 'Choose an answer.'] as const],
    ),
  );
}
