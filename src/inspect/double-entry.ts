/**
 * Whether a file has both sides of its entries, as a journal does: money out of one account goes
 * into another, so everything cancels out.
 */

import { splitAmount } from '../rows/amount-writing.ts';
import { titleOf } from './facts.ts';
import type { Question } from './found.ts';
import { relate } from './relations.ts';
import type { SignContext, Signed } from './signs.ts';

/** The value of `--row` when every line is a payment nevertheless. */
const ALL = 'all';

/** Asks which lines are payments when every day adds up to 0. */
export async function askDoubleEntry(
  context: SignContext,
  signed: Signed | undefined,
): Promise<Question | undefined> {
  const { answers, columns, facts } = context;
  if (answers.rows.includes(ALL) || !(await isDoubleEntry(context, signed))) return undefined;
  const names = columns.indexes.map((index) => titleOf(index, facts)).join(' and ');
  const why = 'as in a journal with both sides of each entry, which cancel each other out';
  return {
    id: 'doubleEntry',
    text: `${names} adds up to 0 on every day, ${why}. Is every line a payment?`,
    choices: [{ option: ['row', ALL], meaning: 'yes: send every line' }],
    other: 'export only the bank account, and inspect that file',
  };
}

async function isDoubleEntry(
  { columns, facts, read, relations }: SignContext,
  signed: Signed | undefined,
): Promise<boolean> {
  if (signed?.shape.kind !== 'indicator') return relations.isDoubleEntry;
  const { isInCell, out, in: into } = signed.shape;
  const [amount = 0, indicator = 0] = signed.indexes;
  const credit = (fields: readonly string[]) => {
    const cell = (fields[isInCell ? amount : indicator] ?? '').trim();
    const word = (isInCell ? (splitAmount(cell)?.mark ?? '') : cell).toLowerCase();
    const isOf = (side: readonly string[]) => side.some((each) => each.toLowerCase() === word);
    return isOf(into) ? 1 : isOf(out) ? -1 : 0;
  };
  const own = await relate(facts, columns.indexes, { ...read, credit });
  return own.isDoubleEntry;
}
