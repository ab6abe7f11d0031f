import assert from 'node:assert/strict';
import { it } from 'node:test';
import { SHARES_OF, shareCondition } from '../../src/store/transaction-walks.ts';
import { Workshop } from './workshop.ts';

it('filters of allocations read those of each transaction, and not of each project', () => {
  const { db } = new Workshop();
  const values = { orgId: 1, branchId: 1, category: 'A', outsideFrom: '', outsideTo: '' };
  for (const filter of [
    { projectId: 1 },
    { branchId: 1 },
    { budgetLineId: 1 },
    { category: 'A' },
    { isWithin: true },
    { outside: ['', ''] },
  ] as const) {
    const exists = `exists (select 1 ${SHARES_OF} and ${shareCondition(filter)})`;
    const plan = db
      .prepare<[object], { detail: string }>(
        `explain query plan select 1 from transactions t where ${exists}`,
      )
      .all({ ...values, ...filter })
      .map(({ detail }) => detail);
    assert.match(plan.join('\n'), / s (?:EXISTS )?USING .*INDEX allocations_by_transaction /);
  }
});
