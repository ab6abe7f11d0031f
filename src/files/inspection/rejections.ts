/** Asks before a mapping is written with which payments, or many rows, will be rejected. */

import { count, nounFor } from '../../core/counts.ts';
import { dateKindOf } from '../vocabulary/date-names.ts';
import { type Answers, useColumn } from './answers.ts';
import type { Check, Refused } from './check.ts';
import type { ColumnFacts, Columns } from './column-facts.ts';
import { isDateColumn } from './dates.ts';
import type { Facts } from './facts.ts';
import { type Asked, ask, askOf, choice, type OtherWay, quote } from './found.ts';

/** Fewer rows, or a smaller share of them, are only shown. */
const FEW = 2;
const SHARE = 0.1;

/** What helps if the wrong column was taken for a field. */
const WAYS: Readonly<Record<string, readonly OtherWay[]>> = {
  date: ['any date'],
  amount: ['two amounts'],
  description: ['joined descriptions'],
};

/** Asks whether many rows are rejected rightly; those not in the stated currency are. */
export function askRejected(
  { last }: Answers,
  { rows, refused, refusedCount }: Check,
  { index, title }: ColumnFacts,
): Asked | undefined {
  const [first] = refused.flatMap(({ line, problems }) =>
    problems.map((own) => ({ line, ...own })),
  );
  const isFew = refusedCount < FEW || refusedCount < (rows + refusedCount) * SHARE;
  const isSaid = last.currency !== undefined && first?.code === 'other_currency';
  if (first === undefined || isFew || isSaid || last.everyLine !== undefined) return undefined;
  const share = `${refusedCount} of ${count(rows + refusedCount, 'row')}`;
  const why = `the first in line ${first.line}: ${first.message}`;
  const text = `${share} would be rejected, ${why} Leave them out?`;
  const wordOf = ({ fields }: Refused) => (fields[index] ?? '').trim();
  // A line without a date belongs to the one above, as the other side of a payment does.
  const words = refused.map(wordOf).filter((word) => word === '' || /^\p{L}+$/u.test(word));
  const nameOf = (word: string) => (word === '' ? `without ${title}` : `with ${word}`);
  const choices = [...new Set(words)].map((word) => ({
    ...choice({ kind: 'line', text: word, isRow: false }, `lines ${nameOf(word)} are not payments`),
    examples: showTwo(refused.filter((each) => wordOf(each) === word)),
  }));
  const yes = choice({ kind: 'everyLine', isEveryLine: true }, 'yes: they are rejected');
  const all = [...choices, { ...yes, examples: showTwo(refused) }];
  return ask('rejected', text, all, ...(WAYS[first.field ?? ''] ?? []));
}

/** Other columns with the dates of payments: some rows may have only these. */
export function listOtherDates({ columns, rows }: Facts, date: ColumnFacts): Columns {
  return columns.filter((column) => {
    return (
      column !== date && isDateColumn(column, rows, 0.5) && dateKindOf(column.name) !== 'other'
    );
  });
}

/** Asks about rows whose date is blank while another one is filled: some may be pending. */
export function askUndated(
  { last, lines }: Answers,
  undated: readonly Refused[],
  date: ColumnFacts,
  others: Columns,
): Asked | undefined {
  const [first] = undated;
  const isSaid = last.everyLine !== undefined || lines.some(({ text }) => text === '');
  if (first === undefined || isSaid) return undefined;
  const have = nounFor(undated.length, 'has', 'have');
  const which = `${count(undated.length, 'row')} (the first in line ${first.line}) ${have}`;
  const text = `${which} another date, but no ${date.title}. Which date counts?`;
  const open = `${date.title}: they are not booked yet`;
  const ways = [
    choice({ kind: 'line', text: '', isRow: false }, open),
    ...others.map((other) => choice(useColumn('date', other), `${other.title}, in every row`)),
  ];
  const { questions } = askOf([], 'rejected', text, ways);
  return { questions: questions.map((question) => ({ ...question, record: first })) };
}

/** The first values of two lines that are not sent. */
function showTwo(refused: readonly Refused[]): string[] {
  return refused.slice(0, 2).map(({ line, fields }) => {
    const filled = fields.filter((field) => field.trim() !== '').slice(0, 4);
    return `line ${line}: skipped: ${filled.map((field) => quote(field, 28)).join(', ')}`;
  });
}
