/**
 * The tables of the contract, copied from the contract and not derived from the code: the endpoints
 * of section 4 and the codes of sections 2, 3 and 6 with their statuses.
 */

import type { TSchema } from 'typebox';
import { SCHEMAS } from '../../src/api/contract.ts';
import type { FailureCode } from '../../src/core/failures.ts';
import type { Scope } from '../../src/core/plans.ts';

/** A line of the table in contract 4, with the parameters from the text below it. */
export interface ContractEndpoint {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly scope: Scope;
  /** The document of a 200. */
  readonly document: TSchema;
  readonly parameters: readonly string[];
  /** The `Allow` of its path (contract 2, step 1). */
  readonly allow: string;
}

const PAGE = ['limit', 'cursor'];
const READ_ONLY = 'GET, HEAD';

/** Contract 4. */
export const CONTRACT_ENDPOINTS: readonly ContractEndpoint[] = [
  {
    method: 'GET',
    path: '/api/v1/projects',
    scope: 'projects:read',
    document: SCHEMAS.ProjectList,
    parameters: ['parentProjectId', 'updatedSince', ...PAGE],
    allow: READ_ONLY,
  },
  {
    method: 'GET',
    path: '/api/v1/projects/{id}',
    scope: 'projects:read',
    document: SCHEMAS.ProjectDocument,
    parameters: [],
    allow: READ_ONLY,
  },
  {
    method: 'GET',
    path: '/api/v1/projects/{id}/report',
    scope: 'reports:read',
    document: SCHEMAS.ReportDocument,
    parameters: ['granularity', 'from', 'to'],
    allow: READ_ONLY,
  },
  {
    method: 'GET',
    path: '/api/v1/projects/{id}/allocations',
    scope: 'allocations:read',
    document: SCHEMAS.AllocationList,
    parameters: ['from', 'to', 'budgetLineId', 'transactionId', ...PAGE],
    allow: READ_ONLY,
  },
  {
    method: 'GET',
    path: '/api/v1/transactions',
    scope: 'transactions:read',
    document: SCHEMAS.TransactionList,
    parameters: [
      ...['id', 'from', 'to', 'status', 'provider', 'externalId', 'accountCode', 'contact'],
      ...['reference', 'bankAccount', 'projectCode', 'externalIdPrefix', 'recoded'],
      ...['projectId', 'updatedSince', 'q', 'order', ...PAGE],
    ],
    allow: 'GET, HEAD, POST',
  },
  {
    method: 'POST',
    path: '/api/v1/transactions',
    scope: 'transactions:write',
    document: SCHEMAS.PushAnswer,
    parameters: ['dryRun'],
    allow: 'GET, HEAD, POST',
  },
];

/** The scopes of Spec 5.6. */
export const CONTRACT_SCOPES: readonly Scope[] = [
  'projects:read',
  'reports:read',
  'allocations:read',
  'transactions:read',
  'transactions:write',
];

/** Where a code is decided, which determines the header fields of the answer. */
export type Stage = 'before the key' | 'at the key' | 'behind the key' | 'anywhere';

/** A code of the HTTP interface: all except the three of the workflow. */
export type WireCode = Exclude<FailureCode, 'invalid_input' | 'conflict' | 'not_allowed'>;

/** Each code with its status and where it is decided (contract 2, 3, 6). */
export const CONTRACT_CODES: Readonly<Record<WireCode, readonly [status: number, Stage]>> = {
  bad_request: [400, 'before the key'],
  invalid_request_target: [400, 'before the key'],
  invalid_parameter: [400, 'behind the key'],
  invalid_cursor: [400, 'behind the key'],
  invalid_encoding: [400, 'behind the key'],
  invalid_json: [400, 'behind the key'],
  invalid_envelope: [400, 'behind the key'],
  missing_api_key: [401, 'at the key'],
  invalid_api_key: [401, 'at the key'],
  revoked_api_key: [401, 'at the key'],
  expired_api_key: [401, 'at the key'],
  plan_feature_required: [403, 'behind the key'],
  insufficient_scope: [403, 'behind the key'],
  not_found: [404, 'anywhere'],
  method_not_allowed: [405, 'before the key'],
  request_timeout: [408, 'anywhere'],
  payload_too_large: [413, 'behind the key'],
  unsupported_media_type: [415, 'behind the key'],
  expectation_failed: [417, 'before the key'],
  all_rows_rejected: [422, 'behind the key'],
  rate_limit_exceeded: [429, 'behind the key'],
  headers_too_large: [431, 'before the key'],
  internal_error: [500, 'anywhere'],
  unavailable: [503, 'anywhere'],
  storage_full: [503, 'behind the key'],
  http_version_not_supported: [505, 'before the key'],
};

/** The endpoint of a method and a target without its query. */
export function findEndpoint(method: string, path: string): ContractEndpoint | undefined {
  const wanted = method === 'HEAD' ? 'GET' : method;
  return CONTRACT_ENDPOINTS.find((each) => each.method === wanted && isPathOf(each, path));
}

/** Whether a path is one of the interface. */
export function isKnownPath(path: string): boolean {
  return CONTRACT_ENDPOINTS.some((each) => isPathOf(each, path));
}

/** The path of an endpoint with an identifier filled in. */
export function pathOf({ path }: ContractEndpoint, id: string): string {
  return path.replace('{id}', id);
}

function isPathOf({ path }: ContractEndpoint, sent: string): boolean {
  return new RegExp(`^${path.replace('{id}', '[\\w-]+')}$`).test(sent);
}
