import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { listAuditEntries, listHistory } from '../../src/store/audit.ts';
import { storeNewKey, storeRevocation } from '../../src/store/keys.ts';
import { excludeTransaction, resolveReview, restoreTransaction } from './single-changes.ts';
import { row, rows, Workshop, YEAR } from './workshop.ts';

const last = (shop: Workshop) => listAuditEntries(shop, 0).at(-1)?.details;

describe('5 the audit entry of a push', () => {
  it('5 has each change, before and after, and the created transactions', () => {
    const shop = new Workshop();
    const [a = 0] = shop.project();
    shop.push([row({ contact: 'Ann' }), row({ externalId: 'same' })]);
    shop.allocate(1, [[a, 10_000]]);
    shop.nowMs += 1000;
    shop.push([
      row({ amount: 150, externalId: 'INV-1' }),
      row({ externalId: 'same' }),
      row({ externalId: 'new' }),
      row({ externalId: 'newer' }),
      row({ externalId: 'newer', amount: 1 }),
    ]);
    const changedAt = '2026-01-31T12:00:01.000Z';
    const { createdIds, changes, ...facts } = last(shop) ?? assert.fail();
    assert.deepEqual(
      [facts['provider'], facts['received'], facts['created'], facts['updated']],
      ['api', 5, 2, 3],
    );
    assert.deepEqual(createdIds, [['txn_0000000003', 'txn_0000000004']]);
    assert.deepEqual(changes, [
      {
        subject: 'txn_0000000001',
        previousAt: '2026-01-31T12:00:00.002Z',
        before: { contact: 'Ann', amountMinor: 10_000, status: 'allocated', review: null },
        after: {
          contact: null,
          amountMinor: 15_000,
          status: 'needs_review',
          review: { previousAmountMinor: 10_000, changedAt },
        },
      },
    ]);
    shop.check();
  });

  it('5 has one change for several rows of one externalId', () => {
    const shop = new Workshop();
    shop.push([row({ description: 'One' })]);
    shop.push([
      row({ description: 'One' }),
      row({ description: 'Two' }),
      row({ description: 'Three', amount: 7 }),
    ]);
    assert.deepEqual(
      last(shop)?.changes.map(({ before, after }) => [before, after]),
      [
        [
          { description: 'One', amountMinor: 10_000 },
          { description: 'Three', amountMinor: 700 },
        ],
      ],
    );
  });

  it('5 includes a change that is reverted in the same batch, since updatedAt changes', () => {
    const shop = new Workshop();
    shop.push([row()]);
    shop.push([row({ amount: 1 }), row()]);
    assert.deepEqual(
      last(shop)?.changes.map(({ before, after }) => [before, after]),
      [[{}, {}]],
    );
    shop.check();
    assert.equal(listHistory(shop, 'txn_0000000001').length, 2);
  });
});

describe('5 the audit log has enough to undo a change of', () => {
  it('5 allocations, reviews and exclusions', () => {
    const shop = new Workshop();
    const [a = 0, b = 0] = shop.project();
    const [lineA, lineB] = ['bln_0000000001', 'bln_0000000002'];
    const one = { transactionId: 1 };
    shop.pushOne({});
    shop.allocate(1, [
      [a, 4000],
      [b, 6000],
    ]);
    shop.pushOne({ amount: 50 });
    const { review } = shop.transaction(1);
    const changedAt = new Date(review?.changedAtMs ?? 0).toISOString();
    resolveReview(shop, { ...one, resolution: 'rescale' }, shop.actor());
    const [rescaled] = last(shop)?.changes ?? [];
    assert.deepEqual(rescaled?.before, {
      status: 'needs_review',
      allocatedMinor: 10_000,
      allocations: [
        { budgetLineId: lineA, amountMinor: 4000, note: null },
        { budgetLineId: lineB, amountMinor: 6000, note: null },
      ],
      review: { previousAmountMinor: 10_000, changedAt },
    });
    assert.deepEqual(rescaled?.after, {
      status: 'allocated',
      allocatedMinor: 5000,
      allocations: [
        { budgetLineId: lineA, amountMinor: 2000, note: null },
        { budgetLineId: lineB, amountMinor: 3000, note: null },
      ],
      review: null,
    });
    shop.allocate(1, []);
    excludeTransaction(shop, { ...one, reason: 'A copy' }, shop.actor());
    restoreTransaction(shop, { transactionId: 1 }, shop.actor());
    assert.deepEqual(last(shop)?.changes[0]?.before, {
      status: 'excluded',
      excluded: { reason: 'A copy' },
    });
    shop.check();
  });

  it('8 projects and their lines: create, change and remove', () => {
    const shop = new Workshop();
    const line = { code: 'A', name: 'Grants', accountCodes: ['A'], budget: { '2026-01': 5 } };
    shop.import({ ...YEAR, budgetLines: [line, { code: 'B', name: 'Pay' }] });
    const [project, first] = last(shop)?.changes ?? [];
    assert.deepEqual([project?.subject, project?.before], ['prj_0000000001', null]);
    assert.deepEqual(first, {
      subject: 'bln_0000000001',
      before: null,
      after: {
        code: 'A',
        name: 'Grants',
        category: null,
        kind: 'expense',
        position: 0,
        accountCodes: ['A'],
        budgetMinor: { '2026-01': 500 },
      },
    });
    const funder = { name: 'The Fund' };
    const codes = ['YOU'];
    shop.import({ ...YEAR, funder, codes, budgetLines: [{ ...line, budget: { '2026-02': 7 } }] });
    assert.deepEqual(last(shop)?.changes, [
      {
        subject: 'prj_0000000001',
        before: { funder: null, codes: [] },
        after: { funder: { name: 'The Fund', reference: null }, codes },
      },
      {
        subject: 'bln_0000000001',
        before: { budgetMinor: { '2026-01': 500 } },
        after: { budgetMinor: { '2026-02': 700 } },
      },
      {
        subject: 'bln_0000000002',
        before: {
          code: 'B',
          name: 'Pay',
          category: null,
          kind: 'expense',
          position: 1,
          accountCodes: [],
          budgetMinor: {},
        },
        after: null,
      },
    ]);
    const total = { budgetMode: 'total', budgetLines: [{ ...line, budget: 9 }] };
    shop.import({ ...YEAR, funder, codes, ...total });
    assert.deepEqual(
      last(shop)?.changes.map(({ after }) => after),
      [{ budgetMode: 'total' }, { budgetMinor: 900 }],
    );
  });
});

