/**
 * The list of codes: what each one means and what to do about it. The OpenAPI document and its page
 * show it, and a test checks that docs/http.md agrees.
 */

import type { FailureCode } from '../core/failures.ts';
import type { RowErrorCode, RowWarningCode } from '../core/push.ts';
import type { ErrorBody } from './contract.ts';

/** A code that this interface sends; the other failure codes belong to the command line. */
export type RefusalCode = ErrorBody['code'] & FailureCode;

/**
 * Which requests can be refused with a code: `any`, those that need a `key`, lists (`cursor`),
 * those with an identifier in their path (`name`), those with a `body`.
 */
export type RefusalReach = 'any' | 'key' | 'cursor' | 'name' | 'body';

/** A code in the list. */
export interface CatalogueEntry {
  readonly means: string;
  /** What the caller can do, in the words of docs/http.md. */
  readonly remedy: string;
}

/** Every code of a refused request, in the order of the checks (contract 2, 3). */
export const REFUSALS: Readonly<Record<RefusalCode, CatalogueEntry & { reach: RefusalReach }>> = {
  bad_request: {
    reach: 'any',
    means: 'The request is not well-formed HTTP/1.1, or a proxy could read it differently.',
    remedy: 'fix the client or proxy',
  },
  invalid_request_target: {
    reach: 'any',
    means: 'The query cannot be decoded: it is not percent-encoded UTF-8.',
    remedy: 'percent-encode it as UTF-8',
  },
  invalid_parameter: {
    reach: 'key',
    means: 'A query parameter is unknown, is sent twice, or has a value that it does not accept.',
    remedy: 'see `details`',
  },
  invalid_cursor: {
    reach: 'cursor',
    means: 'The cursor is not from this list with these filters and this order.',
    remedy: 'start the list again without a cursor',
  },
  invalid_encoding: {
    reach: 'body',
    means: 'The body is not UTF-8.',
    remedy: 'send UTF-8',
  },
  invalid_json: {
    reach: 'body',
    means: 'The body is not JSON, or is nested more than 32 levels deep.',
    remedy: 'fix it where `message` points',
  },
  invalid_envelope: {
    reach: 'body',
    means:
      'The body is not an object with 1 to 500 `rows`, or has more than 100,000 values: 200 for ' +
      'each row.',
    remedy: 'send `{ "rows": [ 1 to 500 rows ] }`, or fewer members in each',
  },
  missing_api_key: {
    reach: 'key',
    means: 'The `Authorization` header is missing.',
    remedy: 'send the `Authorization` header',
  },
  invalid_api_key: {
    reach: 'key',
    means: 'The `Authorization` header is not a Bearer token, or the key is unknown.',
    remedy: 'send `Authorization: Bearer <key>`, and check that the key was copied whole',
  },
  revoked_api_key: {
    reach: 'key',
    means: 'The key was revoked.',
    remedy: 'ask for another key',
  },
  expired_api_key: {
    reach: 'key',
    means: 'The key has expired.',
    remedy: 'ask for another key',
  },
  plan_feature_required: {
    reach: 'key',
    means: "The organisation's plan does not include API access.",
    remedy: 'ask for the plan `professional`',
  },
  insufficient_scope: {
    reach: 'key',
    means: 'The key does not have the scope of this endpoint; `WWW-Authenticate` names it.',
    remedy: 'use a key that has the scope named',
  },
  not_found: {
    reach: 'name',
    means: 'The path does not exist, or the organisation has nothing with this identifier.',
    remedy: 'check the path and the identifier',
  },
  method_not_allowed: {
    reach: 'any',
    means: 'The path exists, but does not accept this method.',
    remedy: 'use a method named in `Allow`',
  },
  request_timeout: {
    reach: 'any',
    means: 'The request took too long to arrive.',
    remedy: 'send it again',
  },
  payload_too_large: {
    reach: 'body',
    means: 'The body is larger than 4 MiB.',
    remedy: 'send smaller batches',
  },
  unsupported_media_type: {
    reach: 'body',
    means: 'The body is not declared as JSON in UTF-8, or it is compressed.',
    remedy: 'send `Content-Type: application/json`, not compressed',
  },
  expectation_failed: {
    reach: 'any',
    means: 'The `Expect` header is not `100-continue`.',
    remedy: 'omit the `Expect` header',
  },
  all_rows_rejected: {
    reach: 'body',
    means: 'Every row was rejected. Nothing was stored.',
    remedy: 'see the errors of each row in `data`',
  },
  rate_limit_exceeded: {
    reach: 'key',
    means: 'The key has used all of its requests for 60 seconds.',
    remedy: 'wait `Retry-After` seconds',
  },
  headers_too_large: {
    reach: 'any',
    means: 'The header has too many fields, or they are too long.',
    remedy: 'send fewer or shorter header fields',
  },
  internal_error: {
    reach: 'any',
    means: 'budgetd failed unexpectedly. The cause is in its log.',
    remedy: 'send it again; if it persists, report it with the request id',
  },
  unavailable: {
    reach: 'any',
    means: 'The service is shutting down, or the database is busy.',
    remedy: 'wait `Retry-After` seconds',
  },
  storage_full: {
    reach: 'body',
    means: 'The disk is full. Nothing was stored.',
    remedy: 'free some space and push again; reading still works',
  },
  http_version_not_supported: {
    reach: 'any',
    means: 'The request does not use HTTP/1.',
    remedy: 'use HTTP/1.1',
  },
};

