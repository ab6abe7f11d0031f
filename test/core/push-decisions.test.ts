import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decideUpdate, type StoredRow } from '../../src/core/push.ts';
import { CHANGEABLE_FIELDS, isSameRow, type ValidRow } from '../../src/core/row-members.ts';

const NOW_MS = 1_000;
const ROW: ValidRow = {
  externalId: 'INV-1',
  date: '2026-01-31',
  description: 'Rent',
  contact: null,
  accountCode: 'D1',
  reference: null,
  bankAccount: null,
  projectCode: null,
  amountMinor: 100,
};
const STORED: StoredRow = { row: ROW, allocatedMinor: 0, review: null };
const UP = { previousMinor: 80, changedAtMs: 5 };
const NEW = { previousMinor: 100, changedAtMs: NOW_MS };

describe('4.6 what a row changes in a stored transaction', () => {
  const changes: [row: Partial<ValidRow>, changed: string[]][] = [
    [{}, []],
    [{ date: '2026-02-01' }, ['date']],
    [{ description: 'rent' }, ['description']],
    [{ contact: 'Ann' }, ['contact']],
    [{ accountCode: null }, ['accountCode']],
    [{ reference: 'R' }, ['reference']],
    [{ bankAccount: 'B' }, ['bankAccount']],
    [{ projectCode: 'P' }, ['projectCode']],
    [{ amountMinor: 101 }, ['amount']],
    [{ amountMinor: -100 }, ['amount']],
    [{ externalId: 'other' }, []],
  ];
  for (const [change, changed] of changes) {
    it(`6 ${JSON.stringify(change)} is reported as changed: [${changed}]`, () => {
      assert.deepEqual(decideUpdate(STORED, { ...ROW, ...change }, NOW_MS), {
        changed,
        review: null,
      });
      assert.equal(isSameRow(ROW, { ...ROW, ...change }), changed.length === 0);
    });
  }

  it('6 each member that can change is compared', () => {
    const members = changes.flatMap(([, changed]) => changed);
    assert.deepEqual(
      CHANGEABLE_FIELDS.filter((field) => !members.includes(field)),
      [],
    );
  });

  it('6 every difference is reported', () => {
    const row: ValidRow = {
      externalId: 'INV-1',
      date: '2026-02-01',
      description: 'Other',
      contact: 'Ann',
      accountCode: null,
      reference: 'R',
      bankAccount: 'B',
      projectCode: 'P',
      amountMinor: 0,
    };
    const { changed } = decideUpdate(STORED, row, NOW_MS);
    assert.deepEqual([...changed].sort(), [...CHANGEABLE_FIELDS].sort());
  });

  const reviews: [stored: Partial<StoredRow>, amountMinor: number, review: unknown, why: string][] =
    [
      [{ allocatedMinor: 100 }, 101, NEW, '4.6(3) a changed amount on an allocated transaction'],
      [{ allocatedMinor: 1 }, 101, NEW, 'also on a partly allocated one'],
      [{ allocatedMinor: 1 }, 99, NEW, 'also if the allocations still fit'],
      [{ allocatedMinor: 100 }, -100, NEW, 'the opposite sign'],
      [{ allocatedMinor: 100 }, 0, NEW, 'an amount of zero'],
      [{ allocatedMinor: 100 }, 100, null, 'the same amount changes nothing'],
      [{ allocatedMinor: 0 }, 101, null, 'nothing allocated, nothing to review'],
      [
        { allocatedMinor: 100, review: UP },
        101,
        UP,
        'a transaction under review keeps the first amount',
      ],
      [{ allocatedMinor: 100, review: UP }, 80, UP, '5 the old amount does not end the review'],
      [{ allocatedMinor: 100, review: UP }, 100, UP, 'nor does an unchanged row'],
    ];
  for (const [stored, amountMinor, review, why] of reviews) {
    it(`4.6(3) ${why}: amount ${amountMinor}, ${JSON.stringify(stored)}`, () => {
      const decision = decideUpdate({ ...STORED, ...stored }, { ...ROW, amountMinor }, NOW_MS);
      assert.deepEqual(decision.review, review);
    });
  }

  it('4.6(3) an allocated transaction with a new date does not need review', () => {
    const decision = decideUpdate(
      { ...STORED, allocatedMinor: 100 },
      { ...ROW, date: '2026-03-01', description: 'Other' },
      NOW_MS,
    );
    assert.deepEqual(decision, { changed: ['date', 'description'], review: null });
  });
});
