/** What helps with a file that cannot be read, in the words of the command line. */

import type { Advice, RowProblem } from '../files/index.ts';

const WORDS: {
  readonly [Kind in Advice['kind']]: (advice: Extract<Advice, { kind: Kind }>) => string;
} = {
  'allow amount': () => ', or use a mapping from `budgetd csv inspect`, which allows it.',
  decimal: ({ signs }) => {
    const options = signs.map((sign) => `--decimal ${sign}`).join(' or ');
    return signs.length === 1
      ? ` If all amounts are written like this, pass ${options}`
      : ` Set the separator: ${options}`;
  },
  'date format': ({ column }) => ` Set the format, such as --map "date=${column}:DD/MM/YYYY".`,
  'find encoding': () => ': run `budgetd csv inspect` to find the encoding.',
  'state encoding': () => ', or let `budgetd csv inspect` write a mapping.',
  'name columns': () =>
    ' Use --map FIELD=COLUMN, or --maps DIR with the mapping of an earlier file, or let ' +
    '`budgetd csv inspect` write one.',
  'name column': ({ field, column }) => `, or pass --map "${field}=${column}".`,
  'state layout': () =>
    ' If it is a CSV file with rows, set its delimiter with --delimiter and the line of its ' +
    'header with --header.',
  ndjson: () => ' One row per line is NDJSON: name the file .ndjson.',
};

/** The message of an error or a problem, with what to do about it. */
export function explain({
  message,
  advice,
}: {
  readonly message: string;
  readonly advice?: Advice | undefined;
}): string {
  if (advice === undefined) return message;
  const words = (WORDS[advice.kind] as (advice: Advice) => string)(advice);
  return words.startsWith(' ') ? message + words : message.replace(/\.$/, '') + words;
}

/** A problem that says everything in its message. */
export function worded({ field, code, message, advice }: RowProblem): RowProblem {
  return { field, code, message: explain({ message, advice }) };
}
