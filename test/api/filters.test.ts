/**
 * Combinations of filters, compared with the same filters applied to the whole list in memory; and
 * lists so long that a page ends before it is full (contract 4).
 */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Allocation, Transaction } from '../../src/api/contract.ts';
import { only, project, row, startApi, type Tenant } from './harness.ts';
import { PUSH } from './requests.ts';

const api = await startApi();
const { service } = api;

interface Page<Item> {
  data: Item[];
  meta: { nextCursor: string | null };
}
type Query = Readonly<Record<string, string>>;

/** Everything that a query finds, over all pages. */
async function walk<Item>(path: string, query: Query, key: string, limit: number): Promise<Item[]> {
  const found: Item[] = [];
  let cursor: Query = {};
  for (let pages = 0; pages < 2000; pages += 1) {
    const text = new URLSearchParams({ ...query, ...cursor, limit: String(limit) });
    const page: Page<Item> = await api.get(`${path}?${text}`, key);
    assert.ok(page.data.length <= limit);
    found.push(...page.data);
    if (page.meta.nextCursor === null) return found;
    cursor = { cursor: page.meta.nextCursor };
  }
  throw new Error('the list does not end');
}

/** Pseudo-random numbers, the same in every run. */
function* chance(seed: number): Generator<number> {
  let state = seed;
  for (;;) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    yield state / 2 ** 32;
  }
}
const random = chance(2026);
const below = (count: number) => Math.floor((random.next().value as number) * count);
const oneOf = <Value>(values: readonly Value[]): Value => {
  const value = values[below(values.length)];
  assert.ok(value !== undefined);
  return value;
};

const STATUSES = ['excluded', 'needs_review', 'allocated', 'partially_allocated', 'unallocated'];
const DATES = ['2026-01-01', '2026-01-02', '2026-01-31', '2026-02-01', '2026-12-31', '1999-12-31'];
const CODES = ['1', '2', '02'];
const CONTACTS = ['ACME', 'Acme', 'Zoë'];

/** Each filter as a test of a transaction. `projectId` needs the allocations. */
function matches(each: Transaction, query: Query, projects: ReadonlyMap<string, Set<string>>) {
  const texts = [each.description, each.contact ?? '', each.externalId ?? ''];
  const rules: Record<string, (value: string) => boolean> = {
    id: (value) => value.split(',').includes(each.id),
    from: (value) => each.date >= value,
    to: (value) => each.date <= value,
    status: (value) => value.split(',').includes(each.status),
    provider: (value) => each.provider === value,
    externalId: (value) => each.externalId === value,
    accountCode: (value) => each.accountCode === value,
    contact: (value) => each.contact === value,
    projectId: (value) => projects.get(value)?.has(each.id) === true,
    updatedSince: (value) => each.updatedAt >= value,
    q: (value) => texts.some((text) => text.toLowerCase().includes(value.toLowerCase())),
    order: () => true,
  };
  return Object.entries(query).every(([name, value]) => rules[name]?.(value));
}

function sorted(list: readonly Transaction[], order: string | undefined): Transaction[] {
  const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
  return [...list].sort((a, b) => {
    const first =
      order === 'updatedAt' ? compare(a.updatedAt, b.updatedAt) : compare(b.date, a.date);
    return first === 0 ? compare(a.id, b.id) : first;
  });
}

/** 300 transactions with few different values and every status, in two projects. */
async function fill(tenant: Tenant) {
  const lines = service.projects
    .import(tenant.id, [
      project('One', { budgetLines: [{ name: 'a' }, { name: 'b' }] }),
      project('Two', { budgetLines: [{ name: 'c' }] }),
    ])
    .flatMap(({ projectId, budgetLines }) => {
      return budgetLines.map(({ budgetLineId }) => ({ projectId, budgetLineId }));
    });
  const rows = Array.from({ length: 300 }, (_, index) =>
    row(`F-${index}`, {
      date: oneOf(DATES),
      contact: oneOf([null, ...CONTACTS]),
      accountCode: oneOf([null, ...CODES]),
      description: oneOf(['Rent', 'rent and rates', 'Zoë again']),
      amount: 10,
    }),
  );
  for (let start = 0; start < 300; start += 25) {
    const { data } = await api.push(rows.slice(start, start + 25), { key: tenant.key });
    for (const result of data) {
      assert.ok('id' in result && result.id !== null);
      const fate = below(4);
      if (fate === 0) service.transactions.exclude(tenant.id, result.id, 'chance');
      if (fate < 2) continue;
      const chosen = lines.filter(() => below(2) === 0);
      const inputs = chosen.map(({ budgetLineId }, at) => ({
        budgetLineId,
        amount: fate === 2 && at === 0 ? 10 - chosen.length + 1 : 1,
      }));
      service.transactions.allocate(tenant.id, result.id, inputs);
    }
  }
  const changed = rows.filter(() => below(6) === 0).map((each) => ({ ...each, amount: 9 }));
  await api.push(changed, { key: tenant.key });
  return [...new Set(lines.map(({ projectId }) => projectId))];
}

