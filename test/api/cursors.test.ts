/** Reading lists by cursor while they change, and what a cursor is bound to (contract 4). */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type {
  Allocation,
  AllocationList,
  Project,
  Transaction,
  TransactionList,
} from '../../src/api/contract.ts';
import { only, project, row, startApi, type Tenant } from './harness.ts';
import { PUSH } from './requests.ts';

const api = await startApi();
const { service, pounds, euros } = api;

interface Page<Item> {
  data: Item[];
  meta: { nextCursor: string | null };
}

/** Reads a list to its end. `between` runs after each page and can set the next limit. */
async function walk<Item>(
  target: string,
  key: string,
  between: (page: Item[], index: number) => Promise<number | undefined>,
): Promise<Item[]> {
  const found: Item[] = [];
  let cursor = '';
  let limit: number | undefined = 7;
  for (let index = 0; index < 1000; index += 1) {
    const page: Page<Item> = await api.get(`${target}${cursor}&limit=${limit ?? 7}`, key);
    found.push(...page.data);
    limit = await between(page.data, index);
    if (page.meta.nextCursor === null) return found;
    assert.match(page.meta.nextCursor, /^[\w-]+$/, 'needs no encoding in a URL');
    cursor = `&cursor=${page.meta.nextCursor}`;
  }
  throw new Error('the list does not end');
}

const nothing = async () => undefined;

/** Many rows on few dates, so that pages end in the middle of a date. */
async function fill(tenant: Tenant, count: number): Promise<void> {
  const rows = Array.from({ length: count }, (_, index) =>
    row(`W-${index}`, { date: `2026-01-${10 + ((index * 7) % 5)}`, amount: 1 }),
  );
  for (let start = 0; start < count; start += 40) {
    await api.push(rows.slice(start, start + 40), { key: tenant.key });
  }
}

const namesOf = (items: Transaction[]) => items.map(({ externalId }) => externalId ?? '');

const lines = { budgetLines: [{ name: 'Line' }] };
const projects = service.projects.import(pounds.id, [project('A', lines), project('B', lines)]);
await fill(pounds, 40);
await fill(euros, 40);
service.projects.import(euros.id, [project('A'), project('B')]);
const { data } = await api.get<TransactionList>(PUSH);
for (const { id } of data) {
  const inputs = projects.map(({ budgetLines }) => {
    return { budgetLineId: only(budgetLines).budgetLineId, amount: 0.5 };
  });
  service.transactions.allocate(pounds.id, id, inputs);
}
const [a, b] = projects.map(({ projectId }) => `/api/v1/projects/${projectId}/allocations`);
const since = 'updatedSince=2026-01-01T00:00:00Z';

