/**
 * A refused request as one value: a stable code, a human-readable message and, where possible,
 * details. The HTTP interface turns it into a status, the command line into an exit
 * code. A rejected row of a push is data, not a Failure. Anything else that is thrown is a bug.
 */

/** Every code a refusal can carry (contract 2 and 3). The interface's catalogue is this list. */
export const FAILURE_CODES = [
  'bad_request',
  'invalid_request_target',
  'invalid_parameter',
  'invalid_cursor',
  'invalid_encoding',
  'invalid_json',
  'invalid_envelope',
  'missing_api_key',
  'invalid_api_key',
  'revoked_api_key',
  'expired_api_key',
  'plan_feature_required',
  'insufficient_scope',
  'not_found',
  'method_not_allowed',
  'request_timeout',
  'payload_too_large',
  'unsupported_media_type',
  'expectation_failed',
  'all_rows_rejected',
  'rate_limit_exceeded',
  'headers_too_large',
  'internal_error',
  'unavailable',
  'storage_full',
  'http_version_not_supported',
  // The budgeting workflow: command line, console and library (contract 5), never the v1 interface.
  'invalid_input',
  'conflict',
  'not_allowed',
] as const;

/** One of {@link FAILURE_CODES}. */
export type FailureCode = (typeof FAILURE_CODES)[number];

/** What a refusal points at: a parameter, a member of a document, a field of a row. */
export interface FailureDetail {
  readonly field: string | null;
  readonly code: string;
  readonly message: string;
}

/** What a Failure can have beside its code and message. */
interface FailureExtras {
  readonly details?: readonly FailureDetail[];
  /** Header fields of the HTTP answer, such as `Allow` or `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The message for something that was not found: `There is no budget line "RNT".` */
export function explainMissing(what: string, shown: string): string {
  return `There is no ${what} ${shown}.`;
}

/** A refused request (contract 3). */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly code: FailureCode;
  readonly details: readonly FailureDetail[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: FailureCode, message: string, extras: FailureExtras = {}) {
    super(message);
    this.code = code;
    this.details = extras.details ?? [];
    this.headers = extras.headers ?? {};
  }
}
