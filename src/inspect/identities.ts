/**
 * Where the externalId of a row comes from. A column is the id only if its name says so and no
 * value repeats. If that is not certain, it is asked, because rows with the same id become one
 * transaction. Without such a column, push makes the id.
 */

import { saidAbout, useColumn } from './answers.ts';
import { type ColumnFacts, type Columns, titlesOf } from './column-facts.ts';
import { type Context, type Facts, findSaid } from './facts.ts';
import { ask, choice, type Decision, type Finding, proven, quote, stated } from './found.ts';

/** A column; null for an id made from the columns of the row. */
export type Identity = ColumnFacts | null;

/** If more than this share of rows repeat an id, it does not identify rows. */
const SHARED = 0.05;

/** Works out the id; `taken` are the columns of the date, amount and description. */
export function inspectIdentity(context: Context, taken: Columns): Decision<Identity> {
  const { facts, answers } = context;
  if (answers.columns.has('externalId')) {
    const said = findSaid('externalId', context) ?? null;
    return stated(said, ...saidAbout(answers, 'externalId'));
  }
  const free = facts.columns.filter((column) => {
    const { filled, isCounter, isRounded } = column;
    return filled > 0 && !isCounter && !isRounded && !taken.includes(column);
  });
  const strong = free.filter(({ roles }) => roles.has('id'));
  const weak = free.filter(({ roles }) => !roles.has('id') && roles.has('weakId'));
  const isUnique = (column: ColumnFacts) => column.isUnique;
  const unique = strong.filter(isUnique);
  const [only, second] = unique;
  if (only !== undefined && second === undefined) return proveUnique(only, facts);
  const nearly = strong.filter((column) => isNearlyUnique(column, facts));
  const candidates = only === undefined ? [...nearly, ...weak.filter(isUnique)] : unique;
  if (candidates.length > 0) return askWhich(candidates);
  const because =
    'no column identifies each payment, so push makes an id, always the same for the same row';
  return proven(null, undefined, because);
}

function proveUnique(column: ColumnFacts, { layout }: Facts): Finding<Identity> {
  const { name, rows, firstText } = column;
  const where = `from the column name in line ${layout.headerLine.value} (${quote(name)})`;
  return proven(column, firstText, `${where}, and no value repeats in ${rows} rows`);
}

function isNearlyUnique(column: ColumnFacts, { rows }: Facts): boolean {
  const blank = rows - column.filled;
  return !column.isUnique && column.repeatedCount + blank <= Math.max(1, rows * SHARED);
}

function askWhich(candidates: Columns) {
  const names = titlesOf(candidates);
  const text = `Does ${names.join(' or ')} identify each payment, in later files too?`;
  const choices = candidates.map((column) => {
    return choice(useColumn('externalId', column), explain(column));
  });
  const made = { kind: 'column', use: 'externalId', column: null } as const;
  return ask('externalId', text, [...choices, choice(made, 'no: push makes an id instead')]);
}

function explain({ repeated: [first], firstBlankLine }: ColumnFacts): string {
  if (first !== undefined) {
    const both = `lines ${first.lines.join(' and ')} (${quote(first.text)})`;
    return `yes: ${both} are one payment, and the last one counts`;
  }
  if (firstBlankLine !== undefined) return `yes: line ${firstBlankLine} has none and is rejected`;
  return 'yes: no value repeats in this file';
}
