/** The answers that a user gives to `csv inspect`, as options that `push` has too. */

import { ROW_FIELDS, type RowField } from '../core/push.ts';
import { type DateFormat, readDateFormat, unknownFormat } from '../rows/date-formats.ts';
import type { DecimalSign } from '../rows/decimals.ts';
import type { Encoding } from '../rows/encodings.ts';
import { splitDateColumn, splitPair } from '../rows/mapping.ts';
import { readDecimalSign, readDelimiter, readEncoding } from '../rows/mapping-values.ts';
import { AnswerError } from './found.ts';

/** Names for `--map NAME=COLUMN`: the fields, and the columns that the amount needs. */
export const ANSWER_NAMES = [...ROW_FIELDS, 'out', 'in', 'indicator', 'currency'] as const;
export type AnswerName = RowField | 'out' | 'in' | 'indicator' | 'currency';

/** All answers. */
export interface Answers {
  readonly encoding?: Encoding;
  readonly delimiter?: string;
  /** The line of the header; 0 if there is none. */
  readonly header?: number;
  /** Columns by name; an empty list means that there is no such column. */
  readonly columns: ReadonlyMap<AnswerName, readonly string[]>;
  /** Which of `out` and `in` have negative amounts: `out=-Debit`. */
  readonly turned: ReadonlySet<AnswerName>;
  readonly dateFormat?: DateFormat;
  readonly decimal?: DecimalSign;
  /** `negative`, `positive`, or the column or word that marks money out. */
  readonly moneyOut?: string;
  readonly currency?: string;
  /** Values of lines that are not rows, and of lines that are. */
  readonly notRows: readonly string[];
  readonly rows: readonly string[];
}

const ANSWER_OPTIONS: readonly string[] = [
  'map',
  'encoding',
  'delimiter',
  'header',
  'date-format',
  'decimal',
  'money-out',
  'currency',
  'not-row',
  'row',
];

/** Whether an option answers a question; `map` can name the mapping file instead. */
export function isAnswer(name: string): boolean {
  return ANSWER_OPTIONS.includes(name);
}

/** An option as it was typed. */
export interface WrittenAnswer {
  readonly name: string;
  readonly value: string;
}

/** Reads answers; the last one counts when an option is repeated. Throws AnswerError. */
export function readAnswers(written: readonly WrittenAnswer[]): Answers {
  const columns = new Map<AnswerName, string[]>();
  const turned = new Set<AnswerName>();
  const values: Record<string, string> = {};
  const notRows: string[] = [];
  const rows: string[] = [];
  const more: { dateFormat?: DateFormat; moneyOut?: string } = {};
  for (const { name, value } of written) {
    if (name === 'map') Object.assign(more, addPair(value, columns, turned));
    else if (name === 'not-row') notRows.push(value.trim());
    else if (name === 'row') rows.push(value.trim());
    else values[name] = value;
  }
  const { encoding, delimiter, header, decimal, currency } = values;
  return {
    columns,
    turned,
    notRows,
    rows,
    ...more,
    ...(encoding === undefined ? {} : { encoding: readEncoding('--encoding', encoding) }),
    ...(delimiter === undefined ? {} : { delimiter: readDelimiter('--delimiter', delimiter) }),
    ...(header === undefined ? {} : { header: readHeader(header) }),
    ...(decimal === undefined ? {} : { decimal: readDecimalSign('--decimal', decimal) }),
    ...(currency === undefined ? {} : { currency: currency.trim() }),
    ...(values['money-out'] === undefined ? {} : { moneyOut: values['money-out'].trim() }),
    ...(values['date-format'] === undefined ? {} : { dateFormat: readFormat(values) }),
  };
}

/** `date=Valuta:DD/MM/YYYY` answers two questions; so does `amount=-Betrag`. */
function addPair(pair: string, columns: Map<AnswerName, string[]>, turned: Set<AnswerName>) {
  const { name, column } = splitPair(pair);
  const known = ANSWER_NAMES.find((each) => each === name);
  if (known === undefined) {
    throw new AnswerError(`--map: "${name}" is not one of ${ANSWER_NAMES.join(', ')}.`);
  }
  const own = columns.get(known) ?? [];
  columns.set(known, own);
  if (column.trim() === '') return {};
  if (known === 'date') {
    const { column: date, format } = splitDateColumn(column);
    own.splice(0, own.length, date.trim());
    return format === undefined ? {} : { dateFormat: format };
  }
  if (known === 'amount' && column.startsWith('-')) {
    own.splice(0, own.length, column.slice(1).trim());
    return { moneyOut: 'negative' };
  }
  const isTurned = (known === 'out' || known === 'in') && column.startsWith('-');
  if (isTurned) turned.add(known);
  else turned.delete(known);
  if (known !== 'description') own.splice(0, own.length);
  own.push((isTurned ? column.slice(1) : column).trim());
  return {};
}

function readHeader(text: string): number {
  if (text.trim() === 'none') return 0;
  const line = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (line > 0) return line;
  throw new AnswerError(`--header must be a line number or the word none, not "${text}".`);
}

function readFormat(values: Readonly<Record<string, string>>): DateFormat {
  const text = (values['date-format'] ?? '').trim();
  const format = readDateFormat(text);
  if (format === undefined) throw unknownFormat(text);
  return format;
}
