/** Finds the columns of the amount: one, or one each for money out and money in. */

import type { Answers } from './answers.ts';
import type { ColumnFacts } from './column-facts.ts';
import { isDateColumn } from './dates.ts';
import { type Facts, provenByNames, requireColumn, titleOf } from './facts.ts';
import { type Choice, type Evidence, type Question, quote } from './found.ts';
import { plainWords, type Role, rolesOf, saysAmount } from './header-words.ts';
import { type Relations, textOf } from './relations.ts';

/** The columns that were found, or the candidates that arithmetic may decide between. */
export interface AmountColumns {
  readonly kind: 'one' | 'two' | 'undecided';
  /** For `two`, money out or debit comes first. */
  readonly indexes: readonly number[];
  readonly evidence: Evidence;
  /** Whether the user stated which column is money out. */
  readonly isStated: boolean;
  /** An amount column besides two others: unless its amounts are the same, it is asked. */
  readonly rival?: number;
}

/** Chooses by answers, names and the contents of the columns. */
export function chooseAmounts(
  facts: Facts,
  answers: Answers,
): AmountColumns | { readonly question: Question } {
  const said = readAnswered(facts, answers);
  if (said !== undefined) return said;
  const chosen = choose(facts);
  if ('question' in chosen) return chosen;
  for (const index of chosen.indexes) {
    const unit = findUnit(index, facts);
    if (unit !== undefined) return { question: askUnit(index, unit, facts) };
  }
  const counted = chosen.kind === 'one' ? facts.columns.find(isCount) : undefined;
  const [index = 0] = chosen.indexes;
  if (counted === undefined || WHOLE.test(plainWords(facts.columns[index]?.name ?? ''))) {
    return chosen;
  }
  return { question: askCounted(index, counted, facts) };
}

/** Whether a column has fees or taxes, which the amount may include or not. */
function isAddition({ name, numbers }: ColumnFacts): boolean {
  const isAny = numbers.isNumeric && numbers.negatives + numbers.positives > 0;
  return isAny && rolesOf(name).has('addition');
}

/** Asks whether the amount includes them, except for columns that repeat it. */
export function askAddition(
  { indexes }: AmountColumns,
  relations: Relations,
  facts: Facts,
): Question | undefined {
  const addition = facts.columns.find((column) => {
    const { index, name } = column;
    // All of a payment may be refunded.
    const isAgain = relations.again.has(index) && !/refund/i.test(name);
    return isAddition(column) && !indexes.includes(index) && !isAgain;
  });
  if (addition === undefined) return undefined;
  const names = indexes.map((index) => titleOf(index, facts));
  const { line, text: cell } = addition.numbers.firstAmount ?? { line: 0, text: '' };
  const other = titleOf(addition.index, facts);
  const own = `Does ${names.join(' and ')} already include ${other}?`;
  const text = `${own} push does not add it (line ${line} has ${quote(cell)}).`;
  const yes = `yes, or ${other} is entered separately`;
  const [out = '', into] = names;
  if (into === undefined) {
    const choices: Choice[] = [{ option: ['map', `amount=${out}`], meaning: yes }];
    return { id: 'amount', text, choices, other: '--map amount=COLUMN for another column' };
  }
  const isPlain = rolesOf(out).has('out') || rolesOf(into).has('in');
  const orders = [[out, into] as const, ...(isPlain ? [] : [[into, out] as const])];
  const choices = orders.map(([one, two]): Choice => {
    const meaning = `${yes}; ${one} is money out`;
    return { option: ['map', `out=${one}`], and: ['map', `in=${two}`], meaning };
  });
  return { id: 'amount', text, choices };
}

function choose(facts: Facts): AmountColumns | { readonly question: Question } {
  const numeric = listNumeric(facts);
  const amounts = numeric.filter(isNamedAmount);
  const pairs = listPairs(facts, numeric);
  const [pair, another] = pairs;
  if (another !== undefined) return { question: ask(facts, amounts, pairs) };
  if (pair !== undefined && amounts.length === 0) return named('two', pair, facts);
  const [only, second] = amounts;
  if (only === undefined) return chooseUnnamed(facts, numeric);
  if (second !== undefined) return { question: ask(facts, amounts, pairs) };
  if (pair === undefined) return named('one', [only], facts);
  return { ...named('two', pair, facts), rival: only.index };
}

type Unit = 'hundredths' | 'thousands' | 'millions';

/** The unit that the name of a column states, such as pence or thousands. */
function findUnit(index: number, { columns }: Facts): Unit | undefined {
  const { name = '', numbers } = columns[index] ?? {};
  if (numbers?.isPlain === true && PENCE.test(plainWords(name))) return 'hundredths';
  if (THOUSANDS.test(name)) return 'thousands';
  return MILLIONS.test(name) ? 'millions' : undefined;
}

