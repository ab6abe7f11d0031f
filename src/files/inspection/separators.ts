/** Finds the decimal and the thousands separator of a file. */

import { findCurrency } from '../../core/currencies.ts';
import { codesOf, currencyOfName } from '../values/currency-signs.ts';
import {
  DECIMAL_SIGNS,
  type DecimalSign,
  otherSign,
  type ThousandsSign,
} from '../values/decimals.ts';
import type { Columns } from './column-facts.ts';
import { findCurrencyColumn } from './currencies.ts';
import type { Context } from './facts.ts';
import {
  AnswerError,
  ask,
  choice,
  type Decision,
  isAsked,
  proven,
  quote,
  type Seen,
  show,
  stated,
} from './found.ts';
import type { NumberColumn } from './number-column.ts';

/** The separators of a file; undefined when no amount shows one. */
export interface Separators {
  readonly decimal: DecimalSign | undefined;
  readonly thousands: ThousandsSign | undefined;
}

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
  if (point !== undefined) return prove(columns, '.', point);
  if (comma !== undefined) return prove(columns, ',', comma);
  const either = firstSeen(columns, 'either');
  if (either !== undefined && isWithoutDecimals(amounts, { answers, facts })) {
    return prove(columns, either.text.includes('.') ? ',' : '.', either);
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

function firstSeen(columns: readonly NumberColumn[], kind: DecimalSign | 'either') {
  const all = columns.flatMap(({ decimals }) => decimals.get(kind) ?? []);
  return all.sort((one, other) => one.line - other.line)[0];
}

/** The thousands separator is set only if the file shows exactly one. */
function separatorsOf(
  columns: readonly NumberColumn[],
  decimal: DecimalSign | undefined,
): Separators {
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

function prove(columns: readonly NumberColumn[], decimal: DecimalSign, seen: Seen) {
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
