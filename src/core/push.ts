/**
 * Reads one row of a push (from `unknown` to a valid row or its errors), then decides what changes
 * in the stored transaction (contract 6). Pure: the store does the reading and writing.
 */

import { explainDate, isCalendarDate } from './calendar.ts';
import { checks } from './checks.js';
import type { Currency } from './currencies.ts';
import { AMOUNT_MINOR, REPORTED } from './limits.ts';
import { formatAmount, toMinor } from './money.ts';
import {
  type ChangeableField,
  changedFields,
  isOptional,
  OPTIONAL_FIELDS,
  ROW_FIELDS,
  ROW_MEMBERS,
  type RowField,
  type ValidRow,
} from './row-members.ts';
import { findProseProblems, findTextProblems, shortened, type TextProblem } from './text.ts';
import { JOURNAL_MARKS, type Review, VOID_MARKS } from './transactions.ts';

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
  'currency_mismatch',
  'voided_row',
] as const;
type RowErrorCode = (typeof ROW_ERROR_CODES)[number];

/** What a warning about an accepted row can be (contract 6). */
export const ROW_WARNING_CODES = [
  'duplicate_in_batch',
  'other_provider',
  'other_key',
  'recoded',
  'unknown_field',
] as const;
type RowWarningCode = (typeof ROW_WARNING_CODES)[number];

/** The currency of an organisation's books, as far as a row needs it. */
interface RowCurrency extends Pick<Currency, 'places'> {
  /** Undefined if it is not known: then a row may have any. */
  readonly code?: string | undefined;
}

/** How much of a wrong currency a message shows. */
const SHOWN_UNITS = 20;

export interface RowError {
  readonly field: string | null;
  readonly code: RowErrorCode;
  readonly message: string;
}

export interface RowWarning {
  readonly field: string | null;
  readonly code: RowWarningCode;
  readonly message: string;
}

/** The result of reading a row: the row, also as it was sent, and its warnings; or its errors. */
type RowReading =
  | { readonly row: ValidRow; readonly sent: object; readonly warnings: RowWarning[] }
  | { readonly row?: undefined; readonly errors: RowError[] };

/** The parts of a stored transaction that a push needs for its decision. */
export interface StoredRow {
  readonly row: Omit<ValidRow, 'externalId'>;
  readonly allocatedMinor: number;
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

/** Reads one row of a push into the books of an organisation with this currency (contract 6). */
export function readRow(value: unknown, currency: RowCurrency): RowReading {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { errors: [rowError(null, 'not_an_object', 'The row must be a JSON object.')] };
  }
  const row = tidyRow(value);
  const others = readOthers(value, currency);
  const isValid = checks.PushRow(row);
  const amountMinor = isValid ? toMinor(row.amount, currency.places) : undefined;
  if (!isValid || typeof amountMinor !== 'number' || others.errors.length > 0) {
    const errors = [...explainRow(row, currency.places), ...others.errors];
    return { errors: errors.slice(0, REPORTED.rowErrors) };
  }
  const { externalId, date, description, contact = null, accountCode = null } = row;
  const { reference = null, bankAccount = null, projectCode = null } = row;
  return {
    row: {
      externalId,
      date,
      description,
      contact,
      amountMinor,
      accountCode,
      reference,
      bankAccount,
      projectCode,
    },
    sent: value,
    warnings: others.warnings,
  };
}

/** The externalId to show for a row: any string, even an invalid one; else null. */
export function shownExternalId(value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return null;
  const id = own(value, 'externalId');
  return typeof id === 'string' ? id : null;
}

/**
 * What a valid row changes in the transaction stored under its externalId, and whether that needs
 * review (Spec 3, 4.6), which begins at `nowMs`. An open review stays open and keeps its first
 * previous amount.
 */
export function decideUpdate(stored: StoredRow, row: ValidRow, nowMs: number) {
  const changed = changedFields(stored.row, row);
  if (stored.review !== null || stored.allocatedMinor === 0 || !changed.includes('amount')) {
    return { changed, review: stored.review };
  }
  return { changed, review: { previousMinor: stored.row.amountMinor, changedAtMs: nowMs } };
}

/** The page about payments that change, for messages about a row of one. */
const GUIDE = 'see docs/corrections.md';

/** The warnings that need the batch or the database. `about`: the other provider, or the field. */
const MESSAGES = {
  duplicate_in_batch: () =>
    'An earlier row of this batch has the same externalId. This row replaces it.',
  other_provider: (about: string) =>
    `The provider ${about} already has a transaction with this externalId. If both are the same ` +
    'cash movement, exclude one of them.',
  other_key: () =>
    'Another key created or changed this transaction last. If these are two systems that use the ' +
    'same numbers, put the name of the system before each externalId.',
  recoded: (about: string) =>
    `${about} has changed since the payment was allocated. It stays on its budget lines until ` +
    `a person settles it: ${GUIDE}.`,
} satisfies Partial<Record<RowWarningCode, (about: string) => string>>;

/**
 * The warnings of a row with another one in front: that an earlier row of its batch has the same
 * externalId, that another provider has it, that another key has changed the transaction last, or
 * that this field has changed since it was allocated.
 */
export function withWarning(
  code: keyof typeof MESSAGES,
  warnings: readonly RowWarning[],
  about = 'externalId',
): RowWarning[] {
  const field = code === 'recoded' ? about : 'externalId';
  const first = { field, code, message: MESSAGES[code](about) };
  return [first, ...warnings].slice(0, REPORTED.rowWarnings);
}

