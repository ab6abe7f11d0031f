/** Key, rate, plan and scope, in this order (contract 2, steps 3 to 6). */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ErrorBody } from '../../src/api/contract.ts';
import { formatKey } from '../../src/core/keys.ts';
import { until } from '../upkeep/until.ts';
import { CONTRACT_ENDPOINTS, CONTRACT_SCOPES, pathOf, type WireCode } from './contract-table.ts';
import { only, project, row, START, startApi } from './harness.ts';
import { PUSH } from './requests.ts';

const api = await startApi();
const { service, pounds, euros } = api;
const ours = only(service.projects.import(pounds.id, project('Ours'))).projectId;
const theirs = only(service.projects.import(euros.id, project('Theirs'))).projectId;
const TARGET = '/api/v1/projects';

/** A request to an endpoint that succeeds with a valid key. */
function askOf(endpoint: (typeof CONTRACT_ENDPOINTS)[number], id = ours) {
  const body = endpoint.method === 'POST' ? { rows: [row('G-1')] } : undefined;
  return { method: endpoint.method, target: pathOf(endpoint, id), body };
}

describe('2(3) the key', () => {
  const { key } = pounds;
  const unknown = formatKey(new Uint8Array(20));
  const changed = `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`;
  const swapped = key.replace(/^(bdg_live_)(.)(.)/, (_, prefix, a, b) => {
    return prefix + (a === b ? (a === '0' ? '1' : '0') + b : b + a);
  });
  const invalid: [name: string, field: string][] = [
    ['an empty header', ''],
    ['only spaces', '   '],
    ['Bearer without a key', 'Bearer'],
    ['Bearer and a space', 'Bearer '],
    ['the key alone', key],
    ['another scheme', `Basic ${Buffer.from(`${key}:`).toString('base64')}`],
    ['a scheme with the same beginning', `Bearers ${key}`],
    ['no blank', `Bearer${key}`],
    ['a colon', `Bearer: ${key}`],
    ['quotes', `Bearer "${key}"`],
    ['two keys', `Bearer ${key} ${key}`],
    ['two keys with a comma', `Bearer ${key}, Bearer ${key}`],
    ['extra text after it', `Bearer ${key} x`],
    ['upper case', `Bearer ${key.toUpperCase()}`],
    ['upper case hexadecimal', `Bearer bdg_live_${key.slice(9).toUpperCase()}`],
    ['another prefix', `Bearer bdg_test_${key.slice(9)}`],
    ['one character too few', `Bearer ${key.slice(0, -1)}`],
    ['one character too many', `Bearer ${key}0`],
    ['a letter that is not hexadecimal', `Bearer ${key.slice(0, -1)}g`],
    ['a wrong checksum', `Bearer ${changed}`],
    ['two characters swapped', `Bearer ${swapped}`],
    ['an unknown key', `Bearer ${unknown}`],
    ['other characters', `Bearer ${'é'.repeat(20)}`],
    ['10,000 characters', `Bearer ${'0'.repeat(10_000)}`],
  ];
  for (const [name, field] of invalid) {
    test(`${name}: invalid_api_key`, async () => {
      const fields = [`Authorization: ${field}`];
      await api.refuse({ target: TARGET, key: null, fields }, 401, 'invalid_api_key');
    });
  }

  test('the message about another scheme shows the header to send, not the value', async () => {
    for (const field of ['', 'Bearer', key, `Basic ${key}`, `Bearer ${key} x`]) {
      const fields = [`Authorization: ${field}`];
      const { message } = await api.refuse(
        { target: TARGET, key: null, fields },
        401,
        'invalid_api_key',
      );
      assert.match(message, /Send `Authorization: Bearer <key>`/);
      assert.ok(!message.includes(key));
    }
    const fields = [`Authorization: Bearer ${unknown}`];
    const { message } = await api.refuse(
      { target: TARGET, key: null, fields },
      401,
      'invalid_api_key',
    );
    assert.equal(message, 'The API key is unknown. Check that you copied the whole key.');
  });

  test('every endpoint answers missing_api_key without the header', async () => {
    for (const endpoint of CONTRACT_ENDPOINTS) {
      await api.refuse({ ...askOf(endpoint), key: null }, 401, 'missing_api_key');
    }
  });

  const valid = ['Bearer', 'bearer', 'BEARER', 'bEaReR'].map((scheme) => `${scheme} ${key}`);
  for (const field of [...valid, `Bearer  ${key}`, `  Bearer ${key}  `]) {
    test(`"${field.replace(key, '…')}" is accepted`, async () => {
      const ask = { target: TARGET, key: null, fields: [`authorization:${field}`] };
      assert.equal((await api.ask(ask)).status, 200);
    });
  }

  test('a repeated header, even with the same key, gets 400 and a close', async () => {
    const fields = [`Authorization: Bearer ${key}`];
    const answer = await api.ask({ target: TARGET, fields });
    assert.equal((answer.document as ErrorBody).code, 'bad_request');
    assert.equal(answer.headers.get('connection'), 'close');
  });

  test('a key is read only from the header, not from the query or a cookie', async () => {
    const target = `${TARGET}?api_key=${key}&access_token=${key}`;
    const fields = [`Cookie: key=${key}`, `X-Api-Key: ${key}`];
    await api.refuse({ target, key: null, fields }, 401, 'missing_api_key');
  });
});

