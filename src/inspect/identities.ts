/**
 * Where the externalId of a row comes from. A column is the id only if its name says so and no
 * value repeats. If that is not certain, it is asked, because rows with the same id become one
 * transaction. Without such a column, push makes the id.
 */

import type { Answers } from './answers.ts';
import type { ColumnFacts } from './column-facts.ts';
import { type Facts, requireColumn, titleOf } from './facts.ts';
import { type Answer, type Choice, type Question, quote, stated } from './found.ts';
import { rolesOf } from './header-words.ts';

/** A column, or an id made from the columns of the row. */
export type Identity = { readonly column: number } | { readonly isMade: true };

const MADE: Identity = { isMade: true };
/** If more than this share of rows repeat an id, it does not identify rows. */
const SHARED = 0.05;

/** Works out the id; `taken` are the columns of the date, amount and description. */
export function inspectIdentity(
  facts: Facts,
  answers: Answers,
  taken: readonly number[],
): Answer<Identity> {
  const [said] = answers.columns.get('externalId') ?? [];
  if (said !== undefined) return readSaid(said, facts);
  const free = facts.columns.filter(({ index, filled, isCounter, isRounded }) => {
    return filled > 0 && !isCounter && !isRounded && !taken.includes(index);
  });
  const strong = free.filter(({ name }) => rolesOf(name).has('id'));
  const weak = free.filter(({ name }) => !rolesOf(name).has('id') && rolesOf(name).has('weakId'));
  const [unique, second] = strong.filter((column) => column.isUnique);
  if (unique !== undefined && second === undefined) return proveUnique(unique, facts);
  const nearly = strong.filter((column) => isNearlyUnique(column, facts));
  const asked = unique === undefined ? [...nearly, ...weak.filter(({ isUnique }) => isUnique)] : [];
  const candidates = unique === undefined ? asked : strong.filter((column) => column.isUnique);
  if (candidates.length > 0) return { question: ask(candidates, facts) };
  const because =
    'no column identifies each payment, so push makes an id, always the same for the same row';
  return { value: MADE, evidence: { line: null, text: '', because } };
}

function readSaid(said: string, facts: Facts): Answer<Identity> {
  const isColumn = facts.layout.names.includes(said);
  if (said === 'made' && !isColumn) return stated(MADE, '--map externalId=made');
  return stated({ column: requireColumn(said, facts) }, `--map externalId=${said}`);
}

function proveUnique(
  { index, name, rows, firstText }: ColumnFacts,
  facts: Facts,
): Answer<Identity> {
  const title = titleOf(index, facts);
  const where = `from the column name in line ${facts.layout.headerLine.value} (${quote(name)})`;
  const because = `${where}, and no value repeats in ${rows} rows`;
  const evidence = { line: firstText?.line ?? null, text: firstText?.text ?? title, because };
  return { value: { column: index }, evidence };
}

function isNearlyUnique(column: ColumnFacts, { rows }: Facts): boolean {
  const blank = rows - column.filled;
  return !column.isUnique && column.repeatedCount + blank <= Math.max(1, rows * SHARED);
}

function ask(candidates: readonly ColumnFacts[], facts: Facts): Question {
  const names = candidates.map(({ index }) => titleOf(index, facts));
  const text = `Does ${names.join(' or ')} identify each payment, in later files too?`;
  const choices = candidates.map((column): Choice => {
    const option = ['map', `externalId=${titleOf(column.index, facts)}`] as const;
    return { option, meaning: explain(column) };
  });
  const made = {
    option: ['map', 'externalId=made'] as const,
    meaning: 'no: push makes an id instead',
  };
  return { id: 'externalId', text, choices: [...choices, made] };
}

function explain({ repeated, firstBlankLine }: ColumnFacts): string {
  const [first] = repeated;
  if (first !== undefined) {
    const { text, lines } = first;
    const both = `lines ${lines.join(' and ')} (${quote(text)})`;
    return `yes: ${both} are one payment, and the last one counts`;
  }
  if (firstBlankLine !== undefined) return `yes: line ${firstBlankLine} has none and is rejected`;
  return 'yes: no value repeats in this file';
}
