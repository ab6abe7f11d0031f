import assert from 'node:assert/strict';
import { test } from 'node:test';
import type {
  AllocationList,
  PushResultItem,
  ReportDocument,
  Transaction,
  TransactionList,
} from '../../src/api/contract.ts';
import { only, project, row, startApi } from './harness.ts';
import { PUSH } from './requests.ts';

const api = await startApi();
const { service, pounds } = api;
const { projectId, budgetLines } = only(
  service.projects.import(
    pounds.id,
    project('Main', { budgetLines: [{ name: 'First' }, { name: 'Second' }] }),
  ),
);
const [first = '', second = ''] = budgetLines.map(({ budgetLineId }) => budgetLineId);

async function find(externalId: string): Promise<Transaction> {
  return only((await api.get<TransactionList>(`${PUSH}?externalId=${externalId}`)).data);
}

async function push(externalId: string, amount: number): Promise<PushResultItem> {
  return only((await api.push([row(externalId, { amount })])).data);
}

async function sharesOf(transactionId: string): Promise<number[]> {
  const target = `/api/v1/projects/${projectId}/allocations?transactionId=${transactionId}`;
  return (await api.get<AllocationList>(target)).data.map(({ amount }) => amount);
}

async function reportOf(): Promise<ReportDocument['data']> {
  return (await api.get<ReportDocument>(`/api/v1/projects/${projectId}/report`)).data;
}

/** A transaction whose amount has changed since it was allocated. */
async function flag(externalId: string, amounts: [number, number], shares: number[]) {
  await push(externalId, amounts[0]);
  const { id } = await find(externalId);
  const lines = [first, second];
  const inputs = shares.map((amount, at) => ({ budgetLineId: lines[at] ?? '', amount }));
  service.transactions.allocate(pounds.id, id, inputs);
  return { id, result: await push(externalId, amounts[1]) };
}

function reviewOf({ status, review }: Transaction) {
  return [status, review?.reason, review?.previousAmount];
}

test('4.6(3) a changed amount on an allocated transaction needs review, end to end', async () => {
  const { id, result } = await flag('R-1', [100, 90], [60, 40]);
  assert.ok('needsReview' in result);
  assert.deepEqual(
    [result.status, result.needsReview, result.changed],
    ['updated', true, ['amount']],
  );
  const flagged = await find('R-1');
  assert.deepEqual(reviewOf(flagged), ['needs_review', 'amount_changed', 100]);
  assert.equal(flagged.review?.changedAt, flagged.updatedAt);
  assert.deepEqual([flagged.amount, flagged.allocatedAmount], [90, 100]);
  assert.deepEqual(await sharesOf(id), [60, 40]);
  const before = await reportOf();
  assert.deepEqual(before.needsReview, { count: 1, amount: 100 });
  assert.equal(before.totals.total.actual, 100);

  service.transactions.review(pounds.id, id, 'rescale');
  assert.deepEqual(reviewOf(await find('R-1')), ['allocated', undefined, undefined]);
  assert.deepEqual(await sharesOf(id), [54, 36]);
  const after = await reportOf();
  assert.deepEqual(after.needsReview, { count: 0, amount: 0 });
  assert.equal(after.totals.total.actual, 90);
});

test('4 during a review, no push ends it or changes previousAmount', async () => {
  const { id } = await flag('R-2', [10, 11], [10]);
  const { review } = await find('R-2');
  const again = await api.push([row('R-2', { amount: 12 }), row('R-2b')]);
  assert.equal(again.meta.needsReview, 1);
  const unchanged = await api.push([row('R-2', { amount: 12 })]);
  assert.equal(unchanged.meta.needsReview, 1);
  const back = await push('R-2', 10);
  assert.ok('needsReview' in back && back.needsReview);
  const now = await find('R-2');
  assert.deepEqual(now.review, review);
  assert.equal(now.status, 'needs_review');
  service.transactions.review(pounds.id, id, 'keep');
  assert.deepEqual(reviewOf(await find('R-2')), ['allocated', undefined, undefined]);
});

test('4 previousAmount is the amount when the allocations were last confirmed', async () => {
  const { id } = await flag('R-3', [10, 20], [10]);
  service.transactions.review(pounds.id, id, 'keep');
  assert.deepEqual(reviewOf(await find('R-3')), ['partially_allocated', undefined, undefined]);
  await push('R-3', 30);
  assert.deepEqual(reviewOf(await find('R-3')), ['needs_review', 'amount_changed', 20]);
  service.transactions.review(pounds.id, id, 'clear');
  assert.deepEqual(await sharesOf(id), []);
  assert.deepEqual(reviewOf(await find('R-3')), ['unallocated', undefined, undefined]);
});

test('5 keep is refused while the allocations do not fit; replace works', async () => {
  const { id } = await flag('R-4', [10, 9], [10]);
  assert.throws(() => service.transactions.review(pounds.id, id, 'keep'), { code: 'conflict' });
  assert.equal((await find('R-4')).status, 'needs_review');
  service.transactions.allocate(pounds.id, id, [{ budgetLineId: second, amount: 4 }]);
  assert.deepEqual(reviewOf(await find('R-4')), ['partially_allocated', undefined, undefined]);
  assert.deepEqual(await sharesOf(id), [4]);
});

