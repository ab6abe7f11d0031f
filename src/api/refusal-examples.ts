/** An example of every refusal. A test compares them with the messages of the service. */

import { explainPlan } from '../core/plans.ts';
import type { RefusalCode } from './catalogue.ts';
import type { ErrorBody, RejectedPush } from './contract.ts';
import { EXAMPLE_REQUEST_ID, rejectedPushExample } from './examples.ts';

/** The parts that differ between refusals. */
interface Wording {
  readonly message: string;
  /** The parameter or member with the error, if any. */
  readonly field?: string;
  /** The message of the detail, if it is not the whole message. */
  readonly detail?: string;
}

const WORDINGS: Readonly<Record<Exclude<RefusalCode, 'all_rows_rejected'>, Wording>> = {
  bad_request: { message: 'The request has more than one Host header.' },
  invalid_request_target: {
    message:
      'The query cannot be decoded. Percent-encode it as UTF-8: % and two hexadecimal digits per ' +
      'byte, and %25 for the percent sign itself.',
  },
  invalid_parameter: {
    message: 'Query parameter limit must be a whole number from 1 to 1000.',
    field: 'limit',
    detail: 'must be a whole number from 1 to 1000.',
  },
  invalid_cursor: {
    message:
      'The cursor is not from this list with these filters and this order. Start again without a ' +
      'cursor.',
  },
  invalid_encoding: { message: 'The body is not UTF-8. Encode it as UTF-8.' },
  invalid_json: {
    message:
      'The body is not valid JSON: line 1, column 10: expected a value, found the end of the body.',
  },
  invalid_envelope: {
    message: 'rows must contain 1 to 500 rows, not 0.',
    field: 'rows',
  },
  missing_api_key: {
    message: 'The Authorization header is missing. Send `Authorization: Bearer <key>`.',
  },
  invalid_api_key: {
    message: 'The API key is unknown. Check that you copied the whole key.',
  },
  revoked_api_key: { message: 'This API key was revoked. Ask for another key.' },
  expired_api_key: { message: 'This API key has expired. Ask for another key.' },
  plan_feature_required: { message: explainPlan('starter', 'api_access') },
  insufficient_scope: {
    message: 'This API key does not have the scope projects:read. Use a key that has it.',
  },
  not_found: { message: 'There is no project prj_0000000009.' },
  method_not_allowed: { message: 'This path only accepts GET, HEAD.' },
  request_timeout: { message: 'The request did not arrive in time.' },
  payload_too_large: { message: 'The body is larger than 4 MiB. Send it in smaller parts.' },
  unsupported_media_type: {
    message: 'Send the body as Content-Type: application/json, in UTF-8.',
  },
  expectation_failed: { message: 'The only supported Expect value is 100-continue.' },
  rate_limit_exceeded: { message: 'This API key sent 120 requests in 60 seconds. Wait 23 s.' },
  headers_too_large: { message: 'Send at most 100 header fields, 16 KiB in total.' },
  internal_error: { message: 'Something went wrong on the server. It has been logged.' },
  unavailable: { message: 'Another process is writing to the database. Try again.' },
  storage_full: { message: 'The disk is full. Free some space; reading still works.' },
  http_version_not_supported: { message: 'This version of HTTP is not supported. Use HTTP/1.1.' },
};

/** The example of a code. */
export function refusalExample(code: RefusalCode): ErrorBody | RejectedPush {
  if (code === 'all_rows_rejected') return rejectedPushExample;
  const { message, field, detail = message } = WORDINGS[code];
  const details = field === undefined ? [] : [{ field, code, message: detail }];
  return { code, message, requestId: EXAMPLE_REQUEST_ID, details };
}
