/**
 * What a user answers about a file, and what is found or asked. A door turns its own words into
 * answers: the command line its options, a page its form fields.
 */

import { count } from '../../core/counts.ts';
import type { RareField, RowField } from '../../core/row-members.ts';
import type { CsvRecord } from '../reading/csv-records.ts';
import type { Encoding } from '../text/encodings.ts';
import type { DateFormat } from '../values/date-formats.ts';
import type { DecimalSign } from '../values/decimals.ts';

/** What a column can be: a field of a row, or what the amount needs. */
export type ColumnUse = RowField | 'out' | 'in' | 'indicator' | 'currency';

/** One answer. A later one replaces an earlier one to the same question. */
export type Answer =
  /** Null if the file lacks the column. Push makes an externalId that is null. */
  | {
      readonly kind: 'column';
      readonly use: ColumnUse;
      readonly column: string | null;
      /** For `out` and `in`: the column has negative amounts. */
      readonly isTurned?: boolean;
    }
  | { readonly kind: 'encoding'; readonly encoding: Encoding }
  | { readonly kind: 'delimiter'; readonly delimiter: string }
  /** The sheet of a workbook; each account of a statement. */
  | { readonly kind: 'sheet'; readonly sheet: string }
  | { readonly kind: 'bankAccounts'; readonly bankAccount: string }
  /** Null without a header. */
  | { readonly kind: 'header'; readonly header: number | null }
  | { readonly kind: 'dateFormat'; readonly dateFormat: DateFormat }
  | { readonly kind: 'decimal'; readonly decimal: DecimalSign }
  /** `negative`, `positive`, a column, or words; the empty text is an amount without a mark. */
  | { readonly kind: 'moneyOut'; readonly moneyOut: string }
  | { readonly kind: 'currency'; readonly currency: string }
  /** Whether lines with this value are rows. */
  | { readonly kind: 'line'; readonly text: string; readonly isRow: boolean }
  /** Every line is a payment, also if they cancel each other out, or many will be rejected. */
  | { readonly kind: 'everyLine' };

export type AnswerOf<Kind extends Answer['kind']> = Extract<Answer, { readonly kind: Kind }>;

/** All answers about one file. */
export interface Answers {
  /** The last answer of each kind that can be given only once. */
  readonly last: { readonly [Kind in Exclude<Answer['kind'], 'column' | 'line'>]?: AnswerOf<Kind> };
  /** Several columns of the description are joined; any other use has one answer. */
  readonly columns: ReadonlyMap<ColumnUse, readonly AnswerOf<'column'>[]>;
  readonly lines: readonly AnswerOf<'line'>[];
}

/** Sorts answers by what they are about. */
export function collectAnswers(given: readonly Answer[]): Answers {
  const columns = new Map<ColumnUse, readonly AnswerOf<'column'>[]>();
  const lines: AnswerOf<'line'>[] = [];
  let last: Answers['last'] = {};
  for (const answer of given) {
    if (answer.kind === 'line') lines.push(answer);
    else if (answer.kind !== 'column') last = { ...last, [answer.kind]: answer };
    else {
      const { use, column } = answer;
      const before = use === 'description' && column !== null ? (columns.get(use) ?? []) : [];
      columns.set(use, [...before.filter((each) => each.column !== null), answer]);
    }
  }
  return { last, columns, lines };
}

/** The answer that a column of the file has this use. */
export function useColumn(use: ColumnUse, { title }: { readonly title: string }): Answer {
  return { kind: 'column', use, column: title };
}

/** A line of the file that proves something. */
export interface Proof {
  /** The line, from 1; null for the file as a whole. */
  readonly line: number | null;
  /** The text in that line. */
  readonly text: string;
  /** Why, as a human-readable clause. */
  readonly because: string;
  /** Other answers that are possible, if this is only what is usual. */
  readonly instead?: readonly Answer[];
  /** A use for which any other column can be chosen, if this is only what is usual. */
  readonly otherColumn?: ColumnUse;
}

/** Why a finding is right: the file proves it, the user said so, or nothing states it. */
export type Evidence =
  | Proof
  | { readonly said: readonly Answer[] }
  | { readonly missing: 'currency' | 'contact' | 'accountCode' | RareField };

/** Something that was worked out or stated by the user. */
export interface Finding<Value> {
  readonly value: Value;
  readonly evidence: Evidence;
}

