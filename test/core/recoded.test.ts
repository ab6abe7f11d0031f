import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Coding, decideRecoded } from '../../src/core/recoded.ts';
import type { Coded, Recoded } from '../../src/core/transactions.ts';

const BEFORE: Coded = { accountCode: '7400/YOU', projectCode: null, date: '2026-03-30' };
const NOW_MS = 1_000;
const place = (projectId: number, year = '2026') => ({
  budgetLineId: projectId * 10,
  projectId,
  startDate: `${year}-01-01`,
  endDate: `${year}-12-31`,
});
const YOUTH = place(1);
const ELDERS = place(2);
/** No project has codes, and no line claims the account code. */
const PLAIN: Coding = { places: [YOUTH], budgetLineId: undefined, projectIds: undefined };
const having = (...projectIds: number[]): Partial<Coding> => ({ projectIds: new Set(projectIds) });
const mark = (coded: Partial<Coded> = {}): Recoded => ({ ...BEFORE, ...coded, changedAtMs: 5 });

interface Case {
  readonly before?: Partial<Coded>;
  readonly recoded?: Recoded;
  readonly row: Partial<Coded>;
  readonly coding?: Partial<Coding>;
}
const decide = ({ before = {}, recoded, row, coding = {} }: Case) => {
  const stored = { ...BEFORE, ...before };
  const find = () => ({ ...PLAIN, ...coding });
  return decideRecoded(
    { row: stored, recoded: recoded ?? null },
    { ...stored, ...row },
    NOW_MS,
    find,
  );
};

/** Marked as it was before this row, or not; and what the warning names. */
const cases: [sentence: string, example: Case, field: string | undefined][] = [
  ['a changed account code marks', { row: { accountCode: '7400/ELD' } }, 'accountCode'],
  ['an account code that goes marks', { row: { accountCode: null } }, 'accountCode'],
  [
    'a first account code marks',
    { before: { accountCode: null }, row: { accountCode: '1' } },
    'accountCode',
  ],
  ['a date out of the days of its project marks', { row: { date: '2025-12-31' } }, 'date'],
  ['a date within them does not', { row: { date: '2026-12-31' } }, undefined],
  [
    'a date that was outside before does not',
    { row: { date: '2025-02-01' }, before: { date: '2025-01-01' } },
    undefined,
  ],
  [
    'a date out of the days of one of two projects marks',
    { row: { date: '2025-12-31' }, coding: { places: [place(3, '2025'), YOUTH] } },
    'date',
  ],
  [
    'a date that enters the days of one and leaves those of another marks',
    {
      before: { date: '2025-06-01' },
      row: { date: '2026-06-01' },
      coding: { places: [place(3, '2025'), YOUTH] },
    },
    'date',
  ],
  [
    'a changed project code marks',
    { before: { projectCode: 'YOU' }, row: { projectCode: 'X' }, coding: having() },
    'projectCode',
  ],
  [
    'a project code that goes marks',
    { before: { projectCode: 'YOU' }, row: { projectCode: null }, coding: having() },
    'projectCode',
  ],
  [
    'project codes are not looked at while no project has any',
    { before: { projectCode: 'YOU' }, row: { projectCode: 'ELD' } },
    undefined,
  ],
  [
    'a first project code that no project has does not mark',
    { row: { projectCode: 'NEW' }, coding: having() },
    undefined,
  ],
  [
    'nor one that its own project has',
    { row: { projectCode: 'YOU' }, coding: having(1) },
    undefined,
  ],
  [
    'nor one that its own project and another have',
    { row: { projectCode: 'YOU' }, coding: having(1, 2) },
    undefined,
  ],
  [
    'one that another project has, and its own has not, marks',
    { row: { projectCode: 'ELD' }, coding: having(2) },
    'projectCode',
  ],
  [
    'one that one of its two projects has and the other has not marks',
    { row: { projectCode: 'YOU' }, coding: { ...having(1), places: [YOUTH, ELDERS] } },
    'projectCode',
  ],
  [
    'nothing is marked where the code now gives the line that it is allocated to',
    { row: { accountCode: '7500' }, coding: { budgetLineId: 10 } },
    undefined,
  ],
  [
    'one of two lines is not the one line',
    { row: { accountCode: '7500' }, coding: { budgetLineId: 10, places: [YOUTH, ELDERS] } },
    'accountCode',
  ],
  [
    'account code comes before project code and date',
    { row: { accountCode: '1', projectCode: 'ELD', date: '2025-01-01' }, coding: having(2) },
    'accountCode',
  ],
  [
    'project code comes before date',
    { row: { projectCode: 'ELD', date: '2025-01-01' }, coding: having(2) },
    'projectCode',
  ],
];

/** What a later push does to a mark. */
const later: [sentence: string, example: Case & { recoded: Recoded }, field: string | undefined][] =
  [
    [
      'a further change warns again',
      { before: { accountCode: '2' }, recoded: mark(), row: { accountCode: '3' } },
      'accountCode',
    ],
    [
      'the account code of the mark takes it away',
      { before: { accountCode: '2' }, recoded: mark(), row: { accountCode: '7400/YOU' } },
      undefined,
    ],
    [
      'but not while the date is outside',
      {
        before: { accountCode: '2', date: '2025-01-01' },
        recoded: mark(),
        row: { accountCode: '7400/YOU' },
      },
      'date',
    ],
    [
      'nor while the project code differs',
      {
        before: { accountCode: '2', projectCode: 'X' },
        recoded: mark(),
        row: { accountCode: '7400/YOU' },
        coding: having(),
      },
      'projectCode',
    ],
    [
      'a date back within the days takes it away',
      { before: { date: '2025-01-01' }, recoded: mark(), row: { date: '2026-07-07' } },
      undefined,
    ],
    [
      'a date within the days keeps it for the account code',
      { before: { accountCode: '2' }, recoded: mark(), row: { date: '2026-07-07' } },
      'accountCode',
    ],
    [
      'a project code that no project has keeps what another code marked',
      {
        before: { projectCode: 'ELD' },
        recoded: mark(),
        row: { projectCode: 'X' },
        coding: having(),
      },
      'projectCode',
    ],
    [
      'a code that gives the line of its allocations takes it away',
      {
        before: { accountCode: '2' },
        recoded: mark(),
        row: { accountCode: '3' },
        coding: { budgetLineId: 10 },
      },
      undefined,
    ],
  ];

describe('contract 17: recoded', () => {
  for (const [sentence, example, field] of cases) {
    it(`17 ${sentence}`, () => {
      const recoded = field && { ...BEFORE, ...example.before, changedAtMs: NOW_MS };
      assert.deepEqual(decide(example), field ? { recoded, field } : { recoded: null });
    });
  }
  for (const [sentence, example, field] of later) {
    it(`17 ${sentence}`, () => {
      const { recoded } = example;
      assert.deepEqual(decide(example), field ? { recoded, field } : { recoded: null });
    });
  }

  it('17 a row that changes none of the three leaves the mark and warns of nothing', () => {
    const stored = { row: { ...BEFORE, accountCode: '2' }, recoded: mark() };
    const find = () => assert.fail('asked');
    assert.deepEqual(decideRecoded(stored, stored.row, NOW_MS, find), { recoded: mark() });
  });

  it('17 nor does another project code while no project has any', () => {
    const example = { before: { accountCode: '2' }, recoded: mark(), row: { projectCode: 'X' } };
    assert.deepEqual(decide(example), { recoded: mark() });
  });
});
