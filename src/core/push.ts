/**
 * Reads one row of a push (from `unknown` to a valid row or its errors), then decides what changes
 * in the stored transaction (contract 6). Pure: the store does the reading and writing.
 */

import { explainDate, isCalendarDate } from './calendar.ts';
import {
  ACCOUNT_CODE_CHARACTERS,
  AMOUNT_MINOR,
  CONTACT_CHARACTERS,
  DESCRIPTION_CHARACTERS,
  EXTERNAL_ID_CHARACTERS,
  ROW_ERRORS,
  ROW_WARNINGS,
} from './limits.ts';
import { formatAmount, readAmount } from './money.ts';
import { findProseProblems, findTextProblems, type TextProblem } from './text.ts';
import type { Provider, Review } from './transactions.ts';

/** The members of a pushed row, in the order of their errors (Spec 2.5). */
export const ROW_FIELDS = [
  'externalId',
  'date',
  'description',
  'contact',
  'accountCode',
  'amount',
] as const;
export type RowField = (typeof ROW_FIELDS)[number];

/** Members of a journal line, which is not a cash movement (Spec 2.5). */
export const JOURNAL_MARKS = [
  'debit',
  'credit',
  'journalId',
  'journalNumber',
  'journalLines',
  'lines',
] as const;

/** Why a row is rejected (contract 6). */
export const ROW_ERROR_CODES = [
  'not_an_object',
  'required',
  'invalid_type',
  'blank',
  'too_long',
  'invalid_characters',
  'invalid_date',
  'amount_precision',
  'amount_out_of_range',
  'journal_line',
] as const;
export type RowErrorCode = (typeof ROW_ERROR_CODES)[number];

/** What a warning about an accepted row can be (contract 6). */
export const ROW_WARNING_CODES = ['duplicate_in_batch', 'other_provider', 'unknown_field'] as const;
export type RowWarningCode = (typeof ROW_WARNING_CODES)[number];

/** One error of a row. */
export interface RowError {
  readonly field: string | null;
  readonly code: RowErrorCode;
  readonly message: string;
}

/** One warning of a row. */
export interface RowWarning {
  readonly field: string | null;
  readonly code: RowWarningCode;
  readonly message: string;
}

/** A row without errors. */
export interface ValidRow {
  readonly externalId: string;
  readonly date: string;
  readonly description: string;
  readonly contact: string | null;
  readonly accountCode: string | null;
  readonly amountMinor: number;
}

/** The result of reading a row: the row and its warnings, or its errors. */
export type RowReading =
  | { readonly row: ValidRow; readonly warnings: RowWarning[] }
  | { readonly row?: undefined; readonly errors: RowError[] };

/** The members that `changed` can name in a result (contract 6). */
export const CHANGEABLE_FIELDS = [
  'date',
  'description',
  'contact',
  'amount',
  'accountCode',
] as const;
export type ChangeableField = (typeof CHANGEABLE_FIELDS)[number];

/** The parts of a stored transaction that a push needs for its decision. */
export interface StoredRow extends Omit<ValidRow, 'externalId'> {
  readonly allocatedMinor: number;
  readonly review: Review | null;
}

/** What a row changes in a stored transaction. */
export interface UpdateDecision {
  readonly changed: ChangeableField[];
  /** The review after this row; a new one begins at `nowMs`. */
  readonly review: Review | null;
}

/** The result of one row (Spec 2.6, contract 6). */
export type PushResult =
  | {
      index: number;
      externalId: string;
      status: 'created' | 'updated';
      /** Null only in a dry run, for a row that would be created. */
      id: string | null;
      needsReview: boolean;
      changed: ChangeableField[];
      warnings: RowWarning[];
    }
  | { index: number; externalId: string | null; status: 'rejected'; errors: RowError[] };

/** The counts of a push (contract 6). */
export interface PushMeta {
  received: number;
  created: number;
  updated: number;
  /** The updated rows in which nothing changed. */
  unchanged: number;
  rejected: number;
  needsReview: number;
  /** The accepted rows with a warning. */
  warnings: number;
  dryRun: boolean;
}

/** Reads one row of a push (contract 6). `places`: the decimal places of the currency. */
export function readRow(value: unknown, places: number): RowReading {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { errors: [rowError(null, 'not_an_object', 'The row must be a JSON object.')] };
  }
  const members = new RowMembers(value);
  const row = {
    externalId: members.readText('externalId', EXTERNAL_ID_CHARACTERS),
    date: members.readDate(),
    description: members.readDescription(),
    contact: members.readOptional('contact', CONTACT_CHARACTERS),
    accountCode: members.readOptional('accountCode', ACCOUNT_CODE_CHARACTERS),
    amountMinor: members.readAmount(places),
  };
  members.refuseJournalMarks();
  if (members.errors.length > 0) return { errors: members.errors.slice(0, ROW_ERRORS) };
  return { row, warnings: members.findUnknown() };
}

/** The externalId to show for a row: any string, even an invalid one; else null. */
export function shownExternalId(value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return null;
  const id = Object.hasOwn(value, 'externalId') ? Reflect.get(value, 'externalId') : null;
  return typeof id === 'string' ? id : null;
}

/**
 * What a valid row changes in the transaction stored under its externalId, and whether that needs
 * review (Spec 3, 4.6). An open review stays open and keeps its first previous amount.
 */