describe('4 reading a whole list', () => {
  for (const order of ['date', 'updatedAt']) {
    test(`by ${order} shows everything once, whatever the limits`, async () => {
      const tenant = api.addTenant('GBP');
      await fill(tenant, 120);
      const target = `${PUSH}?order=${order}`;
      const whole = await api.get<TransactionList>(`${target}&limit=1000`, tenant.key);
      assert.equal(whole.meta.nextCursor, null);
      const limits = [1, 2, 50, 3, 119, 1000, 5];
      for (const [first, ...rest] of [limits, [120], [60, 60], [119, 1], [40, 40, 40]]) {
        const plan = [first, ...rest];
        const found = await walk<Transaction>(target, tenant.key, async (_, index) => plan[index]);
        assert.deepEqual(found, whole.data);
      }
    });

    test(`by ${order} never skips or repeats an unchanged row during pushes`, async () => {
      const tenant = api.addTenant('GBP');
      await fill(tenant, 150);
      const unchanged = new Set(Array.from({ length: 150 }, (_, index) => `W-${index}`));
      const changed = new Set<string>();
      const found = await walk<Transaction>(`${PUSH}?order=${order}`, tenant.key, async (_, at) => {
        if (at > 30) return 13;
        const rows = [0, 1, 2].map((step) => {
          const name = `W-${(at * 37 + step * 11) % 150}`;
          unchanged.delete(name);
          changed.add(name);
          return row(name, { date: `2026-01-${10 + ((at + step) % 7)}`, amount: at + 2 });
        });
        const fresh = [0, 1].map((step) => row(`N-${at}-${step}`, { date: `2026-01-1${at % 7}` }));
        await api.push([...rows, ...fresh], { key: tenant.key });
        return (at % 9) + 1;
      });
      const names = namesOf(found);
      for (const name of unchanged) {
        assert.equal(names.filter((each) => each === name).length, 1, name);
      }
      if (order === 'updatedAt') {
        const list = await api.get<TransactionList>(`${PUSH}?limit=1000`, tenant.key);
        for (const last of list.data) {
          assert.deepEqual(found.filter(({ id }) => id === last.id).at(-1), last);
        }
        assert.equal(new Set(names).size, list.data.length);
      }
      assert.ok(changed.size > 30 && unchanged.size > 30);
    });
  }

  test('with a filter shows all matches, and a full last page has no next cursor', async () => {
    const tenant = api.addTenant('GBP');
    await fill(tenant, 30);
    const target = `${PUSH}?from=2026-01-12&to=2026-01-13`;
    const { data } = await api.get<TransactionList>(target, tenant.key);
    assert.equal(data.length, 12);
    assert.deepEqual(await walk(target, tenant.key, nothing), data);
    const exact = await api.get<TransactionList>(`${target}&limit=12`, tenant.key);
    assert.equal(exact.meta.nextCursor, null);
  });

  test('by updatedAt continues from updatedSince without a gap', async () => {
    const tenant = api.addTenant('GBP');
    await fill(tenant, 80);
    const seen = new Map<string, Transaction>();
    let since = '1970-01-01T00:00:00Z';
    for (let round = 0; round < 4; round += 1) {
      const target = `${PUSH}?order=updatedAt&updatedSince=${since}`;
      for (const each of await walk<Transaction>(target, tenant.key, nothing)) {
        seen.set(each.id, each);
        since = each.updatedAt;
      }
      await api.push([row(`W-${round}`, { amount: 50 + round }), row(`R-${round}`)], {
        key: tenant.key,
      });
    }
    const target = `${PUSH}?order=updatedAt&updatedSince=${since}`;
    for (const each of await walk<Transaction>(target, tenant.key, nothing))
      seen.set(each.id, each);
    const { data } = await api.get<TransactionList>(`${PUSH}?limit=1000`, tenant.key);
    assert.deepEqual(
      [...seen.values()].sort((a, b) => (a.id < b.id ? -1 : 1)),
      data.sort((a, b) => (a.id < b.id ? -1 : 1)),
    );
  });

  test('of projects is sorted by name (code points), while others are added', async () => {
    const tenant = api.addTenant('GBP');
    const names = Array.from(
      { length: 40 },
      (_, at) => `${['Z', 'a', 'é', '\uff5a', '😀'][at % 5]}${at}`,
    );
    service.projects.import(
      tenant.id,
      names.map((name) => project(name)),
    );
    const found = await walk<Project>('/api/v1/projects?', tenant.key, async (_, at) => {
      service.projects.import(tenant.id, [project(`added ${at}`), project(`\u{1f601} ${at}`)]);
      return at < 10 ? 3 : 100;
    });
    const shown = found.map(({ name }) => name);
    const original = shown.filter((name) => names.includes(name));
    const byCodePoint = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));
    assert.deepEqual(original, [...names].sort(byCodePoint));
    assert.equal(new Set(shown).size, shown.length);
  });

  test('of allocations is sorted by date and id, while others are created', async () => {
    const tenant = api.addTenant('GBP');
    const imported = only(
      service.projects.import(tenant.id, project('P', { budgetLines: [{ name: 'Line' }] })),
    );
    await fill(tenant, 45);
    const budgetLineId = only(imported.budgetLines).budgetLineId;
    const allocate = (each: Transaction) => {
      const halves = [0.5, 0.25].map((amount) => ({ budgetLineId, amount }));
      service.transactions.allocate(tenant.id, each.id, halves);
    };
    const list = await api.get<TransactionList>(PUSH, tenant.key);
    for (const each of list.data) allocate(each);
    const target = `/api/v1/projects/${imported.projectId}/allocations?`;
    const whole = await api.get<AllocationList>(`${target}limit=1000`, tenant.key);
    assert.equal(whole.data.length, 90);
    assert.deepEqual(await walk<Allocation>(target, tenant.key, nothing), whole.data);
    const found = await walk<Allocation>(target, tenant.key, async (_, at) => {
      if (at > 5) return 50;
      const { data } = await api.push([row(`A-${at}`, { amount: 1 })], { key: tenant.key });
      const result = only(data);
      assert.ok('id' in result && result.id !== null);
      service.transactions.allocate(tenant.id, result.id, [{ budgetLineId }]);
      return 4;
    });
    const original = new Set(whole.data.map(({ id }) => id));
    assert.deepEqual(
      found.filter(({ id }) => original.has(id)),
      whole.data,
    );
  });
});

/** The cursor after the first item of a list. */
async function cursorOf(target: string, key = pounds.key): Promise<string> {
  const join = target.includes('?') ? '&' : '?';
  const { meta } = await api.get<Page<unknown>>(`${target}${join}limit=1`, key);
  assert.notEqual(meta.nextCursor, null);
  return meta.nextCursor ?? '';
}

