/**
 * Which amounts are money out: by two columns, by a column of words, by marks in the cells, or by
 * the sign.
 */

import { findNamedPair, isSure, sideOf } from '../vocabulary/directions.ts';
import type { ColumnFacts } from './column-facts.ts';
import { findSaid, findStatement } from './facts.ts';
import { ask, type Choice, choice, type Decision, type Outcome, quote, titlesOf } from './found.ts';
import { findCashless } from './members.ts';
import { findEffect, type SignContext, type Signed } from './sign-context.ts';
import { inspectSigned, isTurnedByWords, signsOf } from './signed-amounts.ts';
import type { Marked } from './trial.ts';
import { inspectTwo } from './two-columns.ts';
import { inspectWords, readCredit } from './worded-signs.ts';

/** Works out the shape and its sign. Throws AnswerError for an answer that does not fit. */
export async function inspectSign(context: SignContext): Promise<Decision<Signed>> {
  const [amount, second] = context.amounts.columns;
  if (second !== undefined) return inspectTwo(context, [amount, second]);
  const indicator = findIndicator(context);
  if (indicator !== undefined) return inspectWords(context, amount, indicator);
  const isMarked = [...amount.numbers.marks.keys()].some((mark) => mark !== '');
  return isMarked ? inspectWords(context, amount) : inspectSigned(context, amount);
}

/** Whether a balance, or a bank's words, show that the other side is money out. */
export async function contradictsSign(context: SignContext, signed: Signed): Promise<boolean> {
  const { relations } = context;
  const { columns, shape } = signed;
  if (shape.kind === 'two') return findEffect(context, columns)?.effect === 'takes';
  if (shape.kind === 'indicator') {
    const own = await relations.withCredit(readCredit(signed));
    return findEffect(context, columns.slice(0, 1), own)?.effect === 'takes';
  }
  const wrong = shape.isTurned ? 'takes' : 'adds';
  return (
    findEffect(context, columns)?.effect === wrong || isTurnedByWords(context) === !shape.isTurned
  );
}

/** A column whose words mean out or in; undefined when the sign of the amount agrees with it. */
function findIndicator(context: SignContext): ColumnFacts | undefined {
  if (context.answers.columns.has('indicator')) return findSaid('indicator', context);
  const isBank =
    findStatement(context.facts)?.isCard === false ||
    context.facts.columns.some(({ roles }) => roles.has('balance'));
  for (const [column, counts] of context.relations.words) {
    const { name, roles } = column;
    const words = [...counts.keys()].filter((word) => word !== '');
    const isSigned = [...counts.values()].some(({ negatives }) => negatives > 0);
    const isDirection = !isSigned && roles.has('indicator');
    const pair = column.pair ?? (isDirection ? findNamedPair(words) : undefined);
    if (pair === undefined) continue;
    const sides = new Set(words.flatMap((word) => sideOf(word, pair) ?? []));
    // Words of one side with both signs are payments made and received, or paid back.
    const isEither = sides.size === 1;
    // At a bank, payments of a month can all be credits; with debits, their amounts have signs. A
    // category such as income has other words in the next file.
    const isNamed = roles.has('indicator') || (!isBank && pair.isLoose !== true);
    const isFound = isSigned
      ? !isEither && signsOf(counts, pair) === undefined
      : sides.size === 2 || name === '' || (isNamed && isSure(words, column));
    if (isFound) return column;
  }
  return undefined;
}

/**
 * The accounts whose lines are not payments; asks when every day adds up to 0, as in a journal with
 * both sides of its entries: money out of one account goes into another.
 */
export async function inspectCashless(
  context: SignContext,
  signed: Signed | undefined,
): Promise<Outcome<readonly Marked[]>> {
  const { facts, answers, amounts, relations } = context;
  if (answers.last.everyLine !== undefined) return [];
  const isWorded = signed?.shape.kind === 'indicator';
  const own = isWorded ? await relations.withCredit(readCredit(signed)) : relations;
  const found = findCashless(facts, own.isDoubleEntry);
  const [others] = found;
  const isSaid = answers.lines.some(({ text }) => others?.words.includes(text));
  if (!own.isDoubleEntry || isSaid) return found;
  const names = titlesOf(amounts.columns).join(' and ');
  const why = 'as in a journal with both sides of each entry, which cancel each other out';
  const text = `${names} adds up to 0 on every day, ${why}. Is every line a payment?`;
  const every = choice({ kind: 'everyLine', isEveryLine: true }, 'yes: send every line');
  const choices = [...(others === undefined ? [] : [leaveOut(others)]), every];
  return ask('doubleEntry', text, choices, 'one account');
}

/** The choice of the accounts that have cash. */
function leaveOut({ column, words }: Marked): Choice {
  const kept = [...(column.values?.keys() ?? [])].filter((name) => !words.includes(name));
  const names = kept.map((name) => quote(name)).join(', ');
  return {
    answers: words.map((text) => ({ kind: 'line', text, isRow: false })),
    meaning: `no: only the lines with ${names} in ${column.title}`,
  };
}
