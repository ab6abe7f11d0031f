/**
 * The examples of the OpenAPI document: `npm run build` asks a service for them, so each is the
 * answer that a client gets.
 */

import type { WireCode } from '../../src/api/contract.ts';
import { ENDPOINTS, type OperationId } from '../../src/api/routes.ts';
import { REQUESTS_PER_MINUTE } from '../../src/core/limits.ts';
import { storageFailure } from '../../src/database/sqlite-errors.ts';
import { refusalOf } from '../../src/http/parser-errors.ts';
import { Listener } from '../../src/http/server.ts';
import { CATALOGUE } from './catalogue.ts';
import type { Example } from './openapi-document.ts';
import { OPERATION_WORDS, PARAMETER_WORDS } from './openapi-operations.ts';
import { ExampleWorld, exchange } from './world.ts';

/** Examples by name. */
export type NamedExamples = Readonly<Record<string, Example>>;

/** Every example of the document. */
export interface Examples {
  /** Of the body of a push. */
  readonly bodies: NamedExamples;
  /** Of each operation's 200. */
  readonly answers: Readonly<Record<OperationId, NamedExamples>>;
  readonly refusals: Readonly<Record<WireCode, Example>>;
}

/** The request id in the examples of refusals. */
export const EXAMPLE_REQUEST_ID = 'req_6f1d0b5a9c3e7248_1';

const PUSH = '/api/v1/transactions';

const RENT = {
  externalId: 'INV-1',
  date: '2026-01-30',
  description: 'Rent, January',
  contact: 'Landlord Ltd',
  amount: 1200,
  accountCode: '7100',
};
const GRANT = {
  externalId: 'GRANT-1',
  date: '2026-01-12',
  description: 'Grant, first part',
  contact: 'The Lottery',
  amount: -5000,
};
const PAY = {
  externalId: 'PAY-1',
  date: '2026-01-28',
  description: 'Sessional pay',
  amount: 840.5,
  accountCode: '7000',
  hours: 41,
};
const REPAIR = { externalId: 'INV-2', date: '2026-01-30', description: 'Repair', amount: 85.5 };
const WRONG_REPAIR = { ...REPAIR, date: '30/01/2026', amount: '85,50' };

/** Starts a service, and records what it answers. */
export async function recordExamples(): Promise<Examples> {
  const world = await ExampleWorld.open();
  try {
    const pushes = await recordPushes(world);
    const answers: Partial<Record<OperationId, NamedExamples>> = { pushTransactions: pushes };
    for (const { operationId, method, path } of ENDPOINTS) {
      if (method === 'GET') answers[operationId] = await recordReads(world, operationId, path);
    }
    return {
      bodies: { twoRows: { summary: 'Money out and money in', value: { rows: [RENT, GRANT] } } },
      answers: answers as Examples['answers'],
      refusals: await recordRefusals(world),
    };
  } finally {
    await world.close();
  }
}

/** Pushes, with an allocation between them: the reads that follow show their transactions. */
async function recordPushes(world: ExampleWorld): Promise<NamedExamples> {
  world.setClock('2026-01-31T12:00:00.000Z');
  const created = await world.ask(PUSH, [RENT, GRANT]);
  world.setClock('2026-01-31T12:30:00.000Z');
  const line = { budgetLineId: 'bln_0000000001' };
  world.service.transactions.allocate(world.organisationId, 'txn_0000000001', [line]);
  world.setClock('2026-02-02T09:00:00.000Z');
  const mixed = await world.ask(PUSH, [{ ...RENT, amount: 1250 }, PAY, WRONG_REPAIR]);
  const dryRun = await world.ask(`${PUSH}?dryRun=true`, [REPAIR]);
  return {
    created: { summary: 'Two new rows', value: created },
    mixed: { summary: 'A changed amount, a warning and a rejected row', value: mixed },
    dryRun: { summary: 'A dry run', value: dryRun },
  };
}

