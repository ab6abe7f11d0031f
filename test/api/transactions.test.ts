import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Transaction, TransactionList } from '../../src/api/contract.ts';
import { only, project, row, startApi } from './harness.ts';
import { PUSH } from './requests.ts';

const api = await startApi();
const { service, pounds, euros } = api;
const [main] = service.projects.import(pounds.id, [
  project('Main', { budgetLines: [{ name: 'Line' }, { name: 'Second' }] }),
]);
const [line = '', second = ''] = (main?.budgetLines ?? []).map((each) => each.budgetLineId);

async function list(query: Record<string, string> = {}): Promise<Transaction[]> {
  const target = `${PUSH}?${new URLSearchParams(query)}`;
  return (await api.get<TransactionList>(target)).data;
}

async function namesOf(query: Record<string, string>): Promise<(string | null)[]> {
  return (await list(query)).map(({ externalId }) => externalId);
}

async function find(externalId: string): Promise<Transaction> {
  return only(await list({ externalId }));
}

test('4.5 an organisation without transactions has an empty list', async () => {
  assert.deepEqual(await api.get(PUSH), { data: [], meta: { nextCursor: null } });
});

test('4 a transaction has every member, but not rawData or an exclusion reason', async () => {
  const before = api.clocks.nowMs;
  await api.push([row('M-1', { extra: 'raw only' })]);
  const { id, createdAt, updatedAt, ...rest } = await find('M-1');
  assert.deepEqual(rest, {
    provider: 'api',
    externalId: 'M-1',
    date: '2026-01-15',
    description: 'Rent',
    contact: null,
    amount: 12.5,
    currency: 'GBP',
    accountCode: null,
    reference: null,
    bankAccount: null,
    projectCode: null,
    status: 'unallocated',
    allocatedAmount: 0,
    review: null,
    recoded: null,
  });
  assert.equal(createdAt, updatedAt);
  assert.ok(Date.parse(createdAt) > before);
  service.transactions.exclude(pounds.id, id, 'a reason that is never shown');
  const { body } = await api.ask({ target: `${PUSH}?externalId=M-1` });
  assert.doesNotMatch(body.toString(), /raw only|never shown|library|exclud(?!ed")/);
});

test('4 status is the first that applies; every change increases updatedAt', async () => {
  await api.push([row('S-1', { amount: -10 })]);
  let last = await find('S-1');
  const { id } = last;
  const step = async (status: string, allocatedAmount: number) => {
    const now = await find('S-1');
    assert.deepEqual([now.status, now.allocatedAmount], [status, allocatedAmount]);
    assert.ok(now.updatedAt > last.updatedAt, `${status}: ${now.updatedAt} > ${last.updatedAt}`);
    assert.equal(now.createdAt, last.createdAt);
    last = now;
  };
  const { transactions } = service;
  transactions.allocate(pounds.id, id, [{ budgetLineId: line, amount: -4 }]);
  await step('partially_allocated', -4);
  transactions.allocate(pounds.id, id, [
    { budgetLineId: line, amount: -4 },
    { budgetLineId: second },
  ]);
  await step('allocated', -10);
  await api.push([row('S-1', { amount: -9 })]);
  await step('needs_review', -10);
  transactions.review(pounds.id, id, 'rescale');
  await step('allocated', -9);
  transactions.allocate(pounds.id, id, []);
  await step('unallocated', 0);
  transactions.exclude(pounds.id, id, 'private');
  await step('excluded', 0);
  await api.push([row('S-1', { amount: -8 })]);
  await step('excluded', 0);
  transactions.restore(pounds.id, id);
  await step('unallocated', 0);
});

test('4 a transaction with the amount 0 is unallocated', async () => {
  await api.push([row('Z-1', { amount: 0 })]);
  const { status, amount, allocatedAmount } = await find('Z-1');
  assert.deepEqual([status, amount, allocatedAmount], ['unallocated', 0, 0]);
});

test('4 from and to are inclusive; from after to gives an empty list', async () => {
  const fresh = ['1999-12-31', '2000-01-01', '2000-02-29', '2000-03-01'];
  await api.push(fresh.map((date) => row(date, { date })));
  assert.deepEqual(await namesOf({ to: '2000-03-01' }), [...fresh].reverse());
  assert.deepEqual(await namesOf({ from: '2000-01-01', to: '2000-02-29' }), [fresh[2], fresh[1]]);
  assert.deepEqual(await namesOf({ from: '2000-02-29', to: '2000-02-29' }), [fresh[2]]);
  assert.deepEqual(await namesOf({ from: '2000-03-01', to: '2000-02-29' }), []);
  assert.deepEqual(await namesOf({ to: '1999-12-30' }), []);
});

test('4 order=date is newest first, order=updatedAt oldest first, both then by id', async () => {
  const dates = ['1990-01-02', '1990-01-01', '1990-01-03', '1990-01-02'];
  await api.push(dates.map((date, index) => row(`D-${index}`, { date })));
  const range = { from: '1990-01-01', to: '1990-12-31' };
  for (const order of [{}, { order: 'date' }]) {
    assert.deepEqual(await namesOf({ ...range, ...order }), ['D-2', 'D-0', 'D-3', 'D-1']);
  }
  const updated = { ...range, order: 'updatedAt' };
  assert.deepEqual(await namesOf(updated), ['D-0', 'D-1', 'D-2', 'D-3']);
  await api.push([row('D-0', { date: '1990-01-04' })]);
  assert.deepEqual(await namesOf(updated), ['D-1', 'D-2', 'D-3', 'D-0']);
  assert.deepEqual(await namesOf(range), ['D-0', 'D-2', 'D-3', 'D-1']);
});

test('4 a page has 100 items by default, or limit items, 1 to 1000', async () => {
  const rows = Array.from({ length: 500 }, (_, index) => row(`L-${index}`, { date: '1980-01-01' }));
  await api.push(rows);
  await api.push(rows.map((each) => ({ ...each, externalId: `${each.externalId}b` })));
  await api.push([row('L-last', { date: '1980-01-01' })]);
  const range = { to: '1980-01-01' };
  for (const [limit, expected] of [
    [undefined, 100],
    ['1', 1],
    ['999', 999],
    ['1000', 1000],
  ] as const) {
    const found = await list(limit === undefined ? range : { ...range, limit });
    assert.equal(found.length, expected);
  }
});

test('4 filters compare byte for byte', async () => {
  const texts = ['Café', 'Cafe\u0301', 'café', 'CAFÉ', 'Caf', 'Café x', 'C%f_', "O'Brien\\"];
  const members = texts.map((text) => {
    const codes = { accountCode: text, reference: text, bankAccount: text, projectCode: text };
    return { contact: text, ...codes, date: '1970-01-01' };
  });
  await api.push(members.map((each, index) => row(` ${texts[index]} `, each)));
  for (const text of texts) {
    for (const [name, value] of [
      ['contact', text],
      ['accountCode', text],
      ['reference', text],
      ['bankAccount', text],
      ['projectCode', text],
      ['externalId', ` ${text} `],
    ] as const) {
      assert.deepEqual(await namesOf({ [name]: value }), [` ${text} `], `${name}=${value}`);
    }
    assert.deepEqual(await namesOf({ externalId: text }), []);
    assert.deepEqual(await namesOf({ contact: `${text} ` }), []);
  }
});

test('17 a prefix of externalId is compared byte for byte', async () => {
  const names = ['ERP/1', 'ERP/10', 'erp/1', 'ERP%', 'ERP_', 'ÉRP/1', ' ERP/1'];
  await api.push(names.map((name) => row(name, { date: '1971-01-01' })));
  for (const prefix of ['ERP', 'ERP/', 'ERP/1', 'ERP/10', 'erp', 'ERP%', 'ERP_', 'É', ' ', 'x']) {
    const expected = names.filter((name) => name.startsWith(prefix));
    const found = await namesOf({ externalIdPrefix: prefix, from: '1971-01-01', to: '1971-01-01' });
    assert.deepEqual(found.sort(), expected.sort(), prefix);
  }
});

test('4 q finds text in description, contact, externalId or reference, in any case', async () => {
  await api.push([
    row('q-Ärger', { date: '1960-01-04', description: 'x' }),
    row('q-2', { date: '1960-01-03', description: 'Die Große STRASSE', contact: 'ΟΔΟΣ ΕΡΜΟΥ' }),
    row('q-3', { date: '1960-01-02', description: '100% of C_O', contact: 'ΟΔΟΣΑ' }),
    row('q-4', {
      date: '1960-01-01',
      description: 'x',
      accountCode: 'only-code',
      reference: 'Beleg Nº 7',
      bankAccount: 'only-bank',
      projectCode: 'only-project',
    }),
  ]);
  const found = (q: string) => namesOf({ q, to: '1960-12-31' });
  for (const [q, expected] of [
    ['q-', ['q-Ärger', 'q-2', 'q-3', 'q-4']],
    ['Q-ä', ['q-Ärger']],
    ['BELEG', ['q-4']],
    ['only-', []],
    ['ÄRGER', ['q-Ärger']],
    ['große', ['q-2']],
    ['GROSSE', ['q-2']],
    ['straße', ['q-2']],
    ['die  große', []],
    ['οδος', ['q-2', 'q-3']],
    ['ΟΔΟΣ', ['q-2', 'q-3']],
    ['οδοσ', ['q-2', 'q-3']],
    ['ερμου', ['q-2']],
    ['%', ['q-3']],
    ['c_o', ['q-3']],
    ['_', ['q-3']],
    ['only-code', []],
    ['arger', []],
  ] as const) {
    assert.deepEqual(await found(q), expected, q);
  }
  assert.deepEqual(await namesOf({ q: '\u0000' }), []);
});

test('4 status accepts one or more values, provider one', async () => {
  await api.push(['A-1', 'A-2', 'A-3'].map((name) => row(name, { date: '1950-01-01' })));
  const [, middle, last] = await list({ to: '1950-12-31' });
  service.transactions.allocate(pounds.id, middle?.id ?? '', [{ budgetLineId: line, amount: 1 }]);
  service.transactions.exclude(pounds.id, last?.id ?? '', 'no');
  const found = (status: string) => namesOf({ status, to: '1950-12-31' });
  assert.deepEqual(await found('unallocated'), ['A-1']);
  assert.deepEqual(await found('partially_allocated'), ['A-2']);
  assert.deepEqual(await found('excluded'), ['A-3']);
  assert.deepEqual(await found('allocated,needs_review'), []);
  assert.deepEqual(await found('excluded,unallocated'), ['A-1', 'A-3']);
  assert.deepEqual(await found('excluded,excluded'), ['A-3']);
  const all = 'excluded,needs_review,allocated,partially_allocated,unallocated';
  assert.deepEqual(await found(all), ['A-1', 'A-2', 'A-3']);
  assert.equal((await namesOf({ provider: 'api', to: '1950-12-31' })).length, 3);
  assert.deepEqual(await namesOf({ provider: 'csv' }), []);
  assert.deepEqual(await namesOf({ provider: 'manual' }), []);
});

test('4 projectId finds each transaction once; an unknown one finds nothing', async () => {
  const { id } = await find('A-1');
  const half = { amount: 6.25 };
  service.transactions.allocate(pounds.id, id, [
    { budgetLineId: line, ...half },
    { budgetLineId: second, ...half },
  ]);
  const inProject = await namesOf({ projectId: main?.projectId ?? '', to: '1950-12-31' });
  assert.deepEqual(inProject, ['A-1', 'A-2']);
  const theirs = only(service.projects.import(euros.id, project('Theirs'))).projectId;
  for (const projectId of [theirs, 'prj_0000000zzz', id, 'nonsense']) {
    assert.deepEqual(await namesOf({ projectId }), []);
  }
});

test('4 updatedSince is inclusive, to the millisecond, with any offset', async () => {
  await api.push([row('U-1')]);
  await api.push([row('U-2')]);
  const at = Date.parse((await find('U-2')).updatedAt);
  const since = (text: string) => namesOf({ updatedSince: text, order: 'updatedAt' });
  const iso = (ms: number) => new Date(ms).toISOString();
  assert.deepEqual(await since(iso(at)), ['U-2']);
  assert.deepEqual(await since(iso(at + 1)), []);
  assert.deepEqual(await since(iso(at).replace('Z', '000Z')), ['U-2']);
  assert.deepEqual(await since(iso(at).replace('Z', '001Z')), []);
  assert.deepEqual(await since(iso(at + 14 * 3600_000).replace('Z', '+14:00')), ['U-2']);
  assert.deepEqual(await since(iso(at - 8.5 * 3600_000).replace('Z', '-08:30')), ['U-2']);
  assert.deepEqual(await since(iso(at).toLowerCase()), ['U-2']);
});

test('4 filters are combined with and', async () => {
  await api.push([
    row('N-1', { date: '1940-01-01', contact: 'ACME', accountCode: '1' }),
    row('N-2', { date: '1940-01-01', contact: 'ACME', accountCode: '2' }),
    row('N-3', { date: '1940-01-02', contact: 'ACME', accountCode: '1' }),
  ]);
  const all = { from: '1940-01-01', to: '1940-01-01', contact: 'ACME', accountCode: '1' };
  assert.deepEqual(await namesOf({ ...all, q: 'rent', status: 'unallocated' }), ['N-1']);
  assert.deepEqual(await namesOf({ ...all, externalId: 'N-2' }), []);
});

test('4.5 an organisation never sees transactions of another', async () => {
  await api.push([row('THEIRS', { contact: 'Their contact' })], { key: euros.key });
  assert.deepEqual(await namesOf({ externalId: 'THEIRS' }), []);
  assert.deepEqual(await namesOf({ contact: 'Their contact' }), []);
  assert.deepEqual(await namesOf({ q: 'THEIRS' }), []);
  const theirs = await api.get<TransactionList>(PUSH, euros.key);
  assert.deepEqual(
    theirs.data.map(({ externalId, currency }) => [externalId, currency]),
    [['THEIRS', 'EUR']],
  );
});
