import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PushAnswer, Transaction, TransactionList } from '../../src/api/contract.ts';
import { only, row, startApi } from './harness.ts';
import { PUSH } from './requests.ts';

const api = await startApi();
const { service, pounds, euros } = api;

async function find(externalId: string, key = pounds.key): Promise<Transaction> {
  const target = `${PUSH}?externalId=${encodeURIComponent(externalId)}`;
  return only((await api.get<TransactionList>(target, key)).data);
}

async function countOf(query: string): Promise<number> {
  return (await api.get<TransactionList>(`${PUSH}?limit=1000&${query}`)).data.length;
}

const statuses = ({ data }: PushAnswer) => data.map(({ status }) => status);

test('4.6 a new row is created with the provider api', async () => {
  const { data, meta } = await api.push([row('C-1')]);
  const found = await find('C-1');
  assert.deepEqual(data, [
    {
      index: 0,
      externalId: 'C-1',
      status: 'created',
      id: found.id,
      needsReview: false,
      changed: [],
      warnings: [],
    },
  ]);
  const counts = { received: 1, created: 1, updated: 0, unchanged: 0, rejected: 0 };
  assert.deepEqual(meta, { ...counts, needsReview: 0, warnings: 0, dryRun: false });
  assert.equal(found.provider, 'api');
});

test('4.6(2) the same externalId updates, and changed lists every difference', async () => {
  const codes = { accountCode: '1', reference: '1', bankAccount: '1', projectCode: '1' };
  const base = row('U-1', { contact: 'ACME', ...codes });
  const created = only((await api.push([base])).data);
  const changes: [string, unknown][] = [
    ['date', '2026-01-16'],
    ['description', 'New'],
    ['contact', 'Other'],
    ['amount', 13],
    ['accountCode', '2'],
    ['reference', '2'],
    ['bankAccount', '2'],
    ['projectCode', '2'],
  ];
  for (let mask = 0; mask < 2 ** changes.length; mask += 1) {
    await api.push([base]);
    const before = await find('U-1');
    const chosen = changes.filter((_, bit) => (mask & (1 << bit)) !== 0);
    const result = only((await api.push([{ ...base, ...Object.fromEntries(chosen) }])).data);
    assert.ok('changed' in result && 'id' in created);
    assert.deepEqual([result.status, result.id], ['updated', created.id]);
    assert.deepEqual([...result.changed].sort(), chosen.map(([name]) => name).sort());
    const after = await find('U-1');
    assert.equal(after.updatedAt > before.updatedAt, mask !== 0);
    assert.deepEqual({ ...after, ...Object.fromEntries(chosen) }, after);
  }
});

test('6 an update without an optional member clears that member', async () => {
  const optional = { contact: 'ACME', accountCode: '7', reference: 'INV 7 ' };
  await api.push([row('A-1', { ...optional, bankAccount: 'Petty cash', projectCode: ' YOU' })]);
  const { reference, bankAccount, projectCode } = await find('A-1');
  assert.deepEqual([reference, bankAccount, projectCode], ['INV 7', 'Petty cash', 'YOU']);
  const result = only((await api.push([row('A-1', { reference: '  ', projectCode: null })])).data);
  assert.ok('changed' in result);
  const names = ['contact', 'accountCode', 'reference', 'bankAccount', 'projectCode'] as const;
  assert.deepEqual(result.changed, names);
  const found = await find('A-1');
  for (const name of names) assert.equal(found[name], null, name);
});

test('6 different spellings of the same values change nothing, not even updatedAt', async () => {
  await api.push([row('I-1', { contact: 'ACME', description: 'a\nb', amount: 0.3 })]);
  const before = await find('I-1');
  const same = [
    { contact: ' ACME ', description: ' a\r\nb ', amount: 0.1 + 0.2 },
    { contact: 'ACME', description: 'a\rb', amount: 0.3, accountCode: '  ', extra: 'raw' },
  ];
  for (const members of same) {
    const result = only((await api.push([row('I-1', members)])).data);
    assert.ok('changed' in result);
    assert.deepEqual([result.status, result.changed], ['updated', []]);
    assert.deepEqual(await find('I-1'), before);
  }
});

