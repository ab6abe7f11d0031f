/** The one error type of the client, and the codes it adds to the interface's own. */

import type { ErrorBody, PushCounts } from '../api/contract.ts';

/**
 * Codes of what goes wrong before, or instead of, an answer of the interface:
 * `network_error` (no answer: refused, cut, unknown host), `timeout` (none in `timeoutMs`),
 * `unexpected_answer` (something answered that is not the interface: a proxy, a wrong address),
 * `rate_limit_wait_exceeded` (gave up waiting for the rate limit), `aborted` (a signal of the
 * caller's), `invalid_option` (wrong use, nothing was sent), `row_too_large` (one row alone is
 * larger than a request may be).
 */
export const CLIENT_ERROR_CODES = [
  'network_error',
  'timeout',
  'unexpected_answer',
  'rate_limit_wait_exceeded',
  'aborted',
  'invalid_option',
  'row_too_large',
] as const;
export type ClientErrorCode = (typeof CLIENT_ERROR_CODES)[number];

/** A code of the interface's (contract 3), of the client's, or one of a newer service's. */
export type ErrorCode = ErrorBody['code'] | ClientErrorCode | (string & Record<never, never>);

/** What an error points at: a parameter, a member of the envelope. */
export type ErrorDetail = ErrorBody['details'][number];

/** What a {@link BudgetdError} may carry beyond its code and message. */
export interface ErrorFacts {
  readonly status?: number | null;
  readonly requestId?: string | null;
  readonly details?: readonly ErrorDetail[];
  readonly cause?: unknown;
}

/** Everything the client throws (contract 3). A rejected row is a result, never an error. */
export class BudgetdError extends Error {
  override readonly name = 'BudgetdError';
  readonly code: ErrorCode;
  /** The HTTP status, or null when nothing was answered. */
  readonly status: number | null;
  /** The `X-Request-Id` of the answer, to find it in the service's log; null without one. */
  readonly requestId: string | null;
  readonly details: readonly ErrorDetail[];
  /** Thrown by `push`: what had been answered before, all batches together. Else null. */
  counts: PushCounts | null = null;

  constructor(code: ErrorCode, message: string, facts: ErrorFacts = {}) {
    super(message, facts.cause === undefined ? {} : { cause: facts.cause });
    this.code = code;
    this.status = facts.status ?? null;
    this.requestId = facts.requestId ?? null;
    this.details = facts.details ?? [];
  }
}
