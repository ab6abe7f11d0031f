/**
 * The checks before every endpoint: key, rate, plan and scope, in this order (contract 2, steps 3
 * to 6). Handlers know their caller only from the result.
 */

import { Failure, type FailureCode } from '../core/failures.ts';
import { formatId } from '../core/ids.ts';
import { keyState } from '../core/keys.ts';
import { explainNoAccess, SCOPES, type Scope } from '../core/plans.ts';
import type { PushMeta } from '../core/push.ts';
import type { Request } from '../http/message.ts';
import type { RateLimiter } from '../http/rate-limiter.ts';
import type { Source } from '../operations/access.ts';
import { findKey, hasKey, type PresentedKey } from '../store/keys.ts';

/** What the endpoints need. */
export interface ApiContext extends Source {
  /** Undefined when the embedding program turned the rate limit off. */
  readonly limiter: RateLimiter | undefined;
  /** Called at every use of a key. */
  readonly onKeyUse: (keyId: number, nowMs: number) => void;
  /** Called after every push. */
  readonly onPush?: ((counts: PushMeta, durationMs: number) => void) | undefined;
}

/** What the checks need of a request. */
type Knock = Pick<Request, 'header' | 'nowMs' | 'tickMs' | 'replyHeaders' | 'admit'>;

/**
 * Checks a key as a request with it would be, for the first of its scopes. It counts as a request.
 * Throws what the answer would be.
 */
export function tryKey(context: ApiContext, { nowMs, tickMs }: Request, text: string): void {
  const header = (name: string) => (name === 'authorization' ? `Bearer ${text}` : undefined);
  const scope = findKey(context, text)?.scopes[0] ?? SCOPES[0];
  admit(context, { header, nowMs, tickMs, replyHeaders: {}, admit: () => {} }, scope);
}

/** Admits a request, or refuses it at the first check that fails. Returns its key. */
export function admit(context: ApiContext, request: Knock, scope: Scope): PresentedKey {
  const key = readKey(context, request);
  const keyId = formatId('key', key.id);
  request.admit({ organisationId: formatId('org', key.organisation.id), keyId });
  takeToken(context, request, keyId);
  context.onKeyUse(key.id, request.nowMs);
  requireScope(key, scope);
  return key;
}

/** Refuses a request, whose body took its time, if its key or plan no longer allows it. */
export function admitAgain(
  source: Source,
  key: PresentedKey,
  request: Pick<Knock, 'header' | 'nowMs'>,
  scope: Scope,
): void {
  if (!hasKey(source, key)) requireScope(readKey(source, request), scope);
}

function requireScope(key: PresentedKey, scope: Scope): void {
  const noAccess = explainNoAccess(key.organisation.plan);
  if (noAccess !== undefined) throw new Failure('plan_feature_required', noAccess);
  if (!key.scopes.includes(scope)) {
    const headers = { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${scope}"` };
    const message = `This API key does not have the scope ${scope}. Use a key that has it.`;
    throw new Failure('insufficient_scope', message, { headers });
  }
}

function challenge(code: FailureCode, message: string): Failure {
  return new Failure(code, message, { headers: { 'WWW-Authenticate': 'Bearer' } });
}

function readKey(source: Source, request: Pick<Knock, 'header' | 'nowMs'>): PresentedKey {
  const header = request.header('authorization');
  if (header === undefined) {
    const message = 'The Authorization header is missing. Send `Authorization: Bearer <key>`.';
    throw challenge('missing_api_key', message);
  }
  const text = /^bearer +(\S+) *$/i.exec(header)?.[1];
  if (text === undefined) {
    // Does not repeat the value, which may be a secret.
    const message =
      'The Authorization header is not a Bearer token. Send `Authorization: Bearer <key>` with ' +
      'one API key.';
    throw challenge('invalid_api_key', message);
  }
  const key = findKey(source, text);
  if (key === undefined) {
    const message = 'The API key is unknown. Check that you copied the whole key.';
    throw challenge('invalid_api_key', message);
  }
  const state = keyState(key, request.nowMs);
  if (state === 'revoked') {
    throw challenge('revoked_api_key', 'This API key was revoked. Ask for another key.');
  }
  if (state === 'expired') {
    throw challenge('expired_api_key', 'This API key has expired. Ask for another key.');
  }
  return key;
}

function takeToken({ limiter }: ApiContext, request: Knock, keyId: string): void {
  if (limiter === undefined) return;
  const token = limiter.take(keyId, request.tickMs);
  const { replyHeaders } = request;
  replyHeaders['X-RateLimit-Limit'] = String(token.limit);
  replyHeaders['X-RateLimit-Remaining'] = String(token.remaining);
  replyHeaders['X-RateLimit-Reset'] = String(token.resetSeconds);
  if (token.allowed) return;
  const seconds = token.retryAfterSeconds;
  const message = `This API key sent ${token.limit} requests in 60 seconds. Wait ${seconds} s.`;
  throw new Failure('rate_limit_exceeded', message, {
    headers: { 'Retry-After': String(seconds) },
  });
}