/** A copy of a row, with the white space around its texts removed. */
export function tidyRow(value: object): object {
  const row = copyRow(value);
  const description = row['description'];
  if (typeof description === 'string') row['description'] = tidyProse(description);
  for (const field of OPTIONAL_FIELDS) {
    const text = row[field];
    if (typeof text === 'string') row[field] = text.trim() || null;
  }
  return row;
}

/**
 * Copying all of a row takes a third of the time of choosing its members, but a row may have
 * thousands of others.
 */
function copyRow(value: object): Record<string, unknown> {
  if (Object.keys(value).length <= 2 * ROW_FIELDS.length) return { ...value };
  const row: Record<string, unknown> = {};
  for (const field of ROW_FIELDS) {
    if (Object.hasOwn(value, field)) row[field] = Reflect.get(value, field);
  }
  return row;
}

function tidyProse(text: string): string {
  // Trim first: a text of only line ends can be as long as the body.
  const trimmed = text.trim();
  return trimmed.includes('\r') ? trimmed.replace(/\r\n?/g, '\n') : trimmed;
}

/** What is wrong with the members of a tidy row: nothing if its check and its amount are right. */
export function explainRow(row: object, places: number): RowError[] {
  return ROW_FIELDS.flatMap((field) => explainField(field, own(row, field), places));
}

function explainField(field: RowField, value: unknown, places: number): RowError[] {
  if (value === undefined || value === null) {
    return isOptional(field) ? [] : [rowError(field, 'required', `${field} is required.`)];
  }
  if (field === 'amount') return explainAmount(value, places);
  if (typeof value !== 'string') {
    const message = `${field} must be a string${isOptional(field) ? ' or null' : ''}.`;
    return [rowError(field, 'invalid_type', message)];
  }
  if (field === 'date') {
    return isCalendarDate(value) ? [] : [rowError(field, 'invalid_date', explainDate(value))];
  }
  const max = ROW_MEMBERS[field].most;
  const find = ROW_MEMBERS[field].kind === 'prose' ? findProseProblems : findTextProblems;
  return find(value, max).map((each) => rowError(field, each, TEXT_MESSAGES[each](field, max)));
}

function explainAmount(value: unknown, places: number): RowError[] {
  if (typeof value !== 'number') {
    const message = 'amount must be a JSON number, without quotation marks.';
    return [rowError('amount', 'invalid_type', message)];
  }
  const minor = toMinor(value, places);
  if (typeof minor === 'number') return [];
  const largest = formatAmount(AMOUNT_MINOR, places);
  const message =
    minor === 'amount_precision'
      ? `amount has more than the currency's ${places} decimal places. Round it at the source.`
      : `amount must be from -${largest} to ${largest}.`;
  return [rowError('amount', minor, message)];
}

/** The members of a row that no transaction has: what is wrong with them, and what is unknown. */
function readOthers(row: object, { code }: RowCurrency) {
  const errors: RowError[] = [];
  const warnings: RowWarning[] = [];
  for (const name of Object.keys(row)) {
    if (MEMBERS.has(name)) continue;
    const value: unknown = Reflect.get(row, name);
    if (name === 'currency') errors.push(...explainCurrency(value, code));
    else if (JOURNAL_LINE.has(name)) {
      if (value === null || value === undefined) continue;
      const message =
        `${name} belongs to a journal line. Push cash movements only, a split one as a row for ` +
        `each part: ${GUIDE}.`;
      errors.push(rowError(name, 'journal_line', message));
    } else if (value === true && VOIDED.has(name)) {
      if (Reflect.get(row, 'amount') === 0) continue;
      const message =
        `${name} marks the payment as deleted or voided. Push the row with amount 0, and with ` +
        `its date and description: ${GUIDE}.`;
      errors.push(rowError(name, 'voided_row', message));
    } else if (warnings.length < REPORTED.rowWarnings) {
      const message = 'This member is unknown. It is kept as raw data only.';
      const field = shortened(name, SHOWN_CHARACTERS);
      warnings.push({ field, code: 'unknown_field', message });
    }
  }
  return { errors, warnings };
}

/** Of the name of an unknown member: what a row says about it may not be as long as the row. */
const SHOWN_CHARACTERS = 100;

const MEMBERS = new Set<string>(ROW_FIELDS);
const JOURNAL_LINE = new Set<string>(JOURNAL_MARKS);
const VOIDED = new Set<string>(VOID_MARKS);

function explainCurrency(value: unknown, code: string | undefined): RowError[] {
  if (value === undefined || value === null) return [];
  if (typeof value !== 'string') {
    return [rowError('currency', 'invalid_type', 'currency must be a string or null.')];
  }
  const sent = value.trim();
  const isSame = () => {
    if (sent.length !== code?.length) return false;
    return sent.replace(/[a-z]/g, (letter) => letter.toUpperCase()) === code;
  };
  if (sent === '' || code === undefined || isSame()) return [];
  const message =
    `currency is ${shortened(sent, SHOWN_UNITS)}, but this organisation's budgets are in ` +
    `${code}. Push the amount in ${code}: what the bank account was debited or credited with.`;
  return [rowError('currency', 'currency_mismatch', message)];
}

const TEXT_MESSAGES: Record<TextProblem, (field: string, maxCharacters: number) => string> = {
  blank: (field) => `${field} is empty or only white space.`,
  too_long: (field, max) => `${field} is longer than ${max} characters.`,
  invalid_characters: (field) =>
    `${field} contains a control character or half of a surrogate pair. Remove it at the source.`,
};

function own(row: object, name: string): unknown {
  return Object.hasOwn(row, name) ? Reflect.get(row, name) : undefined;
}

function rowError(field: string | null, code: RowErrorCode, message: string): RowError {
  return { field, code, message };
}
