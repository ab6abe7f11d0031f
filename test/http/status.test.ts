import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FAILURE_CODES, Failure } from '../../src/core/failures.ts';
import { errorReply, STATUS } from '../../src/http/status.ts';

test('every code has an error status, and there are no others', () => {
  assert.deepEqual(Object.keys(STATUS).sort(), [...FAILURE_CODES].sort());
  for (const code of FAILURE_CODES) {
    assert.ok(STATUS[code] >= 400 && STATUS[code] <= 505, code);
  }
});

test('contract 3: an error has a code, a message, a request id and details', () => {
  const details = [{ field: 'limit', code: 'out_of_range', message: 'From 1 to 1000.' }];
  const failure = new Failure('invalid_parameter', 'A parameter is wrong.', {
    details,
    headers: { 'X-Extra': 'yes' },
  });
  const reply = errorReply(failure, 'req_1');
  assert.equal(reply.status, 400);
  assert.deepEqual(reply.headers, {
    'Content-Type': 'application/json; charset=utf-8',
    'X-Extra': 'yes',
  });
  assert.deepEqual(JSON.parse(String(reply.body)), {
    code: 'invalid_parameter',
    message: 'A parameter is wrong.',
    requestId: 'req_1',
    details,
  });
});

test('contract 3: unavailable always has Retry-After', () => {
  assert.equal(errorReply(new Failure('unavailable', 'Busy.'), 'r').headers['Retry-After'], '2');
  const own = new Failure('unavailable', 'Busy.', { headers: { 'Retry-After': '7' } });
  assert.equal(errorReply(own, 'r').headers['Retry-After'], '7');
  const full = errorReply(new Failure('storage_full', 'Full.'), 'r');
  assert.deepEqual([full.status, full.headers['Retry-After']], [503, undefined]);
});