const PENCE = /\b(?:pence|pennies|cents?|minor|centimes?|centavos?|rappen|ore|grosz[ey]?)\b/;

const THOUSANDS =
  /(?<!\d)000s?\b|\bthousands?\b|\b[TK](?:EUR|CHF|[€£$])|\bTsd\b|\bmilliers\b|[£€$]k\b/i;
const MILLIONS = /\b(?:millions?|mio|mln)\b|[£€$]m\b/i;

function askUnit(index: number, unit: Unit, facts: Facts): Question {
  const name = titleOf(index, facts);
  const { line, text: cell } = facts.columns[index]?.numbers.first ?? { line: 0, text: '' };
  const text = `Is ${name} in ${unit}, as its name suggests? push sends the numbers unchanged.`;
  const meaning = `no: line ${line} is ${cell} whole units, not ${cell} ${unit}`;
  const choices: Choice[] = [{ option: ['map', `amount=${name}`], meaning }];
  const other = '--map amount=COLUMN for another column; if there is none, export whole units';
  return { id: 'amount', text, choices, other };
}

function readAnswered(facts: Facts, { columns }: Answers): AmountColumns | undefined {
  const indexOf = (name: 'out' | 'in' | 'amount') => {
    const [column] = columns.get(name) ?? [];
    return column === undefined ? undefined : requireColumn(column, facts);
  };
  const [out, into, amount] = [indexOf('out'), indexOf('in'), indexOf('amount')];
  const evidence = { line: null, text: '', because: 'you set --map' };
  if (out !== undefined && into !== undefined) {
    return { kind: 'two', indexes: [out, into], evidence, isStated: true };
  }
  if (amount === undefined) return undefined;
  return { kind: 'one', indexes: [amount], evidence, isStated: false };
}

/** By the whole name, or by a word in it if the name has no other role. */
function isNamedAmount({ name }: ColumnFacts): boolean {
  const roles = rolesOf(name);
  return roles.has('amount') || (roles.size === 0 && saysAmount(name));
}

/** Columns of numbers that are not dates, account numbers or other ids. */
function listNumeric({ columns, rows }: Facts): ColumnFacts[] {
  return columns.filter((column) => {
    if (!column.numbers.isNumeric || isDateColumn(column, rows)) return false;
    const roles = rolesOf(column.name);
    if (AMOUNT_ROLES.some((role) => roles.has(role))) return true;
    if (NUMBER_ROLES.some((role) => roles.has(role)) || column.numbers.isCode) return false;
    const isZero = column.numbers.negatives + column.numbers.positives === 0;
    // The same whole number on every row is an account number, not an amount.
    const isSame = column.filled === rows && rows > 1 && column.values?.size === 1;
    return !isZero && !(column.numbers.isPlain && isSame);
  });
}

const AMOUNT_ROLES: readonly Role[] = ['amount', 'out', 'in', 'debit', 'credit'];
/** Roles of columns of numbers that are not amounts of payments. */
const NUMBER_ROLES: readonly Role[] = [
  'balance',
  'otherAmount',
  'addition',
  'accountCode',
  'id',
  'weakId',
  'date',
  'contact',
  'description',
];

type Pair = readonly [ColumnFacts, ColumnFacts];

/** Pairs of columns for out and in; empty columns count only if no filled one fits. */
function listPairs({ columns }: Facts, numeric: readonly ColumnFacts[]): Pair[] {
  const isOf = (column: ColumnFacts, roles: readonly Role[]) =>
    roles.some((role) => rolesOf(column.name).has(role)) &&
    (column.filled === 0 || numeric.includes(column));
  const listOf = (roles: readonly Role[]) => {
    const all = columns.filter((column) => isOf(column, roles));
    const filled = all.filter((column) => column.filled > 0);
    return filled.length > 0 ? filled : all;
  };
  const [outs, ins] = [listOf(['out', 'debit']), listOf(['in', 'credit'])];
  if (outs.length !== ins.length) return [];
  return outs.flatMap((out, at): Pair[] => {
    const into = ins[at];
    if (into === undefined || out === into || out.filled + into.filled === 0) return [];
    return [[out, into]];
  });
}

function named(kind: 'one' | 'two', columns: readonly ColumnFacts[], facts: Facts): AmountColumns {
  const evidence = provenByNames(
    columns.map(({ name }) => name),
    facts,
  );
  return { kind, indexes: columns.map(({ index }) => index), evidence, isStated: false };
}

