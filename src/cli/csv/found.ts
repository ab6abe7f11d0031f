/** What an inspection finds, each with the line that proves it, and what it has to ask. */

/** A line of the file, and what it proves. */
export interface Evidence {
  /** The line, from 1; null where it is the file as a whole, or what a person said. */
  readonly line: number | null;
  /** What stands there. */
  readonly text: string;
  /** A sentence for people. */
  readonly because: string;
}

/** Something that was worked out, or said by a person. */
export interface Finding<Value> {
  readonly value: Value;
  readonly evidence: Evidence;
}

/** What questions are about; each is asked once. */
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

/** An option and its value, as they stand on the command line before quoting. */
export type Option = readonly [name: string, value: string];

/** One way to answer a question. */
export interface Choice {
  readonly option: Option;
  /** A second option, where one alone is half an answer. */
  readonly and?: Option;
  readonly meaning: string;
}

/** What the file does not prove. */
export interface Question {
  readonly id: QuestionId;
  readonly text: string;
  /** Nothing to choose from where only a person can know the answer. */
  readonly choices: readonly Choice[];
  /** How an answer is given that is not among the choices, such as `--header LINE`. */
  readonly other?: string;
}

/** A finding, or the question instead of it. */
export type Answer<Value> =
  | (Finding<Value> & { readonly question?: undefined })
  | { readonly question: Question };

/** What a person said: that needs no proof. */
export function stated<Value>(value: Value, option: string): Finding<Value> {
  return { value, evidence: { line: null, text: '', because: `you set ${option}` } };
}

/** A short text of a file, for a sentence. */
export function quote(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return `"${line.length > 44 ? `${line.slice(0, 43)}…` : line}"`;
}