export function decideUpdate(stored: StoredRow, row: ValidRow, nowMs: number): UpdateDecision {
  const changed: ChangeableField[] = [];
  if (stored.date !== row.date) changed.push('date');
  if (stored.description !== row.description) changed.push('description');
  if (stored.contact !== row.contact) changed.push('contact');
  if (stored.amountMinor !== row.amountMinor) changed.push('amount');
  if (stored.accountCode !== row.accountCode) changed.push('accountCode');
  if (stored.review !== null || stored.allocatedMinor === 0 || !changed.includes('amount')) {
    return { changed, review: stored.review };
  }
  return { changed, review: { previousMinor: stored.amountMinor, changedAtMs: nowMs } };
}

/** The warnings of a row when an earlier row of its batch has the same externalId. */
export function withDuplicate(warnings: readonly RowWarning[]): RowWarning[] {
  const message = 'An earlier row of this batch has the same externalId. This row replaces it.';
  return withFirst('duplicate_in_batch', message, warnings);
}

/** The warnings of a new row when `provider` already has one with the same externalId. */
export function withOtherProvider(
  provider: Provider,
  warnings: readonly RowWarning[],
): RowWarning[] {
  const message =
    `The provider ${provider} already has a transaction with this externalId. If both are the ` +
    'same cash movement, exclude one of them.';
  return withFirst('other_provider', message, warnings);
}

function withFirst(
  code: RowWarningCode,
  message: string,
  warnings: readonly RowWarning[],
): RowWarning[] {
  return [{ field: 'externalId', code, message }, ...warnings].slice(0, ROW_WARNINGS);
}

/** Reads the members of one row and collects their errors. */
class RowMembers {
  readonly errors: RowError[] = [];
  readonly #members: object;

  constructor(members: object) {
    this.#members = members;
  }

  readText(field: RowField, maxCharacters: number): string {
    const text = this.#readRequired(field);
    if (typeof text === 'string') {
      this.#refuse(field, findTextProblems(text, maxCharacters), maxCharacters);
      return text;
    }
    return '';
  }

  readDescription(): string {
    const text = this.#readRequired('description');
    if (typeof text !== 'string') return '';
    // Trim first: a text of only line ends can be as long as the body.
    const trimmed = text.trim().replace(/\r\n?/g, '\n');
    const problems = findProseProblems(trimmed, DESCRIPTION_CHARACTERS);
    this.#refuse('description', problems, DESCRIPTION_CHARACTERS);
    return trimmed;
  }

  readDate(): string {
    const date = this.#readRequired('date');
    if (typeof date !== 'string') return '';
    if (!isCalendarDate(date)) this.#add('date', 'invalid_date', explainDate(date));
    return date;
  }

  readOptional(field: RowField, maxCharacters: number): string | null {
    const value = this.#own(field);
    if (value === undefined || value === null) return null;
    if (typeof value !== 'string') {
      this.#add(field, 'invalid_type', `${field} must be a string or null.`);
      return null;
    }
    const text = value.trim();
    if (text === '') return null;
    this.#refuse(field, findTextProblems(text, maxCharacters), maxCharacters);
    return text;
  }

  readAmount(places: number): number {
    const value = this.#own('amount');
    if (value === undefined || value === null) {
      this.#add('amount', 'required', 'amount is required.');
      return 0;
    }
    if (typeof value !== 'number') {
      this.#add('amount', 'invalid_type', 'amount must be a JSON number, without quotation marks.');
      return 0;
    }
    const minor = readAmount(value, places);
    if (typeof minor === 'number') return minor;
    const largest = formatAmount(AMOUNT_MINOR, places);
    const message =
      minor === 'amount_precision'
        ? `amount has more than the currency's ${places} decimal places. Round it at the source.`
        : `amount must be from -${largest} to ${largest}.`;
    this.#add('amount', minor, message);
    return 0;
  }

  refuseJournalMarks(): void {
    for (const mark of JOURNAL_MARKS) {
      const value = this.#own(mark);
      if (value === undefined || value === null) continue;
      const message = `${mark} belongs to a journal line. Push cash movements only.`;
      this.#add(mark, 'journal_line', message);
    }
  }

  findUnknown(): RowWarning[] {
    const warnings: RowWarning[] = [];
    for (const name of Object.keys(this.#members)) {
      if (KNOWN_MEMBERS.has(name)) continue;
      if (warnings.length === ROW_WARNINGS) break;
      const message = 'This member is unknown. It is kept as raw data only.';
      warnings.push({ field: name, code: 'unknown_field', message });
    }
    return warnings;
  }

  #readRequired(field: RowField): string | undefined {
    const value = this.#own(field);
    if (typeof value === 'string') return value;
    if (value === undefined || value === null) {
      this.#add(field, 'required', `${field} is required.`);
    } else {
      this.#add(field, 'invalid_type', `${field} must be a string.`);
    }
    return undefined;
  }

  #own(name: string): unknown {
    return Object.hasOwn(this.#members, name) ? Reflect.get(this.#members, name) : undefined;
  }

  #refuse(field: RowField, problems: readonly TextProblem[], maxCharacters: number): void {
    for (const problem of problems) {
      this.#add(field, problem, TEXT_MESSAGES[problem](field, maxCharacters));
    }
  }

  #add(field: string, code: RowErrorCode, message: string): void {
    this.errors.push(rowError(field, code, message));
  }
}

const KNOWN_MEMBERS = new Set<string>([...ROW_FIELDS, ...JOURNAL_MARKS]);

const TEXT_MESSAGES: Record<TextProblem, (field: string, maxCharacters: number) => string> = {
  blank: (field) => `${field} is empty or only white space.`,
  too_long: (field, max) => `${field} is longer than ${max} characters.`,
  invalid_characters: (field) =>
    `${field} contains a control character or half of a surrogate pair. Remove it at the source.`,
};

function rowError(field: string | null, code: RowErrorCode, message: string): RowError {
  return { field, code, message };
}
