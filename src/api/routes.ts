/**
 * Every endpoint of version 1. To add an endpoint, add an entry here: its operation, and its
 * document from documents.ts. To add a query parameter, add a member to its schema in inputs.ts.
 */

import { formatId } from '../core/ids.ts';
import type { Scope } from '../core/plans.ts';
import {
  ConnectionCut,
  type FailurePages,
  jsonReply,
  type Reply,
  type Request,
  type Route,
} from '../http/message.ts';
import { notFound } from '../http/router.ts';
import { errorReply } from '../http/status.ts';
import { consistently } from '../operations/access.ts';
import { listAllocations } from '../operations/allocations.ts';
import type { Listing } from '../operations/pages.ts';
import { getProject, getReport, listProjects } from '../operations/projects.ts';
import { listTransactions, pushTransactions } from '../operations/transactions.ts';
import { takeTurns } from '../operations/turns.ts';
import type { Access } from '../store/access.ts';
import type { PresentedKey } from '../store/keys.ts';
import type { TransactionRecord } from '../store/transactions.ts';
import {
  allocationItem,
  listDocument,
  projectItem,
  reportDocument,
  transactionItem,
} from './documents.ts';
import { readEnvelope } from './envelope.ts';
import { toFilter } from './filters.ts';
import { type ApiContext, admit, admitAgain } from './gate.ts';
import { PARAMETERS, type Parameters, readParameters, type Values } from './parameters.ts';

/** The names of the endpoints in generated clients. */
export type OperationId =
  | 'listProjects'
  | 'getProject'
  | 'getProjectReport'
  | 'listProjectAllocations'
  | 'listTransactions'
  | 'pushTransactions';

/** One endpoint: its documentation and its handler. */
export interface Endpoint {
  readonly operationId: OperationId;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly scope: Scope;
  readonly summary: string;
  readonly parameters: Parameters;
  /** The name of its 200 document. */
  readonly response: keyof typeof import('./contract.ts').SCHEMAS;
  answer(call: Admitted): Reply | Promise<Reply>;
}

/** A request that passed the gate. */
interface Admitted extends Access, Pick<ApiContext, 'onPush'> {
  readonly request: Request;
  readonly key: PresentedKey;
}

/** Every endpoint of version 1 (Spec 4). */
export const ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    operationId: 'listProjects',
    method: 'GET',
    path: '/api/v1/projects',
    scope: 'projects:read',
    summary: 'List projects',
    parameters: PARAMETERS.ProjectQuery,
    response: 'ProjectList',
    respond: (call, values) =>
      jsonReply(listDocument(listProjects(call, toFilter(values)), projectItem, call.organisation)),
  }),
  endpoint({
    operationId: 'getProject',
    method: 'GET',
    path: '/api/v1/projects/{id}',
    scope: 'projects:read',
    summary: 'Get a project',
    parameters: {},
    response: 'ProjectDocument',
    respond: (call) =>
      jsonReply({ data: projectItem(getProject(call, idOf(call)), call.organisation) }),
  }),
  endpoint({
    operationId: 'getProjectReport',
    method: 'GET',
    path: '/api/v1/projects/{id}/report',
    scope: 'reports:read',
    summary: 'Budget against actual for a project',
    parameters: PARAMETERS.ReportQuery,
    response: 'ReportDocument',
    respond: (call, values) =>
      jsonReply(reportDocument(getReport(call, idOf(call), values), call.organisation)),
  }),
  endpoint({
    operationId: 'listProjectAllocations',
    method: 'GET',
    path: '/api/v1/projects/{id}/allocations',
    scope: 'allocations:read',
    summary: "List the allocations to a project's budget lines",
    parameters: PARAMETERS.AllocationQuery,
    response: 'AllocationList',
    respond: (call, values) =>
      jsonReply(
        listDocument(listAllocations(call, idOf(call), values), allocationItem, call.organisation),
      ),
  }),
  endpoint({
    operationId: 'listTransactions',
    method: 'GET',
    path: '/api/v1/transactions',
    scope: 'transactions:read',
    summary: 'List transactions',
    parameters: PARAMETERS.TransactionQuery,
    response: 'TransactionList',
    respond: answerTransactions,
  }),
  endpoint({
    operationId: 'pushTransactions',
    method: 'POST',
    path: '/api/v1/transactions',
    scope: 'transactions:write',
    summary: 'Push a batch of transactions',
    parameters: PARAMETERS.PushQuery,
    response: 'PushAnswer',
    respond: answerPush,
  }),
];

/** A single transaction has no path, but programs try to read, change and delete one at one. */
export const TRANSACTION_FAILURES: FailurePages = {
  prefix: '/api/v1/transactions',
  renderFailure(failure, { requestId }) {
    const advice =
      ' Push to /api/v1/transactions, without a slash at the end, and read one with ' +
      '/api/v1/transactions?id=… To correct, void or delete a payment, push its row again: ' +
      'docs/corrections.md says how.';
    return errorReply(failure.code === 'not_found' ? notFound(advice) : failure, requestId);
  },
};

/** The routes of version 1, each behind the gate. */
export function buildRoutes(context: ApiContext): Route[] {
  return ENDPOINTS.map((each) => ({
    method: each.method,
    path: each.path,
    // The key and the data are read together, up to where an answer waits for its body.
    handler: (request) =>
      consistently(context, () => {
        const key = admit(context, request, each.scope);
        const { db, onPush } = context;
        return each.answer({ db, onPush, organisation: key.organisation, request, key });
      }),
  }));
}

/** When matches are rare, other requests run in between, until the client has gone. */
function answerTransactions(call: Admitted, values: Values<typeof PARAMETERS.TransactionQuery>) {
  const reply = (found: Listing<TransactionRecord>) => {
    return jsonReply(listDocument(found, transactionItem, call.organisation));
  };
  const found = takeTurns(listTransactions(call, toFilter(values)), () => {
    if (call.request.isGone) throw new ConnectionCut();
  });
  return found instanceof Promise ? found.then(reply) : reply(found);
}

async function answerPush(call: Admitted, { dryRun = false }: Values<typeof PARAMETERS.PushQuery>) {
  const { request, key } = call;
  const envelope = await request.readJson();
  admitAgain(call, key, request, 'transactions:write');
  const { requestId, nowMs } = request;
  const actor = { name: formatId('key', key.id), requestId, nowMs };
  const batch = { rows: readEnvelope(envelope), provider: 'api', dryRun } as const;
  const beganMs = performance.now();
  const { results, meta } = pushTransactions(call, batch, actor);
  call.onPush?.(meta, performance.now() - beganMs);
  if (meta.rejected < meta.received) return jsonReply({ data: results, meta });
  const refusal = {
    code: 'all_rows_rejected',
    message: 'Every row was rejected. See the errors of each row in data.',
    requestId,
    details: [],
  };
  return jsonReply({ ...refusal, data: results, meta }, 422);
}

function idOf({ request }: Admitted): string {
  return request.params['id'] ?? '';
}

/** Builds an endpoint that reads its parameters, which gives them types, before it responds. */
function endpoint<Known extends Parameters>(
  row: Omit<Endpoint, 'answer' | 'parameters'> & {
    readonly parameters: Known;
    respond(call: Admitted, values: Values<Known>): Reply | Promise<Reply>;
  },
): Endpoint {
  const { respond, ...documented } = row;
  return {
    ...documented,
    answer: (call) => respond(call, readParameters(row.parameters, call.request.query)),
  };
}
