import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatId } from '../../src/core/ids.ts';
import { listTransactionAllocations } from '../../src/operations/allocations.ts';
import { listActivity, listTransactionHistory } from '../../src/operations/audit.ts';
import {
  findBudgetLines,
  listBudgetLines,
  sumBudgetLines,
} from '../../src/operations/budget-lines.ts';
import type { Listing } from '../../src/operations/pages.ts';
import { getReport } from '../../src/operations/projects.ts';
import { countTransactions } from '../../src/operations/transactions.ts';
import { finish } from '../../src/operations/turns.ts';
import type { Access } from '../../src/store/access.ts';
import { refusal, row, rows, Workshop, YEAR } from '../store/workshop.ts';

/** A workshop with two projects and a transaction allocated to both. */
function open() {
  const shop = new Workshop();
  const [a = 0, b = 0] = shop.project();
  const budgetLines = [{ code: 'A', name: 'Other line', accountCodes: ['X'] }];
  const [kitchen] = shop.import({ ...YEAR, name: 'Kitchen', budgetLines });
  const c = kitchen?.lines[0]?.id ?? 0;
  const id = formatId('txn', shop.pushOne({}));
  shop.allocate(1, [
    [a, 5000],
    [c, 2000],
    [b, 1000],
  ]);
  const access: Access = { db: shop.db, organisation: shop.organisation };
  const theirs: Access = { db: shop.db, organisation: shop.addOrganisation() };
  return { shop, access, theirs, id };
}

/** The items of all pages. */
function readAll<Item>(read: (cursor: string | undefined) => Listing<Item>): Item[] {
  const found: Item[] = [];
  let cursor: string | undefined;
  do {
    const { items, nextCursor } = read(cursor);
    found.push(...items);
    cursor = nextCursor ?? undefined;
  } while (cursor !== undefined);
  return found;
}

describe("a transaction's allocations", () => {
  it('are those of all projects, with the names of project and line', () => {
    const { access, id } = open();
    for (const limit of [1, 2, 100]) {
      const found = readAll((cursor) => listTransactionAllocations(access, id, { limit, cursor }));
      assert.deepEqual(
        found.map(({ projectName, lineCode, lineName, amountMinor }) => {
          return [projectName, lineCode, lineName, amountMinor];
        }),
        [
          ['Shelter', 'A', 'Line A', 5000],
          ['Kitchen', 'A', 'Other line', 2000],
          ['Shelter', 'B', 'Line B', 1000],
        ],
      );
    }
  });

  it('of another organisation or none are not found', () => {
    const { access, theirs, id } = open();
    const gone = refusal('not_found');
    assert.throws(() => listTransactionAllocations(theirs, id), gone);
    assert.throws(() => listTransactionAllocations(access, 'txn_0000000009'), gone);
    const { nextCursor } = listTransactionAllocations(access, id, { limit: 1 });
    const other = { cursor: nextCursor ?? '' };
    const refused = refusal('invalid_cursor');
    assert.throws(() => listTransactionAllocations(access, 'txn_0000000009', other), refused);
  });
});

describe("a transaction's history", () => {
  it('has who did what and when, with its own change, newest first', () => {
    const { shop, access, id } = open();
    shop.push(rows(3, () => ({ externalId: 'INV-1', amount: 50 })).slice(0, 1));
    const found = readAll((cursor) => listTransactionHistory(access, id, { limit: 1, cursor }));
    assert.deepEqual(
      found.map(({ action, actor, requestId, change, changed }) => {
        return [action, actor, requestId, Object.keys(change?.after ?? {}), changed];
      }),
      [
        ['transactions.pushed', 'key_0000000001', 'req-1', ['amountMinor', 'status', 'review'], 1],
        [
          'transaction.allocated',
          'key_0000000001',
          'req-1',
          ['status', 'allocatedMinor', 'allocations'],
          1,
        ],
        ['transactions.pushed', 'key_0000000001', 'req-1', [], 0],
      ],
    );
    assert.deepEqual(
      found.map(({ atMs }) => atMs),
      [...found.map(({ atMs }) => atMs)].sort((a, b) => b - a),
    );
  });

  it('of another organisation or none is not found', () => {
    const { access, theirs, id } = open();
    assert.throws(() => listTransactionHistory(theirs, id), refusal('not_found'));
    assert.throws(() => listTransactionHistory(access, 'x'), refusal('not_found'));
  });
});

