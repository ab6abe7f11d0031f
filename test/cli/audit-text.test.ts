import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeEntry } from '../../src/cli/audit-text.ts';
import type { AuditEntry } from '../../src/index.ts';

const ONE = 'txn_0000000001';

const entry = (details: AuditEntry['details'], subject: string | null = null): AuditEntry => {
  const at = '2026-01-31T12:00:00.000Z';
  return { at, actor: 'library', action: 'transactions.pushed', subject, requestId: null, details };
};

const amountOf = (subject: string) => {
  return { subject, before: { amountMinor: 12_000 }, after: { amountMinor: 15_000 } };
};

const linesOf = (details: AuditEntry['details'], subject: string | null = null) => {
  return describeEntry(entry(details, subject), { currency: 'GBP', subject: undefined });
};

describe('8: audit for people', () => {
  const cases: [what: string, details: AuditEntry['details'], lines: string[]][] = [
    [
      'a push: its counts, what it created, a line for each change',
      {
        provider: 'api',
        received: 4,
        createdIds: [[ONE, 'txn_0000000003']],
        changes: [amountOf('txn_0000000012')],
      },
      [
        'provider=api received=4',
        `created ${ONE} to txn_0000000003`,
        'txn_0000000012 amount 120.00 → 150.00',
      ],
    ],
    ['one that it created', { createdIds: [[ONE, ONE]], changes: [] }, [`created ${ONE}`]],
    ['an entry of schema version 1', { reason: 'A copy', changes: [] }, ['reason=A copy']],
    ['no change that people would see', { changes: [{ subject: ONE, before: {}, after: {} }] }, []],
    [
      'several members, none for null, and not what follows from the others',
      {
        changes: [
          {
            subject: ONE,
            before: { contact: null, status: 'allocated', review: null },
            after: { contact: 'Ann', status: 'needs_review', review: { previousAmountMinor: 5 } },
          },
        ],
      },
      [`${ONE} contact none → Ann, status allocated → needs_review`],
    ],
    [
      'allocations and a note',
      {
        changes: [
          {
            subject: ONE,
            before: { allocatedMinor: 0, allocations: [] },
            after: {
              allocatedMinor: 300,
              allocations: [
                { budgetLineId: 'bln_0000000001', amountMinor: 100, note: null },
                { budgetLineId: 'bln_0000000002', amountMinor: 200, note: 'deposit' },
              ],
            },
          },
        ],
      },
      [`${ONE} allocations none → bln_0000000001:1.00,bln_0000000002:2.00:deposit`],
    ],
    [
      'a line created with its budget by month, one changed, one removed',
      {
        changes: [
          {
            subject: 'bln_1',
            before: null,
            after: { code: 'A', category: null, budgetMinor: { '2026-01': 500, '2026-02': 250 } },
          },
          { subject: 'bln_2', before: { budgetMinor: 100 }, after: { budgetMinor: {} } },
          { subject: 'bln_3', before: { name: 'Pay', accountCodes: ['A', 'B'] }, after: null },
        ],
      },
      [
        'bln_1 created: code A, budget 7.50 over 2 months',
        'bln_2 budget 1.00 → none',
        'bln_3 removed: name Pay, accountCodes A,B',
      ],
    ],
  ];
  for (const [what, details, lines] of cases) {
    it(what, () => assert.deepEqual(linesOf(details), lines));
  }

  it('the subject of the entry is not repeated', () => {
    assert.deepEqual(linesOf({ changes: [amountOf(ONE)] }, ONE), ['amount 120.00 → 150.00']);
  });

  it('of many changes the first 10, and how many more there are', () => {
    const changes = Array.from({ length: 500 }, (_, index) => amountOf(`txn_${index}`));
    const lines = linesOf({ changes });
    assert.equal(lines.length, 11);
    assert.equal(lines.at(-1), 'and 490 more changes: --json shows all');
    const one = { currency: 'GBP', subject: 'txn_400' };
    assert.deepEqual(describeEntry(entry({ changes }), one), ['txn_400 amount 120.00 → 150.00']);
  });

  it('amounts have the decimals of the currency', () => {
    const lines = (currency: string) => {
      return describeEntry(entry({ changes: [amountOf(ONE)] }), { currency, subject: ONE });
    };
    assert.deepEqual(lines('JPY'), [`${ONE} amount 12000 → 15000`]);
    assert.deepEqual(lines('KWD'), [`${ONE} amount 12.000 → 15.000`]);
  });
});
