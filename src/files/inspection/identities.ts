/**
 * Where the externalId of a row comes from. A column is the id only if its name says so and no
 * value repeats, because rows with the same id become one transaction. Otherwise push makes the id.
 */

import { count } from '../../core/counts.ts';
import { saidAbout, useColumn } from './answers.ts';
import type { ColumnFacts, Columns } from './column-facts.ts';
import { type Context, type Facts, findSaid } from './facts.ts';
import { type Finding, proof, proven, quote, stated, titlesOf } from './found.ts';

/** A column; null for an id made from the columns of the row. */
export type Identity = ColumnFacts | null;

/** Works out the id; `taken` are the columns of the date, amount and description. */
export function inspectIdentity(context: Context, taken: Columns): Finding<Identity> {
  const { facts, answers } = context;
  if (answers.columns.has('externalId')) {
    const said = findSaid('externalId', context) ?? null;
    return stated(said, ...saidAbout(answers, 'externalId'));
  }
  const unique = facts.columns.filter((column) => {
    const { isUnique, isCounter, isRounded } = column;
    return isUnique && !isCounter && !isRounded && !taken.includes(column);
  });
  const [only, ...more] = unique.filter(({ roles }) => roles.has('id'));
  if (only !== undefined && more.length === 0) return proveUnique(only, facts);
  const names = titlesOf(unique).join(' or ');
  const why = names === '' ? 'no column identifies each payment' : `payments can share a ${names}`;
  const because = `${why}, so budgetd makes an id, always the same for the same row`;
  const instead = unique.map((column) => useColumn('externalId', column));
  return { value: null, evidence: { ...proof(undefined, because), instead } };
}

function proveUnique(column: ColumnFacts, { layout }: Facts): Finding<Identity> {
  const { name, rows, firstText } = column;
  const where = `from the column name in line ${layout.headerLine.value} (${quote(name)})`;
  return proven(column, firstText, `${where}, and no value repeats in ${count(rows, 'row')}`);
}
