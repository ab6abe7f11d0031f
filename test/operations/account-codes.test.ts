import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { Failure } from '../../src/core/failures.ts';
import { formatId } from '../../src/core/ids.ts';
import { ChangeRefused } from '../../src/core/refusals.ts';
import { accessTo } from '../../src/operations/access.ts';
import { allocations } from '../../src/operations/allocations.ts';
import { changeAll } from '../../src/operations/changes.ts';
import type { RunCounts } from '../../src/operations/rule-runs.ts';
import { finish } from '../../src/operations/turns.ts';
import { sumClaims } from '../../src/store/account-codes.ts';
import { listAuditEntries } from '../../src/store/audit.ts';
import { mapShares } from '../../src/store/shares.ts';
import { undoing } from '../../src/store/undo.ts';
import { folderFor, refusal, row, rows, Workshop, YEAR } from '../store/workshop.ts';
import { allocateByAccountCode, previewByAccountCode } from './by-code.ts';

/** A workshop with 1,750 transactions: of 7, 5 have a claimed code. */
function openLarge(file?: string): Workshop {
  const shop = new Workshop(file);
  shop.project();
  const codes = ['A', 'B', 'none', 'A', 'B', null, 'A'];
  for (let batch = 0; batch < 5; batch += 1) {
    const change = (index: number) => ({
      externalId: `${batch}/${index}`,
      accountCode: codes[index % codes.length],
      date: `2026-0${1 + (index % 3)}-10`,
    });
    shop.push(rows(350, change));
  }
  return shop;
}

