/**
 * Whether a file has both sides of its entries, as a journal does: money out of one account goes
 * into another, so everything cancels out.
 */

import { type Asked, ask, choice, titlesOf } from './found.ts';
import type { SignContext, Signed } from './sign-context.ts';
import { readCredit } from './worded-signs.ts';

/** Asks which lines are payments when every day adds up to 0. */
export async function askDoubleEntry(
  context: SignContext,
  signed: Signed | undefined,
): Promise<Asked | undefined> {
  const { answers, amounts, relations } = context;
  if (answers.last.everyLine !== undefined) return undefined;
  const isWorded = signed?.shape.kind === 'indicator';
  const own = isWorded ? await relations.withCredit(readCredit(signed)) : relations;
  if (!own.isDoubleEntry) return undefined;
  const names = titlesOf(amounts.columns).join(' and ');
  const why = 'as in a journal with both sides of each entry, which cancel each other out';
  const text = `${names} adds up to 0 on every day, ${why}. Is every line a payment?`;
  const choices = [choice({ kind: 'everyLine', isEveryLine: true }, 'yes: send every line')];
  return ask('doubleEntry', text, choices, 'one account');
}