/** Without a known name: a single column of numbers, or candidates for arithmetic. */
function chooseUnnamed(
  facts: Facts,
  numeric: readonly ColumnFacts[],
): AmountColumns | { readonly question: Question } {
  const [only, second] = numeric;
  if (only === undefined) return { question: ask(facts, facts.columns.filter(hasNumbers)) };
  const sample = only.numbers.first;
  const shown = `line ${sample?.line} has ${quote(sample?.text ?? '')}`;
  const because = `the only column with amounts; ${shown}`;
  const evidence = { line: sample?.line ?? null, text: sample?.text ?? '', because };
  // If many rows are empty there, their amounts are in another column.
  const isWhole = only.filled >= facts.rows * FILLED_SHARE;
  if (second === undefined && isWhole && !facts.columns.some(isCount)) {
    return { kind: 'one', indexes: [only.index], evidence, isStated: false };
  }
  const indexes = numeric.map(({ index }) => index);
  if (second === undefined || indexes.length > TRIED_COLUMNS)
    return { question: ask(facts, numeric) };
  return { kind: 'undecided', indexes, evidence, isStated: false };
}

/** Whether a column is a quantity: the amount can then be the price of one item. */
function isCount({ name, numbers }: ColumnFacts): boolean {
  return numbers.isNumeric && COUNTS.test(plainWords(name));
}

const COUNTS = new RegExp(
  '\\b(?:quantity|qty|menge|quantite|qte|cantidad|quantidade|qtd|quantita|ilosc|mnozstvi|' +
    'mennyiseg|kolicina|stuckzahl)\\b|^(?:units|pieces|hours|miles|anzahl|stuck|stunden|aantal|' +
    'antal|antall|(?:no|number) of (?:items|units|pieces|tickets|copies|people|hours|nights))$',
);
/** Names of totals. */
const WHOLE = /\b(?:total|totale|totaal|gesamt\w*)\b/;

/** Asks whether an amount next to a quantity is the total. */
function askCounted(index: number, counted: ColumnFacts, facts: Facts): Question {
  const name = titleOf(index, facts);
  const { line, text: cell } = facts.columns[index]?.numbers.first ?? { line: 0, text: '' };
  const how = `the file has a quantity, ${titleOf(counted.index, facts)}`;
  const text = `Is ${name} the total, or the price of one item? It matters because ${how}.`;
  const meaning = `the total: line ${line} is ${cell} altogether`;
  const choices: Choice[] = [{ option: ['map', `amount=${name}`], meaning }];
  const other = '--map amount=COLUMN for another column; if there is none, add a column of totals';
  return { id: 'amount', text, choices, other };
}
const FILLED_SHARE = 0.8;
/** The most columns that are tried as a running balance. */
const TRIED_COLUMNS = 6;

function hasNumbers({ numbers }: ColumnFacts): boolean {
  return numbers.isNumeric;
}

/** Decides by arithmetic; undefined when it must be asked. */
export function decideAmounts(
  columns: AmountColumns,
  relations: Relations,
  facts: Facts,
): AmountColumns | undefined {
  if (columns.kind === 'undecided') return decideByBalance(columns, relations, facts);
  const { rival, kind, isStated } = columns;
  // Money out and money in are on separate rows.
  if (kind === 'two' && !isStated && relations.bothCount === facts.rows) return undefined;
  return rival === undefined || relations.same.has(rival) ? columns : undefined;
}

/** The one column that has all others as running balances; undefined when none is proven. */
function decideByBalance(
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
  const because = `${name} is its running balance: in line ${seen?.line} it changes by this amount`;
  const evidence = { line: seen?.line ?? null, text: textOf(seen, facts), because };
  return { kind: 'one', indexes: [amount], evidence, isStated: false };
}

/** Asks which column is the amount: a pair, or a third one beside it. */
export function askAmount(facts: Facts, { indexes, rival }: AmountColumns): Question {
  const listOf = (some: readonly number[]) => some.flatMap((index) => facts.columns[index] ?? []);
  if (rival === undefined) return ask(facts, listOf(indexes));
  const [out, into] = listOf(indexes);
  return ask(facts, listOf([rival]), out && into ? [[out, into]] : []);
}

/** `pairs` are the columns of money out and money in. */
function ask(facts: Facts, columns: readonly ColumnFacts[], pairs: readonly Pair[] = []): Question {
  const show = ({ numbers: { first } }: ColumnFacts) =>
    first === undefined ? 'it is empty' : `line ${first.line} has ${quote(first.text)}`;
  const optionOf = (field: string, { index }: ColumnFacts) =>
    ['map', `${field}=${titleOf(index, facts)}`] as const;
  const choices: Choice[] = columns.map((column) => {
    return { option: optionOf('amount', column), meaning: show(column) };
  });
  for (const [out, into] of pairs) {
    const meaning = `${titleOf(out.index, facts)} is money out: ${show(out)}`;
    choices.push({ option: optionOf('out', out), and: optionOf('in', into), meaning });
  }
  const text =
    choices.length === 0
      ? 'No column has amounts that csv inspect can read. Which column is the amount?'
      : 'Several columns have amounts. Which one is the payment?';
  const other = '--map out=COLUMN --map in=COLUMN for separate columns';
  return { id: 'amount', text, choices, other };
}
