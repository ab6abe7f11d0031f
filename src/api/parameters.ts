/**
 * Query parameters: each kind reads its text and describes what it expects. A route lists its
 * parameters. A request with an unknown one is refused, and so is a repeated one unless it is a
 * list (contract 2, step 7).
 */

import { explainDate, isCalendarDate, readInstant } from '../core/calendar.ts';
import { Failure } from '../core/failures.ts';
import {
  FIRST_YEAR,
  LAST_YEAR,
  LIST_ITEMS,
  PAGE_ITEMS,
  PAGE_ITEMS_DEFAULT,
  PARAMETER_ERRORS,
} from '../core/limits.ts';

/** One kind of parameter: how its text is read, and how the interface documents it. */
export interface Parameter<Value> {
  /** The value, or undefined if the text is wrong. */
  read(text: string): Value | undefined;
  /** Whether it can be repeated: `status=a&status=b` means `status=a,b`. */
  readonly isList?: true;
  /** Describes a valid text. Ends the sentence "… must be". */
  readonly expects: string;
  /** The end of a message about a wrong text, when there is a better reason than `expects`. */
  explain?(text: string): string | undefined;
  /** Its JSON Schema, for the OpenAPI document. */
  readonly schema: Readonly<Record<string, unknown>>;
}

/** The parameters of a route by name. */
export type Parameters = Readonly<Record<string, Parameter<unknown>>>;

/** The values of parameters; undefined for each one that was not sent. */
export type Values<Known extends Parameters> = {
  readonly [Name in keyof Known]: Known[Name] extends Parameter<infer Value>
    ? Value | undefined
    : never;
};

/** Query parameters as sent, in order, with repetitions. */
export type Query = readonly (readonly [name: string, value: string])[];

/** Reads a query. Refuses with `invalid_parameter`, with a detail for each wrong parameter. */
export function readParameters<Known extends Parameters>(
  known: Known,
  query: Query,
): Values<Known> {
  if (query.length === 0) return {} as Values<Known>;
  const texts = new Map<string, string[]>();
  for (const [name, text] of query) {
    const given = texts.get(name);
    if (given === undefined) texts.set(name, [text]);
    else given.push(text);
  }
  const values: Record<string, unknown> = {};
  const problems = new Map<string, string>();
  for (const [name, given] of texts) {
    const parameter = Object.hasOwn(known, name) ? known[name] : undefined;
    if (parameter === undefined) problems.set(name, unknownMessage(known));
    else if (given.length > 1 && parameter.isList !== true) {
      problems.set(name, 'must be sent only once.');
    } else {
      const text = given.join(',');
      const value = parameter.read(text);
      values[name] = value;
      if (value === undefined) problems.set(name, problemOf(parameter, text));
    }
  }
  const details = [...problems].map(([field, message]) => {
    return { field, code: 'invalid_parameter', message };
  });
  const [first] = details;
  if (first !== undefined) {
    const message = `Query parameter ${first.field} ${first.message}`;
    const shown = details.slice(0, PARAMETER_ERRORS);
    throw new Failure('invalid_parameter', message, { details: shown });
  }
  return values as Values<Known>;
}

/** Any text that is not empty. */
export const text: Parameter<string> = {
  read: (value) => (value === '' ? undefined : value),
  expects: 'a text with at least one character',
  explain: () => 'must not be empty.',
  schema: { type: 'string', minLength: 1 },
};

/** A calendar date. */
export const calendarDate: Parameter<string> = {
  read: (value) => (isCalendarDate(value) ? value : undefined),
  expects: `a date as YYYY-MM-DD, in the years ${FIRST_YEAR} to ${LAST_YEAR}`,
  explain: explainWrongDate,
  schema: { type: 'string', format: 'date' },
};

function explainWrongDate(date: string): string {
  return `must be a real date. ${explainDate(date)}`;
}

/** A date-time with an offset, as milliseconds. */
export const instant: Parameter<number> = {
  read: readInstant,
  expects: 'an RFC 3339 date-time with an offset, such as 2026-01-31T12:00:00Z',
  explain: (value) => {
    const [date = '', time] = value.split(/[Tt]/, 2);
    const isBare = time === undefined || !/^\d{4}-\d{2}-\d{2}$/.test(date);
    return isBare || isCalendarDate(date) ? undefined : explainWrongDate(date);
  },
  schema: { type: 'string', format: 'date-time' },
};

/** `true` or `false`. */
export const flag: Parameter<boolean> = {
  read: (value) => (value === 'true' ? true : value === 'false' ? false : undefined),
  expects: 'true or false',
  schema: { type: 'boolean' },
};

/** The number of items on a page. */
export const limit: Parameter<number> = {
  read: (value) => {
    const number = /^\d{1,4}$/.test(value) ? Number(value) : 0;
    return number >= 1 && number <= PAGE_ITEMS ? number : undefined;
  },
  expects: `a whole number from 1 to ${PAGE_ITEMS}`,
  schema: { type: 'integer', minimum: 1, maximum: PAGE_ITEMS, default: PAGE_ITEMS_DEFAULT },
};

/** One value of a closed list. */
export function choice<const Value extends string>(values: readonly Value[]): Parameter<Value> {
  return {
    read: (value) => values.find((each) => each === value),
    expects: `one of ${values.join(', ')}`,
    schema: { type: 'string', enum: values },
  };
}

/** Values of one kind, separated by commas or repeated. Their order does not matter. */
function list<Value extends string>(
  { read, schema }: Parameter<Value>,
  expects: string,
  maxItems: number,
): Parameter<Value[]> {
  return {
    isList: true,
    read: (text) => {
      const parts = text.split(',');
      if (parts.length > maxItems) return undefined;
      const values = new Set<Value>();
      for (const part of parts) {
        const value = read(part);
        if (value === undefined) return undefined;
        values.add(value);
      }
      return [...values].sort();
    },
    expects,
    explain: (text) => {
      const items = text.split(',').length;
      return items > maxItems ? `must have at most ${maxItems} values, not ${items}.` : undefined;
    },
    schema: { type: 'array', items: schema, minItems: 1, maxItems },
  };
}

/** One or more values of a closed list. */
export function choices<const Value extends string>(values: readonly Value[]): Parameter<Value[]> {
  const expects = `one or more of ${values.join(', ')}, separated by commas or repeated`;
  return list(choice(values), expects, LIST_ITEMS);
}

/** An identifier of one kind. An unknown one matches nothing. */
export const identifier: Parameter<string> = {
  read: (value) => (value === '' ? undefined : value),
  expects: 'an identifier',
  schema: { type: 'string', minLength: 1 },
};

/** Several identifiers. */
export const identifiers: Parameter<string[]> = list(
  identifier,
  `1 to ${LIST_ITEMS} identifiers, separated by commas or repeated`,
  LIST_ITEMS,
);

function problemOf(parameter: Parameter<unknown>, text: string): string {
  return parameter.explain?.(text) ?? `must be ${parameter.expects}.`;
}

function unknownMessage(known: Parameters): string {
  const names = Object.keys(known);
  if (names.length === 0) return 'is unknown. This endpoint has no parameters.';
  return `is unknown. This endpoint accepts ${names.join(', ')}.`;
}
