/** Answers to the questions of `csv inspect` as options of the command line, in both directions. */

import { ROW_FIELDS } from '../../core/push.ts';
import type { Answer, AnswerOf, ColumnUse } from '../../inspect/answers.ts';
import { AnswerError, type Choice, type Evidence, type OtherWay } from '../../inspect/found.ts';
import { showDelimiter } from '../../inspect/layout.ts';
import { requireDateFormat } from '../../rows/date-formats.ts';
import { UsageError } from '../command.ts';
import { readOption, splitDateColumn, splitPair } from '../mapping-options.ts';

/** An option as it was typed. */
export interface WrittenAnswer {
  readonly name: string;
  readonly value: string;
}

/** Names for `--map NAME=COLUMN`: the fields, and the columns that the amount needs. */
const USES: readonly ColumnUse[] = [...ROW_FIELDS, 'out', 'in', 'indicator', 'currency'];

/** How each option is read. */
const READERS: Readonly<Record<string, (value: string) => readonly Answer[]>> = {
  map: readPair,
  encoding: (value) => [{ kind: 'encoding', encoding: readOption('encoding', value) }],
  delimiter: (value) => [{ kind: 'delimiter', delimiter: readOption('delimiter', value) }],
  header: (value) => [{ kind: 'header', header: readHeader(value) }],
  'date-format': (value) => [{ kind: 'dateFormat', dateFormat: requireDateFormat(value.trim()) }],
  decimal: (value) => [{ kind: 'decimal', decimal: readOption('decimal', value) }],
  'money-out': (value) => [{ kind: 'moneyOut', moneyOut: value.trim().replace(/^unmarked$/, '') }],
  currency: (value) => [{ kind: 'currency', currency: value.trim() }],
  'not-row': (value) => [{ kind: 'line', text: value.trim(), isRow: false }],
  row: (value) => {
    const text = value.trim();
    return [
      text === ALL ? { kind: 'everyLine', isEveryLine: true } : { kind: 'line', text, isRow: true },
    ];
  },
};

/** The words for every line, and for an id that push makes. */
const ALL = 'all';
const MADE = 'made';

/** Whether an option answers a question; `map` can name the mapping file instead. */
export function isAnswer(name: string): boolean {
  return Object.hasOwn(READERS, name);
}

/** Reads answers; the last one counts when an option is repeated. Throws UsageError. */
export function readAnswers(written: readonly WrittenAnswer[]): Answer[] {
  // An option of its own counts more than a part of a pair.
  const pairs = written.filter(({ name }) => name === 'map');
  const others = written.filter(({ name }) => name !== 'map');
  return [...pairs, ...others].flatMap(({ name, value }) => READERS[name]?.(value) ?? []);
}

