import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type LineFilters, listLineChoices } from '../../src/store/line-list.ts';
import type { Position } from '../../src/store/pages.ts';
import { Workshop, YEAR } from './workshop.ts';

const shop = new Workshop();
shop.import([
  {
    ...YEAR,
    name: 'Shelter',
    budgetLines: [
      { code: 'RENT', name: 'Rent', category: 'Premises', accountCodes: ['7100', '7101'] },
      { code: 'PAY', name: 'Salaries', category: 'Staff', accountCodes: ['7200'] },
      { name: 'Other', accountCodes: [] },
    ],
  },
  {
    name: 'Kitchen',
    startDate: '2027-01-01',
    endDate: '2027-12-31',
    codes: ['ROOM'],
    budgetLines: [{ code: 'RENT', name: 'Room hire', accountCodes: ['7100'] }],
  },
]);
const theirs = shop.addOrganisation();
shop.import({ ...YEAR, budgetLines: [{ code: 'RENT', name: 'Rent' }] }, theirs);

function list(filters: LineFilters, limit = 100, org = shop.organisation): number[] {
  const found: number[] = [];
  let after: Position | undefined;
  do {
    const { items, next } = listLineChoices(
      { db: shop.db, organisation: org },
      { filters, after, limit },
    );
    found.push(...items.map(({ id }) => id));
    after = next;
  } while (after !== undefined);
  return found;
}

describe('the budget lines of all projects', () => {
  const cases: [filters: LineFilters, found: number[]][] = [
    [{}, [1, 2, 3, 4]],
    [{ ids: [2] }, [2]],
    [{ ids: [5] }, []],
    [{ ids: [5, 4, 1] }, [1, 4]],
    [{ code: 'RENT' }, [1, 4]],
    [{ code: 'rent' }, []],
    [{ code: 'RENT', projectId: 2 }, [4]],
    [{ projectId: 1 }, [1, 2, 3]],
    [{ projectId: 3 }, []],
    [{ accountCode: '7100' }, [1, 4]],
    [{ accountCode: '7100', date: '2026-05-05' }, [1]],
    [{ accountCode: '7100', ids: [4] }, [4]],
    [{ accountCode: '7200', ids: [4] }, []],
    [{ projectCode: 'ROOM' }, [4]],
    [{ projectCode: 'room' }, []],
    [{ accountCode: '7100', projectCode: 'ROOM' }, [4]],
    [{ date: '2027-12-31' }, [4]],
    [{ search: 'staff' }, [2]],
    [{ search: 'sHELter' }, [1, 2, 3]],
    [{ search: 'ren' }, [1, 4]],
    [{ search: 'room' }, [4]],
    [{ search: 'nowhere' }, []],
  ];
  for (const [filters, found] of cases) {
    it(`${JSON.stringify(filters)}: ${found.length} lines`, () => {
      for (const limit of [1, 2, 100]) assert.deepEqual(list(filters, limit), found);
    });
  }

  it('have their project', () => {
    const page = { filters: { ids: [4] }, limit: 1 };
    assert.deepEqual(listLineChoices(shop, page).items, [
      {
        id: 4,
        code: 'RENT',
        name: 'Room hire',
        category: null,
        kind: 'expense',
        projectId: 2,
        projectName: 'Kitchen',
        startDate: '2027-01-01',
        endDate: '2027-12-31',
      },
    ]);
  });

  it('are those of one organisation', () => {
    assert.deepEqual(list({}, 100, theirs), [5]);
    assert.deepEqual(list({ code: 'RENT' }, 100, theirs), [5]);
    assert.deepEqual(list({ accountCode: '7100' }, 100, theirs), []);
    assert.deepEqual(list({ ids: [1] }, 100, theirs), []);
  });
});
