import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { changeAll } from '../../src/operations/changes.ts';
import { getReport } from '../../src/operations/projects.ts';
import { getRolledUp } from '../../src/operations/roll-up.ts';
import { findReport } from '../../src/store/reports.ts';
import { undoing } from '../../src/store/undo.ts';
import { excludeTransaction, restoreTransaction } from './single-changes.ts';
import { row, Workshop, YEAR } from './workshop.ts';

/** Count, out and in, of the report of a project. */
function sumOf(shop: Workshop, projectId = 1): number[] {
  shop.check();
  return Object.values(findReport(shop, projectId)?.unallocated ?? {});
}

describe('contract 17: what a report lacks because it is not allocated', () => {
  it('17 is the rest of what is unallocated or allocated in part, out and in apart', () => {
    const shop = new Workshop();
    const [a = 0] = shop.project();
    assert.deepEqual(sumOf(shop), [0, 0, 0]);
    const amounts = [100, 50, -20, -30, 0];
    shop.push(amounts.map((amount, at) => row({ externalId: `${at}`, amount })));
    assert.deepEqual(sumOf(shop), [4, 15_000, 5000]);
    shop.allocate(1, [[a, 4000]]);
    shop.allocate(4, [[a, -1000]]);
    assert.deepEqual(sumOf(shop), [4, 11_000, 4000]);
    shop.nowMs += 1000;
    shop.allocate(1, [[a, 10_000]]);
    assert.deepEqual(sumOf(shop), [3, 5000, 4000]);
    changeAll(shop, undoing(shop, shop.nowMs), shop.actor());
    assert.deepEqual(sumOf(shop), [4, 11_000, 4000]);
    excludeTransaction(shop, { transactionId: 2, reason: 'x' }, shop.actor());
    assert.deepEqual(sumOf(shop), [3, 6000, 4000]);
    restoreTransaction(shop, { transactionId: 2 }, shop.actor());
    shop.push([row({ externalId: '0', amount: 70 })]);
    assert.deepEqual(sumOf(shop), [3, 5000, 4000], 'what needs review does not count');
  });

  it('17 follows a push, also one that brings a row twice, and not a dry run', () => {
    const shop = new Workshop();
    shop.project();
    shop.push([row({ externalId: '1', amount: 5 }), row({ externalId: '1', amount: -7 })]);
    assert.deepEqual(sumOf(shop), [1, 0, 700]);
    shop.push([row({ externalId: '1', amount: 9 }), row({ externalId: '2' })], { dryRun: true });
    assert.deepEqual(sumOf(shop), [1, 0, 700]);
    shop.push([row({ externalId: '1', amount: 9 }), row({ externalId: '1', amount: 8 })]);
    assert.deepEqual(sumOf(shop), [1, 800, 0]);
    shop.push([row({ externalId: '1', amount: 8, description: 'Another' })]);
    assert.deepEqual(sumOf(shop), [1, 800, 0]);
    shop.push([row({ externalId: '1', amount: 0 })]);
    assert.deepEqual(sumOf(shop), [0, 0, 0]);
    const theirs = shop.addOrganisation();
    shop.pushOne({}, theirs);
    assert.deepEqual(sumOf(shop), [0, 0, 0]);
  });

  it('17 is of the days of the project', () => {
    const shop = new Workshop();
    const days = { startDate: '2026-02-10', endDate: '2026-02-20' };
    shop.import({ ...YEAR, ...days });
    const dates = ['2026-02-09', '2026-02-10', '2026-02-20', '2026-02-21'];
    shop.push(dates.map((date) => row({ externalId: date, date })));
    assert.deepEqual(sumOf(shop), [2, 20_000, 0]);
    shop.push([row({ externalId: '2026-02-09', date: '2026-02-15' })]);
    assert.deepEqual(sumOf(shop), [3, 30_000, 0]);
    shop.import({ ...YEAR, ...days, endDate: '2026-02-11' });
    assert.deepEqual(sumOf(shop), [1, 10_000, 0]);
  });

  it('17 leaves out what is coded to other projects alone', () => {
    const shop = new Workshop();
    const names = ['One', 'Two', 'Old'];
    const save = (...codes: string[][]) => {
      const archived = { archived: true };
      shop.import(
        names.map((name, at) => ({ ...YEAR, name, codes: codes[at], ...(at === 2 && archived) })),
      );
    };
    save([], [], []);
    const codes = [null, 'X', 'A', 'B', 'AB', 'O'];
    const amounts = [1, 10, 100, 1000, 10_000, 100_000];
    shop.push(
      codes.map((projectCode, at) =>
        row({ externalId: `${at}`, projectCode, amount: amounts[at] }),
      ),
    );
    assert.deepEqual(sumOf(shop), [6, 11_111_100, 0]);
    save(['A', 'AB'], ['B', 'AB'], ['O']);
    assert.deepEqual(sumOf(shop, 1), [4, 1_011_100, 0]);
    assert.deepEqual(sumOf(shop, 2), [4, 1_101_100, 0]);
    assert.deepEqual(sumOf(shop, 3), [3, 10_001_100, 0]);
    shop.push([row({ externalId: '2', projectCode: 'B', amount: 100 })]);
    assert.deepEqual(sumOf(shop, 1), [3, 1_001_100, 0]);
  });

  it('17 with the projects below, leaves out what none of those shown is coded', () => {
    const shop = new Workshop();
    const below = { ...YEAR, name: 'Below', parentProject: 'Above', codes: ['B'] };
    const other = { ...YEAR, name: 'Other', codes: ['C'] };
    shop.import([{ ...YEAR, name: 'Above', codes: ['A'] }, below, other]);
    const codes = ['A', 'B', 'C', null];
    shop.push(codes.map((projectCode, at) => row({ externalId: `${at}`, projectCode })));
    const all = [getReport, getRolledUp].map((read) => read(shop, 'prj_0000000001'));
    assert.deepEqual(
      all.map(({ unallocated }) => unallocated.count),
      [2, 3],
    );
  });
});
