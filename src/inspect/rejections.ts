/** Asks before a mapping is written with which many rows will be rejected. */

import type { Answers } from './answers.ts';
import type { Check, Refused } from './check.ts';
import type { ColumnFacts } from './column-facts.ts';
import { type Asked, ask, choice, type OtherWay, quote } from './found.ts';

/** Fewer rows, or a smaller share of them, are only shown. */
const FEW = 2;
const SHARE = 0.1;

/** What helps if the wrong column was taken for a field. */
const WAYS: Readonly<Record<string, OtherWay>> = {
  date: 'any date',
  amount: 'two amounts',
  description: 'joined descriptions',
};

/** Asks whether many rows are rejected rightly; those not in the stated currency are. */
export function askRejected(
  { last }: Answers,
  { rows, refused, refusedCount }: Check,
  { index }: ColumnFacts,
): Asked | undefined {
  const [first] = refused.flatMap(({ line, problems }) =>
    problems.map((own) => ({ line, ...own })),
  );
  const isFew = refusedCount < FEW || refusedCount < (rows + refusedCount) * SHARE;
  const isSaid = last.currency !== undefined && first?.code === 'other_currency';
  if (first === undefined || isFew || isSaid || last.everyLine !== undefined) return undefined;
  const share = `${refusedCount} of ${rows + refusedCount} rows`;
  const why = `the first in line ${first.line}: ${first.message}`;
  const text = `${share} would be rejected, ${why} Leave them out?`;
  const wordOf = ({ fields }: Refused) => (fields[index] ?? '').trim();
  const words = refused.map(wordOf).filter((word) => /^\p{L}+$/u.test(word));
  const choices = [...new Set(words)].map((word) => ({
    ...choice({ kind: 'line', text: word, isRow: false }, `lines with ${word} are not payments`),
    examples: showTwo(refused.filter((each) => wordOf(each) === word)),
  }));
  const yes = choice({ kind: 'everyLine', isEveryLine: true }, 'yes: push rejects them');
  const all = [...choices, { ...yes, examples: showTwo(refused) }];
  return ask('rejected', text, all, WAYS[first.field ?? '']);
}

/** The first values of two lines that are not sent. */
function showTwo(refused: readonly Refused[]): string[] {
  return refused.slice(0, 2).map(({ line, fields }) => {
    const filled = fields.filter((field) => field.trim() !== '').slice(0, 4);
    return `line ${line}: not sent: ${filled.map((field) => quote(field, 28)).join(', ')}`;
  });
}