describe('the activity', () => {
  it('is read page by page, by subject too', () => {
    const { access, theirs } = open();
    const list = (subject?: string, of = access) => {
      const read = (cursor: string | undefined) => listActivity(of, { subject, limit: 1, cursor });
      return readAll(read).map(({ action }) => action);
    };
    assert.deepEqual(list(), [
      'transaction.allocated',
      'transactions.pushed',
      'project.created',
      'project.created',
      'organisation.created',
    ]);
    assert.deepEqual(list('bln_0000000003'), ['project.created']);
    assert.deepEqual(list('txn_0000000001'), ['transaction.allocated', 'transactions.pushed']);
    for (const subject of ['bln_0000000003', 'txn_0000000001', 'prj_0000000001']) {
      assert.deepEqual(list(subject, theirs), []);
    }
    const { nextCursor } = listActivity(access, { limit: 1 });
    const elsewhere = { limit: 1, cursor: nextCursor ?? '', actor: 'x' };
    assert.throws(() => listActivity(access, elsewhere), refusal('invalid_cursor'));
  });
});

describe('budget lines', () => {
  it('are found by id or by code', () => {
    const { access, theirs } = open();
    const find = (wanted: string, of = access) => findBudgetLines(of, wanted).map(({ id }) => id);
    assert.deepEqual(find('bln_0000000002'), [2]);
    assert.deepEqual(find('A'), [1, 3]);
    assert.deepEqual(find('B'), [2]);
    for (const none of ['C', '', 'bln_0000000009', 'prj_0000000001']) {
      assert.deepEqual(find(none), [], none);
    }
    assert.deepEqual([...find('bln_0000000002', theirs), ...find('A', theirs)], []);
  });

  it('are listed with filters by public identifiers', () => {
    const { access } = open();
    const list = (filter: object) => {
      const read = (cursor: string | undefined) => {
        return listBudgetLines(access, { ...filter, limit: 1, cursor });
      };
      return readAll(read).map(({ id }) => id);
    };
    assert.deepEqual(list({}), [1, 2, 3]);
    assert.deepEqual(list({ projectId: 'prj_0000000002' }), [3]);
    assert.deepEqual(list({ projectId: 'x' }), []);
    assert.deepEqual(list({ accountCode: 'X' }), [3]);
    assert.deepEqual(list({ search: 'kitch' }), [3]);
    // SQLite itself takes patterns of up to 50,000 bytes.
    assert.deepEqual(list({ search: 'k'.repeat(60_000) }), []);
  });
});

describe('the sums of budget lines', () => {
  it('are the totals of their reports, in both forms of a budget', () => {
    const { shop, access, theirs } = open();
    const total = { budgetMode: 'total', startDate: '2026-01-01', endDate: '2026-03-31' };
    const months = { '2026-01': 5, '2026-02': 7 };
    shop.import([
      { ...YEAR, ...total, name: 'One', budgetLines: [{ name: 'X', budget: 9 }, { name: 'Y' }] },
      { ...YEAR, name: 'Two', budgetLines: [{ name: 'Z', budget: months }] },
    ]);
    shop.pushOne({ externalId: 'late', date: '2026-12-31' });
    shop.allocate(2, [[4, 300]]);
    shop.allocate(1, [[4, 100]]);
    const ids = [1, 2, 3, 4, 5, 6].map((number) => formatId('bln', number));
    const wanted = ['prj_0000000001', 'prj_0000000002', 'prj_0000000003', 'prj_0000000004']
      .flatMap((project) => getReport(access, project).rows)
      .map(({ line, total: { budgeted, actual } }) => {
        return { id: line.id, budgetMinor: budgeted, actualMinor: actual };
      });
    assert.deepEqual(sumBudgetLines(access, [...ids, 'x', ids[0] ?? '']), wanted);
    assert.deepEqual(wanted[3], { id: 4, budgetMinor: 900, actualMinor: 400 });
    assert.deepEqual(sumBudgetLines(theirs, ids), []);
    const many = Array.from({ length: 1001 }, () => 'x');
    assert.throws(() => sumBudgetLines(access, many), refusal('invalid_input', /at most 1000/));
  });
});

describe('the count of a filter', () => {
  it('accepts public identifiers', () => {
    const { shop, access, theirs, id } = open();
    shop.push([row({ externalId: '2', amount: -3 })]);
    const { count, outMinor, inMinor, allocatedMinor } = finish(countTransactions(access));
    assert.deepEqual([count, outMinor, inMinor, allocatedMinor], [2, 10_000, -300, 8000]);
    assert.equal(finish(countTransactions(access, { ids: [id, id, 'x'] })).count, 1);
    assert.equal(finish(countTransactions(access, { projectId: 'prj_0000000002' })).count, 1);
    assert.equal(finish(countTransactions(theirs, { ids: [id] })).count, 0);
  });
});
