/** Runs each generated client against a service, and against a later one. */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createService } from 'budgetd';
import * as heyApi from './clients/hey-api';
import * as openapiFetch from './clients/openapi-fetch';
import * as zodClient from './clients/openapi-zod-client';
import * as orval from './clients/orval';
import { runCollection } from './clients/postman';
import { type Connect, Refused } from './clients/steps';
import { createProxy } from './proxy';
import { readWorkbook } from './workbook';

const CLIENTS: Record<string, Connect> = {
  'openapi-typescript': openapiFetch.connect,
  orval: orval.connect,
  'hey-api': heyApi.connect,
  'openapi-zod-client': zodClient.connect,
};
const YEAR = { startDate: '2026-01-01', endDate: '2026-12-31', budgetMode: 'total' as const };
const PROJECTS = [
  { name: 'Youth', ...YEAR, budgetLines: [{ name: 'Hall', code: 'HALL', budget: 100 }] },
];
const PAID = { externalId: 'PAID/1', date: '2026-01-02', description: 'Rent', amount: 40 };
const SCOPES = [
  'projects:read',
  'reports:read',
  'allocations:read',
  'transactions:read',
  'transactions:write',
] as const;

let failed = 0;

/** A new service with one allocated payment, and what is called with its address. */
async function trial(name: string, isLater: boolean, use: Use): Promise<void> {
  const service = await createService({ database: ':memory:', rateLimit: false });
  const { keys } = service.seed({
    keys: { tool: SCOPES },
    projects: PROJECTS,
    transactions: [PAID],
    allocations: { [PAID.externalId]: 'HALL' },
  });
  const { url } = await service.listen({ port: 0 });
  const proxy = createProxy(url).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const later = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  try {
    await use(isLater ? later : url, keys.tool);
    console.log(`${name}: runs ${isLater ? 'against a later service' : 'against this service'}`);
  } catch (error) {
    failed += 1;
    console.error(`${name}, ${isLater ? 'later' : 'this'} service:`, error);
  } finally {
    proxy.closeAllConnections();
    proxy.close();
    await service.close();
  }
}

type Use = (url: string, key: string) => Promise<void>;

/** List, report, a refusal, push, read back. */
function takeSteps(connect: Connect, notFound: string): Use {
  return async (url, key) => {
    const steps = connect(url, key);
    const projects = await steps.listProjects();
    assert.deepEqual(Object.values(projects), ['Youth']);
    assert.equal(await steps.report(Object.keys(projects)[0] ?? ''), 40);
    await assert.rejects(steps.report('prj_9999999999'), new Refused(notFound));
    assert.deepEqual(await steps.push(), ['created', 'rejected']);
    assert.deepEqual(await steps.push(), ['updated', 'rejected']);
    assert.equal(await steps.readBack('TRY/1'), 12.5);
  };
}

async function runPostman(url: string, key: string): Promise<void> {
  const statuses = await runCollection(url, key);
  assert.equal(Object.keys(statuses).length, 9);
  assert.deepEqual(new Set(Object.values(statuses)), new Set([200]), JSON.stringify(statuses));
}

(async () => {
  for (const isLater of [false, true]) {
    for (const [name, connect] of Object.entries(CLIENTS)) {
      await trial(name, isLater, takeSteps(connect, isLater ? 'added_later' : 'not_found'));
    }
    await trial('Postman', isLater, runPostman);
  }
  await readWorkbook();
  console.log('SheetJS: reads the workbook of a statement');
  process.exitCode = failed === 0 ? 0 : 1;
})();
