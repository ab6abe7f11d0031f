/** Finds the decimal and the thousands separator of a file. */

import type { DecimalSign, ThousandsSign } from '../rows/decimals.ts';
import type { Answers } from './answers.ts';
import { type Answer, AnswerError, type Evidence, type Question, quote, stated } from './found.ts';
import type { NumberColumn, Seen } from './number-column.ts';

/** The separators of a file; undefined when no amount shows one. */
export interface Signs {
  readonly decimal: DecimalSign | undefined;
  readonly thousands: ThousandsSign | undefined;
}

/** Works out the separators of columns together. Throws AnswerError for a wrong answer. */
export function inspectDecimal(columns: readonly NumberColumn[], answers: Answers): Answer<Signs> {
  const point = firstSeen(columns, '.');
  const comma = firstSeen(columns, ',');
  const either = firstSeen(columns, 'either');
  const { decimal } = answers;
  if (decimal !== undefined) {
    refuseWrong(decimal, point, comma);
    return stated(signsOf(columns, decimal), `--decimal ${decimal}`);
  }
  if (point !== undefined && comma !== undefined) return { question: askMixed(point, comma) };
  const sign = point !== undefined ? '.' : comma !== undefined ? ',' : undefined;
  const seen = point ?? comma;
  if (sign !== undefined && seen !== undefined) {
    return { value: signsOf(columns, sign), evidence: prove(sign, seen) };
  }
  if (either !== undefined) return { question: askEither(either) };
  const because = 'no amount has decimals or a thousands separator';
  const evidence = { line: null, text: '', because };
  return { value: signsOf(columns, undefined), evidence };
}

function firstSeen(columns: readonly NumberColumn[], kind: DecimalSign | 'either') {
  const all = columns.flatMap(({ decimals }) => decimals.get(kind) ?? []);
  return all.sort((one, other) => one.line - other.line)[0];
}

/** The thousands separator is set only if the file shows exactly one. */
function signsOf(columns: readonly NumberColumn[], decimal: DecimalSign | undefined): Signs {
  const seen = new Set<ThousandsSign>();
  for (const column of columns) {
    for (const sign of column.thousands.keys()) seen.add(sign);
    const either = column.decimals.get('either')?.text ?? '';
    const other = decimal === '.' ? ',' : '.';
    if (decimal !== undefined && either.includes(other)) seen.add(other);
  }
  if (decimal !== undefined) seen.delete(decimal);
  const [thousands] = seen;
  return { decimal, thousands: seen.size === 1 ? thousands : undefined };
}

function prove(decimal: DecimalSign, { line, text }: Seen): Evidence {
  const other = decimal === '.' ? ',' : '.';
  const name = decimal === '.' ? 'the point' : 'the comma';
  const isByOther = !text.includes(decimal);
  const why = isByOther
    ? `"${other}" separates thousands, so ${name} is the decimal separator`
    : `${name} can only be the decimal separator`;
  return { line, text, because: `line ${line} has ${quote(text)}: ${why}` };
}

function refuseWrong(decimal: DecimalSign, point: Seen | undefined, comma: Seen | undefined): void {
  const [own, other] = decimal === '.' ? [point, comma] : [comma, point];
  if (other === undefined || own !== undefined) return;
  const where = `line ${other.line} has ${quote(other.text)}`;
  throw new AnswerError(`--decimal ${decimal}: ${where}, which is not a number then.`);
}

function choices(sample: string) {
  const groups = sample.replace(/[^\d.,]/g, '');
  const whole = groups.replace(/[.,]/g, '');
  const plain = groups.replace(',', '.');
  return (['.', ','] as const).map((sign) => {
    const isDecimal = groups.includes(sign);
    const minus = /^[-\u2212]/.test(sample) ? '-' : '';
    const meaning = `${quote(sample)} is ${minus}${isDecimal ? plain : whole}`;
    return { option: ['decimal', sign] as const, meaning };
  });
}

function askEither({ line, text }: Seen): Question {
  const shown = `line ${line} has ${quote(text)}`;
  const sentence = `What is the decimal separator? No amount shows it: ${shown}.`;
  return { id: 'decimal', text: sentence, choices: choices(text) };
}

function askMixed(point: Seen, comma: Seen): Question {
  const shown = [point, comma].map(({ line, text }) => `line ${line} has ${quote(text)}`);
  const both = `Amounts have two different decimal separators: ${shown.join(', ')}`;
  const sentence = `${both}. Which one is right? Rows with the other are rejected.`;
  const meanings = { '.': point, ',': comma } as const;
  const ways = (['.', ','] as const).map((sign) => {
    return { option: ['decimal', sign] as const, meaning: `as in line ${meanings[sign].line}` };
  });
  return { id: 'decimal', text: sentence, choices: ways };
}
