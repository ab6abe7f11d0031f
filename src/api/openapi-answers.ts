/** The answers of the operations: which refusals each can meet, with their headers and examples. */

import { STATUS } from '../http/status.ts';
import { REFUSALS, type RefusalCode, type RefusalReach } from './catalogue.ts';
import type { Example, Header, Reference, Response, Schema } from './openapi-document.ts';
import type { SchemaComponents } from './openapi-schemas.ts';
import { refusalExample } from './refusal-examples.ts';

/** Which refusals an operation can meet: those whose reach is among these. */
export type Reaches = ReadonlySet<RefusalReach>;

const ALL_CODES = Object.keys(REFUSALS) as RefusalCode[];

/** The header fields that answers carry (contract 1, 2). */
export const HEADERS: Readonly<Record<string, Header>> = {
  'X-Request-Id': {
    description: 'The name of the request: quote it when asking for help.',
    required: true,
    schema: { type: 'string', minLength: 1 },
    example: 'req_6f1d0b5a9c3e7248_1',
  },
  'Cache-Control': {
    description: 'Nothing is to be kept.',
    required: true,
    schema: { type: 'string', const: 'no-store' },
    example: 'no-store',
  },
  'X-Content-Type-Options': {
    description: 'The content type is as it says.',
    required: true,
    schema: { type: 'string', const: 'nosniff' },
    example: 'nosniff',
  },
  'X-RateLimit-Limit': {
    description: 'How many requests the key may make in 60 seconds.',
    schema: { type: 'integer', minimum: 1 },
    example: 120,
  },
  'X-RateLimit-Remaining': {
    description: 'How many of them are left.',
    schema: { type: 'integer', minimum: 0 },
    example: 119,
  },
  'X-RateLimit-Reset': {
    description:
      'Whole seconds **from now** until all of them are back, 0 to 60. Not a moment in epoch ' +
      'seconds, as some other services send: never compare it with a clock.',
    schema: { type: 'integer', minimum: 0, maximum: 60 },
    example: 60,
  },
  'Retry-After': {
    description:
      'Whole seconds to wait, 1 to 60. On every 429: a request sent after that wait succeeds. On ' +
      'a 503 with `unavailable` only: try again after that wait.',
    schema: { type: 'integer', minimum: 1, maximum: 60 },
    example: 23,
  },
  Allow: {
    description: 'The methods that the path answers.',
    required: true,
    schema: { type: 'string' },
    example: 'GET, HEAD',
  },
  'WWW-Authenticate': {
    description: '`Bearer`; on a 403 with `insufficient_scope` it names the scope.',
    schema: { type: 'string', pattern: '^Bearer' },
    example: 'Bearer',
  },
};

const EVERYWHERE = ['X-Request-Id', 'Cache-Control', 'X-Content-Type-Options'];
const RATE = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];
/** Answered before the key is looked at, or because of it. */
const BEFORE_RATE: ReadonlySet<number> = new Set([401, 405, 417, 431, 505]);
const ALSO: Readonly<Record<number, readonly string[]>> = {
  401: ['WWW-Authenticate'],
  403: ['WWW-Authenticate'],
  405: ['Allow'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

/** Pointers at the header fields of an answer, with a key or without. */
export function headersOf(status: number, isKeyed: boolean): Record<string, Reference> {
  const rate = isKeyed && !BEFORE_RATE.has(status) ? RATE : [];
  const names = [...EVERYWHERE, ...rate, ...(ALSO[status] ?? [])];
  return Object.fromEntries(
    names.map((name) => [name, { $ref: `#/components/headers/${name}` }] as const),
  );
}

/** An example of every code, as components. */
export function buildRefusalExamples(): Record<string, Example> {
  return Object.fromEntries(
    ALL_CODES.map((code) => [
      code,
      { summary: REFUSALS[code].means, value: refusalExample(code) } as const,
    ]),
  );
}

/** Gathers the refusals that operations point at: one component for each that differs. */
export class RefusalResponses {
  readonly #schemas: SchemaComponents;
  readonly #responses = new Map<string, Response>();

  constructor(schemas: SchemaComponents) {
    this.#schemas = schemas;
  }

  /** Pointers by status, for an operation with these reaches. */
  refer(reaches: Reaches): Record<string, Reference> {
    const codes = ALL_CODES.filter((code) => reaches.has(REFUSALS[code].reach));
    const statuses = [...new Set(codes.map((code) => STATUS[code]))].sort((a, b) => a - b);
    return Object.fromEntries(
      statuses.map((status) => {
        const name = nameOf(status, reaches);
        const ofStatus = codes.filter((code) => STATUS[code] === status);
        this.#responses.set(name, this.#build(status, ofStatus, reaches.has('key')));
        return [status, { $ref: `#/components/responses/${name}` }] as const;
      }),
    );
  }

  /** All that were pointed at. */
  list(): Record<string, Response> {
    const sorted = [...this.#responses].sort(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(sorted);
  }

  #build(status: number, codes: readonly RefusalCode[], isKeyed: boolean): Response {
    const examples = codes.map((code) => {
      return [code, { $ref: `#/components/examples/${code}` }] as const;
    });
    return {
      description: codes.map((code) => `\`${code}\`: ${REFUSALS[code].means}`).join('\n\n'),
      headers: headersOf(status, isKeyed),
      content: {
        'application/json': {
          schema: this.#schemaOf(codes),
          examples: Object.fromEntries(examples),
        },
      },
    };
  }

  #schemaOf(codes: readonly RefusalCode[]): Schema {
    if (codes.includes('all_rows_rejected')) return this.#schemas.refer('RejectedPush');
    const only = { type: 'object', properties: { code: { type: 'string', enum: codes } } };
    return { allOf: [this.#schemas.refer('ErrorBody'), only] };
  }
}

const NAMES: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  408: 'RequestTimeout',
  413: 'PayloadTooLarge',
  415: 'UnsupportedMediaType',
  417: 'ExpectationFailed',
  422: 'AllRowsRejected',
  429: 'RateLimitExceeded',
  431: 'HeadersTooLarge',
  500: 'InternalError',
  503: 'Unavailable',
  505: 'HttpVersionNotSupported',
};

/** One name for what is the same wherever it is answered, else one that says where. */
function nameOf(status: number, reaches: Reaches): string {
  const name = NAMES[status] ?? `Status${status}`;
  const found = ALL_CODES.filter((code) => STATUS[code] === status).map(
    (code) => REFUSALS[code].reach,
  );
  if (!reaches.has('key') && !BEFORE_RATE.has(status)) return `${name}WithoutKey`;
  if (!found.includes('any')) return name;
  if (found.includes('body') && reaches.has('body')) return `${name}OfPush`;
  return found.includes('cursor') && reaches.has('cursor') ? `${name}OfList` : name;
}
