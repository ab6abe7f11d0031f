/**
 * Checks an answer against the contract: its head, its document by status and endpoint, and what it
 * must never contain. Every answer in the tests of this folder is checked here.
 */

import assert from 'node:assert/strict';
import type { TSchema } from 'typebox';
import { Set as setFormat } from 'typebox/format';
import { Compile, type Validator } from 'typebox/schema';
import { type ErrorBody, type PushAnswer, SCHEMAS } from '../../src/api/contract.ts';
import { FAILURE_CODES } from '../../src/core/failures.ts';
import { ROOT, readText } from '../repository.ts';
import type { RawAnswer } from './client.ts';
import { CONTRACT_CODES, findEndpoint, isKnownPath, type WireCode } from './contract-table.ts';
import { checkDocument, checkPush } from './documents.ts';
import { closed } from './openapi-check.ts';

/** The parts of a request that the answer depends on. */
export interface Asked {
  readonly method: string;
  /** The target as sent. */
  readonly target: string;
  /** The capacity of the rate limit; false if there is none. */
  readonly rateLimit: number | false;
}

/** Every code in an answer so far in this process. */
export const CODES_SEEN = new Set<string>();

/** Checks an answer and returns its document; undefined for a HEAD and for HTML. */
export function checkAnswer(asked: Asked, answer: RawAnswer): unknown {
  const path = asked.target.replace(/^https?:\/\/[^/]+/i, '').split('?')[0] || '/';
  const text = new TextDecoder('utf-8', { fatal: true }).decode(answer.body);
  checkEveryHead(answer);
  checkSecrets(text);
  if (asked.method === 'HEAD') {
    assert.equal(answer.body.length, 0);
    checkRate(asked, answer, answer.status < 400 && isKnownPath(path) ? 'behind' : 'unknown');
    return undefined;
  }
  assert.equal(answer.headers.get('content-length'), String(answer.body.length));
  if (answer.headers.get('content-type')?.startsWith('text/html')) {
    assert.equal(answer.status, path === '/' ? 200 : 404);
    assert.doesNotMatch(path, /^\/api(\/|$)/);
    return undefined;
  }
  assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8');
  const document: unknown = JSON.parse(text);
  if (answer.status >= 400) checkRefusal(asked, path, answer, document);
  else checkSuccess(asked, path, answer, document);
  return document;
}

/** Fails unless the value is a document of this schema, with nothing that it does not name. */
export function checkSchema(schema: TSchema, value: unknown): void {
  let validator = validators.get(schema);
  if (validator === undefined) {
    validator = Compile(closed(schema));
    validators.set(schema, validator);
  }
  if (validator.Check(value)) return;
  const shown = JSON.stringify(value).slice(0, 2000);
  assert.fail(`${JSON.stringify(validator.Errors(value)[1].slice(0, 5))} in ${shown}`);
}

const validators = new Map<TSchema, Validator>();

// As formatInstant writes it (contract 4): UTC, milliseconds, a real time.
setFormat('date-time', (text) => {
  const found = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text);
  return found && new Date(text).toISOString() === text;
});

const STANDARD_HEAD: Readonly<Record<string, RegExp>> = {
  'x-request-id': /^[\w-]{8,128}$/,
  'cache-control': /^no-store$/,
  'x-content-type-options': /^nosniff$/,
  'content-security-policy': /^default-src 'none'; frame-ancestors 'none'$/,
  'referrer-policy': /^no-referrer$/,
  'content-length': /^\d+$/,
  date: /^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/,
};
const NEVER_SENT = /^(server|x-powered-by|access-control-.*|set-cookie|transfer-encoding|etag)$/;
const requestIds = new Set<string>();

function checkEveryHead({ headers }: RawAnswer): void {
  for (const [name, form] of Object.entries(STANDARD_HEAD)) {
    assert.match(headers.get(name) ?? '', form, name);
  }
  for (const name of headers.keys()) assert.doesNotMatch(name, NEVER_SENT);
  const requestId = headers.get('x-request-id') ?? '';
  assert.ok(!requestIds.has(requestId), `the request id ${requestId} came twice`);
  requestIds.add(requestId);
}