test('6 a batch that is pushed again is updated, but nothing changes', async () => {
  const rows = Array.from({ length: 500 }, (_, index) => row(`B-${index}`, { amount: index }));
  const first = await api.push(rows);
  assert.equal(first.meta.created, 500);
  const list = `${PUSH}?q=B-&limit=1000`;
  const before = await api.get<TransactionList>(list);
  const again = await api.push(rows);
  assert.deepEqual([again.meta.created, again.meta.updated], [0, 500]);
  assert.ok(again.data.every((result) => 'changed' in result && result.changed.length === 0));
  assert.deepEqual(await api.get(list), before);
});

test('4.6(1) valid rows are stored, others rejected; data[i] belongs to rows[i]', async () => {
  const rows = Array.from({ length: 40 }, (_, index) => {
    return index % 3 === 1 ? row(`P-${index}`, { date: 'no' }) : row(`P-${index}`);
  });
  const { data, meta } = await api.push(rows);
  for (const [index, result] of data.entries()) {
    assert.equal(result.externalId, `P-${index}`);
    assert.equal(result.status, index % 3 === 1 ? 'rejected' : 'created');
  }
  assert.deepEqual([meta.created, meta.rejected], [27, 13]);
  assert.equal(await countOf('q=P-'), 27);
});

test('6 a push of only rejected rows gets 422 with data and meta, and is audited', async () => {
  const { data, meta, code, details } = await api.reject([row('X-1', { amount: 'x' }), null]);
  assert.deepEqual([code, details], ['all_rows_rejected', []]);
  assert.deepEqual(statuses({ data, meta }), ['rejected', 'rejected']);
  const counts = { received: 2, created: 0, updated: 0, unchanged: 0, rejected: 2 };
  assert.deepEqual(meta, { ...counts, needsReview: 0, warnings: 0, dryRun: false });
});

test('6 rows with the same externalId are applied in order, the later with a warning', async () => {
  const { data } = await api.push([
    row('D-1', { amount: 1 }),
    row('D-1', { amount: 2, extra: 1 }),
    row('D-1', { amount: 'x' }),
    row('D-1', { amount: 2 }),
  ]);
  const shown = data.map((result) =>
    'errors' in result
      ? [result.status]
      : [result.status, result.changed, result.warnings.map(({ code }) => code)],
  );
  assert.deepEqual(shown, [
    ['created', [], []],
    ['updated', ['amount'], ['duplicate_in_batch', 'unknown_field']],
    ['rejected'],
    ['updated', [], ['duplicate_in_batch']],
  ]);
  const ids = new Set(data.map((result) => 'id' in result && result.id));
  assert.deepEqual(ids, new Set([(await find('D-1')).id, false]));
  assert.equal((await find('D-1')).amount, 2);
});

test('6 a rejected row does not make a later one a duplicate', async () => {
  const { data } = await api.push([row('D-2', { amount: null }), row('D-2')]);
  assert.deepEqual(
    data.map((result) => ('warnings' in result ? result.warnings : result.status)),
    ['rejected', []],
  );
});

test('6 a dry run gives the same answer, with null for new ids, and stores nothing', async () => {
  await api.push([row('R-1', { amount: 1 })]);
  const before = await find('R-1');
  const audited = service.audit.list(pounds.id).length;
  const target = `${PUSH}?dryRun=true`;
  const rows = [row('R-1', { amount: 2 }), row('R-2'), row('R-2', { amount: 3 }), 5];
  const dry = await api.push(rows, { target });
  assert.equal(dry.meta.dryRun, true);
  const ids = dry.data.map((result) => ('id' in result ? result.id : 'none'));
  assert.deepEqual(ids, [before.id, null, null, 'none']);
  assert.deepEqual(await find('R-1'), before);
  assert.equal(await countOf('externalId=R-2'), 0);
  assert.equal(service.audit.list(pounds.id).length, audited);
  const wet = await api.push(rows, { target: `${PUSH}?dryRun=false` });
  const withoutIds = (answer: PushAnswer) => answer.data.map((each) => ({ ...each, id: '' }));
  assert.deepEqual(withoutIds(wet), withoutIds(dry));
  assert.deepEqual({ ...wet.meta, dryRun: true }, dry.meta);
  const rejected = await api.reject([null], { target });
  assert.equal(rejected.meta.dryRun, true);
});

