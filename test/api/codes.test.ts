/** Provokes every code of contract 2 and 3 over a socket; checks the table in docs/http.md. */

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { buildRoutes } from '../../src/api/routes.ts';
import { FAILURE_CODES } from '../../src/core/failures.ts';
import { openDatabase } from '../../src/database/database.ts';
import { loadDriver } from '../../src/database/driver.ts';
import { RateLimiter } from '../../src/http/rate-limiter.ts';
import { storeNewKey } from '../../src/store/keys.ts';
import { storeNewOrganisation } from '../../src/store/organisations.ts';
import { arrival, startService } from '../http/wire.ts';
import { readText } from '../repository.ts';
import { CODES_SEEN } from './checks.ts';
import { CONTRACT_CODES, CONTRACT_SCOPES, type WireCode } from './contract-table.ts';
import { row, startApi } from './harness.ts';
import { type Ask, PUSH, Requests } from './requests.ts';

const folder = mkdtempSync(join(tmpdir(), 'budgetd-codes-'));
const file = join(folder, 'codes.db');
after(() => rmSync(folder, { recursive: true }));

const api = await startApi({ database: file, create: true });
const { service, pounds } = api;
const PROJECTS = '/api/v1/projects';

/** A request that is refused with the code. */
const REFUSED: Partial<Record<WireCode, () => Ask>> = {
  invalid_request_target: () => ({ target: `${PROJECTS}?%` }),
  invalid_parameter: () => ({ target: `${PROJECTS}?limit=0` }),
  invalid_cursor: () => ({ target: `${PROJECTS}?cursor=x` }),
  invalid_encoding: () => ({ target: PUSH, body: Buffer.of(0xff) }),
  invalid_json: () => ({ target: PUSH, body: '{' }),
  invalid_envelope: () => ({ target: PUSH, body: '{}' }),
  missing_api_key: () => ({ target: PROJECTS, key: null }),
  invalid_api_key: () => ({ target: PROJECTS, key: 'x' }),
  revoked_api_key: () => {
    const { id, key } = api.addKey(pounds.id, CONTRACT_SCOPES);
    service.keys.revoke(pounds.id, id);
    return { target: PROJECTS, key };
  },
  expired_api_key: () => {
    const { key } = api.addKey(pounds.id, CONTRACT_SCOPES, '2000-01-01');
    return { target: PROJECTS, key };
  },
  plan_feature_required: () => {
    const { id, key } = api.addTenant('GBP');
    service.organisations.setPlan(id, 'starter');
    return { target: PROJECTS, key };
  },
  insufficient_scope: () => {
    const { key } = api.addKey(pounds.id, ['transactions:write']);
    return { target: PROJECTS, key };
  },
  not_found: () => ({ target: `${PROJECTS}/prj_0000000zzz` }),
  method_not_allowed: () => ({ target: PROJECTS, method: 'DELETE' }),
  payload_too_large: () => ({ target: PUSH, body: Buffer.alloc(4 * 1024 * 1024 + 1, ' ') }),
  unsupported_media_type: () => ({ target: PUSH, body: '{}', fields: ['Content-Type: text/csv'] }),
  all_rows_rejected: () => ({ target: PUSH, body: { rows: [null] } }),
  bad_request: () => ({ target: PROJECTS, fields: ['Host: two'] }),
  expectation_failed: () => ({ target: PROJECTS, fields: ['Expect: x'] }),
  headers_too_large: () => ({ target: PROJECTS, fields: [`X: ${'x'.repeat(20_000)}`] }),
};

describe('3 every code has the right status and form:', () => {
  for (const [code, askOf] of Object.entries(REFUSED)) {
    test(code, async () => {
      const [status] = CONTRACT_CODES[code as WireCode];
      await api.refuse(askOf(), status, code as WireCode);
    });
  }

  test('rate_limit_exceeded', async () => {
    const { key } = api.addKey(pounds.id, CONTRACT_SCOPES);
    api.clocks.tickStepMs = 0;
    for (let asked = 0; asked < 120; asked += 1) await api.ask({ target: PROJECTS, key });
    await api.refuse({ target: PROJECTS, key }, 429, 'rate_limit_exceeded');
    api.clocks.tickStepMs = 1000;
  });

  test('http_version_not_supported', async () => {
    const connection = api.connect();
    connection.send(`GET ${PROJECTS} HTTP/2.0\r\nHost: x\r\n\r\n`);
    assert.equal((await api.read(connection, 'GET', PROJECTS)).status, 505);
  });

  test('internal_error: the cause is only in the log, with the request id', async () => {
    const other = new (loadDriver())(file);
    other.exec('alter table projects rename to elsewhere');
    const answer = await api.ask({ target: PROJECTS });
    assert.equal(answer.status, 500);
    const { code, message } = answer.document as { code: string; message: string };
    assert.deepEqual(
      [code, message],
      ['internal_error', 'Something went wrong on the server. It has been logged.'],
    );
    const [event, ...more] = api.takeEvents();
    assert.deepEqual(more, []);
    assert.equal(event?.requestId, answer.headers.get('x-request-id'));
    assert.match(String(event?.error), /no such table/);
    assert.equal((await api.ask({ target: PUSH })).status, 200);
    other.exec('alter table elsewhere rename to projects');
    other.close();
    assert.equal((await api.ask({ target: PROJECTS })).status, 200);
  });
});

