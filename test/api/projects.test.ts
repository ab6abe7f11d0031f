import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ProjectDocument, ProjectList } from '../../src/api/contract.ts';
import { project, START, startApi } from './harness.ts';

const api = await startApi();
const { service, pounds, euros } = api;
const LIST = '/api/v1/projects';

function importProjects(...projects: unknown[]): string[] {
  return service.projects.import(pounds.id, projects).map(({ projectId }) => projectId);
}

async function namesOf(query: string, key = pounds.key): Promise<string[]> {
  const { data } = await api.get<ProjectList>(`${LIST}?${query}`, key);
  return data.map(({ name }) => name);
}

test('4.1 an organisation without projects has an empty list', async () => {
  assert.deepEqual(await api.get(LIST), { data: [], meta: { nextCursor: null } });
});

test('4.2 every member is always present, null when unset', async () => {
  const [id = ''] = importProjects(project('Bare'));
  const { data } = await api.get<ProjectDocument>(`${LIST}/${id}`);
  const { createdAt, updatedAt, ...rest } = data;
  assert.deepEqual(rest, {
    id,
    name: 'Bare',
    description: null,
    startDate: '2026-01-01T00:00:00.000Z',
    endDate: '2026-12-31T00:00:00.000Z',
    currency: 'GBP',
    budgetMode: 'monthly',
    parentProjectId: null,
    funder: null,
    codes: [],
  });
  assert.equal(createdAt, updatedAt);
  assert.ok(Date.parse(createdAt) > START);
});

test('2.1 a project with every member shows every member, also in the list', async () => {
  const [parentId = '', id = ''] = importProjects(
    project('Parent'),
    project('Whole', {
      description: 'Two\r\nlines',
      startDate: '1900-01-01',
      endDate: '2199-12-31',
      currency: 'GBP',
      budgetMode: 'total',
      parentProject: 'Parent',
      funder: { name: 'Fund', reference: 'F/1' },
      codes: [' YOU', '7'],
    }),
  );
  const { data } = await api.get<ProjectDocument>(`${LIST}/${id}`);
  const { createdAt: _created, updatedAt: _updated, ...rest } = data;
  assert.deepEqual(rest, {
    id,
    name: 'Whole',
    description: 'Two\nlines',
    startDate: '1900-01-01T00:00:00.000Z',
    endDate: '2199-12-31T00:00:00.000Z',
    currency: 'GBP',
    budgetMode: 'total',
    parentProjectId: parentId,
    funder: { name: 'Fund', reference: 'F/1' },
    codes: ['YOU', '7'],
  });
  const list = await api.get<ProjectList>(LIST);
  assert.deepEqual(
    list.data.find((each) => each.id === id),
    data,
  );
});

test('2.1 the reference of a funder can be null', async () => {
  const [id = ''] = importProjects(project('Half funded', { funder: { name: 'Fund' } }));
  const { data } = await api.get<ProjectDocument>(`${LIST}/${id}`);
  assert.deepEqual(data.funder, { name: 'Fund', reference: null });
});

test('4 the list is sorted by code points, not by UTF-16 units or a language', async () => {
  const fresh = api.addTenant('GBP');
  const names = ['a', 'Z', '\u00e9', 'e\u0301', '\uff5a', '\u{1f600}', 'Äpfel', 'aa', '10', '9'];
  for (const name of names) service.projects.import(fresh.id, project(name));
  const byCodePoint = [...names].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  assert.deepEqual(await namesOf('', fresh.key), byCodePoint);
});

test('4 parentProjectId finds the children, but not their children', async () => {
  const [topId, middleId] = importProjects(
    project('Top'),
    project('Middle', { parentProject: 'Top' }),
    project('Bottom', { parentProject: 'Middle' }),
  );
  assert.deepEqual(await namesOf(`parentProjectId=${topId}`), ['Middle']);
  assert.deepEqual(await namesOf(`parentProjectId=${middleId}`), ['Bottom']);
});

test('4 an unknown, foreign or malformed parent matches nothing', async () => {
  const [theirs] = service.projects.import(euros.id, [
    project('Theirs'),
    project('Their child', { parentProject: 'Theirs' }),
  ]);
  for (const id of [theirs?.projectId, 'prj_0000000zzz', 'txn_0000000001', 'x', "'or 1=1--"]) {
    assert.deepEqual(await namesOf(`parentProjectId=${encodeURIComponent(id ?? '')}`), [], id);
  }
});

test('4 updatedSince is inclusive, with any offset; an import may change nothing', async () => {
  const file = [project('Stays'), project('Moves')];
  importProjects(...file);
  const { data } = await api.get<ProjectList>(LIST);
  const before = data.find(({ name }) => name === 'Stays');
  importProjects(...file);
  importProjects(project('Moves', { description: 'new' }));
  const later = await api.get<ProjectList>(LIST);
  assert.deepEqual(
    later.data.find(({ name }) => name === 'Stays'),
    before,
  );
  const moved = later.data.find(({ name }) => name === 'Moves');
  assert.ok((moved?.updatedAt ?? '') > (moved?.createdAt ?? ''));
  const at = Date.parse(moved?.updatedAt ?? '');
  assert.deepEqual(await namesOf(`updatedSince=${moved?.updatedAt}`), ['Moves']);
  const tonga = new Date(at + 13 * 3600_000).toISOString().replace('Z', '%2B13:00');
  assert.deepEqual(await namesOf(`updatedSince=${tonga}`), ['Moves']);
  assert.deepEqual(await namesOf(`updatedSince=${new Date(at + 1).toISOString()}`), []);
});

test('4.2 an organisation sees only its own projects and currency', async () => {
  const [{ projectId = '' } = {}] = service.projects.import(euros.id, project('Only theirs'));
  const theirs = await api.get<ProjectDocument>(`${LIST}/${projectId}`, euros.key);
  assert.equal(theirs.data.currency, 'EUR');
  await api.refuse({ target: `${LIST}/${projectId}` }, 404, 'not_found');
  assert.ok(!(await namesOf('')).includes('Only theirs'));
});

test('4.2 an identifier must match exactly', async () => {
  const [id = ''] = importProjects(project('Exact'));
  const near = [id.toUpperCase(), id.slice(4), `${id}0`, id.slice(0, -1), id.replace('prj', 'txn')];
  for (const each of [...near, '1', 'prj_', 'prj_1', `prj_${'z'.repeat(10)}`, 'null', '-1']) {
    await api.refuse({ target: `${LIST}/${each}` }, 404, 'not_found');
  }
});
