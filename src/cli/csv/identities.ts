/**
 * Where a row's externalId comes from. A column is its identity only if it is named so and no value
 * stands twice; where that is not sure it is asked, as rows that share an id become one
 * transaction. Else the id is made.
 */

import type { Answers } from './answers.ts';
import type { ColumnFacts } from './column-facts.ts';
import { type Facts, requireColumn, titleOf } from './facts.ts';
import { type Answer, type Choice, type Question, quote, stated } from './found.ts';
import { rolesOf } from './header-words.ts';

/** A column, or made out of the columns that make the row. */
export type Identity = { readonly column: number } | { readonly isMade: true };

const MADE: Identity = { isMade: true };
/** Where more of the rows than this share an id, it is no identity of a row. */
const SHARED = 0.05;

/** Works out the identity; `taken` are the columns of days, amounts and descriptions. */
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
    'no column identifies the payments, so push makes an id, always the same for the same row';
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
  const where = `by the header in line ${facts.layout.headerLine.value} (${quote(name)})`;
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
  const text = `Does ${names.join(' or ')} identify a payment, in later files too?`;
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
    return `yes: lines ${lines.join(' and ')} with ${quote(text)} are one, the last counts`;
  }
  if (firstBlankLine !== undefined) return `yes; line ${firstBlankLine} has none and is rejected`;
  return 'yes: no value repeats in this file';
}