async function recordReads(
  world: ExampleWorld,
  operationId: OperationId,
  path: string,
): Promise<NamedExamples> {
  const target = path.replace('{id}', String(PARAMETER_WORDS['{id}'].example));
  const recorded: Record<string, Example> = {};
  for (const [name, { summary, query }] of Object.entries(OPERATION_WORDS[operationId].examples)) {
    recorded[name] = { summary, value: await world.ask(target + query) };
  }
  return recorded;
}

async function recordRefusals(world: ExampleWorld): Promise<Examples['refusals']> {
  const documents = [...(await provokeRefusals(world)), ...(await provokeFailures())];
  const found = new Map(documents.map((each) => [each.code, each]));
  const recorded = CATALOGUE.refusals.map(({ code, means }) => {
    const value = found.get(code);
    if (value === undefined) throw new Error(`No example has the code ${code}.`);
    return [code, { summary: means, value: { ...value, requestId: EXAMPLE_REQUEST_ID } }];
  });
  return Object.fromEntries(recorded);
}

/** A document with a code and a request id. */
interface Refusal {
  readonly code: string;
  readonly requestId: string;
}

/** Sends a request for every refusal that a client can cause. */
async function provokeRefusals(world: ExampleWorld): Promise<Refusal[]> {
  const { service, organisationId } = world;
  const documents: unknown[] = [];
  const ask = async (...sent: Parameters<ExampleWorld['send']>) => {
    documents.push(await world.send(...sent));
  };
  const push = (body: string, type = 'application/json') =>
    ask(`POST ${PUSH}`, { fields: [`Content-Type: ${type}`], body });
  const list = 'GET /api/v1/projects';
  const gone = service.keys.create(organisationId, { name: 'gone', scopes: ['projects:read'] });
  service.keys.revoke(organisationId, gone.id);

  await ask(list, { fields: ['Host: other'] });
  await ask(`${list}?limit=%zz`);
  await ask(`${list}?limit=0`);
  await ask(`${list}?cursor=x`);
  await push('\xff');
  await push('{"rows": ');
  await push('{"rows":[]}');
  await ask(list, { key: '' });
  await ask(list, { key: 'x' });
  await ask(list, { key: gone.key });
  await ask(list, { key: world.addKey(['projects:read'], '2025-12-01') });
  await ask(list, { key: world.addKey(['transactions:read']) });
  await ask(`${list}/prj_0000000009`);
  await ask('DELETE /api/v1/projects');
  await ask(`POST ${PUSH}`, {
    fields: ['Content-Type: application/json', 'Content-Length: 5000000'],
  });
  await push('{}', 'text/plain');
  await ask(list, { fields: ['Expect: tea'] });
  documents.push(await world.ask(PUSH, [WRONG_REPAIR]));
  await ask(list, { fields: [`X-Long: ${'x'.repeat(20_000)}`] });
  await ask('GET / HTTP/3.0');
  const busy = world.addKey(['projects:read']);
  const minute = Array.from({ length: REQUESTS_PER_MINUTE });
  await Promise.all(minute.map(() => world.send(list, { key: busy })));
  world.setClock('2026-02-02T09:00:37.000Z', 37);
  await ask(list, { key: busy });
  service.organisations.setPlan(organisationId, 'starter');
  await ask(list);
  return documents as Refusal[];
}

/** The refusals that need a broken machine, a bug or a slow network: a listener is given those. */
async function provokeFailures(): Promise<Refusal[]> {
  const failures = [
    new Error('a bug'),
    Object.assign(new Error('full'), { code: 'SQLITE_FULL' }),
    Object.assign(new Error('busy'), { code: 'SQLITE_BUSY' }),
    refusalOf('request_timeout'),
  ];
  const routes = failures.map((failure, at) => {
    const handler = () => {
      throw failure;
    };
    return { method: 'GET', path: `/${at}`, handler } as const;
  });
  const clock = () => new Date();
  const listener = new Listener({ routes, clock, log: () => {}, failureOf: storageFailure });
  const { url } = await listener.listen({ port: 0 });
  const requests = routes.map(({ path }) => `GET ${path} HTTP/1.1\r\nHost: test\r\n\r\n`);
  const answers = await Promise.all(requests.map((text) => exchange(url, Buffer.from(text))));
  await listener.close();
  return answers as Refusal[];
}