test('5 rescale is exact, follows the sign, and removes a share of 0', async () => {
  const thirds = await flag('R-5', [0.03, 0.02], [0.01, 0.02]);
  service.transactions.review(pounds.id, thirds.id, 'rescale');
  assert.deepEqual(await sharesOf(thirds.id), [0.01, 0.01]);
  const turned = await flag('R-6', [10, -5], [6, 4]);
  service.transactions.review(pounds.id, turned.id, 'rescale');
  assert.deepEqual(await sharesOf(turned.id), [-3, -2]);
  const tiny = await flag('R-7', [100, 0.01], [99, 1]);
  service.transactions.review(pounds.id, tiny.id, 'rescale');
  assert.deepEqual(await sharesOf(tiny.id), [0.01]);
  const voided = await flag('R-8', [10, 0], [6, 4]);
  assert.equal((await find('R-8')).status, 'needs_review');
  service.transactions.review(pounds.id, voided.id, 'rescale');
  assert.deepEqual(await sharesOf(voided.id), []);
  assert.equal((await find('R-8')).status, 'unallocated');
});

test('5 rescale also scales the unallocated part', async () => {
  const { id } = await flag('R-17', [100, 50], [60, 20]);
  service.transactions.review(pounds.id, id, 'rescale');
  assert.deepEqual(await sharesOf(id), [30, 10]);
  assert.equal((await find('R-17')).status, 'partially_allocated');
});

test('3 other fields and unallocated transactions can change without a review', async () => {
  await push('R-9', 10);
  const { id } = await find('R-9');
  const bare = await push('R-9', 11);
  assert.ok('needsReview' in bare && !bare.needsReview);
  service.transactions.allocate(pounds.id, id, [{ budgetLineId: first }]);
  const members = {
    amount: 11,
    date: '2026-06-06',
    description: 'x',
    contact: 'y',
    accountCode: 'z',
  };
  const result = only((await api.push([row('R-9', members)])).data);
  assert.ok('needsReview' in result && !result.needsReview);
  assert.equal((await find('R-9')).status, 'allocated');
});

test('3 a change of less than a minor unit does not count', async () => {
  await push('R-10', 0.3);
  const { id } = await find('R-10');
  service.transactions.allocate(pounds.id, id, [{ budgetLineId: first }]);
  const result = await push('R-10', 0.1 + 0.2);
  assert.ok('needsReview' in result && !result.needsReview);
});

test('6 a dry run reports needsReview but starts no review', async () => {
  await push('R-11', 10);
  const { id } = await find('R-11');
  service.transactions.allocate(pounds.id, id, [{ budgetLineId: first }]);
  const target = `${PUSH}?dryRun=true`;
  const { data, meta } = await api.push([row('R-11', { amount: 11 })], { target });
  const result = only(data);
  assert.ok('needsReview' in result && result.needsReview);
  assert.equal(meta.needsReview, 1);
  assert.equal((await find('R-11')).status, 'allocated');
});

test('5 an excluded transaction stays excluded when a push updates it', async () => {
  await push('R-12', 10);
  const { id } = await find('R-12');
  service.transactions.exclude(pounds.id, id, 'twice');
  const result = await push('R-12', 11);
  assert.ok('needsReview' in result && !result.needsReview);
  const found = await find('R-12');
  assert.deepEqual([found.status, found.amount, found.review], ['excluded', 11, null]);
});

test('6 the same rules apply to rows with one externalId in one batch', async () => {
  await push('R-15', 10);
  await push('R-16', 10);
  const [allocated, excluded] = [await find('R-15'), await find('R-16')];
  service.transactions.allocate(pounds.id, allocated.id, [{ budgetLineId: first }]);
  service.transactions.exclude(pounds.id, excluded.id, 'twice');
  const amounts = [11, 12, 10];
  const rows = ['R-15', 'R-16'].flatMap((name) => amounts.map((amount) => row(name, { amount })));
  const { data, meta } = await api.push(rows);
  assert.deepEqual(
    data.map((result) => 'needsReview' in result && result.needsReview),
    [true, true, true, false, false, false],
  );
  assert.equal(meta.needsReview, 3);
  assert.deepEqual(reviewOf(await find('R-15')), ['needs_review', 'amount_changed', 10]);
  const { status, amount } = await find('R-16');
  assert.deepEqual([status, amount], ['excluded', 10]);
  service.transactions.review(pounds.id, allocated.id, 'keep');
  const later = [row('R-15', { amount: 10, description: 'New' }), row('R-15', { amount: 9 })];
  const second = (await api.push(later)).data[1];
  assert.ok(second !== undefined && 'needsReview' in second && second.needsReview);
});

test('4 the report counts a transaction that needs review once, for this project', async () => {
  const left = await find('R-15');
  service.transactions.review(pounds.id, left.id, 'clear');
  const { id } = await flag('R-13', [10, 11], [6, 4]);
  const { needsReview } = await reportOf();
  assert.deepEqual(needsReview, { count: 1, amount: 10 });
  const other = only(
    service.projects.import(pounds.id, project('Other', { budgetLines: [{ name: 'Line' }] })),
  );
  service.transactions.allocate(pounds.id, id, [
    { budgetLineId: first, amount: 3 },
    { budgetLineId: second, amount: 2 },
    { budgetLineId: only(other.budgetLines).budgetLineId, amount: 1 },
  ]);
  await push('R-13', -7.5);
  assert.deepEqual((await reportOf()).needsReview, { count: 1, amount: 5 });
  const theirs = await api.get<ReportDocument>(`/api/v1/projects/${other.projectId}/report`);
  assert.deepEqual(theirs.data.needsReview, { count: 1, amount: 1 });
});

test('4 an allocation’s updatedAt is never before its createdAt', async () => {
  const { id } = await flag('R-14', [10, 5], [6, 4]);
  api.clocks.nowMs -= 3600_000;
  service.transactions.review(pounds.id, id, 'rescale');
  assert.deepEqual(await sharesOf(id), [3, 2]);
  api.clocks.nowMs += 3600_000;
});