describe('2(3) revoked and expired', () => {
  test('5.5 a key is refused from the first request after it is revoked', async () => {
    const { id, key } = api.addKey(pounds.id, CONTRACT_SCOPES);
    for (const endpoint of CONTRACT_ENDPOINTS) {
      assert.equal((await api.ask({ ...askOf(endpoint), key })).status, 200);
    }
    service.keys.revoke(pounds.id, id);
    for (const endpoint of CONTRACT_ENDPOINTS) {
      await api.refuse({ ...askOf(endpoint), key }, 401, 'revoked_api_key');
    }
    assert.equal((await api.ask({ target: TARGET })).status, 200);
  });

  test('a key works until it expires, and no longer', async () => {
    const expiresAt = new Date(START + 3600_000).toISOString();
    const { key } = api.addKey(pounds.id, CONTRACT_SCOPES, expiresAt);
    const { clocks } = api;
    clocks.nowStepMs = 0;
    for (const [nowMs, status] of [
      [START + 3600_000 - 1, 200],
      [START + 3600_000, 401],
      [START + 7200_000, 401],
      [START + 3600_000 - 1, 200],
    ] as const) {
      clocks.nowMs = nowMs;
      const answer = await api.ask({ target: TARGET, key });
      assert.equal(answer.status, status);
      if (status === 401) assert.equal((answer.document as ErrorBody).code, 'expired_api_key');
    }
    clocks.nowStepMs = 1;
  });

  test('8 a key that expires on a date works until the end of that date in UTC', async () => {
    const { key } = api.addKey(pounds.id, CONTRACT_SCOPES, '2026-02-28');
    api.clocks.nowMs = Date.parse('2026-02-28T23:59:59.998Z');
    assert.equal((await api.ask({ target: TARGET, key })).status, 200);
    await api.refuse({ target: TARGET, key }, 401, 'expired_api_key');
  });

  test('a key that is revoked and expired is refused as revoked', async () => {
    const { id, key } = api.addKey(pounds.id, CONTRACT_SCOPES, '2020-01-01');
    await api.refuse({ target: TARGET, key }, 401, 'expired_api_key');
    service.keys.revoke(pounds.id, id);
    await api.refuse({ target: TARGET, key }, 401, 'revoked_api_key');
  });
});

describe('2(6) every scope against every endpoint', () => {
  for (const scope of CONTRACT_SCOPES) {
    const { key } = api.addKey(pounds.id, [scope]);
    for (const endpoint of CONTRACT_ENDPOINTS) {
      const ask = { ...askOf(endpoint), key };
      const allowed = endpoint.scope === scope;
      test(`${scope} on ${ask.method} ${endpoint.path}: ${allowed ? 200 : 403}`, async () => {
        const methods = ask.method === 'GET' ? ['GET', 'HEAD'] : [ask.method];
        for (const method of methods) {
          const { status, headers } = await api.ask({ ...ask, method });
          assert.equal(status, allowed ? 200 : 403);
          const challenge = `Bearer error="insufficient_scope", scope="${endpoint.scope}"`;
          assert.equal(headers.get('www-authenticate'), allowed ? undefined : challenge);
        }
        if (!allowed) await api.refuse(ask, 403, 'insufficient_scope');
      });
    }
  }

  test('a key with all scopes except one is refused only there', async () => {
    for (const endpoint of CONTRACT_ENDPOINTS) {
      const others = CONTRACT_SCOPES.filter((scope) => scope !== endpoint.scope);
      const { key } = api.addKey(pounds.id, others);
      for (const each of CONTRACT_ENDPOINTS) {
        const { status } = await api.ask({ ...askOf(each), key });
        assert.equal(status, each.scope === endpoint.scope ? 403 : 200);
      }
    }
  });
});

