/** The answers of the operations: how each can be refused, with headers and examples. */

import type { WireCode } from '../../src/api/contract.ts';
import { STATUS } from '../../src/http/status.ts';
import { meaningOf, REACH, type RefusalReach } from './catalogue.ts';
import { EXAMPLE_REQUEST_ID } from './examples.ts';
import type { Header, Reference, Response } from './openapi-document.ts';
import type { SchemaComponents } from './openapi-schemas.ts';

/** An operation can be refused with the codes whose reach is in this set. */
type Reaches = ReadonlySet<RefusalReach>;

const ALL_CODES = Object.keys(REACH) as WireCode[];

/** The header fields of answers (contract 1, 2). */
export const HEADERS: Readonly<Record<string, Header>> = {
  'X-Request-Id': {
    description: 'Identifies the request. Quote it when you ask for help.',
    required: true,
    schema: { type: 'string', minLength: 1 },
    example: EXAMPLE_REQUEST_ID,
  },
  'Cache-Control': {
    description: 'Do not store answers with data. You can store `/openapi.json` and revalidate it.',
    required: true,
    schema: { type: 'string', enum: ['no-store', 'no-cache'] },
    example: 'no-store',
  },
  ETag: {
    description: 'Identifies this version. Send it back in `If-None-Match`.',
    required: true,
    schema: { type: 'string', pattern: '^"[^"]+"$' },
    example: '"LvYoS9CTyLw9mO8NYrkCpA"',
  },
  'X-Content-Type-Options': {
    description: 'Tells browsers not to guess another content type.',
    required: true,
    schema: { type: 'string', enum: ['nosniff'] },
    example: 'nosniff',
  },
  'X-RateLimit-Limit': {
    description: 'How many requests the key can make in 60 seconds.',
    schema: { type: 'integer', minimum: 1 },
    example: 120,
  },
  'X-RateLimit-Remaining': {
    description: 'How many requests are left.',
    schema: { type: 'integer', minimum: 0 },
    example: 119,
  },
  'X-RateLimit-Reset': {
    description:
      '**A number of seconds from now**, 0 to 60, until all requests are available again. Other ' +
      'services send a Unix timestamp in this header; budgetd does not.',
    schema: { type: 'integer', minimum: 0, maximum: 60 },
    example: 60,
  },
  'Retry-After': {
    description:
      'Whole seconds to wait, 1 to 60. Sent with every 429: a request after that wait succeeds. ' +
      'Also sent with a 503, but only with the code `unavailable`: try again after that wait.',
    schema: { type: 'integer', minimum: 1, maximum: 60 },
    example: 23,
  },
  Allow: {
    description: 'The methods that the path accepts.',
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
/** Statuses that are answered before the rate limit is checked. */
const BEFORE_RATE: ReadonlySet<number> = new Set([401, 405, 417, 431, 505]);
const ALSO: Readonly<Record<number, readonly string[]>> = {
  401: ['WWW-Authenticate'],
  403: ['WWW-Authenticate'],
  405: ['Allow'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

/** References to the header fields of an answer. */
export function headersOf(
  status: number,
  isKeyed: boolean,
  isTagged = false,
): Record<string, Reference> {
  const rate = isKeyed && !BEFORE_RATE.has(status) ? RATE : [];
  const names = [...EVERYWHERE, ...(isTagged ? ['ETag'] : []), ...rate, ...(ALSO[status] ?? [])];
  return Object.fromEntries(
    names.map((name) => [name, { $ref: `#/components/headers/${name}` }] as const),
  );
}

/** Collects the refusals that operations refer to: one component for each different one. */
export class RefusalResponses {
  readonly #schemas: SchemaComponents;
  readonly #responses = new Map<string, Response>();

  constructor(schemas: SchemaComponents) {
    this.#schemas = schemas;
  }

  /** References by status, for an operation with these reaches. */
  refer(reaches: Reaches): Record<string, Reference> {
    const codes = ALL_CODES.filter((code) => reaches.has(REACH[code]));
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

  /** Every refusal that was referred to. */
  list(): Record<string, Response> {
    const sorted = [...this.#responses].sort(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(sorted);
  }

  #build(status: number, codes: readonly WireCode[], isKeyed: boolean): Response {
    const examples = codes.map((code) => {
      return [code, { $ref: `#/components/examples/${code}` }] as const;
    });
    const isPush = codes.includes('all_rows_rejected');
    return {
      description: codes.map((code) => `\`${code}\`: ${meaningOf(code)}`).join('\n\n'),
      headers: headersOf(status, isKeyed),
      content: {
        'application/json': {
          schema: this.#schemas.refer(isPush ? 'RejectedPush' : 'ErrorBody'),
          examples: Object.fromEntries(examples),
        },
      },
    };
  }
}

/** Names for statuses that their first code does not name. */
const NAMES: Readonly<Record<number, string>> = { 401: 'unauthorized', 403: 'forbidden' };

/** One name for an answer that is the same everywhere, else one for each kind of operation. */
function nameOf(status: number, reaches: Reaches): string {
  const codes = ALL_CODES.filter((code) => STATUS[code] === status);
  const found = codes.map((code) => REACH[code]);
  const words = NAMES[status] ?? codes[0] ?? '';
  const name = words.replace(/(?:^|_)([a-z])/g, (_, letter) => letter.toUpperCase());
  if (!reaches.has('key') && !BEFORE_RATE.has(status)) return `${name}WithoutKey`;
  if (!found.includes('any')) return name;
  if (found.includes('body') && reaches.has('body')) return `${name}OfPush`;
  return found.includes('cursor') && reaches.has('cursor') ? `${name}OfList` : name;
}
