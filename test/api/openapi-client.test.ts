import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import createClient from 'openapi-fetch';
import { readText } from '../repository.ts';
import { DOCUMENT, openExampleWorld } from './example-world.ts';
import { hashOf, outlineOf } from './openapi-outline.ts';
import type { paths } from './openapi-types.ts';

describe('a generated client', () => {
  it('matches this document (if not, run: npm run openapi-types)', () => {
    const [, hash] = /from the outline (\w+)/.exec(readText('test/api/openapi-types.ts')) ?? [];
    assert.equal(hash, hashOf(outlineOf(DOCUMENT)));
  });

  it('compiles and works', async (t) => {
    const world = await openExampleWorld(t);
    const client = createClient<paths>({
      baseUrl: world.url,
      headers: { Authorization: `Bearer ${world.key}` },
    });
    const row = { externalId: 'INV-1', date: '2026-01-30', description: 'Rent', amount: 12.5 };
    const pushed = await client.POST('/api/v1/transactions', { body: { rows: [row] } });
    const [result] = pushed.data?.data ?? [];
    if (result?.status === 'rejected') assert.fail(result.errors[0]?.code);
    assert.equal(result?.id, 'txn_0000000001');

    const query = {
      id: ['txn_0', 'txn_0000000001'],
      status: ['unallocated', 'needs_review'],
    } as const;
    const listed = await client.GET('/api/v1/transactions', {
      params: { query: { id: [...query.id], status: [...query.status], limit: 10 } },
    });
    assert.deepEqual(
      listed.data?.data.map(({ amount, status }) => ({ amount, status })),
      [{ amount: 12.5, status: 'unallocated' }],
    );
    const params = { path: { id: 'prj_0000000001' }, query: { granularity: 'quarterly' } } as const;
    const report = await client.GET('/api/v1/projects/{id}/report', { params });
    assert.equal(report.data?.data.totals.total.budgeted, 6121.5);

    const rejected = await client.POST('/api/v1/transactions', {
      body: { rows: [{ ...row, date: 'yesterday' }] },
    });
    assert.ok(rejected.error?.code === 'all_rows_rejected' && 'data' in rejected.error);
    const missing = await client.GET('/api/v1/projects/{id}', { params: { path: { id: 'x' } } });
    assert.equal(missing.error?.code, 'not_found');
  });
});
