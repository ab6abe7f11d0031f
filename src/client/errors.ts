/** The only error type of the client, and the codes that it adds to those of the interface. */

import type { ErrorBody, ErrorDetail, PushCounts } from './documents.ts';

/**
 * The codes of errors that are not refusals of the interface:
 *
 * - `network_error`: no answer (connection refused or closed, unknown host).
 * - `timeout`: no answer within `timeoutMs`.
 * - `unexpected_answer`: the answer is not from budgetd, but from a proxy or another service.
 * - `rate_limit_wait_exceeded`: the rate limit needs a longer wait than `maxRateLimitWaitMs`.
 * - `aborted`: you aborted a signal; `cause` is its reason.
 * - `invalid_option`: a wrong argument. Nothing was sent.
 * - `row_too_large`: a single row does not fit in a request.
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

/** A code of {@link CLIENT_ERROR_CODES}. */
export type ClientErrorCode = (typeof CLIENT_ERROR_CODES)[number];

/** A code of the interface, of the client, or of a service newer than this client. */
export type ErrorCode = ErrorBody['code'] | ClientErrorCode | (string & Record<never, never>);

/** The parts of a {@link BudgetdError} beyond its code and message. */
export interface ErrorFacts {
  /** The HTTP status. Absent or null if there was no answer. */
  readonly status?: number | null;
  /** The `X-Request-Id` of the answer. Absent or null if there is none. */
  readonly requestId?: string | null;
  /** The parameters or members with errors, if any. */
  readonly details?: readonly ErrorDetail[];
  /** The error that caused this one, if any. */
  readonly cause?: unknown;
}

/** A {@link BudgetdError} as `JSON.stringify` writes it. The API key is never part of it. */
export interface BudgetdErrorDocument {
  /** Always `BudgetdError`. */
  readonly name: string;
  /** See {@link BudgetdError.code}. */
  readonly code: ErrorCode;
  /** The human-readable message. */
  readonly message: string;
  /** See {@link BudgetdError.status}. */
  readonly status: number | null;
  /** See {@link BudgetdError.requestId}. */
  readonly requestId: string | null;
  /** See {@link BudgetdError.details}. */
  readonly details: readonly ErrorDetail[];
  /** See {@link BudgetdError.counts}. */
  readonly counts: PushCounts | null;
}

/** The only error the client throws. A rejected row is a result, not an error. */
export class BudgetdError extends Error {
  /** Always `BudgetdError`. */
  override readonly name = 'BudgetdError';
  /** The reason, machine-readable. Stable within version 1. */
  readonly code: ErrorCode;
  /** The HTTP status, or null if there was no answer. */
  readonly status: number | null;
  /** The `X-Request-Id` of the answer, for the log of the service. Null if there is none. */
  readonly requestId: string | null;
  /** The parameters or members with errors. Empty for other errors. */
  readonly details: readonly ErrorDetail[];
  /**
   * After {@link Client.push}: the counts of all batches that were answered before the error. Null
   * after other calls. A batch in progress may have been stored too: push it again.
   */
  counts: PushCounts | null = null;

  /** Only the client needs this, and tests that imitate its errors. */
  constructor(code: ErrorCode, message: string, facts: ErrorFacts = {}) {
    super(message, facts.cause === undefined ? {} : { cause: facts.cause });
    this.code = code;
    this.status = facts.status ?? null;
    this.requestId = facts.requestId ?? null;
    this.details = facts.details ?? [];
  }

  /** Used by `JSON.stringify`, which would otherwise omit the message. */
  toJSON(): BudgetdErrorDocument {
    const { name, code, message, status, requestId, details, counts } = this;
    return { name, code, message, status, requestId, details, counts };
  }
}
