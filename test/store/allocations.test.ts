import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatId } from '../../src/core/ids.ts';
import { pageOfAllocations } from '../../src/store/allocations.ts';
import { listAuditEntries } from '../../src/store/audit.ts';
import { excludeTransaction, saveAllocations } from './single-changes.ts';
import { refusal, row, START_MS, Workshop, YEAR } from './workshop.ts';

describe('contract 5: saving the allocations of a transaction', () => {
  it('5 the status and the allocated total follow the allocations', () => {
    const shop = new Workshop();
    const [a = 0, b = 0] = shop.project();
    const id = shop.pushOne({});
    assert.equal(shop.transaction(id).status, 'unallocated');
    const part = shop.allocate(id, [[a, 4000]]);
    assert.deepEqual([part.status, part.allocatedMinor], ['partially_allocated', 4000]);
    const whole = shop.allocate(id, [
      [a, 4000],
      [b, 6000],
    ]);
    assert.deepEqual([whole.status, whole.allocatedMinor], ['allocated', 10_000]);
    assert.deepEqual(shop.transaction(id), whole);
    shop.check();
  });

  it('5 allocations of money in have its sign', () => {
    const shop = new Workshop();
    const [a = 0, b = 0] = shop.project();
    const id = shop.pushOne({ amount: -100 });
    const { status, allocatedMinor } = shop.allocate(id, [
      [a, -9999],
      [b, -1],
    ]);
    assert.deepEqual([status, allocatedMinor], ['allocated', -10_000]);
    shop.check();
  });

  it('5 saving replaces all earlier allocations', () => {
    const shop = new Workshop();
    const [a = 0, b = 0] = shop.project();
    const id = shop.pushOne({});
    shop.allocate(id, [
      [a, 4000],
      [b, 6000],
    ]);
    shop.allocate(id, [[b, 1]]);
    assert.deepEqual(shop.shares(), [[b, 1]]);
    shop.check();
  });

  it('5 a line can have several allocations of one transaction', () => {
    const shop = new Workshop();
    const [a = 0] = shop.project();
    const id = shop.pushOne({});
    const { status } = shop.allocate(id, [
      [a, 4000],
      [a, 6000],
    ]);
    assert.equal(status, 'allocated');
    shop.check();
  });

  it('5 an empty list clears them', () => {
    const shop = new Workshop();
    const [a = 0] = shop.project();
    const id = shop.pushOne({});
    shop.allocate(id, [[a, 10_000]]);
    const { status, allocatedMinor } = shop.allocate(id, []);
    assert.deepEqual([status, allocatedMinor], ['unallocated', 0]);
    assert.deepEqual(shop.shares(), []);
    shop.check();
  });

  it('5 lines of several projects can share one transaction', () => {
    const shop = new Workshop();
    const [a = 0] = shop.project();
    const [other] = shop.import({ ...YEAR, name: 'Other', budgetLines: [{ name: 'O' }] });
    const line = other?.lines[0]?.id ?? 0;
    shop.allocate(shop.pushOne({}), [
      [a, 4000],
      [line, 6000],
    ]);
    assert.deepEqual(shop.shares(1), [[a, 4000]]);
    assert.deepEqual(shop.shares(2), [[line, 6000]]);
    shop.check();
  });

  it('5 a note is stored, and a date outside the project is allowed', () => {
    const shop = new Workshop();
    const [budgetLineId = 0] = shop.project();
    const transactionId = shop.pushOne({ date: '2030-01-01' });
    const drafts = [{ budgetLineId, amountMinor: 1, note: 'deposit' }];
    saveAllocations(shop, { transactionId, drafts }, shop.actor());
    const [allocation] = pageOfAllocations(shop, { projectId: 1, limit: 9 }).items;
    assert.deepEqual(allocation, {
      id: 1,
      projectId: 1,
      budgetLineId,
      lineCode: 'A',
      lineName: 'Line A',
      transactionId,
      provider: 'api',
      externalId: 'INV-1',
      date: '2030-01-01',
      description: 'Rent',
      contact: null,
      amountMinor: 1,
      note: 'deposit',
      rule: null,
      createdAtMs: START_MS + 2,
      updatedAtMs: START_MS + 2,
    });
    shop.check();
  });

  it('4 allocating changes updatedAt', () => {
    const shop = new Workshop();
    const [a = 0] = shop.project();
    const id = shop.pushOne({});
    shop.nowMs += 1000;
    assert.equal(shop.allocate(id, [[a, 1]]).updatedAtMs, START_MS + 1000);
  });

  it('5 the audit log records each change and its actor', () => {
    const shop = new Workshop();
    const [a = 0] = shop.project();
    const id = shop.pushOne({});
    shop.nowMs += 1000;
    shop.allocate(id, [[a, 4000]]);
    assert.deepEqual(listAuditEntries(shop, shop.nowMs), [
      {
        atMs: shop.nowMs,
        actor: 'key_0000000001',
        action: 'transaction.allocated',
        subject: formatId('txn', id),
        requestId: 'req-1',
        details: {
          changes: [
            {
              subject: formatId('txn', id),
              previousAt: '2026-01-31T12:00:00.001Z',
              before: { status: 'unallocated', allocatedMinor: 0, allocations: [] },
              after: {
                status: 'partially_allocated',
                allocatedMinor: 4000,
                allocations: [{ budgetLineId: formatId('bln', a), amountMinor: 4000, note: null }],
              },
            },
          ],
        },
      },
    ]);
  });
});

