import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Failure } from '../../src/index.ts';
import { refusal } from '../store/workshop.ts';
import { importYear, openHouse, pushOne, START } from './house.ts';

const cell = (budgeted: number, actual: number) => ({
  budgeted,
  actual,
  variance: budgeted - actual,
});

describe('projects in the library are documents of the interface', () => {
  it('4.2 a project has every member, with dates as midnight UTC', async (t) => {
    const { service, org } = await openHouse(t);
    const dates = { startDate: '2026-03-29', endDate: '2026-10-25' };
    const codes = { codes: ['YOU'] };
    const [parent, child] = service.projects.import(org, [
      { name: 'Parent', ...dates, budgetMode: 'total', funder: { name: 'The Fund' }, ...codes },
      { name: 'Child', ...dates, description: 'Beds', parentProject: 'Parent' },
    ]);
    const shown = {
      startDate: '2026-03-29T00:00:00.000Z',
      endDate: '2026-10-25T00:00:00.000Z',
      currency: 'GBP',
      createdAt: START,
      updatedAt: START,
    };
    const parentId = parent?.projectId ?? '';
    assert.deepEqual(service.projects.list(org), {
      data: [
        {
          id: child?.projectId,
          name: 'Child',
          description: 'Beds',
          budgetMode: 'monthly',
          parentProjectId: parentId,
          funder: null,
          codes: [],
          ...shown,
        },
        {
          id: parentId,
          name: 'Parent',
          description: null,
          budgetMode: 'total',
          parentProjectId: null,
          funder: { name: 'The Fund', reference: null },
          codes: ['YOU'],
          ...shown,
        },
      ],
      meta: { nextCursor: null },
    });
    const [first] = service.projects.list(org, { parentProjectId: parentId }).data;
    assert.deepEqual(service.projects.get(org, child?.projectId ?? '').data, first);
  });

  it('8 an import returns what it created, in the order of the file', async (t) => {
    const { service, org } = await openHouse(t);
    const file = {
      name: 'Shelter',
      startDate: '2026-01-01',
      endDate: '2026-12-31',
      budgetLines: [{ code: 'B', name: 'Second' }, { name: 'First' }],
    };
    const imported = service.projects.import(org, file);
    assert.deepEqual(imported, [
      {
        projectId: 'prj_0000000001',
        name: 'Shelter',
        change: 'created',
        budgetLines: [
          { budgetLineId: 'bln_0000000001', code: 'B', name: 'Second' },
          { budgetLineId: 'bln_0000000002', code: null, name: 'First' },
        ],
      },
    ]);
    const again = imported.map((project) => ({ ...project, change: 'unchanged' }));
    assert.deepEqual(service.projects.import(org, [file]), again);
  });

  it('8 a file with mistakes is refused with the path of each mistake', async (t) => {
    const { service, org } = await openHouse(t);
    const wrong = { name: '', startDate: '2026-01-01', endDate: '2025-01-01', currency: 'EUR' };
    assert.throws(
      () => service.projects.import(org, [wrong]),
      (error) => {
        assert.ok(error instanceof Failure);
        const fields = error.details.map(({ field }) => field);
        assert.deepEqual(fields.sort(), ['[0].currency', '[0].endDate', '[0].name']);
        return error.code === 'invalid_input';
      },
    );
    assert.deepEqual(service.projects.list(org).data, []);
  });

  it('4.3 the report is in major units, monthly by default', async (t) => {
    const house = await openHouse(t);
    const { service, org } = house;
    const dates = { startDate: '2026-01-15', endDate: '2026-02-10' };
    const budgetLines = [{ code: 'A', name: 'Line', category: 'Out', budget: 10.01 }];
    const file = { name: 'Short', ...dates, budgetMode: 'total', budgetLines };
    const [imported] = service.projects.import(org, file);
    const projectId = imported?.projectId ?? '';
    const budgetLineId = imported?.budgetLines[0]?.budgetLineId ?? '';
    for (const [date, amount] of [
      ['2026-01-14', 1],
      ['2026-01-15', 2.5],
      ['2026-02-10', -4],
      ['2026-02-11', 8],
    ] as const) {
      const id = pushOne(house, { externalId: date, date, amount });
      service.transactions.allocate(org, id, [{ budgetLineId }]);
    }
    pushOne(house, { externalId: '2026-02-11', date: '2026-02-11', amount: 9 });
    const figures = {
      cells: [
        { budgeted: 5.01, actual: 2.5, variance: 2.51 },
        { budgeted: 5, actual: -4, variance: 9 },
      ],
      outsideActual: 9,
      total: { budgeted: 10.01, actual: 7.5, variance: 2.51 },
    };
    const report = service.projects.report(org, projectId).data;
    assert.deepEqual(report, {
      projectId,
      currency: 'GBP',
      granularity: 'monthly',
      ...dates,
      periods: [
        { key: '2026-01', startDate: '2026-01-15', endDate: '2026-01-31' },
        { key: '2026-02', startDate: '2026-02-01', endDate: '2026-02-10' },
      ],
      rows: [
        {
          budgetLineId,
          code: 'A',
          name: 'Line',
          category: 'Out',
          kind: 'expense',
          accountCodes: [],
          ...figures,
        },
      ],
      totals: figures,
      needsReview: { count: 1, amount: 8 },
      recoded: { count: 0, amount: 0 },
      unallocated: { count: 0, out: 0, in: 0 },
    });
    const quarterly = service.projects.report(org, projectId, { granularity: 'quarterly' }).data;
    assert.deepEqual(quarterly.periods, [{ key: '2026-Q1', ...dates }]);
    assert.deepEqual(quarterly.totals.cells, [{ budgeted: 10.01, actual: -1.5, variance: 11.51 }]);
    const yearly = () => service.projects.report(org, projectId, { granularity: 'yearly' });
    assert.throws(yearly, refusal('invalid_parameter', /monthly, quarterly/));
  });

  it('4 an excluded transaction does not count', async (t) => {
    const house = await openHouse(t);
    const { service, org } = house;
    const { a, projectId } = importYear(house);
    const id = pushOne(house);
    service.transactions.allocate(org, id, [{ budgetLineId: a }]);
    service.transactions.allocate(org, id, []);
    service.transactions.exclude(org, id, 'Own transfer');
    assert.deepEqual(service.projects.report(org, projectId).data.totals.total, cell(0, 0));
    assert.deepEqual(service.projects.allocations(org, projectId).data, []);
  });

  it('5.8 unknown and foreign projects are not found', async (t) => {
    const house = await openHouse(t);
    const { service, org } = house;
    const { projectId } = importYear(house);
    const other = service.organisations.create({ name: 'Other', baseCurrency: 'GBP' }).id;
    for (const [organisation, id] of [
      [other, projectId],
      [org, 'prj_0000000099'],
      [org, 'nonsense'],
      ['org_0000000099', projectId],
    ] as const) {
      const gone = refusal('not_found');
      assert.throws(() => service.projects.get(organisation, id), gone);
      assert.throws(() => service.projects.report(organisation, id), gone);
      assert.throws(() => service.projects.allocations(organisation, id), gone);
    }
    assert.deepEqual(service.projects.list(other).data, []);
  });
});
