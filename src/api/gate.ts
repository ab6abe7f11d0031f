/**
 * The gate of every endpoint: key, rate, plan, scope, in that order (contract 2, steps 3 to 6).
 * What comes out is all that a handler may know of its caller.
 */

import { Failure } from '../core/failures.ts';
import { formatId } from '../core/ids.ts';
import { isKey } from '../core/keys.ts';
import type { Organisation } from '../core/organisations.ts';
import { explainPlan, planIncludes, type Scope } from '../core/plans.ts';
import type { Request } from '../http/message.ts';
import type { RateLimiter } from '../http/rate-limiter.ts';
import type { Db } from '../store/database.ts';
import { findKey, type PresentedKey } from '../store/keys.ts';

/** What the API is built on. */
export interface ApiContext {
  readonly db: Db;
  /** Undefined when the embedding program has switched the rate limit off. */
  readonly limiter: RateLimiter | undefined;
  /** Hears of every use of a key, to be written now and then. */
  readonly onKeyUse: (keyId: number, nowMs: number) => void;
}

/** A caller that was let in. */
export interface Caller {
  /** The key's public identifier. */
  readonly keyId: string;
  readonly organisation: Organisation;
}

/** Lets a request in, or refuses it with the first check that fails. */
export function admit(context: ApiContext, request: Request, scope: Scope): Caller {
  const key = readKey(context.db, request);
  const keyId = formatId('key', key.id);
  request.admit(keyId);
  takeToken(context, request, keyId);
  context.onKeyUse(key.id, request.nowMs);
  if (!planIncludes(key.organisation.plan, 'api_access')) {
    const message = explainPlan(key.organisation.plan, 'api_access');
    throw new Failure('plan_feature_required', message);
  }
  if (!key.scopes.includes(scope)) {
    const headers = {
      'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${scope}"`,
    };
    const message = `This key lacks the scope ${scope}: create a key that has it.`;
    throw new Failure('insufficient_scope', message, { headers });
  }
  return { keyId, organisation: key.organisation };
}

const CHALLENGE = { 'WWW-Authenticate': 'Bearer' };

function readKey(db: Db, request: Request): PresentedKey {
  const header = request.header('authorization');
  if (header === undefined) {
    const message = 'Send an API key: Authorization: Bearer bdg_live_….';
    throw new Failure('missing_api_key', message, { headers: CHALLENGE });
  }
  const text = /^bearer +(\S+) *$/i.exec(header)?.[1];
  if (text === undefined) {
    // Without its value: whatever was sent may be a secret.
    const message =
      'The Authorization header is not of the form "Bearer <key>": send ' +
      '`Authorization: Bearer <key>` with one API key.';
    throw new Failure('invalid_api_key', message, { headers: CHALLENGE });
  }
  const key = isKey(text) ? findKey(db, text) : undefined;
  if (key === undefined) {
    const message = 'This is not a known API key: check that it was copied whole.';
    throw new Failure('invalid_api_key', message, { headers: CHALLENGE });
  }
  if (key.revokedAtMs !== null) {
    throw new Failure('revoked_api_key', 'This API key was revoked.', { headers: CHALLENGE });
  }
  if (key.expiresAtMs !== null && key.expiresAtMs <= request.nowMs) {
    throw new Failure('expired_api_key', 'This API key has expired.', { headers: CHALLENGE });
  }
  return key;
}

function takeToken({ limiter }: ApiContext, request: Request, keyId: string): void {
  if (limiter === undefined) return;
  const token = limiter.take(keyId, request.tickMs);
  const { replyHeaders } = request;
  replyHeaders['X-RateLimit-Limit'] = String(token.limit);
  replyHeaders['X-RateLimit-Remaining'] = String(token.remaining);
  replyHeaders['X-RateLimit-Reset'] = String(token.resetSeconds);
  if (token.allowed) return;
  const seconds = token.retryAfterSeconds;
  const message = `More than ${token.limit} requests in 60 seconds: wait ${seconds} s.`;
  throw new Failure('rate_limit_exceeded', message, {
    headers: { 'Retry-After': String(seconds) },
  });
}
