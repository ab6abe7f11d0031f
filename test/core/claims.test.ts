import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type AmbiguousCode, claimingOf, findClaim, rankAmbiguous } from '../../src/core/claims.ts';

const project = (id: number, ...codes: string[]) => {
  const days = { startDate: '2026-01-01', endDate: '2026-12-31' };
  return { id, ...days, codes: new Set(codes), budgetLineIds: [id] };
};
const PROJECTS = [project(3, 'YOU', 'Y2'), project(1, 'ELD'), project(2)];

describe('contract 17: the line that gets a transaction by its codes', () => {
  const cases: [what: string, projectCode: string | null, date: string, ids: number[]][] = [
    ['without a project code, of lines of every project', null, '2026-05-01', [1, 2, 3]],
    ['with one, of projects with that code alone', 'YOU', '2026-05-01', [3]],
    ['with the second code of a project', 'Y2', '2026-05-01', [3]],
    ['with one that no project has: none', 'you', '2026-05-01', []],
    ['on the first day of the project', 'ELD', '2026-01-01', [1]],
    ['on its last day', 'ELD', '2026-12-31', [1]],
    ['on the day after', 'ELD', '2027-01-01', []],
  ];
  for (const [what, projectCode, date, budgetLineIds] of cases) {
    it(`17 ${what}`, () => {
      const kind = ['unmatched', 'claimed'][budgetLineIds.length] ?? 'ambiguous';
      const { projectIds: _, ...found } = findClaim(claimingOf({ date, projectCode }, PROJECTS));
      assert.deepEqual(found, { kind, budgetLineIds });
    });
  }
});

describe('contract 17: the order of ambiguous codes', () => {
  it('17 is by count, account code, project code with none first, and lines', () => {
    const entry = (
      count: number,
      accountCode: string,
      projectCode: string | null,
      ...budgetLineIds: number[]
    ): AmbiguousCode => ({ accountCode, projectCode, count, budgetLineIds });
    const sorted = [
      entry(9, 'Z', null, 1, 2),
      entry(1, '71', null, 1, 2),
      entry(1, '71', null, 1, 2, 3),
      entry(1, '71', null, 1, 10),
      entry(1, '71', null, 2, 3),
      entry(1, '71', 'A', 1, 2),
      entry(1, '71', 'B', 1, 2),
      entry(1, '710', null, 1, 2),
    ];
    assert.deepEqual(rankAmbiguous([...sorted].reverse()), sorted);
    assert.deepEqual(rankAmbiguous([...sorted.slice(3), ...sorted.slice(0, 3)]), sorted);
  });
});