describe('contract 5: refused allocations change nothing', () => {
  const shop = new Workshop();
  const [a = 0, b = 0] = shop.project();
  const out = shop.pushOne({ externalId: 'out' });
  const inward = shop.pushOne({ externalId: 'in', amount: -100 });
  const zero = shop.pushOne({ externalId: 'zero', amount: 0 });
  shop.allocate(out, [[a, 500]]);

  const cases: [
    why: string,
    id: number,
    parts: [number, number][],
    code: 'invalid_input' | 'not_found',
  ][] = [
    ['an allocation of 0', out, [[a, 0]], 'invalid_input'],
    [
      'an allocation of 0 next to another',
      out,
      [
        [a, 1],
        [b, 0],
      ],
      'invalid_input',
    ],
    ['the wrong sign for money out', out, [[a, -1]], 'invalid_input'],
    ['the wrong sign for money in', inward, [[a, 1]], 'invalid_input'],
    [
      'allocations of both signs',
      out,
      [
        [a, 200],
        [b, -100],
      ],
      'invalid_input',
    ],
    ['one allocation larger than the transaction', out, [[a, 10_001]], 'invalid_input'],
    [
      'a total larger than the transaction',
      out,
      [
        [a, 5000],
        [b, 5001],
      ],
      'invalid_input',
    ],
    ['one allocation larger than money in', inward, [[a, -10_001]], 'invalid_input'],
    ['a positive part of amount 0', zero, [[a, 1]], 'invalid_input'],
    ['a negative part of amount 0', zero, [[a, -1]], 'invalid_input'],
    [
      'an unknown line',
      out,
      [
        [a, 1],
        [999, 1],
      ],
      'not_found',
    ],
    ['an unknown transaction', 999, [[a, 1]], 'not_found'],
  ];
  for (const [why, id, parts, code] of cases) {
    it(`5 ${why}`, () => {
      const before = shop.everything();
      assert.throws(() => shop.allocate(id, parts), refusal(code));
      assert.equal(shop.everything(), before);
    });
  }

  it('5 an excluded transaction cannot be allocated', () => {
    const transactionId = shop.pushOne({ externalId: 'gone' });
    const request = { transactionId, reason: 'Own transfer' };
    excludeTransaction(shop, request, shop.actor());
    const before = shop.everything();
    for (const parts of [[[a, 1]], []] as const) {
      assert.throws(() => shop.allocate(transactionId, parts), refusal('conflict', /restore/));
    }
    assert.equal(shop.everything(), before);
  });

  it('5 even the database rejects an allocation of 0 or of an excluded transaction', () => {
    const insert = (amount: number) => {
      shop.db.exec(`insert into allocations (organisation_id, project_id, budget_line_id,
        transaction_id, date, under_review, amount_minor, created_at, updated_at)
        values (1, 1, ${a}, ${out}, '2026-01-31', 0, ${amount}, 0, 0)`);
    };
    assert.throws(() => insert(0), /CHECK/);
    assert.throws(() => insert(1.5), /INTEGER/);
    const allocated = 'update transactions set allocated_minor = 5 where excluded_at is not null';
    assert.throws(() => shop.db.exec(allocated), /CHECK/);
  });
});

describe("4.4 a project's allocations", () => {
  const shop = new Workshop();
  const [a = 0, b = 0] = shop.project();
  const dates = ['2026-03-01', '2026-01-01', '2026-03-01', '2026-02-01', '2026-03-02'];
  for (const [index, date] of dates.entries()) {
    shop.pushOne({ externalId: `T${index}`, date });
    const line = index % 2 === 0 ? a : b;
    shop.allocate(index + 1, [[line, index + 1]]);
  }
  const list = (page: object) => {
    return pageOfAllocations(shop, { projectId: 1, limit: 9, ...page }).items;
  };
  const amounts = (page: object) => list(page).map(({ amountMinor }) => amountMinor);

  it("4 are ordered by the transaction's date, newest first, then by id", () => {
    assert.deepEqual(amounts({}), [5, 1, 3, 4, 2]);
  });

  const filters: [page: object, wanted: number[]][] = [
    [{ from: '2026-03-01' }, [5, 1, 3]],
    [{ to: '2026-02-01' }, [4, 2]],
    [{ from: '2026-02-01', to: '2026-03-01' }, [1, 3, 4]],
    [{ from: '2026-03-01', to: '2026-02-01' }, []],
    [{ budgetLineId: a }, [5, 1, 3]],
    [{ budgetLineId: b, from: '2026-02-01' }, [4]],
    [{ budgetLineId: 0 }, []],
    [{ transactionId: 3 }, [3]],
    [{ transactionId: 999 }, []],
    [{ projectId: 999 }, []],
    [{ limit: 2 }, [5, 1]],
    [{ limit: 2, after: { sort: -20260301, id: 1 } }, [3, 4]],
    [{ after: { sort: -20260101, id: 2 } }, []],
  ];
  for (const [page, wanted] of filters) {
    it(`4 ${JSON.stringify(page)} returns [${wanted}]`, () => {
      assert.deepEqual(amounts(page), wanted);
    });
  }

  it('4 follow a change of the transaction date', () => {
    shop.push([row({ externalId: 'T1', date: '2026-12-31' })]);
    assert.deepEqual(amounts({}), [2, 5, 1, 3, 4]);
    shop.check();
  });
});