/** `date=Valuta:DD/MM/YYYY` answers two questions; so does `amount=-Betrag`. */
function readPair(pair: string): readonly Answer[] {
  const { name, column: text } = splitPair(pair);
  const use = USES.find((each) => each === name);
  if (use === undefined) {
    throw new UsageError(`--map: "${name}" is not one of ${USES.join(', ')}.`);
  }
  const own = text.trim();
  const isMade = use === 'externalId' && own === MADE;
  if (own === '' || isMade) return [{ kind: 'column', use, column: null }];
  if (use === 'date') {
    const { column, format } = splitDateColumn(text);
    const named = { kind: 'column', use, column: column.trim() } as const;
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
  throw new UsageError(`--header must be a line number or the word none, not "${text}".`);
}

/** How each kind of answer is written. */
const WRITERS: {
  readonly [Kind in Answer['kind']]: (answer: AnswerOf<Kind>) => [string, string];
} = {
  column: ({ use, column, isTurned }) => {
    const none = use === 'externalId' ? MADE : '';
    return ['map', `${use}=${isTurned === true ? '-' : ''}${column ?? none}`];
  },
  encoding: ({ encoding }) => ['encoding', encoding],
  delimiter: ({ delimiter }) => ['delimiter', showDelimiter(delimiter)],
  header: ({ header }) => ['header', String(header ?? 'none')],
  dateFormat: ({ dateFormat }) => ['date-format', dateFormat.text],
  decimal: ({ decimal }) => ['decimal', decimal],
  moneyOut: ({ moneyOut }) => ['money-out', moneyOut || 'unmarked'],
  currency: ({ currency }) => ['currency', currency],
  line: ({ text, isRow }) => [isRow ? 'row' : 'not-row', text],
  everyLine: () => ['row', ALL],
};

/** An answer as an option and its value, before quoting. */
export function writeAnswer(answer: Answer): WrittenAnswer {
  const [name, value] = (WRITERS[answer.kind] as (own: Answer) => [string, string])(answer);
  return { name, value };
}

/** The options of a choice as they are typed, quoted for a shell where necessary. */
export function showChoice({ answers }: Choice): string {
  return answers.map(writeAnswer).map(showOption).join(' ');
}

/** One option as it is typed. */
export function showOption({ name, value }: WrittenAnswer): string {
  return `--${name} ${quoteArgument(value)}`;
}

/** A command-line argument, quoted where necessary. */
export function quoteArgument(text: string): string {
  if (/^[\p{L}\p{N}_.,:=/@%+#-]+$/u.test(text) && !text.startsWith('#')) return text;
  return `"${text.replace(/(["\\`]|\$(?=[\w{(]))/g, '\\$1')}"`;
}

/** What to type when no choice of a question is right. */
export const OTHER_WAYS: Readonly<Record<OtherWay, string>> = {
  'another amount': '--map amount=COLUMN for another column',
  'another amount or whole units': '--map amount=COLUMN for another column, or export whole units',
  'another amount or totals': '--map amount=COLUMN for another column, or add a column of totals',
  'two amounts': '--map out=COLUMN --map in=COLUMN for separate columns',
  'one currency': '--map currency= if all amounts are in one currency anyway',
  'any date': '--map date=COLUMN:FORMAT, such as DD/MM/YYYY',
  'any date format': '--date-format FORMAT, such as DD/MM/YYYY',
  'a date format with a year': '--date-format DDMM@YYYY, with the year in place of YYYY',
  'one account': 'export only the bank account, and inspect that file',
  'export as UTF-8': 'export the file again, as UTF-8',
  'any encoding': '--encoding NAME, or export the file again, as UTF-8',
  indicator: '--map indicator=COLUMN if a column shows the direction of each payment',
  'indicator or signs': '--map indicator=COLUMN, or export the file with signs',
  'several words': '--money-out ONE,TWO for several words; the others are then money in',
  'several words or neither':
    '--money-out ONE,TWO for several words; the others are then money in; ' +
    '--map indicator= if the words mean neither',
  'joined descriptions': '--map description=ONE --map description=TWO to join two columns',
};

/** What to type when the file does not state something. */
const MISSING = {
  currency: 'to state it, add for example --currency GBP',
  contact: 'no column name matches; use --map contact=COLUMN to set one',
  accountCode: 'no column name matches; use --map accountCode=COLUMN to set one',
} as const;

/** Why something was found, as a clause. */
export function explainEvidence(evidence: Evidence): string {
  if ('because' in evidence) {
    const { because, instead = [] } = evidence;
    const ways = instead.map(writeAnswer).map(showOption).join(' or ');
    return ways === '' ? because : `${because}. To change it, add ${ways}`;
  }
  if ('missing' in evidence) return MISSING[evidence.missing];
  const options = evidence.said.map(writeAnswer);
  return `you set ${options.map(({ name, value }) => `--${name} ${value}`).join(' ')}`;
}

/** An answer that the file contradicts as wrong usage, which names the option. */
export function asWrongOption(error: unknown): unknown {
  if (!(error instanceof AnswerError)) return error;
  const { answer, message } = error;
  return new UsageError(answer === undefined ? message : `--${writeAnswer(answer).name}${message}`);
}