describe('4 a cursor is bound to', () => {
  const bound: [name: string, issued: string, used: string][] = [
    ['its order', PUSH, `${PUSH}?order=updatedAt`],
    ['its order, in the other direction', `${PUSH}?order=updatedAt`, PUSH],
    ['an added filter', PUSH, `${PUSH}?from=2026-01-01`],
    ['a removed filter', `${PUSH}?from=2026-01-01`, PUSH],
    ['the value of a filter', `${PUSH}?from=2026-01-01`, `${PUSH}?from=2026-01-02`],
    ['which filter has the value', `${PUSH}?q=Rent`, `${PUSH}?contact=Rent`],
    ['from, not to', `${PUSH}?from=2026-01-11`, `${PUSH}?to=2026-01-11`],
    ['the status', `${PUSH}?status=allocated`, `${PUSH}?status=allocated,excluded`],
    ['updatedSince', `${PUSH}?${since}`, `${PUSH}?${since.replace('00Z', '01Z')}`],
    ['its endpoint', PUSH, '/api/v1/projects'],
    ['its endpoint, in the other direction', '/api/v1/projects', PUSH],
    ['its endpoint, not its order', PUSH, a ?? ''],
    ['its project', a ?? '', b ?? ''],
    ['the filters of projects', '/api/v1/projects', `/api/v1/projects?${since}`],
    ['the filters of allocations', a ?? '', `${a}?from=2026-01-01`],
  ];
  for (const [name, issued, used] of bound) {
    test(name, async () => {
      const cursor = await cursorOf(issued);
      const target = `${used}${used.includes('?') ? '&' : '?'}cursor=${cursor}`;
      await api.refuse({ target }, 400, 'invalid_cursor');
    });
  }

  test('its organisation, not its key', async () => {
    for (const target of [PUSH, '/api/v1/projects']) {
      const cursor = await cursorOf(target);
      const used = `${target}?cursor=${cursor}`;
      await api.refuse({ target: used, key: euros.key }, 400, 'invalid_cursor');
      const { key } = api.addKey(pounds.id, ['projects:read', 'transactions:read']);
      assert.equal((await api.ask({ target: used, key })).status, 200);
    }
  });

  test('nothing else: not limit, nor the order or spelling of parameters', async () => {
    const cursor = await cursorOf(`${PUSH}?from=2026-01-01&${since}`);
    const statuses = await cursorOf(`${PUSH}?status=partially_allocated,allocated`);
    const target = `${PUSH}?status=allocated&status=partially_allocated&cursor=${statuses}`;
    assert.equal((await api.ask({ target })).status, 200);
    for (const query of [
      `from=2026-01-01&${since}&limit=1000`,
      `${since}&limit=3&from=2026-01-01`,
      `order=date&from=2026-01-01&${since}`,
      `from=2026%2D01-01&${since}`,
      'from=2026-01-01&updatedSince=2026-01-01T01:00:00%2B01:00',
    ]) {
      assert.equal((await api.ask({ target: `${PUSH}?${query}&cursor=${cursor}` })).status, 200);
    }
  });
});

describe('4 a cursor that was not issued is refused:', () => {
  const nonsense = ['x', 'null', '0', '-1', 'e30', 'eyJpZCI6MX0', '%00', '%F0%9F%98%80', "'", '..'];
  for (const cursor of [...nonsense, 'A'.repeat(16), 'A'.repeat(5000), 'W10', 'undefined', '%20']) {
    test(cursor.slice(0, 20), async () => {
      for (const target of [PUSH, '/api/v1/projects']) {
        await api.refuse({ target: `${target}?cursor=${cursor}` }, 400, 'invalid_cursor');
      }
    });
  }

  test('one with any single character changed', async () => {
    for (const target of [PUSH, '/api/v1/projects']) {
      const cursor = await cursorOf(target);
      for (let at = 0; at < cursor.length; at += 1) {
        for (const other of ['A', 'b', '_']) {
          if (cursor[at] === other) continue;
          const changed = cursor.slice(0, at) + other + cursor.slice(at + 1);
          await api.refuse({ target: `${target}?cursor=${changed}` }, 400, 'invalid_cursor');
        }
      }
    }
  });

  test('one that was truncated, extended, padded or reversed', async () => {
    const cursor = await cursorOf(PUSH);
    const cut = Array.from({ length: cursor.length - 1 }, (_, at) => cursor.slice(0, at + 1));
    const longer = [`${cursor}A`, `${cursor}AAAA`, `A${cursor}`, `${cursor}=`, `${cursor}%0A`];
    const turned = [cursor.toUpperCase(), cursor.toLowerCase(), cursor + cursor, ` ${cursor}`];
    for (const each of [...cut, ...longer, ...turned]) {
      const target = `${PUSH}?cursor=${each.replace(' ', '%20')}`;
      await api.refuse({ target }, 400, 'invalid_cursor');
    }
  });
});
