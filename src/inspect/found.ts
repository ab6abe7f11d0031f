/** The types of findings, with their evidence, and of questions. */

/** A line of the file that proves something. */
export interface Evidence {
  /** The line, from 1; null for the file as a whole, or an answer of the user. */
  readonly line: number | null;
  /** The text in that line. */
  readonly text: string;
  /** Why, as a human-readable clause. */
  readonly because: string;
}

/** Something that was worked out or stated by the user. */
export interface Finding<Value> {
  readonly value: Value;
  readonly evidence: Evidence;
}

/** The subjects of questions; each is asked once. */
export const QUESTION_IDS = [
  'encoding',
  'delimiter',
  'header',
  'date',
  'dateFormat',
  'amount',
  'decimal',
  'moneyOut',
  'doubleEntry',
  'currency',
  'description',
  'contact',
  'accountCode',
  'externalId',
  'notRow',
] as const;
export type QuestionId = (typeof QUESTION_IDS)[number];

/** An option and its value, before quoting. */
export type Option = readonly [name: string, value: string];

/** One way to answer a question. */
export interface Choice {
  readonly option: Option;
  /** A second option that belongs to the same answer. */
  readonly and?: Option;
  readonly meaning: string;
}

/** A question about something that the file does not prove. */
export interface Question {
  readonly id: QuestionId;
  readonly text: string;
  /** Empty when only the user can know the answer. */
  readonly choices: readonly Choice[];
  /** How to give an answer that is not a choice, such as `--header LINE`. */
  readonly other?: string;
}

/** A finding, or the question instead of it. */
export type Answer<Value> =
  | (Finding<Value> & { readonly question?: undefined })
  | { readonly question: Question };

/** A finding that the user stated, which needs no proof. */
export function stated<Value>(value: Value, option: string): Finding<Value> {
  return { value, evidence: { line: null, text: '', because: `you set ${option}` } };
}

/** A text from the file in quotation marks, shortened to fit in a sentence. */
export function quote(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return `"${line.length > 44 ? `${line.slice(0, 43)}…` : line}"`;
}

/** An answer that makes no sense, or that the file contradicts. */
export class AnswerError extends Error {
  override readonly name = 'AnswerError';
}
