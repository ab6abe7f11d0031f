/** Which columns are the amount of a row: one, or one each for money out and money in. */

import type { Answers } from './answers.ts';
import type { ColumnFacts } from './column-facts.ts';
import { isDateColumn } from './dates.ts';
import { type Facts, provenByNames, requireColumn, titleOf } from './facts.ts';
import { type Choice, type Evidence, type Question, quote } from './found.ts';
import { type Role, rolesOf } from './header-words.ts';
import { type Relations, textOf } from './relations.ts';

/** The columns that were found, or those among which arithmetic may yet decide. */
export interface AmountColumns {
  readonly kind: 'one' | 'two' | 'undecided';
  /** Of `two`: money out or debit first. */
  readonly indexes: readonly number[];
  readonly evidence: Evidence;
  /** Whether a person said which column is money out. */
  readonly isStated: boolean;
}

/** Chooses by answers, names and what the columns hold. */
export function chooseAmounts(
  facts: Facts,
  answers: Answers,
): AmountColumns | { readonly question: Question } {
  const said = readAnswered(facts, answers);
  if (said !== undefined) return said;
  const numeric = listNumeric(facts);
  const amounts = numeric.filter((column) => rolesOf(column.name).has('amount'));
  const pair = findPair(facts, numeric);
  if (pair !== undefined && amounts.length === 0) return named('two', pair, facts);
  const [only, second] = amounts;
  if (only !== undefined && second === undefined && pair === undefined) {
    return named('one', [only], facts);
  }
  if (amounts.length > 1 || pair !== undefined) {
    return { question: ask(facts, [...amounts, ...(pair ?? [])]) };
  }
  return chooseUnnamed(facts, numeric);
}

function readAnswered(facts: Facts, { columns }: Answers): AmountColumns | undefined {
  const indexOf = (name: 'out' | 'in' | 'amount') => {
    const [column] = columns.get(name) ?? [];
    return column === undefined ? undefined : requireColumn(column, facts);
  };
  const [out, into, amount] = [indexOf('out'), indexOf('in'), indexOf('amount')];
  const evidence = { line: null, text: '', because: 'you said so: --map' };
  if (out !== undefined && into !== undefined) {
    return { kind: 'two', indexes: [out, into], evidence, isStated: true };
  }
  if (amount === undefined) return undefined;
  return { kind: 'one', indexes: [amount], evidence, isStated: false };
}

/** Columns of numbers that are neither days nor somebody's numbers. */
function listNumeric({ columns, rows }: Facts): ColumnFacts[] {
  return columns.filter((column) => {
    if (!column.numbers.isNumeric || isDateColumn(column, rows)) return false;
    const roles = rolesOf(column.name);
    if (AMOUNT_ROLES.some((role) => roles.has(role))) return true;
    if (NUMBER_ROLES.some((role) => roles.has(role)) || column.numbers.isCode) return false;
    // The same whole number on every row is the number of an account, and no amount.
    const isSame = column.filled === rows && rows > 1 && column.values?.size === 1;
    return !(column.numbers.isPlain && isSame);
  });
}

const AMOUNT_ROLES: readonly Role[] = ['amount', 'out', 'in', 'debit', 'credit'];
/** Names of columns of numbers that are no amounts of a movement. */
const NUMBER_ROLES: readonly Role[] = [
  'balance',
  'otherAmount',
  'accountCode',
  'id',
  'weakId',
  'date',
  'contact',
  'description',
];

/** Exactly one column for each side; one of them may be empty in this file. */
function findPair(
  { columns }: Facts,
  numeric: readonly ColumnFacts[],
): [ColumnFacts, ColumnFacts] | undefined {
  const isOf = (column: ColumnFacts, roles: readonly Role[]) =>
    roles.some((role) => rolesOf(column.name).has(role)) &&
    (column.filled === 0 || numeric.includes(column));
  const outs = columns.filter((column) => isOf(column, ['out', 'debit']));
  const ins = columns.filter((column) => isOf(column, ['in', 'credit']));
  const [out, into] = [outs[0], ins[0]];
  if (out === undefined || into === undefined || outs.length > 1 || ins.length > 1)
    return undefined;
  if (out === into || (out.filled === 0 && into.filled === 0)) return undefined;
  return [out, into];
}

function named(kind: 'one' | 'two', columns: readonly ColumnFacts[], facts: Facts): AmountColumns {
  const evidence = provenByNames(
    columns.map(({ name }) => name),
    facts,
  );
  return { kind, indexes: columns.map(({ index }) => index), evidence, isStated: false };
}

/** No name tells: then one column of numbers is the amount, and of several arithmetic may tell. */
function chooseUnnamed(
  facts: Facts,
  numeric: readonly ColumnFacts[],
): AmountColumns | { readonly question: Question } {
  const [only, second] = numeric;
  if (only === undefined) return { question: ask(facts, facts.columns.filter(hasNumbers)) };
  const sample = only.numbers.first;
  const shown = `line ${sample?.line} has ${quote(sample?.text ?? '')}`;
  const because = `no other column holds amounts; ${shown}`;
  const evidence = { line: sample?.line ?? null, text: sample?.text ?? '', because };
  // Where rows have nothing in it, what they paid stands elsewhere.
  const isWhole = only.filled >= facts.rows * FILLED_SHARE;
  if (second === undefined && isWhole) {
    return { kind: 'one', indexes: [only.index], evidence, isStated: false };
  }
  const indexes = numeric.map(({ index }) => index);
  if (second === undefined || indexes.length > TRIED_COLUMNS)
    return { question: ask(facts, numeric) };
  return { kind: 'undecided', indexes, evidence, isStated: false };
}

const FILLED_SHARE = 0.8;
/** Columns among which a running balance is looked for. */
const TRIED_COLUMNS = 6;

function hasNumbers({ numbers }: ColumnFacts): boolean {
  return numbers.isNumeric;
}

/** The one column of which all others are running balances; undefined when none is proven. */
export function decideByBalance(
  { indexes }: AmountColumns,
  relations: Relations,
  facts: Facts,
): AmountColumns | undefined {
  const found = indexes.filter((amount) =>
    indexes.every((other) => other === amount || relations.balanceOf([amount], other)),
  );
  const [amount, second] = found;
  if (amount === undefined || second !== undefined) return undefined;
  const balance = indexes.find((other) => other !== amount) ?? amount;
  const seen = relations.balanceOf([amount], balance)?.seen;
  const name = titleOf(balance, facts);
  const because = `${name} is its running balance: line ${seen?.line} differs by just this amount`;
  const evidence = { line: seen?.line ?? null, text: textOf(seen, facts), because };
  return { kind: 'one', indexes: [amount], evidence, isStated: false };
}

/** The question which column is the amount. */
export function askAmount(facts: Facts, indexes: readonly number[]): Question {
  return ask(
    facts,
    facts.columns.filter(({ index }) => indexes.includes(index)),
  );
}

function ask(facts: Facts, columns: readonly ColumnFacts[]): Question {
  const choices = columns.map(({ index, numbers }): Choice => {
    const { line, text } = numbers.first ?? { line: 0, text: '' };
    const option = ['map', `amount=${titleOf(index, facts)}`] as const;
    return { option, meaning: line === 0 ? 'it is empty' : `line ${line} has ${quote(text)}` };
  });
  const text =
    choices.length === 0
      ? 'No column holds amounts that can be read. Which one is it?'
      : 'Several columns hold amounts. Which one is what was paid?';
  const other = '--map out=COLUMN --map in=COLUMN for one column each';
  return { id: 'amount', text, choices, other };
}
