/**
 * The list of codes: what each one means and what to do about it, from the tables of docs/http.md.
 * The OpenAPI document and its page show it.
 */

import { readFileSync } from 'node:fs';
import type { WireCode } from '../../src/api/contract.ts';
import { STATUS } from '../../src/http/status.ts';
import type { Catalogue, CatalogueLine } from './openapi-document.ts';

/**
 * Which requests can be refused with a code: `any`, those that need a `key`, lists (`cursor`),
 * those with an identifier in their path (`name`), those with a `body`.
 */
export type RefusalReach = 'any' | 'key' | 'cursor' | 'name' | 'body';

/** The reach of every code. */
export const REACH: Readonly<Record<WireCode, RefusalReach>> = {
  bad_request: 'any',
  invalid_request_target: 'any',
  invalid_parameter: 'key',
  invalid_cursor: 'cursor',
  invalid_encoding: 'body',
  invalid_json: 'body',
  invalid_envelope: 'body',
  missing_api_key: 'key',
  invalid_api_key: 'key',
  revoked_api_key: 'key',
  expired_api_key: 'key',
  plan_feature_required: 'key',
  insufficient_scope: 'key',
  not_found: 'name',
  method_not_allowed: 'any',
  request_timeout: 'any',
  payload_too_large: 'body',
  unsupported_media_type: 'body',
  expectation_failed: 'any',
  all_rows_rejected: 'body',
  rate_limit_exceeded: 'key',
  headers_too_large: 'any',
  internal_error: 'any',
  unavailable: 'any',
  storage_full: 'body',
  http_version_not_supported: 'any',
};

// Compiled, this file is in dist/build/reference.
const TEXT = readFileSync(new URL('../../../docs/http.md', import.meta.url), 'utf8')
  // The service has no such page: its name says where in the package it is.
  .replace(/\[(\w+\.md)\]\(\1\)/g, 'docs/$1');

/** Every code: refusals in the order of the checks, then what can be said about a row. */
export const CATALOGUE: Catalogue = {
  refusals: readTable('status | code').map(({ code, ...words }) => {
    return { code, status: STATUS[code as WireCode], ...words };
  }),
  rowErrors: readTable('error'),
  rowWarnings: readTable('warning'),
};

/** What a code of a refusal means. */
export function meaningOf(code: WireCode): string {
  const line = CATALOGUE.refusals.find((each) => each.code === code);
  if (line === undefined) throw new Error(`docs/http.md does not have the code ${code}.`);
  return line.means;
}

/** The lines of the table whose header begins with `head`. */
function readTable(head: string): CatalogueLine[] {
  const start = TEXT.indexOf(`\n| ${head} | meaning | what to do |\n`);
  const [table = ''] = TEXT.slice(start + 1).split('\n\n', 1);
  return [...table.matchAll(/`(\w+)` \| (.+) \| (.+) \|$/gm)].map(
    ([, code = '', means = '', remedy = '']) => ({ code, means, remedy }),
  );
}
