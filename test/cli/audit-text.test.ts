import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeEntry } from '../../src/cli/commands/audit.ts';
import type { AuditEntry } from '../../src/index.ts';

const GBP = { code: 'GBP', places: 2 };
const ONE = 'txn_0000000001';

const entry = (details: AuditEntry['details'], subject: string | null = null): AuditEntry => {
  const at = '2026-01-31T12:00:00.000Z';
  return { at, actor: 'library', action: 'transactions.pushed', subject, requestId: null, details };
};

const amountOf = (subject: string) => {
  return { subject, before: { amountMinor: 12_000 }, after: { amountMinor: 15_000 } };
};

const linesOf = (details: AuditEntry['details'], subject: string | null = null) => {
  return describeEntry(entry(details, subject), { currency: GBP, subject: undefined });
};

describe('8: audit entries as text', () => {
  const cases: [what: string, details: AuditEntry['details'], lines: string[]][] = [
    [
      'a push: its counts, what it created, and one line per change',
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
    ['a single created transaction', { createdIds: [[ONE, ONE]], changes: [] }, [`created ${ONE}`]],
    ['an entry of schema version 1', { reason: 'A copy', changes: [] }, ['reason=A copy']],
    [
      'a change without visible members',
      { changes: [{ subject: ONE, before: {}, after: {} }] },
      [],
    ],
    [
      'several members, with none for null and without derived members',
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
      'what a rule wants, and what a payment had before it was recoded, by name',
      {
        changes: [
          {
            subject: 'rul_1',
            before: { conditions: { contact: { is: 'x' } } },
            after: {
              conditions: { contact: { contains: 'x' }, amount: { fromMinor: 100, toMinor: 200 } },
            },
          },
          {
            subject: ONE,
            before: { recoded: null },
            after: { recoded: { accountCode: null, projectCode: '2', date: '2026-02-01' } },
          },
        ],
      },
      [
        'rul_1 conditions contact is x → contact contains x and amount from 1.00 and to 2.00',
        `${ONE} recoded none → accountCode null and projectCode 2 and date 2026-02-01`,
      ],
    ],
    [
      'budget lines created with a monthly budget, changed, and removed',
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

  it('does not repeat the subject of the entry', () => {
    assert.deepEqual(linesOf({ changes: [amountOf(ONE)] }, ONE), ['amount 120.00 → 150.00']);
  });

  it('shows the first 10 of many changes, and counts the rest', () => {
    const changes = Array.from({ length: 500 }, (_, index) => amountOf(`txn_${index}`));
    const lines = linesOf({ changes });
    assert.equal(lines.length, 11);
    assert.equal(lines.at(-1), 'and 490 more changes: --json shows all');
    const one = { currency: GBP, subject: 'txn_400' };
    assert.deepEqual(describeEntry(entry({ changes }), one), ['txn_400 amount 120.00 → 150.00']);
  });

  it('shows amounts with the decimal places of the currency', () => {
    const lines = (code: string, places: number) => {
      const currency = { code, places };
      return describeEntry(entry({ changes: [amountOf(ONE)] }), { currency, subject: ONE });
    };
    assert.deepEqual(lines('JPY', 0), [`${ONE} amount 12000 → 15000`]);
    assert.deepEqual(lines('KWD', 3), [`${ONE} amount 12.000 → 15.000`]);
  });
});
