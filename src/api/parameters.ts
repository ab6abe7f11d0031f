/**
 * Query parameters: reads their texts as the schema of the endpoint says. A request with an unknown
 * one is refused, and so is a repeated one unless it is a list (contract 2, step 7).
 */

import type { Static } from 'typebox';
import { explainDate, isCalendarDate, readInstant } from '../core/calendar.ts';
import { Failure } from '../core/failures.ts';
import { groupBy } from '../core/groups.ts';
import { REPORTED } from '../core/limits.ts';
import type { Query } from '../http/target.ts';
import type { QueryInput } from '../operations/input.ts';
import { checks, schemas } from './checks.js';

type Queries = typeof import('./inputs.ts');

/** What the schemas of parameters say. */
interface Schema extends Readonly<Record<string, unknown>> {
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly examples?: readonly string[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: Schema;
  readonly maxItems?: number;
}

interface Parameter<Value> {
  /** The value, or undefined if the text is wrong. */
  read(text: string): Value | undefined;
  /** Its JSON Schema, for the OpenAPI document. A list can be repeated: `id=a&id=b`. */
  readonly schema: Schema;
}

/** The parameters of a route by name. */
export type Parameters = Readonly<Record<string, Parameter<unknown>>>;

/** The values of parameters; undefined for each one that was not sent. */
export type Values<Known extends Parameters> = {
  readonly [Name in keyof Known]: Known[Name] extends Parameter<infer Value>
    ? Value | undefined
    : never;
};

/** The parameters of each endpoint, by the name of its schema in `inputs.ts`. */
export const PARAMETERS = Object.fromEntries(
  Object.entries(schemas).map(([name, schema]) => [
    name,
    parametersOf(name as keyof Queries, schema as { properties?: Record<string, Schema> }),
  ]),
) as {
  readonly [Name in keyof Queries]: {
    readonly [Each in keyof Static<Queries[Name]>]-?: Parameter<
      Exclude<Static<Queries[Name]>[Each], undefined>
    >;
  };
};

/** Reads a query. Refuses with `invalid_parameter`, with a detail for each wrong parameter. */
export function readParameters<Known extends Parameters>(
  known: Known,
  query: Query,
): Values<Known> {
  if (query.length === 0) return {} as Values<Known>;
  const values: Record<string, unknown> = {};
  const problems = new Map<string, string>();
  for (const [name, given] of groupBy(query, ([name]) => name)) {
    const parameter = Object.hasOwn(known, name) ? known[name] : undefined;
    if (parameter === undefined) problems.set(name, unknownMessage(known, name));
    else if (given.length > 1 && parameter.schema.type !== 'array') {
      problems.set(name, 'must be sent only once.');
    } else {
      const text = given.map(([, each]) => each).join(',');
      const value = parameter.read(text);
      values[name] = value;
      if (value === undefined) problems.set(name, explain(parameter.schema, text));
    }
  }
  const details = [...problems].map(([field, message]) => {
    return { field, code: 'invalid_parameter', message };
  });
  const [first] = details;
  if (first !== undefined) {
    const message = `Query parameter ${first.field} ${first.message}`;
    const shown = details.slice(0, REPORTED.parameterErrors);
    throw new Failure('invalid_parameter', message, { details: shown });
  }
  return values as Values<Known>;
}

/** Reads parameters as a request with them would. Refuses with `invalid_parameter`. */
export function readQuery<Known extends Parameters>(
  known: Known,
  input: QueryInput,
): Values<Known> {
  const query: Query = Object.entries(input).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as const],
  );
  return readParameters(known, query);
}

function parametersOf(
  name: keyof Queries,
  { properties = {} }: { readonly properties?: Readonly<Record<string, Schema>> },
): Parameters {
  const parameters = Object.entries(properties).map(([parameter, schema]) => {
    const read = (text: string) => {
      const value = decode(schema, text);
      return checks[name]({ [parameter]: value }) ? convert(schema, value) : undefined;
    };
    return [parameter, { schema, read }] as const;
  });
  return Object.fromEntries(parameters);
}

/** A text as its schema expects it; unchanged if it cannot be, so that the check refuses it. */
function decode({ type }: Schema, text: string): unknown {
  if (type === 'array') return text.split(',');
  if (type === 'integer') return /^\d{1,4}$/.test(text) ? Number(text) : text;
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text;
  return text;
}

/** The value of a right text. The order of a list does not matter. */
function convert({ format }: Schema, value: unknown): unknown {
  if (Array.isArray(value)) return [...new Set(value)].sort();
  return format === 'date-time' ? readInstant(String(value)) : value;
}

/** The end of a message about a wrong text. */
function explain(schema: Schema, text: string): string {
  const { type, format, minLength, maxLength = Infinity, maxItems = 0 } = schema;
  const items = text.split(',').length;
  if (type === 'array' && items > maxItems) {
    return `must have at most ${maxItems} values, not ${items}.`;
  }
  const [date = '', time] = text.split(/[Tt]/, 2);
  const isDated = format === 'date-time' && time !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(date);
  if (format === 'date') return `must be a real date. ${explainDate(text)}`;
  if (isDated && !isCalendarDate(date)) return `must be a real date. ${explainDate(date)}`;
  if (isDated && / \d\d:\d\d$/.test(time)) return 'must have its + as %2B: alone it is a space.';
  if (text.length > maxLength) return `must have at most ${maxLength} characters.`;
  if (minLength !== undefined && format === undefined) return 'must not be empty.';
  return `must be ${expectationOf(schema)}.`;
}

function expectationOf({ type, format, items, ...rest }: Schema): string {
  if (items?.enum !== undefined) {
    return `one or more of ${items.enum.join(', ')}, separated by commas or repeated`;
  }
  if (items !== undefined) {
    return `1 to ${rest.maxItems} identifiers, separated by commas or repeated`;
  }
  if (type === 'integer') return `a whole number from ${rest.minimum} to ${rest.maximum}`;
  if (type === 'boolean') return 'true or false';
  if (rest.pattern !== undefined) return 'a month from 1900-01 to 2199-12, such as 2026-01';
  if (format === 'identifier') return 'an identifier';
  if (format === 'date-time') {
    return 'an RFC 3339 date-time with an offset, such as 2026-01-31T12:00:00Z';
  }
  return `one of ${(rest.enum ?? rest.examples ?? []).join(', ')}`;
}

function unknownMessage(known: Parameters, name: string): string {
  const list = /^(\w+)\[\d*\]$/.exec(name)?.[1];
  if (list !== undefined && Object.hasOwn(known, list) && known[list]?.schema.type === 'array') {
    return `is sent without brackets: ${list}=A&${list}=B or ${list}=A,B.`;
  }
  const names = Object.keys(known);
  if (names.length === 0) return 'is unknown. This endpoint has no parameters.';
  return `is unknown. This endpoint accepts ${names.join(', ')}.`;
}
