/**
 * A key that another process revokes, or whose organisation it changes, while the service remembers
 * it. Here that process is a second service on the same file.
 */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { createService } from '../../src/index.ts';
import { repetitions } from '../repetitions.ts';
import { only, project, row, startApi } from './harness.ts';

const ROUNDS = repetitions(100, 300, 1000);

const folder = mkdtempSync(join(tmpdir(), 'budgetd-revocation-'));
const database = join(folder, 'budgetd.db');
const api = await startApi({ database, create: true, rateLimit: false });
const other = await createService({ database });
after(async () => {
  await other.close();
  rmSync(folder, { recursive: true, force: true });
});
const { service, pounds } = api;
const { projectId } = only(service.projects.import(pounds.id, project('Ours')));
const target = `/api/v1/projects/${projectId}`;

test('5.5 a revocation by another process holds from the next request, every time', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const keys = round % 2 === 0 ? service.keys : other.keys;
    const { id, key } = keys.create(pounds.id, { name: 'test', scopes: ['projects:read'] });
    for (let use = 0; use <= round % 3; use += 1) await api.get(target, key);
    other.keys.revoke(pounds.id, id);
    await api.refuse({ target, key }, 401, 'revoked_api_key');
  }
});

test('5.5 so does a revocation by the service itself', async () => {
  const { id, key } = api.addKey(pounds.id, ['projects:read']);
  await api.get(target, key);
  service.keys.revoke(pounds.id, id);
  await api.refuse({ target, key }, 401, 'revoked_api_key');
});

test('5.5 a push writes nothing if its key or plan is refused while its body arrives', async () => {
  const { id, key } = api.addKey(pounds.id, ['transactions:write']);
  for (const [event, status, code] of [
    [() => other.organisations.setPlan(pounds.id, 'free'), 403, 'plan_feature_required'],
    [() => {}, 200, undefined],
    [() => other.keys.revoke(pounds.id, id), 401, 'revoked_api_key'],
  ] as const) {
    const answer = await pushSlowly(key, event);
    other.organisations.setPlan(pounds.id, 'professional');
    assert.deepEqual([answer.status, answer.document.code], [status, code]);
  }
  const { transactions } = service;
  assert.equal(transactions.list(pounds.id).data.length, 1);
});

/** Pushes a row; `event` happens once the service waits for the body. */
async function pushSlowly(key: string, event: () => void) {
  const headers = {
    Authorization: `Bearer ${key}`,
    'Content-Type': 'application/json',
    Expect: '100-continue',
  };
  const place = { port: api.port, path: '/api/v1/transactions', method: 'POST', headers };
  const sent = request(place);
  sent.flushHeaders();
  await once(sent, 'continue');
  event();
  sent.end(JSON.stringify({ rows: [row('INV-1')] }));
  const [answer] = await once(sent, 'response');
  return { status: answer.statusCode, document: (await json(answer)) as { code?: string } };
}

test('2(3) a key that was used before it expired is refused afterwards', async () => {
  const { key } = api.addKey(pounds.id, ['projects:read'], '2026-02-01T00:00:00Z');
  await api.get(target, key);
  api.clocks.nowMs = Date.parse('2026-02-01T00:00:00Z');
  await api.refuse({ target, key }, 401, 'expired_api_key');
});

test('2(5) a plan that another process changed holds from the next request', async () => {
  await api.get(target);
  other.organisations.setPlan(pounds.id, 'free');
  await api.refuse({ target }, 403, 'plan_feature_required');
  other.organisations.setPlan(pounds.id, 'professional');
  await api.get(target);
});