/** Why a row of a push is rejected (contract 6). */
export const ROW_ERRORS: Readonly<Record<RowErrorCode, CatalogueEntry>> = {
  not_an_object: {
    means: 'The row is not a JSON object; `field` is null.',
    remedy: 'send each row as an object',
  },
  required: {
    means: 'A required field is missing or null.',
    remedy: 'fill in the field at the source',
  },
  invalid_type: {
    means: 'The field has the wrong JSON type.',
    remedy: 'send `amount` as a number, without quotation marks, and all other fields as strings',
  },
  blank: {
    means: 'The text is empty or only white space.',
    remedy: 'fill in the field at the source',
  },
  too_long: {
    means: 'The text has more characters than the field accepts.',
    remedy: 'shorten it; keep an `externalId` unique',
  },
  invalid_characters: {
    means: 'The text contains a control character or half of a surrogate pair.',
    remedy: 'remove the character at the source',
  },
  invalid_date: {
    means:
      'The date is not written `YYYY-MM-DD`, does not exist, or is not in the years 1900 to 2199.',
    remedy: 'send a real date as `YYYY-MM-DD`',
  },
  amount_precision: {
    means: "The amount has more decimal places than the organisation's currency.",
    remedy: 'round it at the source: budgetd never rounds',
  },
  amount_out_of_range: {
    means: 'The amount is larger than 999,999,999,999 minor units of the currency.',
    remedy: 'check the unit: amounts are in major units, such as pounds',
  },
  journal_line: {
    means: 'The row has a member of a journal line, such as `debit` or `journalId`.',
    remedy: 'send cash movements only, each with one signed `amount`',
  },
};

/** Notes about accepted rows (contract 6). */
export const ROW_WARNINGS: Readonly<Record<RowWarningCode, CatalogueEntry>> = {
  duplicate_in_batch: {
    means: 'An earlier row of this batch has the same `externalId`; the later row counts.',
    remedy: 'check that `externalId` is unique at the source',
  },
  other_provider: {
    means:
      'The row created a transaction, but another provider (`csv`, say) already has one with the ' +
      'same `externalId`.',
    remedy: 'if both are the same cash movement, exclude one of them',
  },
  unknown_field: {
    means: 'The member is unknown. It is kept as raw data only.',
    remedy: 'remove it, or check its name for a typing mistake',
  },
};
