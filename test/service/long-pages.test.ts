import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { formatId } from '../../src/core/ids.ts';
import { createService } from '../../src/index.ts';
import { folderFor, row, Workshop } from '../store/workshop.ts';

/** Some 20 stretches of a search. */
const COUNT = 30_000;

describe('a page that takes long', () => {
  it('lets other requests be answered, and finds its match once', async (t) => {
    const { service, ask, organisationId } = await open(t);
    let isDone = false;
    const page = ask('/transactions?q=needle').finally(() => {
      isDone = true;
    });
    let answered = 0;
    for (; !isDone; answered += 1) {
      assert.equal((await ask('/projects')).status, 200);
      const date = `2026-02-${10 + (answered % 10)}`;
      const rows = [row({ externalId: `new ${answered}`, date, description: 'needle' })];
      service.transactions.push(organisationId, rows);
    }
    assert.ok(answered >= 3, String(answered));
    const { data, meta } = (await (await page).json()) as List;
    assert.deepEqual([data.map(({ externalId }) => externalId), meta.nextCursor], [['1'], null]);
    const again = service.transactions.list(organisationId, { q: 'needle', to: '2026-01-31' });
    assert.deepEqual(again.data, data);
  });

  it('ends when its client has gone', async (t) => {
    const { service, ask } = await open(t);
    const client = new AbortController();
    const page = ask('/transactions?q=needle', client.signal);
    await ask('/projects');
    client.abort();
    await assert.rejects(page, { name: 'AbortError' });
    const path = '/api/v1/transactions';
    while (service.requests.list({ path }).length === 0) await ask('/projects');
    assert.deepEqual(
      service.requests.list({ path }).map(({ status }) => status),
      [null],
    );
  });

  it('is still answered when the service closes', async (t) => {
    const { service, ask } = await open(t);
    const page = ask('/transactions?q=needle');
    await ask('/projects');
    const closed = service.close();
    const answer = await page;
    assert.equal(answer.status, 200);
    assert.equal(((await answer.json()) as List).data.length, 1);
    await closed;
  });
});

interface List {
  readonly data: readonly { readonly externalId: string }[];
  readonly meta: { readonly nextCursor: string | null };
}

/** A service with COUNT transactions, the oldest of which has a needle. */
async function open(t: TestContext) {
  const database = join(folderFor(t), 'long.db');
  const { db, organisation: org } = new Workshop(database);
  db.prepare<unknown[]>(
    `insert into transactions (organisation_id, provider, external_id, date, description,
       amount_minor, status, allocated_minor, created_at, updated_at)
     with recursive n(i) as (select 1 union all select i + 1 from n where i < ?)
     select ?, 'api', i, iif(i = 1, '2025-01-01', '2026-01-31'), ?, 100, 'unallocated', 0, 0, 0
       from n`,
  ).run(COUNT, org.id, 'hay '.repeat(50));
  db.exec(`update transactions set description = 'a Needle' where external_id = '1'`);
  db.close();
  const service = await createService({ database, recordRequests: true, rateLimit: false });
  t.after(() => service.close());
  const organisationId = formatId('org', org.id);
  const scopes = ['transactions:read', 'projects:read'] as const;
  const { key } = service.keys.create(organisationId, { name: 'test', scopes });
  const { url } = await service.listen({ port: 0 });
  const ask = (path: string, signal?: AbortSignal) => {
    const headers = { authorization: `Bearer ${key}` };
    return fetch(`${url}/api/v1${path}`, signal ? { headers, signal } : { headers });
  };
  return { service, ask, organisationId };
}
