import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ReportDocument } from '../../src/api/contract.ts';
import { only, project, row, startApi, type Tenant } from './harness.ts';

const api = await startApi();
const { service, pounds, euros } = api;

/** Pushes a transaction and allocates it, whole or in parts, to budget lines. */
async function spend(
  on: Record<string, number>,
  members: Record<string, unknown>,
  tenant: Tenant = pounds,
): Promise<string> {
  spent += 1;
  const { data } = await api.push([row(`S-${spent}`, members)], { key: tenant.key });
  const result = only(data);
  assert.ok('id' in result && result.id !== null);
  const shares = Object.entries(on).map(([budgetLineId, amount]) => ({ budgetLineId, amount }));
  service.transactions.allocate(tenant.id, result.id, shares);
  return result.id;
}
let spent = 0;

function importOne(file: unknown, tenant: Tenant = pounds): { id: string; lines: string[] } {
  const { projectId, budgetLines } = only(service.projects.import(tenant.id, file));
  return { id: projectId, lines: budgetLines.map(({ budgetLineId }) => budgetLineId) };
}

async function reportOf(id: string, query = '', tenant = pounds): Promise<ReportDocument['data']> {
  return (await api.get<ReportDocument>(`/api/v1/projects/${id}/report${query}`, tenant.key)).data;
}

const cell = (budgeted: number, actual: number) => ({
  budgeted,
  actual,
  variance: Math.round((budgeted - actual) * 1000) / 1000,
});

/** Six transactions around the first and last date of a project that starts mid-month. */
async function importEdges(name: string): Promise<{ id: string; lines: string[] }> {
  const imported = importOne(
    project(name, {
      startDate: '2026-01-10',
      endDate: '2026-05-20',
      budgetLines: [
        {
          ...{ code: 'A', name: 'First', category: 'Cat', accountCodes: ['B2', 'A1'] },
          budget: { '2026-01': 100, '2026-02': 50.5 },
        },
        { name: 'Second' },
      ],
    }),
  );
  const [a = '', b = ''] = imported.lines;
  await spend({ [a]: 30 }, { date: '2026-01-10', amount: 30 });
  await spend({ [a]: 7 }, { date: '2026-01-09', amount: 7 });
  await spend({ [a]: -12.34 }, { date: '2026-02-28', amount: -12.34 });
  await spend({ [a]: 0.01, [b]: 10 }, { date: '2026-05-20', amount: 10.01 });
  await spend({ [b]: 5 }, { date: '2026-05-21', amount: 5.5 });
  await spend({ [b]: 1 }, { date: '2025-12-31', amount: 1 });
  return imported;
}

const MARCH = { date: '2026-03-01' };

test('4.3 by month, cut to the project’s dates, with zeros and outsideActual', async () => {
  const { id, lines } = await importEdges('By month');
  const open = [6, 0.5, -3.75].map((amount, at) => row(`OPEN-${at}`, { amount, ...MARCH }));
  await api.push(open, { key: pounds.key });
  const report = await reportOf(id);
  assert.deepEqual(report, {
    projectId: id,
    currency: 'GBP',
    granularity: 'monthly',
    startDate: '2026-01-10',
    endDate: '2026-05-20',
    periods: [
      { key: '2026-01', startDate: '2026-01-10', endDate: '2026-01-31' },
      { key: '2026-02', startDate: '2026-02-01', endDate: '2026-02-28' },
      { key: '2026-03', startDate: '2026-03-01', endDate: '2026-03-31' },
      { key: '2026-04', startDate: '2026-04-01', endDate: '2026-04-30' },
      { key: '2026-05', startDate: '2026-05-01', endDate: '2026-05-20' },
    ],
    rows: [
      {
        budgetLineId: lines[0],
        code: 'A',
        name: 'First',
        category: 'Cat',
        kind: 'expense',
        accountCodes: ['B2', 'A1'],
        cells: [cell(100, 30), cell(50.5, -12.34), cell(0, 0), cell(0, 0), cell(0, 0.01)],
        outsideActual: 7,
        total: cell(150.5, 24.67),
      },
      {
        budgetLineId: lines[1],
        code: null,
        name: 'Second',
        category: null,
        kind: 'expense',
        accountCodes: [],
        cells: [cell(0, 0), cell(0, 0), cell(0, 0), cell(0, 0), cell(0, 10)],
        outsideActual: 6,
        total: cell(0, 16),
      },
    ],
    totals: {
      cells: [cell(100, 30), cell(50.5, -12.34), cell(0, 0), cell(0, 0), cell(0, 10.01)],
      outsideActual: 13,
      total: cell(150.5, 40.67),
    },
    needsReview: { count: 0, amount: 0 },
    recoded: { count: 0, amount: 0 },
    unallocated: { count: 3, out: 6.5, in: 3.75 },
  });
  assert.deepEqual(await reportOf(id, '?granularity=monthly'), report);
});

test('4.3 by calendar quarter, with the same totals', async () => {
  const { id } = await importEdges('By quarter');
  const report = await reportOf(id, '?granularity=quarterly');
  assert.equal(report.granularity, 'quarterly');
  assert.deepEqual(report.periods, [
    { key: '2026-Q1', startDate: '2026-01-10', endDate: '2026-03-31' },
    { key: '2026-Q2', startDate: '2026-04-01', endDate: '2026-05-20' },
  ]);
  assert.deepEqual(report.rows[0]?.cells, [cell(150.5, 17.66), cell(0, 0.01)]);
  assert.deepEqual(report.rows[1]?.cells, [cell(0, 0), cell(0, 10)]);
  assert.deepEqual(report.totals.total, cell(150.5, 40.67));
  assert.equal(report.totals.outsideActual, 13);
});

