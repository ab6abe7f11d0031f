/**
 * Finds how amounts are written: their decimal and thousands separator, and their currency. Amounts
 * in several currencies would be added up as if they were in one.
 */

import { count as countRows } from '../../core/counts.ts';
import { findCurrency } from '../../core/currencies.ts';
import { canBeSame, codesOf, currencyOfName } from '../values/currency-signs.ts';
import {
  DECIMAL_SIGNS,
  type DecimalSign,
  otherSign,
  type ThousandsSign,
} from '../values/decimals.ts';
import { type ColumnRole, wholeRolesOf } from '../vocabulary/column-names.ts';
import type { ColumnFacts, Columns } from './column-facts.ts';
import { type Context, type Facts, findSaid } from './facts.ts';
import {
  AnswerError,
  type AnswerOf,
  ask,
  type Choice,
  choice,
  type Decision,
  type Finding,
  isAsked,
  proven,
  quote,
  type Seen,
  show,
  stated,
} from './found.ts';

/** The separators of a file; undefined when no amount shows one. */
export interface Separators {
  readonly decimal: DecimalSign | undefined;
  readonly thousands: ThousandsSign | undefined;
}

type NumberColumns = readonly ColumnFacts['numbers'][];

/** Works out the separators of columns together. Throws AnswerError for a wrong answer. */
export function inspectSeparators(
  amounts: Columns,
  { answers, facts }: Context,
): Decision<Separators> {
  const columns = amounts.map(({ numbers }) => numbers);
  const seen = { '.': firstSeen(columns, '.'), ',': firstSeen(columns, ',') };
  const said = answers.last.decimal;
  if (said !== undefined) {
    const { decimal } = said;
    const other = seen[otherSign(decimal)];
    if (other === undefined || seen[decimal] !== undefined) {
      return stated(separatorsOf(columns, decimal), said);
    }
    throw new AnswerError(said, ` ${decimal}: ${show(other)}, which is not a number then.`);
  }
  const { '.': point, ',': comma } = seen;
  if (point !== undefined && comma !== undefined) return askMixed({ '.': point, ',': comma });
  if (point !== undefined) return proveSeparator(columns, '.', point);
  if (comma !== undefined) return proveSeparator(columns, ',', comma);
  const either = firstSeen(columns, 'either');
  if (either !== undefined && isWithoutDecimals(amounts, { answers, facts })) {
    return proveSeparator(columns, either.text.includes('.') ? ',' : '.', either);
  }
  if (either !== undefined) return askEither(either);
  const because = 'no amount has decimals or a thousands separator';
  return proven(separatorsOf(columns, undefined), undefined, because);
}

/** The separators of these columns with the answers so far; undefined while they are open. */
export function findSeparators(columns: Columns, context: Context): Separators | undefined {
  const said = context.answers.last.decimal?.decimal;
  if (said !== undefined)
    return separatorsOf(
      columns.map(({ numbers }) => numbers),
      said,
    );
  const found = inspectSeparators(columns, context);
  return isAsked(found) ? undefined : found.value;
}

/** Whether the user, names or cells state a currency that has no decimals, such as the yen. */
function isWithoutDecimals(amounts: Columns, { answers, facts }: Context): boolean {
  const stated = amounts.flatMap(({ name, numbers }) => {
    return [currencyOfName(name) ?? [], ...numbers.currencies.keys()].flat();
  });
  const beside = findCurrencyColumn(facts, amounts);
  const column = beside?.isCurrency ? [...(beside.values?.keys() ?? [])] : [];
  const said = answers.last.currency?.currency ?? [];
  // Of the currencies of a sign, the first is the usual one.
  const codes = [...stated, ...column, said].flat().flatMap((text) => codesOf(text)[0] ?? []);
  return codes.length > 0 && codes.every((code) => findCurrency(code)?.places === 0);
}

function firstSeen(columns: NumberColumns, kind: DecimalSign | 'either') {
  const all = columns.flatMap(({ decimals }) => decimals.get(kind) ?? []);
  return all.sort((one, other) => one.line - other.line)[0];
}

