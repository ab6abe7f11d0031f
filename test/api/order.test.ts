/** The order of checks (contract 2): of two faults, the answer is the earlier one. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ErrorBody } from '../../src/api/contract.ts';
import { CONTRACT_SCOPES, type WireCode } from './contract-table.ts';
import { only, project, row, startApi } from './harness.ts';
import { type Ask, PUSH } from './requests.ts';

const api = await startApi({ rateLimit: 1 });
const { service, pounds } = api;
api.clocks.tickStepMs = 0;
const free = api.addTenant('GBP');
service.organisations.setPlan(free.id, 'free');

const BODY = JSON.stringify({ rows: [row('O-1')] });

/** Everything that can be wrong with a push, in the order of the checks in contract 2. */
const FAULTS: readonly WireCode[] = [
  'not_found',
  'method_not_allowed',
  'invalid_request_target',
  'bad_request',
  'missing_api_key',
  'rate_limit_exceeded',
  'plan_feature_required',
  'insufficient_scope',
  'invalid_parameter',
  'unsupported_media_type',
  'payload_too_large',
  'invalid_encoding',
  'invalid_json',
  'invalid_envelope',
  'all_rows_rejected',
];

/** A new key for each request, because each key has one request. */
async function keyFor(has: (code: WireCode) => boolean): Promise<string | null> {
  const tenant = has('plan_feature_required') ? free : pounds;
  const scopes = CONTRACT_SCOPES.filter((scope) => {
    return scope !== 'transactions:write' || !has('insufficient_scope');
  });
  const { key } = api.addKey(tenant.id, scopes);
  if (has('rate_limit_exceeded')) await api.ask({ target: '/api/v1/projects', key });
  return has('missing_api_key') ? null : key;
}

function bodyFor(has: (code: WireCode) => boolean): string | Uint8Array {
  let text = BODY;
  if (has('all_rows_rejected')) text = '{"rows":[null]}';
  if (has('invalid_envelope')) text = '{"rows":[]}';
  if (has('invalid_json')) text = text.slice(0, -1);
  return has('invalid_encoding') ? Buffer.from(`${text}\xff`, 'latin1') : text;
}

/** A push with exactly these faults. */
async function askWith(faults: readonly WireCode[]): Promise<Ask> {
  const has = (code: WireCode) => faults.includes(code);
  const query = has('invalid_request_target') ? '%zz' : 'dryRun=true';
  const unknown = has('invalid_parameter') ? '&unknown=1' : '';
  const body = bodyFor(has);
  const fields: string[] = [];
  if (has('bad_request')) fields.push('Host: another.test');
  if (has('unsupported_media_type')) fields.push('Content-Type: text/csv');
  return {
    method: has('method_not_allowed') ? 'PUT' : 'POST',
    target: `${has('not_found') ? '/api/v1/nothing' : PUSH}?${query}${unknown}`,
    key: await keyFor(has),
    fields,
    body: has('payload_too_large') ? Buffer.alloc(5 * 1024 * 1024, body) : body,
  };
}

describe('2 of two faults, the answer is the earlier one:', () => {
  for (const [first, code] of FAULTS.entries()) {
    const behind = FAULTS.slice(first + 1);
    test(`${code} before ${behind.join(', ') || 'nothing'}`, async () => {
      for (const faults of [[code], ...behind.map((other) => [code, other]), FAULTS.slice(first)]) {
        const answer = await api.ask(await askWith(faults));
        assert.equal((answer.document as ErrorBody).code, code, faults.join());
      }
    });
  }

  test('a push without a fault is accepted', async () => {
    assert.equal((await api.ask(await askWith([]))).status, 200);
  });
});

describe('2(9) existence of the resource is checked last', () => {
  const missing = '/api/v1/projects/prj_zzzzzzzzzz';
  const cases: [target: string, scopes: typeof CONTRACT_SCOPES, status: number, code: WireCode][] =
    [
      [missing, ['reports:read'], 403, 'insufficient_scope'],
      [`${missing}?x=1`, CONTRACT_SCOPES, 400, 'invalid_parameter'],
      [`${missing}/report?granularity=daily`, CONTRACT_SCOPES, 400, 'invalid_parameter'],
      [`${missing}/report?granularity=daily`, ['projects:read'], 403, 'insufficient_scope'],
      [`${missing}/allocations?limit=0`, CONTRACT_SCOPES, 400, 'invalid_parameter'],
      [`${missing}/allocations?cursor=x`, CONTRACT_SCOPES, 400, 'invalid_cursor'],
      [`${missing}/allocations?cursor=x&limit=0`, CONTRACT_SCOPES, 400, 'invalid_parameter'],
      [`${missing}/allocations`, CONTRACT_SCOPES, 404, 'not_found'],
    ];
  for (const [target, scopes, status, code] of cases) {
    test(`${target} with ${scopes.length} scopes: ${code}`, async () => {
      const { key } = api.addKey(pounds.id, scopes);
      await api.refuse({ target, key }, status, code);
    });
  }
});

describe('2(8) the body is not read before all other checks', () => {
  const faults = FAULTS.slice(
    FAULTS.indexOf('missing_api_key'),
    FAULTS.indexOf('payload_too_large'),
  );
  for (const fault of [...faults, 'method_not_allowed', 'not_found'] as const) {
    test(`${fault}: sends no 100 Continue and does not wait for the body`, async () => {
      for (const expect of [['Expect: 100-continue'], []]) {
        const { fields = [], ...ask } = await askWith([fault]);
        const head = ['Content-Length: 1000', ...fields, ...expect];
        if (fault !== 'unsupported_media_type') head.push('Content-Type: application/json');
        const connection = api.connect();
        connection.send(...api.format({ ...ask, fields: head, body: undefined }));
        const answer = await api.read(connection, ask.method ?? 'POST', ask.target);
        assert.equal((answer.document as ErrorBody).code, fault);
        assert.equal(answer.continued, false);
        connection.destroy();
      }
    });
  }

  test('a Content-Length that is too large: sends no 100 Continue', async () => {
    const connection = api.connect();
    const { key = null } = await askWith([]);
    const fields = ['Content-Type: application/json', 'Expect: 100-continue'];
    const length = `Content-Length: ${4 * 1024 * 1024 + 1}`;
    connection.send(
      ...api.format({ method: 'POST', target: PUSH, key, fields: [...fields, length] }),
    );
    const answer = await api.read(connection, 'POST', PUSH);
    assert.deepEqual([answer.status, answer.continued], [413, false]);
  });

  test('an admitted push gets 100 Continue, and its body is read', async () => {
    const connection = api.connect();
    const { key = null } = await askWith([]);
    const fields = ['Content-Type: application/json', 'Expect: 100-continue'];
    const length = `Content-Length: ${BODY.length}`;
    connection.send(
      ...api.format({ method: 'POST', target: PUSH, key, fields: [...fields, length] }),
    );
    await connection.readContinue();
    assert.equal(connection.leftover, '');
    connection.send(BODY);
    assert.equal((await api.read(connection, 'POST', PUSH)).status, 200);
  });
});

test('4 a GET with a body is answered, and the body is not read as the next request', async () => {
  only(service.projects.import(pounds.id, project('Main')));
  const connection = api.connect();
  const ask = async () => {
    const { key } = api.addKey(pounds.id, CONTRACT_SCOPES);
    return api.format({ method: 'GET', target: '/api/v1/projects', key, body: BODY });
  };
  connection.send(...(await ask()), ...(await ask()));
  for (let answered = 0; answered < 2; answered += 1) {
    assert.equal((await api.read(connection, 'GET', '/api/v1/projects')).status, 200);
  }
});
