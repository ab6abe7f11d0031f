import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createService, Failure, type Service } from 'budgetd';
import { createApp } from './app';

const PROJECT = {
  name: 'Well',
  startDate: '2026-01-01',
  endDate: '2026-12-31',
  budgetMode: 'total' as const,
  budgetLines: [{ name: 'Pump', budget: 100 }],
};

let service: Service;
let server: Server;

beforeAll(async () => {
  service = await createService({ database: ':memory:' });
  const { keys } = service.seed({ keys: { app: ['projects:read'] }, projects: [PROJECT] });
  const { url } = await service.listen({ port: 0 });
  server = createApp(url, keys.app).listen(0);
  await once(server, 'listening');
});

afterAll(async () => {
  server.close();
  await service.close();
});

function get(): Promise<Response> {
  return fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/projects`);
}

test('an Express app in CommonJS shows what the service has', async () => {
  expect(await (await get()).json()).toEqual(['Well']);
});

test('it knows the errors of the client', async () => {
  service.faults.next({ status: 500 });
  const answer = await get();
  expect([answer.status, await answer.json()]).toEqual([502, { code: 'internal_error' }]);
});

test('the library explains a wrong project, which loads more files', () => {
  const { id } = service.organisations.create({ name: 'Other', baseCurrency: 'GBP' });
  const wrong = () => service.projects.import(id, { ...PROJECT, startDate: 'tomorrow' } as never);
  expect(wrong).toThrow(Failure);
  expect(wrong).toThrow(/startDate/);
});

test('the service works on a file, with its thread', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'budgetd-jest-'));
  const onFile = await createService({ database: `${folder}/budgetd.db`, create: true });
  expect(onFile.organisations.list()).toEqual([]);
  await onFile.close();
  rmSync(folder, { recursive: true });
});
