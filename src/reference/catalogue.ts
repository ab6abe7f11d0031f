/**
 * The list of codes: what each one means and what to do about it. The OpenAPI document and its page
 * show it, and a test checks that docs/http.md agrees.
 */

import type { ErrorBody } from '../api/contract.ts';
import type { FailureCode } from '../core/failures.ts';
import type { RowErrorCode, RowWarningCode } from '../core/push.ts';

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

/** A refusal in the list. */
export interface RefusalEntry extends CatalogueEntry {
  readonly reach: RefusalReach;
}

const entry = (means: string, remedy: string): CatalogueEntry => ({ means, remedy });
const reaching = (reach: RefusalReach) => (means: string, remedy: string) => {
  return { reach, means, remedy };
};
const any = reaching('any');
const key = reaching('key');
const cursor = reaching('cursor');
const name = reaching('name');
const body = reaching('body');

/** Every code of a refused request, in the order of the checks (contract 2, 3). */
export const REFUSALS: Readonly<Record<RefusalCode, RefusalEntry>> = {
  bad_request: any(
    'The request is not well-formed HTTP/1.1, or a proxy could read it differently.',
    'fix the client or proxy',
  ),
  invalid_request_target: any(
    'The query cannot be decoded: it is not percent-encoded UTF-8.',
    'percent-encode it as UTF-8',
  ),
  invalid_parameter: key(
    'A query parameter is unknown, is sent twice, or has a value that it does not accept.',
    'see `details`',
  ),
  invalid_cursor: cursor(
    'The cursor is not from this list with these filters and this order.',
    'start the list again without a cursor',
  ),
  invalid_encoding: body('The body is not UTF-8.', 'send UTF-8'),
  invalid_json: body(
    'The body is not JSON, or is nested more than 32 levels deep.',
    'fix it where `message` points',
  ),
  invalid_envelope: body(
    'The body is not an object with 1 to 500 `rows`, or has more than 100,000 values: 200 for ' +
      'each row.',
    'send `{ "rows": [ 1 to 500 rows ] }`, or fewer members in each',
  ),
  missing_api_key: key('The `Authorization` header is missing.', 'send the `Authorization` header'),
  invalid_api_key: key(
    'The `Authorization` header is not a Bearer token, or the key is unknown.',
    'send `Authorization: Bearer <key>`, and check that the key was copied whole',
  ),
  revoked_api_key: key('The key was revoked.', 'ask for another key'),
  expired_api_key: key('The key has expired.', 'ask for another key'),
  plan_feature_required: key(
    "The organisation's plan does not include API access.",
    'ask for the plan `professional`',
  ),
  insufficient_scope: key(
    'The key does not have the scope of this endpoint; `WWW-Authenticate` names it.',
    'use a key that has the scope named',
  ),
  not_found: name(
    'The path does not exist, or the organisation has nothing with this identifier.',
    'check the path and the identifier',
  ),
  method_not_allowed: any(
    'The path exists, but does not accept this method.',
    'use a method named in `Allow`',
  ),
  request_timeout: any('The request took too long to arrive.', 'send it again'),
  payload_too_large: body('The body is larger than 4 MiB.', 'send smaller batches'),
  unsupported_media_type: body(
    'The body is not declared as JSON in UTF-8, or it is compressed.',
    'send `Content-Type: application/json`, not compressed',
  ),
  expectation_failed: any('The `Expect` header is not `100-continue`.', 'omit the `Expect` header'),
  all_rows_rejected: body(
    'Every row was rejected. Nothing was stored.',
    'see the errors of each row in `data`',
  ),
  rate_limit_exceeded: key(
    'The key has used all of its requests for 60 seconds.',
    'wait `Retry-After` seconds',
  ),
  headers_too_large: any(
    'The header has too many fields, or they are too long.',
    'send fewer or shorter header fields',
  ),
  internal_error: any(
    'budgetd failed unexpectedly. The cause is in its log.',
    'send it again; if it persists, report it with the request id',
  ),
  unavailable: any(
    'The service is shutting down, or the database is busy.',
    'wait `Retry-After` seconds',
  ),
  storage_full: body(
    'The disk is full. Nothing was stored.',
    'free some space and push again; reading still works',
  ),
  http_version_not_supported: any('The request does not use HTTP/1.', 'use HTTP/1.1'),
};

/** Why a row of a push is rejected (contract 6). */
export const ROW_ERROR_WORDS: Readonly<Record<RowErrorCode, CatalogueEntry>> = {
  not_an_object: entry(
    'The row is not a JSON object; `field` is null.',
    'send each row as an object',
  ),
  required: entry('A required field is missing or null.', 'fill in the field at the source'),
  invalid_type: entry(
    'The field has the wrong JSON type.',
    'send `amount` as a number, without quotation marks, and all other fields as strings',
  ),
  blank: entry('The text is empty or only white space.', 'fill in the field at the source'),
  too_long: entry(
    'The text has more characters than the field accepts.',
    'shorten it; keep an `externalId` unique',
  ),
  invalid_characters: entry(
    'The text contains a control character or half of a surrogate pair.',
    'remove the character at the source',
  ),
  invalid_date: entry(
    'The date is not written `YYYY-MM-DD`, does not exist, or is not in the years 1900 to 2199.',
    'send a real date as `YYYY-MM-DD`',
  ),
  amount_precision: entry(
    "The amount has more decimal places than the organisation's currency.",
    'round it at the source: budgetd never rounds',
  ),
  amount_out_of_range: entry(
    'The amount is larger than 999,999,999,999 minor units of the currency.',
    'check the unit: amounts are in major units, such as pounds',
  ),
  journal_line: entry(
    'The row has a member of a journal line, such as `debit` or `journalId`.',
    'send cash movements only, each with one signed `amount`',
  ),
};

/** Notes about accepted rows (contract 6). */
export const ROW_WARNING_WORDS: Readonly<Record<RowWarningCode, CatalogueEntry>> = {
  duplicate_in_batch: entry(
    'An earlier row of this batch has the same `externalId`; the later row counts.',
    'check that `externalId` is unique at the source',
  ),
  other_provider: entry(
    'The row created a transaction, but another provider (`csv`, say) already has one with the ' +
      'same `externalId`.',
    'if both are the same cash movement, exclude one of them',
  ),
  unknown_field: entry(
    'The member is unknown. It is kept as raw data only.',
    'remove it, or check its name for a typing mistake',
  ),
};