const tenant = api.addTenant('GBP');
const projectIds = await fill(tenant);
const whole = await walk<Transaction>(PUSH, {}, tenant.key, 1000);
const allocations = new Map<string, Allocation[]>();
for (const projectId of projectIds) {
  const path = `/api/v1/projects/${projectId}/allocations`;
  allocations.set(projectId, await walk<Allocation>(path, {}, tenant.key, 1000));
}
const inProject = new Map(
  [...allocations].map(([projectId, list]) => {
    return [projectId, new Set(list.map(({ transactionId }) => transactionId))] as const;
  }),
);

const CHOICES: Readonly<Record<string, () => string>> = {
  id: () => [...Array.from({ length: 40 }, () => oneOf(whole).id), 'txn_none'].join(),
  from: () => oneOf(DATES),
  to: () => oneOf(DATES),
  status: () => [oneOf(STATUSES), ...STATUSES.filter(() => below(4) === 0)].join(),
  provider: () => oneOf(['api', 'api', 'api', 'csv']),
  externalId: () => `F-${below(300)}`,
  accountCode: () => oneOf(CODES),
  contact: () => oneOf(CONTACTS),
  projectId: () => oneOf(projectIds),
  updatedSince: () => oneOf(whole).updatedAt,
  q: () => oneOf(['rent', 'ZOË', 'f-1', 'acme', 'again', 'nothing of it']),
  order: () => oneOf(['date', 'updatedAt']),
};

/** A query with these filters. */
const queryOf = (names: readonly string[]) => {
  return Object.fromEntries(names.map((name) => [name, CHOICES[name]?.() ?? '']));
};

async function checkQuery(query: Query, limit: number): Promise<number> {
  const found = await walk<Transaction>(PUSH, query, tenant.key, limit);
  const expected = whole.filter((each) => matches(each, query, inProject));
  assert.deepEqual(
    found.map(({ id }) => id),
    sorted(expected, query['order']).map(({ id }) => id),
    JSON.stringify(query),
  );
  return found.length;
}

describe('4 filters of transactions', () => {
  test('the fixture has every status', () => {
    assert.equal(whole.length, 300);
    assert.deepEqual(new Set(whole.map(({ status }) => status)), new Set(STATUSES));
  });

  const names = Object.keys(CHOICES);
  const [, ...pairs] = names.flatMap((a, at) => names.slice(at).map((b) => [a, b]));
  test('work alone and in pairs, in both orders', async () => {
    let found = 0;
    for (const pair of pairs) {
      for (const order of ['date', 'updatedAt']) {
        found += await checkQuery({ ...queryOf(pair), order }, 1 + below(60));
      }
    }
    assert.ok(found > 1000);
  });

  test('work in any combination', async () => {
    for (let round = 0; round < 150; round += 1) {
      const chosen = names.filter((name) => name !== 'externalId' && below(3) === 0);
      await checkQuery(queryOf(chosen), 1 + below(30));
    }
  });
});

test('4 filters of allocations work in any combination', async () => {
  for (const [projectId, list] of allocations) {
    assert.ok(list.length > 50);
    const path = `/api/v1/projects/${projectId}/allocations`;
    for (let round = 0; round < 60; round += 1) {
      const sample = oneOf(list);
      const all: Query = {
        from: oneOf(DATES),
        to: oneOf(DATES),
        budgetLineId: sample.budgetLineId,
        transactionId: sample.transactionId,
      };
      const query = Object.fromEntries(Object.entries(all).filter(() => below(2) === 0));
      const found = await walk<Allocation>(path, query, tenant.key, 1 + below(40));
      const expected = list.filter(
        ({ transaction, ...each }) =>
          transaction.date >= (query['from'] ?? '') &&
          transaction.date <= (query['to'] ?? '9') &&
          each.budgetLineId === (query['budgetLineId'] ?? each.budgetLineId) &&
          each.transactionId === (query['transactionId'] ?? each.transactionId),
      );
      assert.deepEqual(found, expected, JSON.stringify(query));
    }
  }
});