/** The thousands separator is set only if the file shows exactly one. */
function separatorsOf(columns: NumberColumns, decimal: DecimalSign | undefined): Separators {
  const seen = new Set<ThousandsSign>(columns.flatMap(({ thousands }) => [...thousands.keys()]));
  if (decimal !== undefined) {
    const other = otherSign(decimal);
    const isSeen = columns.some(({ decimals }) => decimals.get('either')?.text.includes(other));
    if (isSeen) seen.add(other);
    seen.delete(decimal);
  }
  const [thousands] = seen;
  return { decimal, thousands: seen.size === 1 ? thousands : undefined };
}

function proveSeparator(columns: NumberColumns, decimal: DecimalSign, seen: Seen) {
  const name = decimal === '.' ? 'the point' : 'the comma';
  const why = seen.text.includes(decimal)
    ? `${name} can only be the decimal separator`
    : `"${otherSign(decimal)}" separates thousands, so ${name} is the decimal separator`;
  return proven(separatorsOf(columns, decimal), seen, `${show(seen)}: ${why}`);
}

/** A choice for each separator, with what it would mean. */
function askSign(text: string, meaningOf: (decimal: DecimalSign) => string) {
  const choices = DECIMAL_SIGNS.map((decimal) => {
    return choice({ kind: 'decimal', decimal }, meaningOf(decimal));
  });
  return ask('decimal', text, choices);
}

function askEither(seen: Seen) {
  const groups = seen.text.replace(/[^\d.,]/g, '');
  const minus = /^[-\u2212]/.test(seen.text) ? '-' : '';
  const text = `What is the decimal separator? No amount shows it: ${show(seen)}.`;
  return askSign(text, (decimal) => {
    if (!groups.includes(decimal))
      return `${quote(seen.text)} is ${minus}${groups.replace(/[.,]/g, '')}`;
    const [whole = ''] = groups.split(decimal);
    return `${quote(seen.text)} is between ${minus}${whole} and ${minus}${Number(whole) + 1}`;
  });
}

function askMixed(seen: Readonly<Record<DecimalSign, Seen>>) {
  const shown = [seen['.'], seen[',']].map(show).join(', ');
  const both = `Amounts have two different decimal separators: ${shown}`;
  const text = `${both}. Which one is right? Rows with the other are rejected.`;
  return askSign(text, (decimal) => `as in line ${seen[decimal].line}`);
}

/** The column of the currency and the accepted value; undefined if there is no such column. */
export type CurrencyGuard = { readonly column: ColumnFacts; readonly is: string } | undefined;

/** Works out the currency of the rows from a column of codes. */
export function inspectCurrency(context: Context, amounts: Columns): Decision<CurrencyGuard> {
  const { facts, answers } = context;
  const named = findSaid(context, 'currency');
  const column = named === undefined ? findCurrencyColumn(facts, amounts) : named.value[0];
  if (column === undefined) {
    return proven(undefined, undefined, 'no column has a currency on every row');
  }
  const { title, values } = column;
  const ofAmounts = listNamed(amounts, facts);
  const said = answers.last.currency;
  if (said !== undefined) {
    const isHere = values?.has(said.currency) === true;
    const guard = isHere ? { column, is: said.currency } : undefined;
    if (isHere || ofAmounts.has(said.currency)) return stated(guard, said);
  }
  const all = [...(values?.values() ?? [])];
  const [only, second] = all;
  if (only !== undefined && second === undefined) {
    const { text: is } = only;
    const other = [...ofAmounts].find(([each]) => !canBeSame(each, is));
    if (other !== undefined) return askWhichCurrency(other, title, is);
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

const AMOUNT_ROLES: readonly ColumnRole[] = ['otherAmount', 'out', 'in', 'debit', 'credit'];

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

function askWhichCurrency([inName, { text }]: [string, Seen], title: string, inColumn: string) {
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
export function inspectCellCurrency({
  facts,
  answers,
  amounts: { value: amounts },
}: Context & { readonly amounts: Finding<Columns> }): Decision<string | undefined> {
  const seen = listNamed(amounts, facts);
  const isSeen = (currency: string) => [...seen.keys()].some((each) => canBeSame(each, currency));
  for (const [currency, where] of amounts.flatMap(({ numbers }) => [...numbers.currencies])) {
    if (!isSeen(currency)) seen.set(currency, where);
  }
  const said = answers.last.currency;
  const [first, second] = [...seen];
  if (said !== undefined) {
    const { currency } = said;
    const isOfColumn = facts.columns.some(({ values }) => values?.has(currency) === true);
    const isInCells = isSeen(currency) || (!isOfColumn && isPossible(said, first));
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
