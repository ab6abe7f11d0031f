/**
 * Finds the columns of the reference, the bank account and the project code, and where the
 * externalId of a row comes from. A column is the id only if its name says so and no value repeats,
 * because rows with the same id become one transaction. Otherwise push makes the id.
 */

import { count } from '../../core/counts.ts';
import { CHARACTERS } from '../../core/limits.ts';
import { FOUND_BY_NAME, type FoundByName, hasCash, rankMember } from '../vocabulary/members.ts';
import { saidAbout, useColumn } from './answers.ts';
import type { ColumnFacts, Columns } from './column-facts.ts';
import { isDateColumn } from './dates.ts';
import { type Context, type Facts, findSaid, findSaidColumns, provenByNames } from './facts.ts';
import { type Finding, proof, proven, quote, stated, titlesOf } from './found.ts';
import { isBookedId } from './statuses.ts';

/** The column of each, if the file has one. */
export type Members = { readonly [Field in FoundByName]: Finding<Columns> };

/** The columns that answers name for these members: no other field takes them by itself. */
export function reservedColumns(context: Context): ColumnFacts[] {
  return FOUND_BY_NAME.flatMap((field) => findSaidColumns(field, context)?.value ?? []);
}

/** The column of each member, never one of `taken`; without one it has none. */
export function inspectMembers(context: Context, taken: Columns): Members {
  const { facts } = context;
  const used = [...taken, ...reservedColumns(context)];
  const found = FOUND_BY_NAME.map((field): [FoundByName, Finding<Columns>] => {
    const said = findSaidColumns(field, context);
    if (said !== undefined) return [field, said];
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
    const isFit = name !== undefined && hasCodes(column, facts, CHARACTERS[field]);
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

/** The accounts without cash in a column with others, which in a journal are all known ones. */
export function findCashless({ columns }: Facts, isJournal: boolean) {
  return columns.flatMap((column) => {
    const names = [...((rankMember('bankAccount', column) && column.values?.keys()) ?? [])];
    const words = names.filter((name) => (isJournal ? !hasCash(name) : hasCash(name) === false));
    const isAny = words.length > 0 && names.some((name) => hasCash(name));
    return isAny ? [{ kind: 'cashless' as const, column, words }] : [];
  });
}

/** A column; null for an id made from the columns of the row. */
export type Identity = ColumnFacts | null;

/** Works out the id; `taken` are the columns of the date, amount and description. */
export function inspectIdentity(context: Context, taken: Columns): Finding<Identity> {
  const { facts, answers } = context;
  if (answers.columns.has('externalId')) {
    const said = findSaid('externalId', context) ?? null;
    return stated(said, ...saidAbout(answers, 'externalId'));
  }
  const isBooked = answers.lines.some(({ text, isRow }) => text === '' && !isRow);
  const unique = facts.columns.filter((column) => {
    const { isUnique, isCounter, isRounded, filled, rows } = column;
    const isFull = filled === rows || (isBooked && isBookedId(column, facts));
    return isUnique && isFull && !isCounter && !isRounded && !taken.includes(column);
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
  const { name, filled, firstText } = column;
  const where = `from the column name in line ${layout.headerLine.value} (${quote(name)})`;
  return proven(column, firstText, `${where}, and no value repeats in ${count(filled, 'row')}`);
}
