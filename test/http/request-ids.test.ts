import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRequestIds } from '../../src/http/server.ts';

test('request ids are unique within a generator and between two', () => {
  const [one, other] = [createRequestIds(), createRequestIds()];
  const ids = new Set<string>();
  for (let count = 0; count < 1_000; count += 1) {
    ids.add(one()).add(other());
  }
  assert.equal(ids.size, 2_000);
  for (const id of ids) {
    assert.match(id, /^req_[0-9a-f]{16}_[0-9]+$/);
  }
});
