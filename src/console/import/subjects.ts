/** What pages say about each kind of finding, and the form that changes it. */

import { forEachRare, ROW_MEMBERS, type RowField } from '../../core/row-members.ts';
import { ENCODINGS, type Subject, showDelimiter, type WrittenAnswer } from '../../files/index.ts';
import type { Field } from '../components/forms.ts';

type Options = NonNullable<Field['options']>;

/** What was typed into the fields of a form, in their order. */
type Typed = readonly [first: string, second: string, third: string];

/** A kind of finding. */
interface Kind {
  readonly name: string;
  /** The names of the answers that a new one replaces; `map` with its use. */
  readonly replaced: readonly string[];
  /** The fields of its form, for a file with these columns. */
  readonly fields: (columns: Options) => readonly Field[];
  /** What the form answers; `all` are the values of the first field. */
  readonly read: (typed: Typed, all: readonly string[]) => readonly WrittenAnswer[];
}

const text = (label: string, hint: string): Field => ({ label, hint });
const select = (label: string, options: Options): Field => ({ label, type: 'select', options });

const answer = (name: string, value: string) => (value.trim() === '' ? [] : [{ name, value }]);
const map = (use: string, column: string) => ({ name: 'map', value: `${use}=${column}` });

/** A kind with one field, whose text is the answer. */
function typedKind(name: string, option: string, field: Field): Kind {
  const read: Kind['read'] = ([first]) => answer(option, first);
  return { name, replaced: [option], fields: () => [field], read };
}

/** A kind whose answer is a column, or another choice before them. */
function columnKind(use: RowField & Subject, other: Options[number] = NONE): Kind {
  return {
    name: ROW_MEMBERS[use].title,
    replaced: [`map ${use}`],
    fields: (columns) => [select('Column', [other, ...columns])],
    read: ([first]) => [map(use, first)],
  };
}

const DELIMITER_NAMES: Readonly<Record<string, string>> = {
  ',': 'comma',
  ';': 'semicolon',
  '\t': 'tab',
  '|': 'bar',
};

const ENCODING_NAMES: Readonly<Record<string, string>> = {
  macintosh: 'Macintosh',
  shift_jis: 'Shift_JIS',
  big5: 'Big5',
};

/** What a delimiter is called; others than the usual ones are shown as they are. */
function nameDelimiter(delimiter: string): string {
  return DELIMITER_NAMES[delimiter] ?? delimiter;
}

/** What an encoding is called: `UTF-8`, `Windows-1252`. */
function nameEncoding(encoding: string): string {
  return ENCODING_NAMES[encoding] ?? encoding.toUpperCase().replace(/^WINDOWS/, 'Windows');
}

/** What the value of a finding or of an answer is called. */
export function nameValue(kind: string | undefined, value: string): string {
  if (kind === 'delimiter') return nameDelimiter(value);
  return kind === 'encoding' ? nameEncoding(value) : value;
}

const NONE = ['', 'None'] as const;
const FORMAT_HINT = 'Such as DD/MM/YYYY, or D MMM YY with the name of the month';
const DELIMITERS: Options = [',', ';', '\t', '|'].map((sign) => {
  const name = nameDelimiter(sign);
  return [showDelimiter(sign), sign === '\t' ? name : `${name} ${sign}`];
});
const LINES = {
  ...typedKind(
    '',
    'not-row',
    text('Text of the lines that are not rows', 'A complete value from these lines'),
  ),
  replaced: [],
};

/** The kinds of findings. */
export const SUBJECTS: Readonly<Record<Subject, Kind>> = {
  encoding: typedKind(
    'Encoding',
    'encoding',
    select(
      'Encoding of the text',
      ENCODINGS.map((each) => [each, nameEncoding(each)]),
    ),
  ),
  sheet: typedKind('Sheet', 'sheet', text('Sheet', 'The name of the sheet in the workbook')),
  bankAccounts: typedKind(
    'Accounts',
    'account',
    text('Account', 'The account number, as in the file'),
  ),
  delimiter: typedKind('Delimiter', 'delimiter', select('What separates the values', DELIMITERS)),
  header: typedKind(
    'Header',
    'header',
    text('Line with the column names', 'The number of the line, or the word none'),
  ),
  date: {
    name: 'Date',
    replaced: ['map date', 'date-format'],
    fields: (columns) => [select('Column', columns), text('Format of its dates', FORMAT_HINT)],
    read: ([column, format]) =>
      column === '' ? [] : [map('date', column), ...answer('date-format', format)],
  },
  dateFormat: typedKind('Date format', 'date-format', text('Format of the dates', FORMAT_HINT)),
  amount: {
    name: 'Amount',
    replaced: ['map amount', 'map out', 'map in', 'map indicator', 'money-out'],
    fields: (columns) => [
      select('Column of all amounts', [NONE, ...columns]),
      select('Or: column of money out', [NONE, ...columns]),
      select('and column of money in', [NONE, ...columns]),
    ],
    read: ([both, out, into]) => {
      if (out !== '' || into !== '') return [map('out', out), map('in', into)];
      return both === '' ? [] : [map('amount', both)];
    },
  },
  decimal: typedKind(
    'Decimal separator',
    'decimal',
    select('Decimal separator', [
      ['.', 'point: 1,234.56'],
      [',', 'comma: 1.234,56'],
    ]),
  ),
  moneyOut: {
    name: 'Money out',
    replaced: ['money-out', 'map indicator'],
    fields: (columns) => [
      text(
        'What marks money out',
        'negative or positive for the sign of the amount, or words separated by commas',
      ),
      select('Column with the words', [NONE, ...columns]),
    ],
    read: ([mark, column]) => [
      ...answer('money-out', mark),
      ...(column === '' ? [] : [map('indicator', column)]),
    ],
  },
  doubleEntry: { ...LINES, name: 'Both sides of entries', replaced: ['row'] },
  currency: {
    ...typedKind(
      'Currency',
      'currency',
      text('Currency of the amounts', 'Three letters, such as GBP'),
    ),
    replaced: ['currency', 'map currency'],
  },
  description: {
    name: 'Description',
    replaced: ['map description'],
    fields: (options) => [
      { label: 'Columns', hint: 'Two or more are joined.', type: 'checkbox', options },
    ],
    read: (_, all) => all.map((column) => map('description', column)),
  },
  contact: columnKind('contact'),
  accountCode: columnKind('accountCode'),
  ...forEachRare((field) => columnKind(field)),
  externalId: columnKind('externalId', ['made', 'None: make it from the row']),
  notRow: { ...LINES, name: 'Lines that are not rows' },
  rejected: { ...LINES, name: 'Rejected rows' },
};
