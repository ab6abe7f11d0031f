import assert from 'node:assert/strict';
import { it } from 'node:test';
import { STATEMENT_TEXTS } from '../../src/database/statements.ts';
import { SHARES_OF, shareCondition } from '../../src/store/transaction-walks.ts';
import '../../src/store/reports.ts';
import { Workshop } from './workshop.ts';

const { db } = new Workshop();

function planOf(text: string, values: object): string {
  const steps = db.prepare<[object], { detail: string }>(`explain query plan ${text}`).all(values);
  return steps.map(({ detail }) => detail).join('\n');
}

it('filters of allocations read those of each transaction, and not of each project', () => {
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
    const plan = planOf(`select 1 from transactions t where ${exists}`, { ...values, ...filter });
    assert.match(plan, / s (?:EXISTS )?USING .*INDEX allocations_by_transaction /);
  }
});

it('what is marked in some projects is counted from an index, without reading allocations', () => {
  const counts = STATEMENT_TEXTS.filter((text) => /distinct transaction_id.*@projects/s.test(text));
  assert.equal(counts.length, 2);
  const values = { orgId: 1, projects: '[1]', from: '', to: '~' };
  for (const text of counts) {
    assert.match(planOf(text, values), /COVERING INDEX allocations_(?:under_review|recoded) /);
  }
});
