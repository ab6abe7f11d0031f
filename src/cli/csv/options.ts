/** Answers to the questions of `csv inspect` as options of the command line. */

import type { Answer } from '../../files/index.ts';
import {
  AnswerError,
  type Choice,
  type Evidence,
  type OtherWay,
  readAnswers as readWritten,
  type WrittenAnswer,
  WrittenAnswerError,
  writeAnswer,
} from '../../files/index.ts';
import { UsageError } from '../command.ts';

/** Reads answers; the last one counts when an option is repeated. Throws UsageError. */
export function readAnswers(written: readonly WrittenAnswer[]): Answer[] {
  try {
    return readWritten(written);
  } catch (error) {
    if (!(error instanceof WrittenAnswerError)) throw error;
    throw new UsageError(`--${error.answer}${error.message}`);
  }
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

/** Why something was found, as a clause. */
export function explainEvidence(evidence: Evidence): string {
  if ('because' in evidence) {
    const { because, instead = [], otherColumn } = evidence;
    const other = otherColumn === undefined ? [] : [`--map ${otherColumn}=COLUMN`];
    const ways = [...instead.map(writeAnswer).map(showOption), ...other].join(' or ');
    return ways === '' ? because : `${because}. To change it, add ${ways}`;
  }
  if ('missing' in evidence) {
    return evidence.missing === 'currency'
      ? 'to state it, add for example --currency GBP'
      : `no column name matches; use --map ${evidence.missing}=COLUMN to set one`;
  }
  const options = evidence.said.map(writeAnswer);
  return `you set ${options.map(({ name, value }) => `--${name} ${value}`).join(' ')}`;
}

/** An answer that the file contradicts as wrong usage, which names the option. */
export function asWrongOption(error: unknown): unknown {
  if (!(error instanceof AnswerError)) return error;
  const { answer, message } = error;
  return new UsageError(answer === undefined ? message : `--${writeAnswer(answer).name}${message}`);
}