describe('4 a long list with few matches', () => {
  const long = api.addTenant('GBP');
  const needles: string[] = [];
  const ids = new Map<string, string>();

  test('has 12,000 rows', async () => {
    for (let batch = 0; batch < 24; batch += 1) {
      const rows = Array.from({ length: 500 }, (_, at) => {
        const isNeedle = at === 250 && batch % 8 === 0;
        if (isNeedle) needles.push(`H-${batch}-${at}`);
        return row(`H-${batch}-${at}`, {
          date: `2026-0${1 + (batch % 9)}-01`,
          description: isNeedle ? 'the needle' : 'hay',
          accountCode: at % 2 === 0 ? 'even' : 'odd',
          amount: 1,
        });
      });
      const { data } = await api.push(rows, { key: long.key });
      for (const result of data)
        if ('id' in result) ids.set(`${result.externalId}`, `${result.id}`);
    }
    const excluded = [...ids].filter(([name]) => name.endsWith('0') || name.endsWith('3'));
    for (const [, id] of excluded) service.transactions.exclude(long.id, id, 'hay');
    assert.equal(needles.length, 3);
  });

  const queries: Query[] = [
    { q: 'NEEDLE' },
    { q: 'needle', order: 'updatedAt' },
    { q: 'needle', accountCode: 'even' },
    { q: 'needle', status: 'excluded' },
    { q: 'needle', status: 'excluded,unallocated' },
    { q: 'needle', status: 'unallocated,needs_review,excluded', order: 'updatedAt' },
    { q: 'needle', from: '2026-01-01', to: '2026-12-31', provider: 'api' },
    { status: 'excluded', q: 'needle', accountCode: 'even', order: 'updatedAt' },
  ];
  for (const query of queries) {
    test(`shows every match: ${new URLSearchParams(query)}`, async () => {
      for (const limit of [1, 2, 3, 1000]) {
        const found = await walk<Transaction>(PUSH, query, long.key, limit);
        const names = found.map(({ externalId }) => `${externalId}`);
        assert.deepEqual(names.sort(), [...needles].sort());
      }
    });
  }

  test('ends even without a match', async () => {
    assert.deepEqual(await walk(PUSH, { q: 'no such hay' }, long.key, 1000), []);
    assert.deepEqual(await walk(PUSH, { q: 'needle', accountCode: 'odd' }, long.key, 1000), []);
  });

  test('has full pages when everything matches', async () => {
    for (const query of [{ q: 'h' }, { status: 'excluded,unallocated' }, { order: 'updatedAt' }]) {
      const found = await walk<Transaction>(PUSH, query as Query, long.key, 1000);
      assert.equal(new Set(found.map(({ id }) => id)).size, 12_000);
      assert.equal(found.length, 12_000);
    }
  });

  test('loses nothing where one stretch of a page ends and the next begins', async () => {
    const edge = api.addTenant('GBP');
    const nameOf = (index: number) => `E-${String(index).padStart(5, '0')}`;
    const sought: string[] = [];
    for (let start = 0; start < 10_500; start += 500) {
      const rows = Array.from({ length: 500 }, (_, at) => {
        // Two beside each other, at other places of each hundred.
        const isSought = (start + at) % 203 < 2;
        if (isSought) sought.push(nameOf(start + at));
        return row(nameOf(start + at), { description: isSought ? 'edge' : 'hay' });
      });
      await api.push(rows, { key: edge.key });
    }
    for (const order of ['date', 'updatedAt']) {
      for (const limit of [7, 1000]) {
        const found = await walk<Transaction>(PUSH, { q: 'edge', order }, edge.key, limit);
        assert.deepEqual(
          found.map(({ externalId }) => externalId),
          sought,
        );
      }
    }
  });

  test('shows the few allocated transactions of a project', async () => {
    const file = project('Few', { budgetLines: [{ name: 'Line' }] });
    const { projectId, budgetLines } = only(service.projects.import(long.id, file));
    const names = ['H-1-1', 'H-12-2', 'H-23-499'];
    for (const name of names) {
      const { budgetLineId } = only(budgetLines);
      service.transactions.allocate(long.id, ids.get(name) ?? '', [{ budgetLineId }]);
    }
    for (const order of ['date', 'updatedAt']) {
      const found = await walk<Transaction>(PUSH, { projectId, order }, long.key, 2);
      assert.deepEqual(found.map(({ externalId }) => `${externalId}`).sort(), names);
    }
  });
});