describe('3 request_timeout', () => {
  const db = openDatabase({ file: ':memory:', create: true, busyTimeoutMs: 0 });
  const actor = { name: 'test', requestId: null, nowMs: 0 };
  const draft = { name: 'Slow', currency: 'GBP', plan: 'professional', timeZone: 'UTC' } as const;
  const organisation = storeNewOrganisation({ db }, draft, actor);
  const columns = { name: 'slow', scopes: CONTRACT_SCOPES, expiresAtMs: null };
  const requests = new Requests(120);
  requests.key = storeNewKey({ db, organisation }, columns, actor).key;
  const routes = buildRoutes({ db, limiter: new RateLimiter(), onKeyUse: () => {} });

  test('a head that does not arrive gets 408 without rate fields', async (t) => {
    const late = await startService(t, routes);
    requests.port = late.port;
    const connection = requests.connect();
    connection.send(`GET ${PROJECTS} HTTP/1.1\r\nHost: x\r\n`);
    await arrival();
    await late.hurry();
    const { status, headers } = await requests.read(connection, 'GET', PROJECTS);
    assert.deepEqual([status, headers.has('x-ratelimit-limit')], [408, false]);
    await connection.closed;
  });

  test('with a valid key, a body that does not arrive gets 408 with rate fields', async (t) => {
    const late = await startService(t, routes);
    requests.port = late.port;
    const connection = requests.connect();
    const [head = ''] = requests.format({ target: PUSH, body: { rows: [row('SLOW')] } });
    connection.send(head, '{"rows":');
    await arrival();
    await late.hurry();
    const { status, headers } = await requests.read(connection, 'POST', PUSH);
    assert.deepEqual([status, headers.get('x-ratelimit-remaining')], [408, '119']);
    await connection.closed;
  });
});

test('3 unavailable: a request that arrives during shutdown', async (t) => {
  const closing = await startApi({}, t);
  const late = closing.connect();
  late.send(`GET ${PROJECTS} HTTP/1.1\r\nHost: x\r\n`);
  const ready = closing.connect();
  ready.send('GET /readyz HTTP/1.1\r\nHost: x\r\n');
  await closing.ask({ target: PROJECTS });
  const closed = closing.service.close();
  late.send(`Authorization: Bearer ${closing.key}\r\n\r\n`);
  ready.send('\r\n');
  for (const [connection, target] of [
    [late, PROJECTS],
    [ready, '/readyz'],
  ] as const) {
    const { status, headers, document } = await closing.read(connection, 'GET', target);
    assert.deepEqual([status, headers.get('connection')], [503, 'close']);
    const { code, message } = document as { code: string; message: string };
    assert.deepEqual([code, message], ['unavailable', 'The service is shutting down.']);
  }
  await closed;
});

test('3 every code except storage_full has been seen, and no other code', () => {
  const expected = Object.keys(CONTRACT_CODES).filter((code) => code !== 'storage_full');
  assert.deepEqual([...CODES_SEEN].sort(), expected.sort());
});

test('3 docs/http.md, the catalogue and the code have the same codes', () => {
  const lines = [...readText('docs/http.md').matchAll(/^\| (\d{3}) \| `(\w+)` \|/gm)];
  const documented = lines.map(([, status, code]) => [code, Number(status)]);
  const contract = Object.entries(CONTRACT_CODES).map(([code, [status]]) => [code, status]);
  assert.deepEqual(documented.sort(), contract.sort());
  const workflow = ['conflict', 'invalid_input', 'not_allowed'];
  assert.deepEqual([...FAILURE_CODES].sort(), [...Object.keys(CONTRACT_CODES), ...workflow].sort());
});