/** No body contains a stack, a path, a message of the driver or a key (contract 3, 7). */
function checkSecrets(text: string): void {
  assert.doesNotMatch(text, /\bat (\w+ \()?\S+:\d+:\d+|node:|node_modules|\.[jt]s\b/);
  assert.doesNotMatch(text, /sqlite|\bSQL|constraint|no such (table|column)|rawData|raw_data/i);
  assert.doesNotMatch(text, /bdg_live_[0-9a-f]/i);
  assert.ok(!text.includes(ROOT));
}

function checkSuccess(asked: Asked, path: string, answer: RawAnswer, document: unknown): void {
  assert.equal(answer.status, 200);
  const { method } = asked;
  const endpoint = findEndpoint(method, path);
  if (endpoint === undefined) {
    assert.match(path, /^\/(healthz|readyz)?$/);
    checkRate(asked, answer, 'before');
    return;
  }
  checkRate(asked, answer, 'behind');
  checkSchema(endpoint.document, document);
  checkDocument(endpoint.path, endpoint.method, document);
  for (const name of ['allow', 'www-authenticate', 'retry-after']) {
    assert.equal(answer.headers.get(name), undefined, name);
  }
}

function checkRefusal(asked: Asked, path: string, answer: RawAnswer, document: unknown): void {
  const isRejectedPush = answer.status === 422;
  checkSchema(isRejectedPush ? SCHEMAS.RejectedPush : SCHEMAS.ErrorBody, document);
  const { code, message, requestId, details } = document as ErrorBody;
  assert.ok((FAILURE_CODES as readonly string[]).includes(code), code);
  const [status, stage] = CONTRACT_CODES[code as WireCode] ?? [];
  assert.equal(answer.status, status, code);
  assert.ok(CATALOGUE.has(`${status} ${code}`), `docs/http.md lacks ${status} ${code}`);
  CODES_SEEN.add(code);
  assert.equal(requestId, answer.headers.get('x-request-id'));
  assert.match(message, /^\S.*[.…]$/s);
  if (isRejectedPush) {
    const push = document as unknown as PushAnswer;
    checkPush(push);
    assert.equal(push.meta.rejected, push.meta.received);
    assert.deepEqual(details, []);
  }
  checkRefusalHead(code, path, answer);
  if (code === 'not_found') checkRate(asked, answer, isKnownPath(path) ? 'behind' : 'before');
  else if (stage === 'anywhere') checkRate(asked, answer, 'unknown');
  else checkRate(asked, answer, stage === 'behind the key' ? 'behind' : 'before');
}

/** Fields such as `Allow` are sent with the right answers and no others. */
function checkRefusalHead(code: string, path: string, { status, headers }: RawAnswer): void {
  const challenge = headers.get('www-authenticate');
  if (status === 401) assert.equal(challenge, 'Bearer');
  else if (code === 'insufficient_scope') {
    assert.match(challenge ?? '', /^Bearer error="insufficient_scope", scope="[a-z]+:[a-z]+"$/);
  } else assert.equal(challenge, undefined);
  const allow = headers.get('allow');
  if (status === 405) {
    const known = findEndpoint('POST', path) ?? findEndpoint('GET', path);
    assert.equal(allow, known?.allow ?? 'GET, HEAD', path);
  } else assert.equal(allow, undefined);
  const retryAfter = headers.get('retry-after');
  if (code === 'rate_limit_exceeded') assert.match(retryAfter ?? '', /^([1-9]|[1-5]\d|60)$/);
  else if (code === 'unavailable') assert.match(retryAfter ?? '', /^[1-9]\d*$/);
  else assert.equal(retryAfter, undefined);
}

/** The rate fields are on every answer after the key check and on no other (contract 1, 2). */
function checkRate(
  { rateLimit }: Asked,
  { status, headers }: RawAnswer,
  stage: 'before' | 'behind' | 'unknown',
): void {
  const names = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];
  const values = names.flatMap((name) => headers.get(name) ?? []);
  if (rateLimit === false || stage === 'before' || status === 401) {
    assert.deepEqual(values, []);
    return;
  }
  if (stage === 'unknown' && values.length === 0) return;
  assert.equal(values.length, names.length, 'all rate fields or none');
  for (const value of values) assert.match(value, /^\d+$/);
  const [limit = -1, remaining = -1, resetSeconds = -1] = values.map(Number);
  assert.equal(limit, rateLimit);
  assert.ok(remaining >= 0 && remaining < limit, `remaining ${remaining}`);
  assert.ok(resetSeconds >= 1 && resetSeconds <= 60, `reset ${resetSeconds}`);
  if (status === 429) assert.equal(remaining, 0);
}

/** The lines of the table of codes in docs/http.md. */
const CATALOGUE = new Set(
  [...readText('docs/http.md').matchAll(/^\| (\d{3}) \| `(\w+)` \|/gm)].map(
    ([, status, code]) => `${status} ${code}`,
  ),
);
