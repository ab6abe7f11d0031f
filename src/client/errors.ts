/** The one error type of the client, and the codes it adds to those of the interface. */

import type { ErrorBody, ErrorDetail, PushCounts } from './documents.ts';

/**
 * The codes of failures without a refusal from the interface:
 *
 * - `network_error`: no answer (connection refused or cut, unknown host).
 * - `timeout`: no answer within `timeoutMs`.
 * - `unexpected_answer`: something else answered, such as a proxy or another service.
 * - `rate_limit_wait_exceeded`: the wait for the rate limit grew longer than `maxRateLimitWaitMs`.
 * - `aborted`: you aborted a signal; `cause` is its reason.
 * - `invalid_option`: a wrong argument. Nothing was sent.
 * - `row_too_large`: a single row is larger than a request may be.
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
  /** The HTTP status. Absent or null when there was no answer. */
  readonly status?: number | null;
  /** The `X-Request-Id` of the answer. Absent or null when there is none. */
  readonly requestId?: string | null;
  /** The parameters or members at fault. Absent for none. */
  readonly details?: readonly ErrorDetail[];
  /** The error behind this one. Absent for none. */
  readonly cause?: unknown;
}

/** A {@link BudgetdError} as `JSON.stringify` writes it. The API key is never part of it. */
export interface BudgetdErrorDocument {
  /** Always `BudgetdError`. */
  readonly name: string;
  /** See {@link BudgetdError.code}. */
  readonly code: ErrorCode;
  /** The text for people. */
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
  /** What went wrong, for programs. It never changes within version 1. */
  readonly code: ErrorCode;
  /** The HTTP status, or null when there was no answer. */
  readonly status: number | null;
  /** The `X-Request-Id` of the answer, to find it in the log of the service. Null if none. */
  readonly requestId: string | null;
  /** The parameters or members at fault; empty when there are none to name. */
  readonly details: readonly ErrorDetail[];
  /**
   * After {@link Client.push}: the counts of all batches that were answered before the error. Null
   * after other calls. A batch that was under way may have been stored too: push it again.
   */
  counts: PushCounts | null = null;

  /** An error of the client: you need this only to imitate one in a test. */
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
