/** The form that changes a finding: a field or two for each kind of finding. */

import type { Inspection, Subject, WrittenAnswer } from '../../files/index.ts';
import { ENCODINGS, nameColumns, showDelimiter } from '../../files/index.ts';
import { type Html, html } from '../../http/html.ts';
import { type Faults, fieldOf, hiddenField, type Option } from '../components/forms.ts';
import { FIRST_FIELD, fileAddress, SUBJECTS, type Wish } from './answers.ts';
import { nameDelimiter, nameEncoding } from './values.ts';

/** What was typed, by the names of the fields. */
export type TypedAnswers = (name: string) => readonly string[];

const NOTHING: TypedAnswers = () => [];
const NONE = ['', 'None'] as const;
const SECOND = 'second';
const THIRD = 'third';

type Options = readonly Option[];

/** The form about one finding, with what was typed. */
export function changeForm(
  inspection: Inspection,
  wish: Wish & { readonly change: Subject },
  faults: Faults,
  typed: TypedAnswers = NOTHING,
): Html {
  const { change, written, fileId } = wish;
  const columns = namesOf(inspection).map((name) => [name, name] as const);
  return html`<form class="question" method="get" action="/import/${fileId}" novalidate>
<h2>${SUBJECTS[change]}</h2>
${written.map(({ name, value }) => hiddenField(name, value))}${hiddenField('set', change)}
${fieldsOf(change, columns, { faults, typed })}<p class="actions"><button class="button primary">Use
this</button> <a class="button" href="${fileAddress({ ...wish, change: undefined })}">Cancel</a></p>
</form>`;
}

/** The columns by their names; those without one by their place. */
function namesOf({ facts, layout }: Inspection): readonly string[] {
  return facts?.columns.map(({ title }) => title) ?? nameColumns(layout?.names ?? []);
}

function fieldsOf(
  subject: Subject,
  columns: Options,
  { faults, typed }: { readonly faults: Faults; readonly typed: TypedAnswers },
): Html {
  const value = (name: string) => typed(name)[0];
  const first = (label: string, options: Options, hint?: string) => {
    const field = { label, hint, type: 'select', value: value(FIRST_FIELD), options } as const;
    return fieldOf(FIRST_FIELD, field, { faults });
  };
  const text = (name: string, label: string, hint: string) =>
    fieldOf(name, { label, hint, value: value(name) }, { faults });
  const more = (name: string, label: string) => {
    const options = [NONE, ...columns];
    return fieldOf(name, { label, type: 'select', value: value(name), options }, { faults });
  };
  switch (subject) {
    case 'encoding':
      return first(
        'Encoding of the text',
        ENCODINGS.map((each) => [each, nameEncoding(each)]),
      );
    case 'delimiter':
      return first('What separates the values', DELIMITERS);
    case 'header':
      return text(FIRST_FIELD, 'Line with the column names', 'Its number, or none');
    case 'date':
      return html`${first('Column', columns)}${text(SECOND, 'Format of its dates', FORMAT_HINT)}`;
    case 'dateFormat':
      return text(FIRST_FIELD, 'Format of the dates', FORMAT_HINT);
    case 'amount':
      return html`${first('Column of all amounts', [NONE, ...columns])}${more(
        SECOND,
        'Or: column of money out',
      )}${more(THIRD, 'and column of money in')}`;
    case 'decimal':
      return first('Decimal separator', [
        ['.', 'point: 1,234.56'],
        [',', 'comma: 1.234,56'],
      ]);
    case 'moneyOut':
      return html`${text(
        FIRST_FIELD,
        'What marks money out',
        'negative or positive for the sign of the amount; or the words, with commas between them',
      )}${more(SECOND, 'Column with the words')}`;
    case 'currency':
      return text(FIRST_FIELD, 'Currency of the amounts', 'Three letters, such as GBP');
    case 'description':
      return fieldOf(
        FIRST_FIELD,
        { label: 'Columns', hint: 'Two or more are joined.', type: 'checkbox', options: columns },
        { faults, given: { [FIRST_FIELD]: typed(FIRST_FIELD) } },
      );
    case 'contact':
    case 'accountCode':
    case 'reference':
    case 'bankAccount':
    case 'projectCode':
      return first('Column', [NONE, ...columns]);
    case 'externalId':
      return first('Column', [['made', 'None: make it from the row'], ...columns]);
    default:
      return text(FIRST_FIELD, 'Text of the lines that are not rows', 'A whole value in them');
  }
}

const FORMAT_HINT = 'Such as DD/MM/YYYY, or D MMM YY with the name of the month';

const DELIMITERS: Options = [',', ';', '\t', '|'].map((sign) => {
  const name = nameDelimiter(sign);
  return [showDelimiter(sign), sign === '\t' ? name : `${name} ${sign}`] as const;
});

/** The answers that the form about a finding gives. */
export function readChange(subject: Subject, typed: TypedAnswers): WrittenAnswer[] {
  const [first = '', second = '', third = ''] = [FIRST_FIELD, SECOND, THIRD].map(
    (name) => typed(name)[0],
  );
  const map = (use: string, column: string) => ({ name: 'map', value: `${use}=${column}` });
  const maybe = (name: string, value: string) => (value.trim() === '' ? [] : [{ name, value }]);
  switch (subject) {
    case 'date':
      return first === '' ? [] : [map('date', first), ...maybe('date-format', second)];
    case 'amount':
      if (second !== '' || third !== '') return [map('out', second), map('in', third)];
      return first === '' ? [] : [map('amount', first)];
    case 'moneyOut':
      return [...maybe('money-out', first), ...(second === '' ? [] : [map('indicator', second)])];
    case 'description':
      return typed(FIRST_FIELD).map((column) => map('description', column));
    case 'contact':
    case 'accountCode':
    case 'reference':
    case 'bankAccount':
    case 'projectCode':
    case 'externalId':
      return [map(subject, first)];
    case 'dateFormat':
      return maybe('date-format', first);
    case 'doubleEntry':
    case 'notRow':
    case 'rejected':
      return maybe('not-row', first);
    default:
      return maybe(subject, first);
  }
}
