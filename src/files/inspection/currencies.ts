/** Finds the currency of a file: amounts in several would be added up as if they were one. */

import { count as countRows } from '../../core/counts.ts';
import { canBeSame, codesOf, currencyOfName } from '../values/currency-signs.ts';
import { type Role, wholeRolesOf } from '../vocabulary/column-names.ts';
import type { AnswerOf } from './answers.ts';
import type { ColumnFacts, Columns } from './column-facts.ts';
import { type Context, type Facts, findSaid } from './facts.ts';
import {
  AnswerError,
  ask,
  type Choice,
  choice,
  type Decision,
  proven,
  quote,
  type Seen,
  show,
  stated,
} from './found.ts';

/** The column of the currency and the accepted value; undefined if there is no such column. */
export type CurrencyGuard = { readonly column: ColumnFacts; readonly is: string } | undefined;

/** Works out the currency of the rows from a column of codes. */
export function inspectCurrency(context: Context, amounts: Columns): Decision<CurrencyGuard> {
  const { facts, answers } = context;
  const column = answers.columns.has('currency')
    ? findSaid('currency', context)
    : findCurrencyColumn(facts, amounts);
  if (column === undefined) {
    return proven(undefined, undefined, 'no column has a currency on every row');
  }
  const { title, values } = column;
  const named = listNamed(amounts, facts);
  const said = answers.last.currency;
  if (said !== undefined) {
    const isHere = values?.has(said.currency) === true;
    const guard = isHere ? { column, is: said.currency } : undefined;
    if (isHere || named.has(said.currency)) return stated(guard, said);
  }
  const all = [...(values?.values() ?? [])];
  const [only, second] = all;
  if (only !== undefined && second === undefined) {
    const { text: is } = only;
    const other = [...named].find(([each]) => !canBeSame(each, is));
    if (other !== undefined) return askWhich(other, title, is);
    if (codesOf(is).length > 0) {
      return proven({ column, is }, only, `${title} has ${is} on every row`);
    }
    const own = `${title} has ${is} on every row, which is not the code of a currency`;
    const meaning = `yes; rows with another ${title} are rejected`;
    return ask('currency', `${own}. Is it the organisation's currency?`, [inCurrency(is, meaning)]);
  }
  const choices = all.map(({ text, count, line }) => {
    return inCurrency(text, `${countRows(count, 'row')}, the first in line ${line}`);
  });
  const several = `${title} has more than one currency`;
  const text = `${several}. Which one is the organisation's? The other rows are rejected.`;
  return ask('currency', text, choices, 'one currency');
}

function inCurrency(currency: string, meaning: string): Choice {
  return choice({ kind: 'currency', currency }, meaning);
}

/** The column of codes next to the amount, or the only one; not one named as another amount is. */
export function findCurrencyColumn(
  { columns, rows }: Facts,
  amounts: Columns,
): ColumnFacts | undefined {
  // While the amount is open, only foreign amounts are known to be others.
  const others = columns.filter((column) => {
    return amounts.length > 0
      ? isAmount(column) && !amounts.includes(column)
      : column.roles.has('otherAmount');
  });
  const found = columns.filter((column) => {
    if (!column.isCurrency) return false;
    // One currency with blanks is that of all rows; of several, rows without one are rejected.
    if (column.filled < rows && column.values?.size === 1) return false;
    return !others.some(isAlike(column)) || amounts.some(isAlike(column));
  });
  const beside = found.filter(({ index }) => {
    return amounts.some((amount) => Math.abs(amount.index - index) === 1);
  });
  const named = found.filter(({ roles }) => roles.has('currency'));
  return [found, beside, named].find((some) => some.length === 1)?.[0] ?? beside[0] ?? found[0];
}

const AMOUNT_ROLES: readonly Role[] = ['otherAmount', 'out', 'in', 'debit', 'credit'];

function isAmount({ isNamedAmount, roles }: ColumnFacts): boolean {
  return isNamedAmount || AMOUNT_ROLES.some((role) => roles.has(role));
}

/** `Transaction currency` is that of the `Transaction amount`, not of the `Settled amount`. */
function isAlike({ words }: ColumnFacts): (amount: ColumnFacts) => boolean {
  const own = partsOf(words).filter((part) => !wholeRolesOf(part)?.has('currency'));
  return (amount) => partsOf(amount.words).some((part) => own.includes(part));
}

/** The words of a name; Chinese has no spaces between them. */
function partsOf(words: string): string[] {
  return words.split(/ |(?=金额|币种|货币)/);
}

function askWhich([inName, { text }]: [string, Seen], title: string, inColumn: string) {
  const which = `The header ${quote(text)} says ${inName}, but ${title} says ${inColumn}.`;
  return ask('currency', `${which} Which is right?`, [
    inCurrency(inName, `the amounts are in ${inName}; ${title} is ignored`),
    inCurrency(inColumn, `the amounts are in ${inColumn}`),
  ]);
}

/** The currencies in the names of columns. */
function listNamed(columns: Columns, { layout }: Facts): Map<string, Seen> {
  const line = layout.headerLine.value;
  return new Map(
    columns.flatMap(({ name: text }) => {
      const currency = line === 0 ? undefined : currencyOfName(text);
      return currency === undefined ? [] : [[currency, { line, text }]];
    }),
  );
}

/** The currency that the names and cells of the amount columns state. */
export function inspectCellCurrency(
  { facts, answers }: Context,
  amounts: Columns,
): Decision<string | undefined> {
  const seen = listNamed(amounts, facts);
  for (const [currency, where] of amounts.flatMap(({ numbers }) => [...numbers.currencies])) {
    if (![...seen.keys()].some((each) => canBeSame(each, currency))) seen.set(currency, where);
  }
  const said = answers.last.currency;
  const [first, second] = [...seen];
  if (said !== undefined) {
    const { currency } = said;
    const isOfColumn = facts.columns.some(({ values }) => values?.has(currency) === true);
    const isInCells = seen.has(currency) || (!isOfColumn && isPossible(said, first));
    return stated(isInCells ? currency : undefined, said);
  }
  if (first === undefined) return { value: undefined, evidence: { missing: 'currency' } };
  const [currency, where] = first;
  if (second === undefined) return proven(currency, where, show(where));
  const choices = [...seen].map(([each, place]) => inCurrency(each, show(place)));
  const text =
    'The amounts are in more than one currency. Which one do you want? The others are rejected.';
  return ask('currency', text, choices);
}

/** Throws AnswerError for a currency that the file contradicts, or that does not exist. */
function isPossible(said: AnswerOf<'currency'>, first: [string, Seen] | undefined): boolean {
  const { currency } = said;
  if (first !== undefined) {
    const [other, where] = first;
    throw new AnswerError(said, ` ${currency}: the file says ${other}: ${show(where)}.`);
  }
  if (codesOf(currency).length > 0) return true;
  const message = `: "${currency}" is not an ISO 4217 currency code such as GBP.`;
  throw new AnswerError(said, message);
}
