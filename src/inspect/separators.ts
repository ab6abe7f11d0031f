/** Finds the decimal and the thousands separator of a file. */

import type { DecimalSign, ThousandsSign } from '../rows/decimals.ts';
import type { AnswerOf, Answers } from './answers.ts';
import type { ColumnFacts } from './column-facts.ts';
import {
  AnswerError,
  ask,
  choice,
  type Decision,
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
  amounts: readonly ColumnFacts[],
  answers: Answers,
): Decision<Separators> {
  const columns = amounts.map(({ numbers }) => numbers);
  const point = firstSeen(columns, '.');
  const comma = firstSeen(columns, ',');
  const said = answers.last.decimal;
  if (said !== undefined) {
    refuseWrong(said, point, comma);
    return stated(separatorsOf(columns, said.decimal), said);
  }
  if (point !== undefined && comma !== undefined) return askMixed({ '.': point, ',': comma });
  const seen = point ?? comma;
  if (seen !== undefined) return prove(columns, point === undefined ? ',' : '.', seen);
  const either = firstSeen(columns, 'either');
  if (either !== undefined) return askEither(either);
  const because = 'no amount has decimals or a thousands separator';
  return proven(separatorsOf(columns, undefined), undefined, because);
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
  const seen = new Set<ThousandsSign>();
  for (const column of columns) {
    for (const sign of column.thousands.keys()) seen.add(sign);
    const either = column.decimals.get('either')?.text ?? '';
    if (decimal !== undefined && either.includes(otherThan(decimal))) seen.add(otherThan(decimal));
  }
  if (decimal !== undefined) seen.delete(decimal);
  const [thousands] = seen;
  return { decimal, thousands: seen.size === 1 ? thousands : undefined };
}

function otherThan(decimal: DecimalSign): DecimalSign {
  return decimal === '.' ? ',' : '.';
}

function prove(columns: readonly NumberColumn[], decimal: DecimalSign, seen: Seen) {
  const name = decimal === '.' ? 'the point' : 'the comma';
  const why = seen.text.includes(decimal)
    ? `${name} can only be the decimal separator`
    : `"${otherThan(decimal)}" separates thousands, so ${name} is the decimal separator`;
  return proven(separatorsOf(columns, decimal), seen, `${show(seen)}: ${why}`);
}

function refuseWrong(
  said: AnswerOf<'decimal'>,
  point: Seen | undefined,
  comma: Seen | undefined,
): void {
  const { decimal } = said;
  const [own, other] = decimal === '.' ? [point, comma] : [comma, point];
  if (other === undefined || own !== undefined) return;
  const message = ` ${decimal}: ${show(other)}, which is not a number then.`;
  throw new AnswerError(said, message);
}

/** A choice for each separator, with what it would mean. */
function askSign(text: string, meaningOf: (decimal: DecimalSign) => string) {
  const choices = (['.', ','] as const).map((decimal) => {
    return choice({ kind: 'decimal', decimal }, meaningOf(decimal));
  });
  return ask('decimal', text, choices);
}

function askEither(seen: Seen) {
  const groups = seen.text.replace(/[^\d.,]/g, '');
  const minus = /^[-\u2212]/.test(seen.text) ? '-' : '';
  const text = `What is the decimal separator? No amount shows it: ${show(seen)}.`;
  return askSign(text, (decimal) => {
    const isDecimal = groups.includes(decimal);
    const number = isDecimal ? groups.replace(',', '.') : groups.replace(/[.,]/g, '');
    return `${quote(seen.text)} is ${minus}${number}`;
  });
}

function askMixed(seen: Readonly<Record<DecimalSign, Seen>>) {
  const shown = [seen['.'], seen[',']].map(show).join(', ');
  const both = `Amounts have two different decimal separators: ${shown}`;
  const text = `${both}. Which one is right? Rows with the other are rejected.`;
  return askSign(text, (decimal) => `as in line ${seen[decimal].line}`);
}