describe('contract 5: allocating by account code in steps', () => {
  it('5 allocates each of 1,750 transactions once, and counts after each step', async () => {
    const shop = openLarge();
    const steps: RunCounts[] = [];
    const run = () => {
      return allocateByAccountCode(shop, shop.actor(), (soFar) => steps.push(soFar));
    };
    const { lines, actsMs, ...counts } = await run();
    const { ambiguousCodes, ...numbers } = counts;
    assert.deepEqual(numbers, { allocated: 1250, ambiguous: 0, unmatched: 500 });
    assert.deepEqual(ambiguousCodes, []);
    assert.deepEqual(
      [...lines].sort(([a], [b]) => a - b),
      [
        [1, { transactions: 750, amountMinor: 7_500_000 }],
        [2, { transactions: 500, amountMinor: 5_000_000 }],
      ],
    );
    // 110 in the first, and at most 250 in each other one, however fast the machine is.
    assert.ok(steps.length >= 8 && actsMs.length >= 7, `${steps.length} ${actsMs.length}`);
    assert.deepEqual(steps.at(-1), numbers);
    const sums = steps.map((each) => each.allocated + each.unmatched);
    assert.deepEqual(
      sums,
      [...sums].sort((a, b) => a - b),
    );
    const { allocated, unmatched } = await run();
    assert.deepEqual([allocated, unmatched], [0, 500]);
    shop.check();
  });

  it('5 lets others work between two steps, and finds what they have changed', async (t) => {
    const file = join(folderFor(t), 'shared.db');
    const shop = openLarge(file);
    const other = new Workshop(file);
    let steps = 0;
    let turns = 0;
    const onStep = () => {
      steps += 1;
      setImmediate(() => {
        turns += 1;
      });
      if (steps !== 1) return;
      // Of the last ones, one is allocated elsewhere and one changes its code, and one arrives.
      other.push(
        [
          row({ externalId: '4/349', accountCode: 'none', date: '2026-02-10' }),
          row({ externalId: 'new', accountCode: 'B', date: '2026-01-01' }),
        ],
        { org: shop.organisation },
      );
      other.allocate(1747, [[2, 1]], shop.organisation);
    };
    const outcome = await allocateByAccountCode(shop, shop.actor(), onStep);
    const { lines: _, ambiguousCodes: _codes, actsMs, ...counts } = outcome;
    assert.deepEqual(counts, { allocated: 1249, ambiguous: 0, unmatched: 501 });
    assert.equal(turns, steps - 1);
    assert.equal(shop.transaction(1750).status, 'unallocated');
    assert.equal(shop.transaction(1747).status, 'partially_allocated');
    assert.equal(shop.transaction(1751).status, 'allocated');
    for (const atMs of actsMs) changeAll(shop, undoing(shop, atMs), shop.actor());
    assert.equal(shop.transaction(1751).status, 'unallocated');
    assert.equal(shop.transaction(1747).status, 'partially_allocated');
    other.db.close();
    shop.check();
    shop.db.close();
  });

  for (const changer of ['another process', 'the same']) {
    it(`5 applies a plan that ${changer} has changed between two steps`, async (t) => {
      const file = join(folderFor(t), 'shared.db');
      const shop = openLarge(file);
      const other = changer === 'the same' ? shop : new Workshop(file);
      // The two lines exchange their codes.
      const budgetLines = ['A', 'B'].map((code) => {
        return { code, name: `Line ${code}`, accountCodes: [code === 'A' ? 'B' : 'A'] };
      });
      let steps = 0;
      const outcome = await allocateByAccountCode(shop, shop.actor(), () => {
        steps += 1;
        if (steps === 2) other.import({ ...YEAR, budgetLines }, shop.organisation);
      });
      assert.equal(outcome.allocated, 1250);
      const entries = listAuditEntries(shop, 0);
      const changedMs = entries.find(({ action }) => action === 'project.updated')?.atMs;
      assert.ok(changedMs !== undefined);
      const found = new Map<string, number>();
      for (let id = 1; id <= 1750; id += 1) {
        const { accountCode, updatedAtMs } = shop.transaction(id);
        const [share] = mapShares(shop, [{ id }]).get(id) ?? [];
        if (share === undefined) continue;
        const time = updatedAtMs < changedMs ? 'before' : 'after';
        const key = `${accountCode} to line ${share.budgetLineId} ${time}`;
        found.set(key, (found.get(key) ?? 0) + 1);
      }
      assert.deepEqual([...found.keys()].sort(), [
        'A to line 1 before',
        'A to line 2 after',
        'B to line 1 after',
        'B to line 2 before',
      ]);
      other.db.close();
      if (other !== shop) shop.db.close();
    });
  }

  it('5 keeps the steps before an interruption, and the next call continues', async () => {
    const shop = openLarge();
    let isOpen = true;
    const source = {
      get db() {
        if (isOpen) return shop.db;
        throw new Failure('conflict', 'This service is closed.');
      },
    };
    const access = accessTo(source, formatId('org', shop.organisation.id));
    const closing = allocateByAccountCode(access, shop.actor(), () => {
      isOpen = false;
    });
    await assert.rejects(closing, refusal('conflict', /closed/));
    isOpen = true;
    const done = shop.shares().length;
    assert.ok(done > 0 && done < 1250);
    const { allocated } = await allocateByAccountCode(access, shop.actor());
    assert.equal(allocated, 1250 - done);
    shop.check();
  });
});