/** The subjects of questions. */
export type QuestionKind =
  | 'encoding'
  | 'sheet'
  | 'bankAccounts'
  | 'delimiter'
  | 'header'
  | 'date'
  | 'dateFormat'
  | 'amount'
  | 'decimal'
  | 'moneyOut'
  | 'doubleEntry'
  | 'currency'
  | 'description'
  | 'contact'
  | 'accountCode'
  | 'notRow'
  | 'rejected';

/** One way to answer a question: an answer, or two that belong together. */
export interface Choice {
  readonly answers: readonly Answer[];
  /** What it means, if two lines do not show it. */
  readonly meaning?: string;
  /** Two lines as these answers would read them. */
  readonly examples?: readonly string[];
}

/** One thing to do when no choice is right; each door has its own words for it. */
export type OtherWay =
  | 'another amount'
  | 'whole units'
  | 'totals'
  | 'two amounts'
  | 'one currency'
  | 'any date'
  | 'any date format'
  | 'a date format with a year'
  | 'one account'
  | 'export as UTF-8'
  | 'any encoding'
  | 'indicator'
  | 'signs'
  | 'several words'
  | 'neither'
  | 'joined descriptions';

/** A question about something that the file does not prove. */
export interface Question {
  readonly kind: QuestionKind;
  readonly text: string;
  /** Empty when only the user can know the answer. */
  readonly choices: readonly Choice[];
  /** What to do when no choice is right, if anything. */
  readonly others: readonly OtherWay[];
  /** A record that the choices read differently, or the only lines that can show that. */
  readonly record?: CsvRecord | undefined;
  readonly lines?: readonly number[] | undefined;
}

/** Questions instead of a finding. */
export interface Asked {
  readonly questions: readonly Question[];
}

/** What a step works out, or the questions instead. */
export type StepOutcome<Found extends object> = Found | Asked;

/** A finding, or the questions instead. */
export type Decision<Value> = StepOutcome<Finding<Value>>;

/** One question as an outcome. */
export function ask(
  kind: QuestionKind,
  text: string,
  choices: readonly Choice[],
  ...others: readonly OtherWay[]
): Asked {
  return { questions: [{ kind, text, choices, others }] };
}

/** Adds the lines or the record of their examples to questions. */
export function about({ questions }: Asked, shown: Pick<Question, 'record' | 'lines'>): Asked {
  return { questions: questions.map((question) => ({ ...question, ...shown })) };
}

/** Whether a step has only questions. */
export function isAsked(outcome: object): outcome is Asked {
  return 'questions' in outcome;
}

export function choice(answer: Answer, meaning?: string): Choice {
  return { answers: [answer], ...(meaning === undefined ? {} : { meaning }) };
}

/** The proof by a line of the file, or by the file as a whole; `instead` if it is only usual. */
export function proof(seen: Seen | undefined, because: string, instead?: readonly Answer[]): Proof {
  return { line: seen?.line ?? null, text: seen?.text ?? '', because, ...(instead && { instead }) };
}

/** A finding that the file proves. */
export function proven<Value>(value: Value, seen: Seen | undefined, because: string) {
  return { value, evidence: proof(seen, because) };
}

/** A finding that the user stated, which needs no proof. */
export function stated<Value>(value: Value, ...said: readonly Answer[]): Finding<Value> {
  return { value, evidence: { said } };
}

/** A text worth showing, and its line. */
export interface Seen {
  readonly line: number;
  readonly text: string;
}

/** `line 3 has "Rent"`. */
export function show({ line, text }: Seen = { line: 0, text: '' }): string {
  return `line ${line} has ${quote(text)}`;
}

/** `Line 3 has`, or `2 lines (the first is 3) have`. */
export function linesHave(found: number, first = 0): string {
  return found === 1 ? `Line ${first} has` : `${count(found, 'line')} (the first is ${first}) have`;
}

/** A text from the file in quotation marks, shortened to fit in a sentence. */
export function quote(text: string, longest = 44): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return `"${line.length > longest ? `${line.slice(0, longest - 1)}…` : line}"`;
}

/** An answer that makes no sense, or that the file contradicts. */
export class AnswerError extends Error {
  override readonly name = 'AnswerError';
  /** The message continues its name; without it, the message is a sentence. */
  readonly answer: Answer | undefined;

  constructor(answer: Answer | undefined, message: string) {
    super(message);
    this.answer = answer;
  }
}

/** The names of columns in messages and in the mapping. */
export function titlesOf(columns: readonly { readonly title: string }[]): string[] {
  return columns.map(({ title }) => title);
}
