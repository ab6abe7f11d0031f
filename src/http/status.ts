/** Converts a refusal to an answer. A code without a status does not compile. */

import type { Failure, FailureCode } from '../core/failures.ts';
import { UNAVAILABLE_RETRY_SECONDS } from '../core/limits.ts';
import { jsonReply, type Reply } from './message.ts';

/** The HTTP status of every code (contract 2, 3). */
export const STATUS: Readonly<Record<FailureCode, number>> = {
  bad_request: 400,
  invalid_request_target: 400,
  invalid_parameter: 400,
  invalid_cursor: 400,
  invalid_encoding: 400,
  invalid_json: 400,
  invalid_envelope: 400,
  missing_api_key: 401,
  invalid_api_key: 401,
  revoked_api_key: 401,
  expired_api_key: 401,
  plan_feature_required: 403,
  insufficient_scope: 403,
  not_allowed: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  conflict: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  expectation_failed: 417,
  all_rows_rejected: 422,
  invalid_input: 422,
  rate_limit_exceeded: 429,
  headers_too_large: 431,
  internal_error: 500,
  unavailable: 503,
  storage_full: 503,
  http_version_not_supported: 505,
};

/** The error document of contract 3. */
export function errorReply(failure: Failure, requestId: string): Reply {
  const { code, message, details } = failure;
  const reply = jsonReply({ code, message, requestId, details }, STATUS[code]);
  return { ...reply, headers: { ...reply.headers, ...errorHeaders(failure) } };
}

/** The header fields of a refusal, whatever its body. `unavailable` always has a Retry-After. */
export function errorHeaders({ code, headers }: Failure): Readonly<Record<string, string>> {
  if (code !== 'unavailable') return headers;
  return { 'Retry-After': String(UNAVAILABLE_RETRY_SECONDS), ...headers };
}
