import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AllocationList, TransactionList } from '../../src/api/contract.ts';
import { only, project, row, startApi } from './harness.ts';

const api = await startApi();
const { service, pounds, euros } = api;

const imported = service.projects.import(pounds.id, [
  project('Main', { budgetLines: [{ code: 'A', name: 'First' }, { name: 'Second' }] }),
  project('Other', { budgetLines: [{ name: 'Elsewhere' }] }),
]);
const [main, other] = imported;
const LIST = `/api/v1/projects/${main?.projectId}/allocations`;
const [a = '', b = ''] = (main?.budgetLines ?? []).map(({ budgetLineId }) => budgetLineId);
const elsewhere = only(other?.budgetLines).budgetLineId;

async function push(externalId: string, members: Record<string, unknown> = {}): Promise<string> {
  const result = only((await api.push([row(externalId, members)])).data);
  assert.ok('id' in result && result.id !== null);
  return result.id;
}

async function allocationsOf(query = '', key = pounds.key): Promise<AllocationList['data']> {
  return (await api.get<AllocationList>(`${LIST}?${query}`, key)).data;
}

test('4.4 a project without allocations has an empty list', async () => {
  assert.deepEqual(await api.get(LIST), { data: [], meta: { nextCursor: null } });
});

test('4 an allocation has every member, null when unset', async () => {
  const id = await push('T-1', { date: '2026-03-01', amount: 30, contact: 'ACME' });
  service.transactions.allocate(pounds.id, id, [
    { budgetLineId: a, amount: 10.01, note: 'a note' },
    { budgetLineId: elsewhere, amount: 5 },
    { budgetLineId: b },
  ]);
  const shown = (await allocationsOf()).map(({ id: _id, createdAt, updatedAt, ...rest }) => {
    assert.equal(createdAt, updatedAt);
    return rest;
  });
  const transaction = {
    provider: 'api',
    externalId: 'T-1',
    date: '2026-03-01',
    description: 'Rent',
    contact: 'ACME',
  };
  const common = { projectId: main?.projectId, transactionId: id, transaction };
  assert.deepEqual(shown, [
    {
      ...common,
      budgetLineId: a,
      budgetLine: { code: 'A', name: 'First' },
      amount: 10.01,
      note: 'a note',
    },
    {
      ...common,
      budgetLineId: b,
      budgetLine: { code: null, name: 'Second' },
      amount: 14.99,
      note: null,
    },
  ]);
});

test('4 allocations are sorted by transaction date, newest first, then by id', async () => {
  for (const [name, date] of [
    ['O-1', '2026-02-02'],
    ['O-2', '2026-05-05'],
    ['O-3', '2026-02-02'],
  ] as const) {
    const id = await push(name, { date });
    const half = { amount: 6.25 };
    service.transactions.allocate(pounds.id, id, [
      { budgetLineId: a, ...half },
      { budgetLineId: b, ...half },
    ]);
  }
  const shown = await allocationsOf();
  const keys = shown.map(({ transaction, budgetLineId }) => [transaction.externalId, budgetLineId]);
  assert.deepEqual(keys, [
    ['O-2', a],
    ['O-2', b],
    ['T-1', a],
    ['T-1', b],
    ['O-1', a],
    ['O-1', b],
    ['O-3', a],
    ['O-3', b],
  ]);
});

test('4 filters by from, to (inclusive), line, transaction and all of them', async () => {
  const namesOf = async (query: string) =>
    (await allocationsOf(query)).map(({ transaction }) => transaction.externalId);
  assert.deepEqual(await namesOf('from=2026-03-01'), ['O-2', 'O-2', 'T-1', 'T-1']);
  assert.deepEqual(await namesOf('to=2026-02-02'), ['O-1', 'O-1', 'O-3', 'O-3']);
  assert.deepEqual(await namesOf('from=2026-03-01&to=2026-03-01'), ['T-1', 'T-1']);
  assert.deepEqual(await namesOf('from=2026-03-02&to=2026-03-01'), []);
  assert.deepEqual(await namesOf(`budgetLineId=${b}`), ['O-2', 'T-1', 'O-1', 'O-3']);
  const { data } = await api.get<TransactionList>('/api/v1/transactions?externalId=O-3');
  const { id } = only(data);
  assert.deepEqual(await namesOf(`transactionId=${id}`), ['O-3', 'O-3']);
  assert.deepEqual(await namesOf(`transactionId=${id}&budgetLineId=${a}&from=2026-02-02`), ['O-3']);
  assert.deepEqual(await namesOf(`transactionId=${id}&to=2026-02-01`), []);
});

test('4 a filter with an unknown or foreign identifier matches nothing', async () => {
  const [{ budgetLines } = { budgetLines: [] }] = service.projects.import(
    euros.id,
    project('Theirs', { budgetLines: [{ name: 'Line' }] }),
  );
  const theirs = only(budgetLines).budgetLineId;
  for (const id of [elsewhere, theirs, 'bln_0000000zzz', 'nonsense', main?.projectId]) {
    assert.deepEqual(await allocationsOf(`budgetLineId=${id}`), []);
    assert.deepEqual(await allocationsOf(`transactionId=${id}`), []);
  }
});

test('4 saving a transaction’s allocations replaces all of them', async () => {
  const id = await push('R-1', { amount: -8 });
  service.transactions.allocate(pounds.id, id, [{ budgetLineId: a }]);
  const first = only(await allocationsOf(`transactionId=${id}`));
  assert.equal(first.amount, -8);
  service.transactions.allocate(pounds.id, id, [{ budgetLineId: b, amount: -3 }]);
  const second = only(await allocationsOf(`transactionId=${id}`));
  assert.deepEqual([second.budgetLineId, second.amount], [b, -3]);
  assert.ok(second.createdAt > first.createdAt);
  service.transactions.allocate(pounds.id, id, []);
  assert.deepEqual(await allocationsOf(`transactionId=${id}`), []);
});

test('4 an allocation shows the transaction as it is now', async () => {
  await push('T-1', { date: '2026-03-02', amount: 30, description: 'New', contact: null });
  const [first] = await allocationsOf('from=2026-03-02&to=2026-03-02');
  assert.deepEqual(first?.transaction, {
    provider: 'api',
    externalId: 'T-1',
    date: '2026-03-02',
    description: 'New',
    contact: null,
  });
});

test('4.4 the project of another organisation is not found', async () => {
  const { projectId } = only(service.projects.import(euros.id, project('Theirs too')));
  const target = `/api/v1/projects/${projectId}/allocations`;
  assert.deepEqual((await api.get<AllocationList>(target, euros.key)).data, []);
  await api.refuse({ target }, 404, 'not_found');
  await api.refuse({ target: LIST, key: euros.key }, 404, 'not_found');
});
