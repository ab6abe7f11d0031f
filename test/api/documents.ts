/**
 * Rules for documents beyond their schemas: figures that add up, statuses that match the other
 * members, sort orders. Every document in these tests is checked.
 */

import assert from 'node:assert/strict';
import type {
  AllocationList,
  ProjectList,
  PushAnswer,
  Report,
  ReportCell,
  Transaction,
} from '../../src/api/contract.ts';
import { CONTRACT_ENDPOINTS } from './contract-table.ts';

const PLACES: Readonly<Record<string, number>> = { GBP: 2, EUR: 2, JPY: 0, KWD: 3 };

/** An amount in minor units. Fails unless the amount is the nearest double to them. */
export function minorOf(amount: number, currency: string): number {
  const places = PLACES[currency];
  if (places === undefined) throw new Error(`unknown currency ${currency}`);
  const minor = Math.round(amount * 10 ** places);
  assert.equal(amount, Number(`${minor}e-${places}`), `${amount} ${currency} is not whole`);
  assert.ok(!Object.is(amount, -0), 'minus zero');
  return minor;
}

/** Checks the 200 document of an endpoint, after its schema. */
export function checkDocument(path: string, method: string, document: unknown): void {
  const check = CHECKS[`${method} ${path}`];
  if (check === undefined) throw new Error(`no check for ${method} ${path}`);
  check(document as never);
}

/** Checks the results of a push, of a 200 or a 422. */
export function checkPush({ data, meta }: PushAnswer): void {
  const count = (status: string) => data.filter((result) => result.status === status).length;
  assert.equal(meta.received, data.length);
  assert.equal(meta.created, count('created'));
  assert.equal(meta.updated, count('updated'));
  assert.equal(meta.rejected, count('rejected'));
  assert.equal(meta.needsReview, data.filter((each) => 'id' in each && each.needsReview).length);
  for (const [index, result] of data.entries()) {
    assert.equal(result.index, index);
    if ('errors' in result) {
      assert.ok(result.errors.length >= 1 && result.errors.length <= 20);
    } else {
      assert.ok(result.warnings.length <= 20);
      if (!meta.dryRun) assert.notEqual(result.id, null);
      if (result.status === 'created') assert.deepEqual(result.changed, []);
    }
  }
}

const CHECKS: Readonly<Record<string, (document: never) => void>> = {
  'GET /api/v1/projects': ({ data }: ProjectList) => {
    const names = data.map(({ name, id }) => `${name}\0${id}`);
    assert.deepEqual(names, [...names].sort(byCodePoint));
    for (const project of data) checkProject(project);
  },
  'GET /api/v1/projects/{id}': ({ data }: { data: ProjectList['data'][number] }) => {
    checkProject(data);
  },
  'GET /api/v1/projects/{id}/report': ({ data }: { data: Report }) => checkReport(data),
  'GET /api/v1/projects/{id}/allocations': ({ data }: AllocationList) => {
    const dates = data.map(({ transaction }) => transaction.date);
    assert.deepEqual(dates, [...dates].sort().reverse());
    for (const { amount, createdAt, updatedAt } of data) {
      assert.notEqual(amount, 0);
      assert.ok(createdAt <= updatedAt, `${createdAt} <= ${updatedAt}`);
    }
  },
  'GET /api/v1/transactions': ({ data }: { data: Transaction[] }) => {
    for (const transaction of data) checkTransaction(transaction);
  },
  'POST /api/v1/transactions': (answer: PushAnswer) => {
    checkPush(answer);
    assert.ok(answer.meta.rejected < answer.meta.received, 'a 200 has at least one accepted row');
  },
};
assert.equal(Object.keys(CHECKS).length, CONTRACT_ENDPOINTS.length);

function byCodePoint(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

function checkProject(project: ProjectList['data'][number]): void {
  assert.match(project.startDate, /^\d{4}-\d\d-\d\dT00:00:00\.000Z$/);
  assert.match(project.endDate, /^\d{4}-\d\d-\d\dT00:00:00\.000Z$/);
  assert.ok(project.startDate <= project.endDate);
  assert.ok(project.createdAt <= project.updatedAt);
}

function checkTransaction(transaction: Transaction): void {
  const { status, review, currency } = transaction;
  const amount = minorOf(transaction.amount, currency);
  const allocated = minorOf(transaction.allocatedAmount, currency);
  if (status !== 'excluded') assert.equal(status === 'needs_review', review !== null);
  if (review !== null) minorOf(review.previousAmount, currency);
  if (status === 'allocated') assert.ok(allocated === amount && allocated !== 0);
  if (status === 'partially_allocated') assert.ok(Math.abs(allocated) < Math.abs(amount));
  if (status === 'unallocated' || status === 'excluded') assert.equal(allocated, 0);
  assert.ok(transaction.createdAt <= transaction.updatedAt);
}

function checkReport(report: Report): void {
  const { periods, rows, totals, currency } = report;
  const minor = (amount: number) => minorOf(amount, currency);
  const sum = (amounts: number[]) => amounts.reduce((all, each) => all + minor(each), 0);
  // Months that are not the project's have no periods.
  if (periods.length > 0) {
    assert.equal(periods[0]?.startDate, report.startDate);
    assert.equal(periods.at(-1)?.endDate, report.endDate);
  }
  for (const { cells, outsideActual, total } of [...rows, totals]) {
    assert.equal(cells.length, periods.length);
    for (const cell of [...cells, total]) {
      assert.equal(minor(cell.variance), minor(cell.budgeted) - minor(cell.actual));
    }
    assert.equal(minor(total.budgeted), sum(cells.map(({ budgeted }) => budgeted)));
    assert.equal(minor(total.actual), sum([...cells.map(({ actual }) => actual), outsideActual]));
  }
  const columns: (keyof ReportCell)[] = ['budgeted', 'actual', 'variance'];
  for (const column of columns) {
    for (const [index, cell] of totals.cells.entries()) {
      assert.equal(
        minor(cell[column]),
        sum(rows.map(({ cells }) => cells[index]?.[column] ?? NaN)),
      );
    }
    assert.equal(minor(totals.total[column]), sum(rows.map(({ total }) => total[column])));
  }
  assert.equal(minor(totals.outsideActual), sum(rows.map((row) => row.outsideActual)));
  minor(report.needsReview.amount);
  minor(report.recoded.amount);
}
