/**
 * Answers as texts, in both directions: the options of `csv inspect`, and the address of a page.
 */

import { ROW_FIELDS } from '../../core/row-members.ts';
import {
  type MAPPING_VALUES,
  readMappingValue,
  showDelimiter,
  splitPair,
} from '../mapping/mapping-values.ts';
import { MappingError } from '../problems.ts';
import { requireDateFormat } from '../values/date-formats.ts';
import type { Answer, AnswerOf, ColumnUse } from './found.ts';

export interface WrittenAnswer {
  readonly name: string;
  readonly value: string;
}

/** Names for `map NAME=COLUMN`: the fields, and the columns that the amount needs. */
const USES: readonly ColumnUse[] = [...ROW_FIELDS, 'out', 'in', 'indicator', 'currency'];

/** The answer that chooses an account of a statement; it can be given several times. */
const ACCOUNT = 'account';

/** How each answer is read, by its name. */
const READERS = {
  map: readPair,
  encoding: (value) => [{ kind: 'encoding', encoding: readValue('encoding', value) }],
  delimiter: (value) => [{ kind: 'delimiter', delimiter: readValue('delimiter', value) }],
  sheet: (value) => [{ kind: 'sheet', sheet: value }],
  [ACCOUNT]: (value) => [{ kind: 'bankAccounts', bankAccount: value.trim() }],
  header: (value) => [{ kind: 'header', header: readHeader(value) }],
  'date-format': (value) => [{ kind: 'dateFormat', dateFormat: requireDateFormat(value.trim()) }],
  decimal: (value) => [{ kind: 'decimal', decimal: readValue('decimal', value) }],
  'money-out': (value) => [{ kind: 'moneyOut', moneyOut: value.trim().replace(/^unmarked$/, '') }],
  currency: (value) => [{ kind: 'currency', currency: value.trim() }],
  'not-row': (value) => [{ kind: 'line', text: value.trim(), isRow: false }],
  row: (value) => {
    const text = value.trim();
    return [text === ALL ? { kind: 'everyLine' } : { kind: 'line', text, isRow: true }];
  },
} as const satisfies Readonly<Record<string, (value: string) => readonly Answer[]>>;

type AnswerName = keyof typeof READERS;

/** The words for every line, and for an id that budgetd makes. */
const ALL = 'all';
const MADE = 'made';

export function isAnswer(name: string): name is AnswerName {
  return Object.hasOwn(READERS, name);
}

/**
 * Reads answers; the last one counts when a name is repeated. Throws WrittenAnswerError, and
 * MappingError for the format of a date.
 */
export function readAnswers(written: readonly WrittenAnswer[]): Answer[] {
  // An answer of its own counts more than a part of a pair.
  const pairs = written.filter(({ name }) => name === 'map');
  const others = written.filter(({ name }) => name !== 'map');
  return [...pairs, ...others].flatMap(({ name, value }): readonly Answer[] =>
    isAnswer(name) ? READERS[name](value) : [],
  );
}

/** `date=Valuta:DD/MM/YYYY` answers two questions; so does `amount=-Betrag`. */
function readPair(pair: string): readonly Answer[] {
  const { name, column: text, format } = splitPair(pair);
  const use = USES.find((each) => each === name);
  if (use === undefined) {
    throw new WrittenAnswerError('map', `: "${name}" is not one of ${USES.join(', ')}.`);
  }
  const own = text.trim();
  const isMade = use === 'externalId' && own === MADE;
  if (own === '' || isMade) return [{ kind: 'column', use, column: null }];
  if (use === 'date') {
    const named = { kind: 'column', use, column: own } as const;
    if (format === undefined) return [named];
    return [named, { kind: 'dateFormat', dateFormat: requireDateFormat(format) }];
  }
  const isTurned = text.startsWith('-') && ['amount', 'out', 'in'].includes(use);
  const column = isTurned ? text.slice(1).trim() : own;
  if (!isTurned || use !== 'amount') return [{ kind: 'column', use, column, isTurned }];
  return [
    { kind: 'column', use, column },
    { kind: 'moneyOut', moneyOut: 'negative' },
  ];
}

function readHeader(text: string): number | null {
  if (text.trim() === 'none') return null;
  const line = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (line > 0) return line;
  throw new WrittenAnswerError('header', ` must be a line number or the word none, not "${text}".`);
}

const WRITERS: {
  readonly [Kind in Answer['kind']]: (answer: AnswerOf<Kind>) => [AnswerName, string];
} = {
  column: ({ use, column, isTurned }) => {
    const none = use === 'externalId' ? MADE : '';
    return ['map', `${use}=${isTurned === true ? '-' : ''}${column ?? none}`];
  },
  encoding: ({ encoding }) => ['encoding', encoding],
  delimiter: ({ delimiter }) => ['delimiter', showDelimiter(delimiter)],
  sheet: ({ sheet }) => ['sheet', sheet],
  bankAccounts: ({ bankAccount }) => [ACCOUNT, bankAccount],
  header: ({ header }) => ['header', String(header ?? 'none')],
  dateFormat: ({ dateFormat }) => ['date-format', dateFormat.text],
  decimal: ({ decimal }) => ['decimal', decimal],
  moneyOut: ({ moneyOut }) => ['money-out', moneyOut || 'unmarked'],
  currency: ({ currency }) => ['currency', currency],
  line: ({ text, isRow }) => [isRow ? 'row' : 'not-row', text],
  everyLine: () => ['row', ALL],
};

export function writeAnswer(answer: Answer): WrittenAnswer {
  const [name, value] = (WRITERS[answer.kind] as (own: Answer) => [AnswerName, string])(answer);
  return { name, value };
}

/** Reads the value of a mapping. Throws WrittenAnswerError. */
function readValue<Name extends keyof typeof MAPPING_VALUES>(name: Name, text: string) {
  try {
    return readMappingValue(name, text);
  } catch (error) {
    if (!(error instanceof MappingError)) throw error;
    throw new WrittenAnswerError(name, error.message.slice(name.length));
  }
}

/** A text that is not an answer. The message continues its name. */
export class WrittenAnswerError extends Error {
  override readonly name = 'WrittenAnswerError';
  /** The name of the answer. */
  readonly answer: string;

  constructor(answer: string, message: string) {
    super(message);
    this.answer = answer;
  }
}