test('4.6 500 rows are accepted; 501 and 0 are refused, and nothing is stored', async () => {
  const rows = (count: number) => Array.from({ length: count }, (_, at) => row(`N-${at}`));
  await api.refuse({ target: PUSH, body: { rows: rows(501) } }, 400, 'invalid_envelope');
  await api.refuse({ target: PUSH, body: { rows: [] } }, 400, 'invalid_envelope');
  assert.equal(await countOf('q=N-'), 0);
  assert.equal((await api.push(rows(500))).meta.created, 500);
});

const ENVELOPES: [name: string, body: string][] = [
  ['a list', '[]'],
  ['a list of rows', JSON.stringify([row('E-1')])],
  ['null', 'null'],
  ['a text', '"rows"'],
  ['a number', '1'],
  ['no rows', '{}'],
  ['rows in another case', JSON.stringify({ Rows: [row('E-1')] })],
  ['rows null', '{"rows":null}'],
  ['rows an object', '{"rows":{"0":{}}}'],
  ['rows a text', '{"rows":"x"}'],
  ['rows with a length', '{"rows":{"length":1}}'],
  ['rows inherited', `{"__proto__":{"rows":[${JSON.stringify(row('E-1'))}]}}`],
  ['rows repeated, the last one empty', '{"rows":[1],"rows":[]}'],
];
for (const [name, body] of ENVELOPES) {
  test(`4.6 an envelope is refused: ${name}`, async () => {
    const { details } = await api.refuse({ target: PUSH, body }, 400, 'invalid_envelope');
    assert.ok(details.every(({ code }) => code === 'invalid_envelope'));
  });
}

test('6 other members of the envelope are ignored; the last rows member counts', async () => {
  const body = `{"rows":[],"dryRun":true,"organisationId":"${euros.id}","rows":[${JSON.stringify(
    row('E-2'),
  )}],"__proto__":{"dryRun":true}}`;
  const answer = await api.ask({ target: PUSH, body });
  assert.equal(answer.status, 200);
  assert.equal((await find('E-2')).currency, 'GBP');
});

test('4.6(4) the same externalId in two organisations is two transactions', async () => {
  await api.push([row('SAME', { amount: 1 })]);
  const { data } = await api.push([row('SAME', { amount: 2 })], { key: euros.key });
  assert.deepEqual(statuses({ data, meta: {} as PushAnswer['meta'] }), ['created']);
  assert.equal((await find('SAME')).amount, 1);
  assert.equal((await find('SAME', euros.key)).amount, 2);
});

test('6 equal rows with different externalIds are two transactions', async () => {
  const { meta } = await api.push([row('TWIN'), row('twin'), row('TWIN '), row('TWIN\u200b')]);
  assert.equal(meta.created, 4);
});

test('5 every push is audited with its counts, key and X-Request-Id', async () => {
  const { id, key } = api.addKey(pounds.id, ['transactions:write']);
  const rows = [row('AU-1'), row('AU-1', { amount: 1 }), null];
  for (const [body, status, counts] of [
    [{ rows }, 200, { received: 3, created: 1, updated: 1, rejected: 1, needsReview: 0 }],
    [{ rows: [null] }, 422, { received: 1, created: 0, updated: 0, rejected: 1, needsReview: 0 }],
  ] as const) {
    const answer = await api.ask({ target: PUSH, key, body });
    assert.equal(answer.status, status);
    const entry = service.audit.list(pounds.id).at(-1);
    assert.deepEqual(
      [entry?.action, entry?.actor, entry?.requestId],
      ['transactions.pushed', id, answer.headers.get('x-request-id')],
    );
    assert.deepEqual({ ...entry?.details, ...counts }, entry?.details);
  }
});

test('5 a push that is refused before it is read is not audited', async () => {
  const before = service.audit.list(pounds.id).length;
  await api.refuse({ target: PUSH, body: '{' }, 400, 'invalid_json');
  await api.refuse({ target: PUSH, body: '{"rows":[]}' }, 400, 'invalid_envelope');
  assert.equal(service.audit.list(pounds.id).length, before);
});

test('6 when the clock goes back, updatedAt and the order do not', async () => {
  await api.push([row('K-1')]);
  const before = await find('K-1');
  api.clocks.nowMs -= 3600_000;
  await api.push([row('K-1', { amount: 99 }), row('K-2')]);
  const after = await find('K-1');
  assert.ok(after.updatedAt >= before.updatedAt);
  assert.equal(await countOf(`order=updatedAt&updatedSince=${before.updatedAt}`), 2);
  api.clocks.nowMs += 3600_000;
});