test('4 budgetMode total: equal shares, the remainder to the earliest months', async () => {
  const { id } = importOne(
    project('Spread', {
      startDate: '2025-11-15',
      endDate: '2026-05-01',
      budgetMode: 'total',
      budgetLines: [
        { name: 'Out', budget: 100 },
        { name: 'In', budget: -0.05 },
      ],
    }),
  );
  const { rows, totals } = await reportOf(id);
  const budgeted = rows.map(({ cells }) => cells.map((each) => each.budgeted));
  assert.deepEqual(budgeted, [
    [14.29, 14.29, 14.29, 14.29, 14.28, 14.28, 14.28],
    [-0.01, -0.01, -0.01, -0.01, -0.01, 0, 0],
  ]);
  assert.equal(totals.total.budgeted, 99.95);
  const quarters = await reportOf(id, '?granularity=quarterly');
  assert.deepEqual(
    quarters.periods.map(({ key }) => key),
    ['2025-Q4', '2026-Q1', '2026-Q2'],
  );
  assert.deepEqual(
    quarters.rows[0]?.cells.map((each) => each.budgeted),
    [28.58, 42.86, 28.56],
  );
});

test('4 a project of one day has one period', async () => {
  const dates = { startDate: '2024-02-29', endDate: '2024-02-29' };
  const { id } = importOne(project('Leap day', { ...dates, budgetLines: [{ name: 'Line' }] }));
  for (const [granularity, key] of [
    ['monthly', '2024-02'],
    ['quarterly', '2024-Q1'],
  ]) {
    const { periods, rows } = await reportOf(id, `?granularity=${granularity}`);
    assert.deepEqual(periods, [{ key, ...dates }]);
    assert.deepEqual(rows[0]?.cells, [cell(0, 0)]);
  }
});

test('4 the report of a project without budget lines has only zeros', async () => {
  const { id } = importOne(project('Empty'));
  const { rows, totals, periods } = await reportOf(id);
  assert.deepEqual([rows, periods.length], [[], 12]);
  assert.deepEqual(totals.total, cell(0, 0));
});

test('4 a parent’s report does not include its children', async () => {
  const [parent, child] = service.projects.import(pounds.id, [
    project('Mother', { budgetLines: [{ name: 'Line', budget: { '2026-01': 1 } }] }),
    project('Child', { parentProject: 'Mother', budgetLines: [{ name: 'Line' }] }),
  ]);
  await spend({ [child?.budgetLines[0]?.budgetLineId ?? '']: 12.5 }, {});
  const report = await reportOf(parent?.projectId ?? '');
  assert.deepEqual(report.totals.total, cell(1, 0));
  assert.equal(report.rows.length, 1);
});

test('4 the report changes with the date of a transaction', async () => {
  const { id, lines } = importOne(project('Follows', { budgetLines: [{ name: 'Line' }] }));
  await api.push([row('F-1', { amount: 9, date: '2026-03-31' })]);
  const { data } = await api.push([row('F-1', { amount: 9, date: '2026-04-01' })]);
  const result = only(data);
  assert.ok('id' in result && result.id !== null);
  service.transactions.allocate(pounds.id, result.id, [{ budgetLineId: lines[0] ?? '' }]);
  const actuals = async () => {
    const { rows } = await reportOf(id, '?granularity=quarterly');
    return [rows[0]?.cells.map(({ actual }) => actual), rows[0]?.outsideActual];
  };
  assert.deepEqual(await actuals(), [[0, 9, 0, 0], 0]);
  await api.push([row('F-1', { amount: 9, date: '2026-12-31' })]);
  assert.deepEqual(await actuals(), [[0, 0, 0, 9], 0]);
  await api.push([row('F-1', { amount: 9, date: '2027-01-01' })]);
  assert.deepEqual(await actuals(), [[0, 0, 0, 0], 9]);
});

test('4 yen and dinar reports are exact in their own minor units', async () => {
  for (const [currency, budget, amount] of [
    ['JPY', 1000001, 999999],
    ['KWD', 1000.001, 0.123],
  ] as const) {
    const tenant = api.addTenant(currency);
    const file = { budgetMode: 'total', budgetLines: [{ name: 'Line', budget }] };
    const { id, lines } = importOne(project('Minor units', file), tenant);
    await spend({ [lines[0] ?? '']: amount }, { amount }, tenant);
    const { totals, currency: shown } = await reportOf(id, '', tenant);
    assert.equal(shown, currency);
    assert.deepEqual(totals.total, cell(budget, amount));
  }
});

test('4.3 the largest amounts add up exactly', async () => {
  const { id, lines } = importOne(project('Large', { budgetLines: [{ name: 'Line' }] }));
  for (const amount of [9999999999.99, 9999999999.99, 9999999999.98, 0.01]) {
    await spend({ [lines[0] ?? '']: amount }, { amount });
  }
  assert.equal((await reportOf(id)).totals.total.actual, 29999999999.97);
});

test('4.3 the project of another organisation is not found', async () => {
  const { id } = importOne(project('Theirs'), euros);
  assert.equal((await reportOf(id, '', euros)).currency, 'EUR');
  await api.refuse({ target: `/api/v1/projects/${id}/report` }, 404, 'not_found');
  await api.refuse({ target: '/api/v1/projects/prj_0000000000/report' }, 404, 'not_found');
});