describe('2(5) the plan', () => {
  const tenant = api.addTenant('GBP');
  const { projectId } = only(service.projects.import(tenant.id, project('Planned')));
  for (const [plan, included] of [
    ['free', false],
    ['starter', false],
    ['professional', true],
    ['enterprise', true],
    ['free', false],
    ['professional', true],
  ] as const) {
    test(`${plan} ${included ? 'includes' : 'does not include'} API access, at once`, async () => {
      service.organisations.setPlan(tenant.id, plan);
      for (const endpoint of CONTRACT_ENDPOINTS) {
        const ask = { ...askOf(endpoint, projectId), key: tenant.key };
        if (included) assert.equal((await api.ask(ask)).status, 200);
        else await api.refuse(ask, 403, 'plan_feature_required');
      }
    });
  }

  test('a new organisation is professional', () => {
    const { plan } = service.organisations.create({ name: 'New', baseCurrency: 'GBP' });
    assert.equal(plan, 'professional');
  });

  test('the plan of one organisation does not affect another', async () => {
    service.organisations.setPlan(tenant.id, 'free');
    assert.equal((await api.ask({ target: TARGET })).status, 200);
  });
});

describe('2 the order is key, rate, plan, scope', () => {
  test('the first check that fails decides the answer', async (t) => {
    const limited = await startApi({ rateLimit: 2 }, t);
    const tenant = limited.addTenant('GBP');
    const { id, key } = limited.addKey(tenant.id, ['reports:read']);
    limited.clocks.tickStepMs = 0;
    const ask = { target: TARGET, key };
    const expect = (status: number, code: WireCode) => limited.refuse(ask, status, code);
    limited.service.organisations.setPlan(tenant.id, 'free');
    await expect(403, 'plan_feature_required');
    limited.service.organisations.setPlan(tenant.id, 'professional');
    await expect(403, 'insufficient_scope');
    limited.service.organisations.setPlan(tenant.id, 'free');
    await expect(429, 'rate_limit_exceeded');
    limited.service.keys.revoke(tenant.id, id);
    await expect(401, 'revoked_api_key');
  });
});

describe('2(9) another organisation’s identifiers', () => {
  const withId = CONTRACT_ENDPOINTS.filter(({ path }) => path.includes('{id}'));
  for (const endpoint of withId) {
    test(`${endpoint.path} answers as for unknown ones`, async () => {
      const bodies = [];
      for (const id of [theirs, 'prj_zzzzzzzzzz', 'prj_0000000000', 'nonsense', 'txn_0000000001']) {
        const { body, document, headers } = await api.ask({ target: pathOf(endpoint, id) });
        const { code, requestId } = document as ErrorBody;
        assert.equal(code, 'not_found');
        bodies.push(body.toString().replaceAll(requestId, '').replaceAll(id, ''));
        const names = [...headers.keys()].sort();
        assert.equal(headers.get('content-length'), String(body.length));
        assert.ok(!names.includes('www-authenticate'));
      }
      assert.equal(new Set(bodies).size, 1, bodies.join('\n'));
      const { status } = await api.ask({ target: pathOf(endpoint, theirs), key: euros.key });
      assert.equal(status, 200);
    });
  }

  test('they match nothing as a filter, on every list', async () => {
    const [imported] = service.projects.import(euros.id, [
      project('Full', { budgetLines: [{ name: 'Line' }] }),
      project('Child', { parentProject: 'Full' }),
    ]);
    const { data } = await api.push([row('FULL')], { key: euros.key });
    const result = only(data);
    assert.ok(imported !== undefined && 'id' in result && result.id !== null);
    const { budgetLineId } = only(imported.budgetLines);
    service.transactions.allocate(euros.id, result.id, [{ budgetLineId }]);
    const { projectId } = imported;
    const allocations = (id: string) => `${TARGET}/${id}/allocations`;
    const filters: [path: (project: string) => string, filter: string][] = [
      [() => TARGET, `parentProjectId=${projectId}`],
      [() => PUSH, `projectId=${projectId}`],
      [() => PUSH, `projectId=${projectId}&order=updatedAt`],
      [() => PUSH, 'externalId=FULL'],
      [allocations, `budgetLineId=${budgetLineId}`],
      [allocations, `transactionId=${result.id}`],
    ];
    for (const [path, filter] of filters) {
      const target = `${path(projectId)}?${filter}`;
      const theirList = await api.get<{ data: unknown[] }>(target, euros.key);
      assert.equal(theirList.data.length, 1, target);
      const ourList = await api.get<{ data: unknown[] }>(`${path(ours)}?${filter}`);
      assert.deepEqual(ourList.data, [], filter);
    }
  });
});

test('7 the last use of a key is stored a moment later', async () => {
  const { id, key } = api.addKey(pounds.id, CONTRACT_SCOPES);
  await api.ask({ target: PUSH, key });
  const lastUsed = () => service.keys.list(pounds.id).find((each) => each.id === id)?.lastUsedAt;
  await until(() => lastUsed() !== null);
  const usedMs = Date.parse(lastUsed() ?? 'never');
  assert.ok(usedMs > START && usedMs <= api.clocks.nowMs);
});
