/**
 * Which amounts are money out: by two columns, by a column of words, by marks in the cells, or by
 * the sign.
 */

import type { ColumnFacts } from './column-facts.ts';
import { findSaid } from './facts.ts';
import type { Decision } from './found.ts';
import type { SignContext, Signed } from './sign-context.ts';
import { inspectSigned, signsOf } from './signed-amounts.ts';
import { inspectTwo } from './two-columns.ts';
import { isSure, sideOf } from './vocabulary/directions.ts';
import { inspectWords } from './worded-signs.ts';

/** Works out the shape and its sign. Throws AnswerError for an answer that does not fit. */
export async function inspectSign(context: SignContext): Promise<Decision<Signed>> {
  const [amount, second] = context.amounts.columns;
  if (second !== undefined) return inspectTwo(context, [amount, second]);
  const indicator = findIndicator(context);
  if (indicator !== undefined) return inspectWords(context, amount, indicator);
  const isMarked = [...amount.numbers.marks.keys()].some((mark) => mark !== '');
  return isMarked ? inspectWords(context, amount) : inspectSigned(context, amount);
}

/** A column whose words mean out or in; undefined when the sign of the amount agrees with it. */
function findIndicator(context: SignContext): ColumnFacts | undefined {
  if (context.answers.columns.has('indicator')) return findSaid('indicator', context);
  for (const [column, counts] of context.relations.words) {
    const { pair, name } = column;
    if (pair === undefined) continue;
    const words = [...counts.keys()];
    const isSigned = [...counts.values()].some(({ negatives }) => negatives > 0);
    const sides = new Set(words.flatMap((word) => sideOf(word, pair) ?? []));
    // Payments with both signs are payments that were made and received.
    const isEither = pair.isLoose === true && sides.size === 1;
    const isFound = isSigned
      ? !isEither && signsOf(counts, pair) === undefined
      : sides.size === 2 || name === '' || isSure(words, column);
    if (isFound) return column;
  }
  return undefined;
}
