/** Answers to the questions of `csv inspect` as options of the command line. */

import {
  AnswerError,
  type Choice,
  type Evidence,
  type OtherWay,
  type Question,
  type WrittenAnswer,
  WrittenAnswerError,
  writeAnswer,
} from '../../files/index.ts';
import { UsageError } from '../command.ts';

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

const OTHER_WAYS: Readonly<Record<OtherWay, string>> = {
  'another amount': '--map amount=COLUMN for another column',
  'whole units': 'export whole units',
  totals: 'add a column of totals',
  'two amounts': '--map out=COLUMN --map in=COLUMN for separate columns',
  'one currency': '--map currency= if all amounts are in one currency anyway',
  'any date': '--map date=COLUMN:FORMAT, such as DD/MM/YYYY',
  'any date format': '--date-format FORMAT, such as DD/MM/YYYY',
  'a date format with a year': '--date-format DDMM@YYYY, with the year in place of YYYY',
  'one account': 'export only the bank account, and inspect that file',
  'export as UTF-8': 'export the file again, as UTF-8',
  'any encoding': '--encoding NAME',
  indicator: '--map indicator=COLUMN if a column shows the direction of each payment',
  signs: 'export the file with signs',
  'several words': '--money-out ONE,TWO for several words; the others are then money in',
  neither: '--map indicator= if the words mean neither',
  'joined descriptions': '--map description=ONE --map description=TWO to join two columns',
};

/** What to type when no choice of a question is right; undefined if nothing helps. */
export function otherWays({ others }: Question): string | undefined {
  return others.length === 0 ? undefined : others.map((each) => OTHER_WAYS[each]).join(', or ');
}

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

/** An answer that is wrong, or that the file contradicts, as wrong usage of its option. */
export function asWrongOption(error: unknown): unknown {
  if (error instanceof WrittenAnswerError) {
    return new UsageError(`--${error.answer}${error.message}`);
  }
  if (!(error instanceof AnswerError)) return error;
  const { answer, message } = error;
  return new UsageError(answer === undefined ? message : `--${writeAnswer(answer).name}${message}`);
}
