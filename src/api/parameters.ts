/**
 * Query parameters: each kind reads its text once and says what it expects. A route lists the ones
 * it knows; an unknown one, or one given twice, is refused, never ignored (contract 2, step 7).
 */

import { isCalendarDate, readInstant } from '../core/calendar.ts';
import { Failure } from '../core/failures.ts';
import { type IdPrefix, readId } from '../core/ids.ts';
import { PAGE_ITEMS, PAGE_ITEMS_DEFAULT, PARAMETER_ERRORS } from '../core/limits.ts';

/** One kind of parameter: how its text is read, and how the interface documents it. */
export interface Parameter<Value> {
  /** The value, or undefined when the text is not one. */
  read(text: string): Value | undefined;
  /** What a right text is, to end the sentence "… must be". */
  readonly expects: string;
  /** Its JSON Schema, for the OpenAPI document. */
  readonly schema: Readonly<Record<string, unknown>>;
}

/** The parameters of a route by name. */
export type Parameters = Readonly<Record<string, Parameter<unknown>>>;

/** What reading parameters gives: each one's value, or undefined when it was not sent. */
export type Values<Known extends Parameters> = {
  readonly [Name in keyof Known]: Known[Name] extends Parameter<infer Value>
    ? Value | undefined
    : never;
};

/** Query parameters as they came, in order, repeated ones repeated. */
export type Query = readonly (readonly [name: string, value: string])[];

/** Reads a query. Refuses with `invalid_parameter` and a detail for each thing that is wrong. */
export function readParameters<Known extends Parameters>(
  known: Known,
  query: Query,
): Values<Known> {
  if (query.length === 0) return {} as Values<Known>;
  const values: Record<string, unknown> = {};
  const problems = new Map<string, string>();
  for (const [name, text] of query) {
    const parameter = Object.hasOwn(known, name) ? known[name] : undefined;
    if (parameter === undefined) problems.set(name, unknownMessage(known));
    else if (Object.hasOwn(values, name)) problems.set(name, 'is given twice.');
    else {
      const value = parameter.read(text);
      values[name] = value;
      if (value === undefined) problems.set(name, `must be ${parameter.expects}.`);
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
  expects: 'a text that is not empty',
  schema: { type: 'string', minLength: 1 },
};

/** A calendar date. */
export const calendarDate: Parameter<string> = {
  read: (value) => (isCalendarDate(value) ? value : undefined),
  expects: 'a real day written YYYY-MM-DD, years 1900 to 2199',
  schema: { type: 'string', format: 'date' },
};

/** A date-time with an offset, as milliseconds. */
export const instant: Parameter<number> = {
  read: readInstant,
  expects: 'an RFC 3339 date-time with an offset, such as 2026-01-31T12:00:00Z',
  schema: { type: 'string', format: 'date-time' },
};

/** `true` or `false`. */
export const flag: Parameter<boolean> = {
  read: (value) => (value === 'true' ? true : value === 'false' ? false : undefined),
  expects: 'true or false',
  schema: { type: 'boolean' },
};

/** How many items a page has. */
export const limit: Parameter<number> = {
  read: (value) => {
    const number = /^\d{1,4}$/.test(value) ? Number(value) : 0;
    return number >= 1 && number <= PAGE_ITEMS ? number : undefined;
  },
  expects: `a whole number from 1 to ${PAGE_ITEMS}`,
  schema: { type: 'integer', minimum: 1, maximum: PAGE_ITEMS, default: PAGE_ITEMS_DEFAULT },
};

/** One of a closed list. */
export function choice<const Value extends string>(values: readonly Value[]): Parameter<Value> {
  return {
    read: (value) => values.find((each) => each === value),
    expects: `one of ${values.join(', ')}`,
    schema: { type: 'string', enum: values },
  };
}

/** Some of a closed list, separated by commas. */
export function choices<const Value extends string>(values: readonly Value[]): Parameter<Value[]> {
  return {
    read: (value) => {
      const found: Value[] = [];
      for (const part of value.split(',')) {
        const each = values.find((one) => one === part);
        if (each === undefined) return undefined;
        if (!found.includes(each)) found.push(each);
      }
      return found;
    },
    expects: `one or more of ${values.join(', ')}, separated by commas`,
    schema: { type: 'array', items: { type: 'string', enum: values }, minItems: 1 },
  };
}

/** The number behind an identifier, or 0, which none has: an unknown one matches nothing. */
export function identifier(prefix: IdPrefix): Parameter<number> {
  return {
    read: (value) => (value === '' ? undefined : (readId(prefix, value) ?? 0)),
    expects: 'an identifier',
    schema: { type: 'string', minLength: 1 },
  };
}

function unknownMessage(known: Parameters): string {
  const names = Object.keys(known);
  if (names.length === 0) return 'is not known: this endpoint takes none.';
  return `is not known: this endpoint takes ${names.join(', ')}.`;
}
