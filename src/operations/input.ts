/**
 * Reads what people type into any door: names, reasons, choices, dates, and the transactions that a
 * change is about.
 */

import { explainDate, isCalendarDate, readInstant } from '../core/calendar.ts';
import { Failure } from '../core/failures.ts';
import { CHARACTERS } from '../core/limits.ts';
import { findTextProblems, type TextProblem } from '../core/text.ts';
import type * as store from '../store/acts.ts';
import { requireNumber } from './access.ts';

/** Query parameters by name, as texts or as plain values. */
export type QueryInput = Readonly<
  Record<string, string | number | boolean | readonly string[] | undefined>
>;

/** An object with some members under other names. Object spread takes many times as long. */
export function renamed<Members extends object, Names extends Readonly<Record<string, string>>>(
  members: Members,
  names: Names,
) {
  const found: Record<string, unknown> = {};
  for (const name in members) found[names[name] ?? name] = members[name];
  return found as {
    readonly [Name in keyof Members as Name extends keyof Names
      ? Names[Name]
      : Name]: Members[Name];
  };
}

/** A trimmed name. Refuses with `invalid_input` if blank, too long or with control characters. */
export function readName(what: string, value: string): string {
  return readLine(what, value, CHARACTERS.name);
}

/** A trimmed text of one line. Refuses with `invalid_input`. */
export function readLine(what: string, value: string, maxCharacters: number): string {
  const text = value.trim();
  refuseProblem(what, findTextProblems(text, maxCharacters), maxCharacters);
  return text;
}

/**
 * A trimmed text of several lines, whose ends become LF, the only control characters that it can
 * contain. Refuses with `invalid_input` and a detail for the field.
 */
export function readProse(
  what: string,
  value: string,
  maxCharacters: number,
  field?: string,
): string {
  const text = value.replaceAll(/\r\n?/g, '\n').trim();
  const problems = findTextProblems(text.replaceAll('\n', ' '), maxCharacters);
  refuseProblem(what, problems, maxCharacters, field);
  return text;
}

function refuseProblem(
  what: string,
  [problem]: TextProblem[],
  maxCharacters: number,
  field?: string,
): void {
  if (problem === undefined) return;
  const message = {
    blank: `${what} cannot be blank.`,
    too_long: `${what} is longer than ${maxCharacters} characters. Shorten it.`,
    invalid_characters: `${what} contains a control character. Remove it.`,
  }[problem];
  const details = field === undefined ? [] : [{ field, code: problem, message }];
  throw new Failure('invalid_input', message, { details });
}

/** One of the values. Refuses with `invalid_input`. */
export function readChoice<const Value extends string>(
  what: string,
  value: string,
  values: readonly Value[],
): Value {
  const found = values.find((each) => each === value);
  if (found !== undefined) return found;
  const message = `${what} must be one of ${values.join(', ')}, not "${value}".`;
  throw new Failure('invalid_input', message);
}

/**
 * The milliseconds of a date (its start, or with `isThrough` its end, UTC) or an RFC 3339
 * date-time. Refuses with `invalid_input`.
 */
export function readMoment(what: string, text: string, isThrough = false): number {
  const isDay = isCalendarDate(text);
  const instantMs = isDay ? Date.parse(`${text}T00:00:00Z`) : readInstant(text);
  if (instantMs === undefined) throw new Failure('invalid_input', explainMoment(what, text));
  return isDay && isThrough ? instantMs + DAY_MS : instantMs;
}

const DAY_MS = 24 * 60 * 60 * 1000;

function explainMoment(what: string, text: string): string {
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return `${what} cannot be ${text}. ${explainDate(text)}`;
  const forms = '2026-01-31 or 2026-01-31T12:00:00Z';
  return `${what} must be a date or an RFC 3339 date-time, such as ${forms}, not "${text}".`;
}

export interface Target {
  readonly transactionId: string;
  /**
   * Its `updatedAtMs` when the caller saw it. The change is refused with `conflict` if it has moved
   * since; the refusal has the transaction as it is now. Absent: the change is made in any case.
   */
  readonly seenUpdatedAtMs?: number | undefined;
}

/** A target by its record number. Refuses a text that is not an identifier with `not_found`. */
export function readTarget({ transactionId, seenUpdatedAtMs }: Target): store.ActTarget {
  return { transactionId: requireNumber('txn', 'transaction', transactionId), seenUpdatedAtMs };
}