describe('a preview of allocating by account code', () => {
  it('shows each transaction with its line or why it has none, page by page', () => {
    const shop = new Workshop();
    const [a = 0, b = 0] = shop.project();
    const two = { ...YEAR, name: 'Two', budgetLines: [{ name: 'X', accountCodes: ['B'] }] };
    const [x] = shop.import(two);
    shop.push([
      row({ externalId: '1', accountCode: 'A' }),
      row({ externalId: '2', accountCode: 'B' }),
      row({ externalId: '3' }),
      row({ externalId: '4', accountCode: 'A', amount: 0 }),
    ]);
    const before = shop.everything();
    const claims = previewByAccountCode(shop).map(({ transaction, kind, budgetLineIds }) => {
      return [transaction.id, { kind, budgetLineIds }];
    });
    assert.deepEqual(claims, [
      [1, { kind: 'claimed', budgetLineIds: [a] }],
      [2, { kind: 'ambiguous', budgetLineIds: [b, x?.lines[0]?.id] }],
      [3, { kind: 'unmatched', budgetLineIds: [] }],
    ]);
    assert.equal(shop.everything(), before);
  });

  it('is applied to exactly what it showed, or refused with what has changed', () => {
    const shop = new Workshop();
    const [a = 0] = shop.project();
    const access = shop;
    shop.push(rows(3, () => ({ accountCode: 'A' })));
    const shown = () =>
      previewByAccountCode(access).flatMap((claim) =>
        claim.kind !== 'claimed'
          ? []
          : {
              transactionId: formatId('txn', claim.transaction.id),
              seenUpdatedAtMs: claim.transaction.updatedAtMs,
              allocations: claim.budgetLineIds.map((id) => ({ budgetLineId: formatId('bln', id) })),
            },
      );
    const stale = shown();
    shop.push([row({ externalId: 'INV-1', accountCode: 'A', amount: 7 })]);
    shop.push([row({ externalId: 'late', accountCode: 'A' })]);
    assert.throws(
      () => changeAll(access, allocations(access, stale), shop.actor()),
      (error: unknown) => {
        assert.ok(error instanceof ChangeRefused);
        assert.deepEqual(
          error.refusals.map(({ subject }) => subject),
          ['txn_0000000002'],
        );
        return true;
      },
    );
    assert.deepEqual(shop.shares(), []);
    const fresh = shown().slice(0, 3);
    changeAll(access, allocations(access, fresh), shop.actor());
    assert.deepEqual(
      shop.shares().map(([line]) => line),
      [a, a, a],
    );
    assert.equal(shop.transaction(4).status, 'unallocated');
    shop.check();
  });

  it('sees nothing of another organisation', () => {
    const shop = new Workshop();
    shop.project();
    shop.push([row({ accountCode: 'A' })]);
    const theirs = { db: shop.db, organisation: shop.addOrganisation() };
    assert.deepEqual(previewByAccountCode(theirs), []);
  });

  it('adds up to the same by account code and line, in steps', () => {
    const shop = new Workshop();
    shop.project();
    const other = { ...YEAR, name: 'Two', startDate: '2026-03-10', endDate: '2026-05-20' };
    shop.import({ ...other, budgetLines: [{ name: 'X', accountCodes: ['A', 'C'] }] });
    const codes = ['A', 'B', 'C', 'D', null];
    const days = ['2025-12-31', '2026-01-01', '2026-03-09', '2026-03-10', '2026-05-20'];
    const last = ['2026-05-21', '2026-12-31', '2027-01-01'];
    let number = 0;
    const some = [...days, ...last].flatMap((date) =>
      codes.map((accountCode) => {
        number += 1;
        const amount = [12.5, -3, 0, 7][number % 4] ?? 0;
        return row({ externalId: `${number}`, date, accountCode, amount });
      }),
    );
    shop.push(some);
    const access = shop;
    const sums = new Map<string, [count: number, sumMinor: number, from: string, to: string]>();
    for (const { budgetLineIds, transaction } of previewByAccountCode(access)) {
      const key = `${budgetLineIds} ${transaction.accountCode}`;
      const { amountMinor, date } = transaction;
      const [count, sum, , to] = sums.get(key) ?? [0, 0, '', date];
      sums.set(key, [count + 1, sum + amountMinor, date, to]);
    }
    const groups = finish(sumClaims(access));
    assert.deepEqual(
      new Map(
        groups.map(({ accountCode, budgetLineIds, count, sumMinor, from, to }) => {
          return [`${budgetLineIds} ${accountCode}`, [count, sumMinor, from, to]];
        }),
      ),
      sums,
    );
    for (const { accountCode, transactionId } of groups) {
      assert.equal(shop.transaction(transactionId).accountCode, accountCode);
    }
    const theirs = { db: shop.db, organisation: shop.addOrganisation() };
    assert.deepEqual(finish(sumClaims(theirs)), []);
  });
});
