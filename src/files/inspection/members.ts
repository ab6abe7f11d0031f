/** Finds the columns of the reference, the bank account and the project code. */

import { ROW_MEMBERS } from '../../core/row-members.ts';
import { FOUND_BY_NAME, type FoundByName, rankMember } from '../vocabulary/members.ts';
import { useColumn } from './answers.ts';
import type { ColumnFacts, Columns } from './column-facts.ts';
import { isDateColumn } from './dates.ts';
import { type Context, type Facts, provenByNames, requireColumn } from './facts.ts';
import { type Finding, stated } from './found.ts';

/** The column of each, if the file has one. */
export type Members = { readonly [Field in FoundByName]: Finding<Columns> };

/** The columns that answers name for these members: no other field takes them by itself. */
export function reservedColumns({ facts, answers }: Context): ColumnFacts[] {
  return FOUND_BY_NAME.flatMap((field) => {
    const names = answers.columns.get(field)?.flatMap(({ column }) => column ?? []) ?? [];
    return names.map((name) => requireColumn(name, facts));
  });
}

/** The column of each member, never one of `taken`; without one it has none. */
export function inspectMembers(context: Context, taken: Columns): Members {
  const { facts, answers } = context;
  const used = [...taken, ...reservedColumns(context)];
  const found = FOUND_BY_NAME.map((field): [FoundByName, Finding<Columns>] => {
    const said = answers.columns.get(field);
    if (said !== undefined) {
      const columns = said.flatMap(({ column }) => column ?? []);
      return [
        field,
        stated(
          columns.map((name) => requireColumn(name, facts)),
          ...said,
        ),
      ];
    }
    const [best, ...others] = listCandidates(field, facts, used);
    if (best === undefined) return [field, { value: [], evidence: { missing: field } }];
    used.push(best);
    const instead = others.map((column) => useColumn(field, column));
    return [field, { value: [best], evidence: { ...provenByNames([best], facts), instead } }];
  });
  return Object.fromEntries(found) as unknown as Members;
}

/** The columns that are named for a member and have such values, the surest first. */
function listCandidates(field: FoundByName, facts: Facts, taken: Columns): ColumnFacts[] {
  const named = facts.columns.flatMap((column) => {
    const name = taken.includes(column) ? undefined : rankMember(field, column);
    const isFit = name !== undefined && hasCodes(column, facts, ROW_MEMBERS[field].characters);
    return isFit && VALUES[field](column, facts, name.isWeak) ? [{ column, rank: name.rank }] : [];
  });
  named.sort((one, other) => one.rank - other.rank || other.column.filled - one.column.filled);
  return named.map(({ column }) => column);
}

/** Whether a column can have codes: no dates, amounts or rounded numbers. */
function hasCodes(column: ColumnFacts, { rows }: Facts, longest: number): boolean {
  const { filled, numbers, isNamedAmount, isCurrency, isRounded } = column;
  if (filled === 0 || column.longest > longest || isCurrency || isRounded) return false;
  if (isNamedAmount || isDateColumn(column, rows)) return false;
  return !numbers.isNumeric || numbers.isPlain;
}

/** What the values of each member must be. */
const VALUES: Readonly<
  Record<FoundByName, (column: ColumnFacts, facts: Facts, isWeak: boolean) => boolean>
> = {
  // What is the same on every row, or numbers the rows, finds no payment.
  reference: ({ isCounter, values, filled }) => !isCounter && (filled < 3 || values?.size !== 1),
  // The accounts of others differ from row to row, or are blank on some.
  bankAccount: ({ filled, values }, { rows }, isWeak) => {
    const isEach = filled === rows && values !== undefined;
    const isFew = values !== undefined && values.size * (values.size > 1 ? 3 : 2) <= rows;
    return isEach && (isFew || !isWeak);
  },
  projectCode: () => true,
};