describe('5 the history of one object', () => {
  it('5 a transaction: only pushes, steps by account code and acts that changed it', () => {
    const shop = new Workshop();
    const [a = 0] = shop.project();
    shop.push(rows(5));
    shop.push(rows(5, () => ({ accountCode: 'A' })).slice(1, 4));
    shop.push(rows(5));
    shop.push([row({ externalId: 'INV-2', accountCode: 'A' })]);
    shop.allocateByCode();
    shop.push([row({ externalId: 'INV-2', accountCode: 'A', amount: 20 })]);
    shop.push([row({ externalId: 'INV-3', amount: 20 })]);
    shop.allocate(3, [[a, 1]]);
    shop.push([row({ externalId: 'INV-2', accountCode: 'A', amount: 20 })]);
    assert.deepEqual(
      listHistory(shop, 'txn_0000000003').map(({ action, details }) => [
        action,
        details.changes.find(({ subject }) => subject === 'txn_0000000003')?.after ?? null,
      ]),
      [
        ['transactions.pushed', null],
        ['transactions.pushed', { accountCode: 'A' }],
        ['transactions.pushed', { accountCode: null }],
        ['transactions.pushed', { accountCode: 'A' }],
        [
          'transactions.allocated',
          {
            status: 'allocated',
            allocatedMinor: 10_000,
            allocations: [
              {
                budgetLineId: 'bln_0000000001',
                amountMinor: 10_000,
                note: null,
                rule: 'By account code',
              },
            ],
          },
        ],
        [
          'transactions.pushed',
          {
            amountMinor: 2000,
            status: 'needs_review',
            review: { previousAmountMinor: 10_000, changedAt: '2026-01-31T12:00:00.006Z' },
          },
        ],
        [
          'review.replaced',
          {
            status: 'partially_allocated',
            allocatedMinor: 1,
            allocations: [{ budgetLineId: 'bln_0000000001', amountMinor: 1, note: null }],
            review: null,
          },
        ],
      ],
    );
    assert.deepEqual(
      listHistory(shop, 'txn_0000000001').map(({ action }) => action),
      ['transactions.pushed'],
    );
  });

  it('5 keys, projects and the organisation', () => {
    const shop = new Workshop();
    const draft = { name: 'erp', scopes: ['projects:read'], expiresAtMs: null } as const;
    for (const _ of [1, 2]) storeNewKey(shop, draft, shop.actor());
    storeRevocation(shop, 1, shop.actor());
    shop.project();
    shop.import({ ...YEAR, budgetLines: [] });
    const actions = (subject: string) => listHistory(shop, subject).map(({ action }) => action);
    assert.deepEqual(actions('key_0000000001'), ['key.created', 'key.revoked']);
    assert.deepEqual(actions('key_0000000002'), ['key.created']);
    assert.deepEqual(actions('prj_0000000001'), ['project.created', 'project.updated']);
    assert.deepEqual(actions('org_0000000001'), ['organisation.created']);
    for (const none of ['txn_0000000001', 'prj_0000000009', 'nonsense', '']) {
      assert.deepEqual(actions(none), [], none);
    }
  });

  it('5 is complete even if the clock jumps', () => {
    const shop = new Workshop();
    for (let amount = 1; amount <= 40; amount += 1) {
      shop.nowMs += amount % 3 === 0 ? -5000 : 1000;
      shop.push(rows(3, () => ({ amount })));
    }
    const amounts = listHistory(shop, 'txn_0000000002').map(({ details }) => {
      return details.changes[1]?.after?.['amountMinor'] ?? 100;
    });
    assert.deepEqual(
      amounts,
      Array.from({ length: 40 }, (_, index) => (index + 1) * 100),
    );
  });
});
