import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { BudgetdError, createClient } from '../../src/client/index.ts';
import { clientOf, FastClock, openStandIn, openWorld, rowsOf, type World } from './world.ts';

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const collected: Item[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

function importProject({ service, organisationId }: World) {
  const lines = ['A', 'B', 'C'].map((code) => ({
    code,
    name: `Line ${code}`,
    accountCodes: [code],
    budget: { '2026-01': 100 },
  }));
  const [project] = service.projects.import(organisationId, {
    name: 'Well',
    startDate: '2026-01-01',
    endDate: '2026-12-31',
    currency: 'GBP',
    budgetMode: 'monthly',
    budgetLines: lines,
  });
  assert.ok(project);
  return project;
}

test('4.1 to 4.5 every read returns the document of the interface', async (t) => {
  const world = await openWorld(t);
  const client = clientOf(world, new FastClock());
  const { projectId } = importProject(world);
  const rows = rowsOf(6).map((row, index) => ({ ...row, accountCode: 'ABC'.charAt(index % 3) }));
  await client.push(rows);
  world.service.transactions.allocateByAccountCode(world.organisationId);
  assert.equal((await client.projects.list()).data[0]?.id, projectId);
  assert.equal((await client.projects.get(projectId)).data.name, 'Well');
  const { data: report } = await client.report(projectId, { granularity: 'quarterly' });
  assert.deepEqual([report.granularity, report.periods.length], ['quarterly', 4]);
  assert.equal((await client.allocations.list(projectId, { limit: 2 })).data.length, 2);
  assert.equal((await collect(client.allocations.iterate(projectId, { limit: 2 }))).length, 6);
  assert.equal((await client.transactions.list({ externalId: 'INV-3' })).data[0]?.amount, 15.5);
});

test('4 iterating follows the cursors to the end and returns each item once', async (t) => {
  const world = await openWorld(t);
  const client = clientOf(world, new FastClock());
  await client.push(rowsOf(2345));
  for (const query of [{}, { limit: 1 }, { limit: 999, order: 'updatedAt' }] as const) {
    if (query === undefined) continue;
    const filter = 'limit' in query && query.limit === 1 ? { q: 'Invoice 12' } : {};
    const items = await collect(client.transactions.iterate({ ...query, ...filter }));
    const expected = rowsOf(2345).filter(({ description }) => {
      return filter.q === undefined || description.includes(filter.q);
    });
    assert.equal(new Set(items.map(({ id }) => id)).size, expected.length);
    assert.equal(items.length, expected.length);
  }
});

test('4 filters are sent as lists with commas and as RFC 3339 date-times', async (t) => {
  const world = await openWorld(t);
  const client = clientOf(world, new FastClock());
  await client.push([
    { ...rowsOf(1)[0], externalId: 'a', contact: 'Müller & Söhne + 1' },
    { ...rowsOf(1)[0], externalId: 'b' },
  ] as Parameters<typeof client.pushBatch>[0][number][]);
  const found = await client.transactions.list({
    contact: 'Müller & Söhne + 1',
    status: ['unallocated', 'needs_review'],
    updatedSince: new Date(0),
    from: undefined,
  });
  assert.deepEqual(
    found.data.map(({ externalId }) => externalId),
    ['a'],
  );
  const never = { updatedSince: new Date('yesterday') };
  await assert.rejects(client.transactions.list(never), { code: 'invalid_option' });
  await assert.rejects(client.transactions.list({ from: 'yesterday' }), (error) => {
    assert.ok(error instanceof BudgetdError);
    assert.deepEqual([error.code, error.status], ['invalid_parameter', 400]);
    assert.equal(error.details[0]?.field, 'from');
    assert.match(error.requestId ?? '', /^req_/);
    return true;
  });
});

test('4.2 an identifier cannot reach another path', async (t) => {
  const world = await openWorld(t);
  const client = clientOf(world, new FastClock());
  for (const id of ['', '.', '..', '\ud800']) {
    await assert.rejects(client.projects.get(id), { code: 'invalid_option' });
    await assert.rejects(collect(client.allocations.iterate(id)), { code: 'invalid_option' });
  }
  for (const id of ['prj_none', '../transactions', 'a?b', 'ü']) {
    await assert.rejects(client.projects.get(id), { code: 'not_found', status: 404 });
  }
});

test('a list that repeats its cursor ends with an error', async (t) => {
  const url = await openStandIn(t, (_, res) => {
    const page = { data: [{}], meta: { nextCursor: 'again' } };
    res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(page));
  });
  const client = clientOf({ url, key: 'k' }, new FastClock());
  await assert.rejects(collect(client.projects.iterate()), { code: 'unexpected_answer' });
});

const WRONG_OPTIONS: readonly [name: string, url: string, key: string, message: RegExp][] = [
  ['not an address', 'budget.example.org', 'k', /is not an address/],
  ['another scheme', 'ftp://budget.example.org', 'k', /must begin with https:.*, not "ftp:"\.$/],
  ['a password in it', 'https://me:secret@host', 'k', /must not contain a user name/],
  ['a query', 'https://host/?a=1', 'k', /must not contain "\?"/],
  ['the path of the interface', 'https://host/x/api/v1/transactions', 'k', /without "\/api\/v1/],
  ['no key', 'https://host', '', /key is empty/],
  ['a key with a line break', 'https://host', 'bdg_live_secret\n', /line break/],
];

for (const [name, url, key, message] of WRONG_OPTIONS) {
  test(`createClient refuses ${name}`, () => {
    assert.throws(
      () => createClient({ url, key }),
      (error) => {
        assert.ok(error instanceof BudgetdError);
        assert.equal(error.code, 'invalid_option');
        assert.match(error.message, message);
        assert.ok(!error.message.includes('secret'));
        return true;
      },
    );
  });
}

test('an address can have a path before the interface, and trailing slashes', async (t) => {
  const paths: (string | undefined)[] = [];
  const url = await openStandIn(t, (req, res) => {
    paths.push(req.url);
    const page = { data: [], meta: { nextCursor: null } };
    res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(page));
  });
  for (const each of [url, `${url}/`, `${url}/budget/`]) {
    await createClient({ url: each, key: 'k' }).projects.list();
  }
  assert.deepEqual(paths, ['/api/v1/projects', '/api/v1/projects', '/budget/api/v1/projects']);
});

test('the client is one file that loads no other, so it works in browsers', () => {
  const text = readFileSync(new URL('../../bundle/client.mjs', import.meta.url), 'utf8');
  assert.doesNotMatch(text, /(?:from|import)\s*\(?['"]([^'"]+)['"]/);
  assert.doesNotMatch(text, /\b(process|Buffer|require|__dirname)\b/);
});
