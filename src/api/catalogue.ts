/**
 * The catalogue of codes: what each one means and what to do about it, once. The OpenAPI document
 * and its page show it, and a test holds docs/http.md to its words.
 */

import type { FailureCode } from '../core/failures.ts';
import type { RowErrorCode, RowWarningCode } from '../core/push.ts';
import type { ErrorBody } from './contract.ts';

/** A code that this interface sends; the rest of the failure codes are the workflow's. */
export type RefusalCode = ErrorBody['code'] & FailureCode;

/**
 * Which requests can meet a refusal: `any`, those that need a `key`, lists (`cursor`), those that
 * name one thing in their path (`name`), those with a `body`.
 */
export type RefusalReach = 'any' | 'key' | 'cursor' | 'name' | 'body';

/** A line of the catalogue. */
export interface CatalogueEntry {
  readonly means: string;
  /** What the caller does about it, as docs/http.md says it. */
  readonly remedy: string;
}

/** Every code of a refused request, in the order of the checks (contract 2, 3). */
export const REFUSALS: Readonly<Record<RefusalCode, CatalogueEntry & { reach: RefusalReach }>> = {
  bad_request: {
    reach: 'any',
    means: 'The request is not well-formed HTTP/1.1, or a proxy could read it differently.',
    remedy: 'mend the client or proxy',
  },
  invalid_request_target: {
    reach: 'any',
    means: 'The query is not percent-encoded UTF-8.',
    remedy: 'percent-encode it as UTF-8',
  },
  invalid_parameter: {
    reach: 'key',
    means: 'A query parameter is unknown, given twice, or has a value that is none of its kind.',
    remedy: 'see `details`',
  },
  invalid_cursor: {
    reach: 'cursor',
    means: 'The cursor was not issued for this list with these filters and this order.',
    remedy: 'start the list again without a cursor',
  },
  invalid_encoding: {
    reach: 'body',
    means: 'The body is not UTF-8.',
    remedy: 'send UTF-8',
  },
  invalid_json: {
    reach: 'body',
    means: 'The body is not JSON, or has more than 32 brackets open at once.',
    remedy: 'mend it where `message` points',
  },
  invalid_envelope: {
    reach: 'body',
    means:
      'The body is not an object with a list of 1 to 500 `rows`, or holds more than 100,000 ' +
      'values, which is 200 for each row.',
    remedy: 'send `{ "rows": [ 1 to 500 rows ] }`, or fewer members in each',
  },
  missing_api_key: {
    reach: 'key',
    means: 'There is no `Authorization` header.',
    remedy: 'send the `Authorization` header',
  },
  invalid_api_key: {
    reach: 'key',
    means: 'The `Authorization` header holds no Bearer token, or not a key of this service.',
    remedy: 'check that the key was copied whole',
  },
  revoked_api_key: {
    reach: 'key',
    means: 'The key was revoked.',
    remedy: 'ask for another key',
  },
  expired_api_key: {
    reach: 'key',
    means: 'The key is past its expiry.',
    remedy: 'ask for another key',
  },
  plan_feature_required: {
    reach: 'key',
    means: "The organisation's plan is below `professional`.",
    remedy: 'ask for the plan `professional`',
  },
  insufficient_scope: {
    reach: 'key',
    means: 'The key lacks the scope of this endpoint; `WWW-Authenticate` names it.',
    remedy: 'use a key that has the scope named',
  },
  not_found: {
    reach: 'name',
    means: "There is no such path, or nothing of that identifier among this organisation's things.",
    remedy: 'check the path and the identifier',
  },
  method_not_allowed: {
    reach: 'any',
    means: 'The path exists, but not with this method.',
    remedy: 'use a method named in `Allow`',
  },
  request_timeout: {
    reach: 'any',
    means: 'The request did not arrive in time.',
    remedy: 'send it again',
  },
  payload_too_large: {
    reach: 'body',
    means: 'The body is larger than 4 MiB.',
    remedy: 'send smaller batches',
  },
  unsupported_media_type: {
    reach: 'body',
    means: 'The body is not declared as JSON in UTF-8, or is compressed.',
    remedy: 'send `Content-Type: application/json`, not compressed',
  },
  expectation_failed: {
    reach: 'any',
    means: 'The `Expect` header asks for something other than `100-continue`.',
    remedy: 'leave out the `Expect` header',
  },
  all_rows_rejected: {
    reach: 'body',
    means: 'The push was understood, but every row of it was rejected. Nothing was stored.',
    remedy: 'see the errors of each row in `data`',
  },
  rate_limit_exceeded: {
    reach: 'key',
    means: 'The key has made as many requests as it may in 60 seconds.',
    remedy: 'wait `Retry-After` seconds',
  },
  headers_too_large: {
    reach: 'any',
    means: 'The header fields are too long, or too many.',
    remedy: 'send fewer or shorter header fields',
  },
  internal_error: {
    reach: 'any',
    means: 'Something went wrong in budgetd that should not have; it is in its log.',
    remedy: 'report it with the request id',
  },
  unavailable: {
    reach: 'any',
    means: 'The service is shutting down, or the database is busy.',
    remedy: 'wait `Retry-After` seconds',
  },
  storage_full: {
    reach: 'body',
    means: 'The disk is full: nothing of the push was stored.',
    remedy: 'make room and push again; reading still works',
  },
  http_version_not_supported: {
    reach: 'any',
    means: 'The request is not HTTP/1.',
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
    means: 'A required field is absent or null.',
    remedy: 'fill the field in at the source',
  },
  invalid_type: {
    means: 'The field is JSON of another type.',
    remedy: 'send texts as strings and `amount` as a number, without quotation marks',
  },
  blank: {
    means: 'The text is empty, or nothing but white space.',
    remedy: 'fill the field in at the source',
  },
  too_long: {
    means: 'The text has more characters than the field takes.',
    remedy: 'shorten it; an `externalId` only by a rule that keeps it unique',
  },
  invalid_characters: {
    means: 'The text holds a control character or half of a surrogate pair.',
    remedy: 'take the character out at the source',
  },
  invalid_date: {
    means: 'The date is not a real day written `YYYY-MM-DD`, in the years 1900 to 2199.',
    remedy: 'write the day as `YYYY-MM-DD`',
  },
  amount_precision: {
    means: "The amount has more decimal places than the organisation's currency.",
    remedy: 'round it at the source: it is never rounded here',
  },
  amount_out_of_range: {
    means: 'The amount is larger than 999,999,999,999 minor units of the currency.',
    remedy: 'check its unit: amounts are in major units, such as pounds',
  },
  journal_line: {
    means: 'The row carries a mark of a journal line, such as `debit` or `journalId`.',
    remedy: 'send cash movements only, as one signed `amount`',
  },
};

/** What is worth saying of an accepted row (contract 6). */
export const ROW_WARNINGS: Readonly<Record<RowWarningCode, CatalogueEntry>> = {
  duplicate_in_batch: {
    means: 'The same `externalId` stood earlier in this batch; the later row counts.',
    remedy: 'check that `externalId` is unique at the source',
  },
  other_provider: {
    means:
      'The row created a transaction, but another provider (`csv`, say) already has one with the ' +
      'same `externalId`.',
    remedy: 'if both are the same cash movement, exclude one of them',
  },
  unknown_field: {
    means: 'The interface does not know this member: it is kept as raw data only.',
    remedy: 'leave it out, or look for a typing mistake in its name',
  },
};
