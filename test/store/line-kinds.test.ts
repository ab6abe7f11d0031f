import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { selectLines } from '../../src/core/report-lines.ts';
import { getProjectPlan } from '../../src/operations/project-plans.ts';
import { getReport } from '../../src/operations/projects.ts';
import { formatReportCsv } from '../../src/operations/report-csv.ts';
import { refusal, row, Workshop, YEAR } from './workshop.ts';

const PROJECT = 'prj_0000000001';
const GRANT = { code: 'G', name: 'Grant', budget: { '2026-01': 5000 } };
const PAY = { code: 'P', name: 'Pay', budget: { '2026-01': 4000, '2026-03': 400 } };

/** A project with a grant of 5,000, of which 1,200 came in, and pay of 4,400, 4,500 spent. */
function open(): Workshop {
  const shop = new Workshop();
  shop.import({ ...YEAR, budgetLines: [{ ...GRANT, kind: 'income' }, PAY] });
  const grant = { externalId: 'in', date: '2026-02-03', amount: -1200 };
  shop.allocate(shop.pushOne(grant), [[1, -120_000]]);
  shop.allocate(shop.pushOne({ externalId: 'out', date: '2026-03-03', amount: 4500 }), [
    [2, 450_000],
  ]);
  return shop;
}

describe('13 income: what is expected is written without a minus', () => {
  it('13 inside it has the sign of money, and the totals are the signed sum', () => {
    const { rows, totals } = getReport(open(), PROJECT);
    assert.deepEqual(
      rows.map(({ line, total }) => [line.kind, total.budgeted, total.actual, total.variance]),
      [
        ['income', -500_000, -120_000, -380_000],
        ['expense', 440_000, 450_000, -10_000],
      ],
    );
    assert.deepEqual(totals.total, { budgeted: -60_000, actual: 330_000, variance: -390_000 });
  });

  it('13 only expenses can be over budget, and a CSV file has income turned round', () => {
    const report = getReport(open(), PROJECT, { granularity: 'quarterly', to: '2026-03' });
    const over = selectLines(report.rows, { search: undefined, overBudget: true });
    assert.deepEqual(
      over.map(({ line }) => line.code),
      ['P'],
    );
    const project = { ...report, name: 'Year' };
    const parts = [{ project, lines: report.rows }];
    const text = [...formatReportCsv(report.periods, parts, { code: 'GBP', places: 2 })].join('');
    const [, ...entries] = text.trimEnd().split('\r\n');
    assert.deepEqual(
      entries.map((entry) => entry.split(',').slice(8)),
      [
        ['5000.00', '1200.00', '3800.00', 'income'],
        ['4400.00', '4500.00', '-100.00', 'expense'],
      ],
    );
  });

  it('13 a file that does not say the kind leaves it, and its amounts are still expected', () => {
    const shop = open();
    const [again] = shop.import({ ...YEAR, budgetLines: [GRANT, PAY] });
    assert.equal(again?.change, 'unchanged');
    const { lines } = getProjectPlan(shop, PROJECT);
    assert.deepEqual(
      lines.map(({ kind, budget }) => [kind, budget]),
      [
        ['income', { mode: 'monthly', byMonth: new Map([['2026-01', 500_000]]) }],
        [
          'expense',
          {
            mode: 'monthly',
            byMonth: new Map([
              ['2026-01', 400_000],
              ['2026-03', 40_000],
            ]),
          },
        ],
      ],
    );
    const before = { ...GRANT, budget: { '2026-01': -5000 } };
    assert.throws(
      () => shop.import({ ...YEAR, budgetLines: [before, PAY] }),
      refusal(
        'invalid_input',
        /G "Grant" is income, and its budget for 2026-01 is negative\. Write/,
      ),
    );
    assert.equal(getReport(shop, PROJECT).totals.total.budgeted, -60_000);
  });

  it('13 a kind can be changed, also of a line with one total', () => {
    const shop = new Workshop();
    const total = { ...YEAR, budgetMode: 'total' };
    shop.import({ ...total, budgetLines: [{ ...GRANT, budget: 900 }] });
    shop.import({ ...total, budgetLines: [{ ...GRANT, kind: 'income', budget: 900 }] });
    assert.equal(getReport(shop, PROJECT).totals.total.budgeted, -90_000);
    shop.import({ ...total, budgetLines: [{ ...GRANT, kind: 'expense', budget: 900 }] });
    assert.equal(getReport(shop, PROJECT).totals.total.budgeted, 90_000);
  });

  it('13 the file is refused with the place of a negative amount or an unknown kind', () => {
    const shop = new Workshop();
    const lines = [
      { ...GRANT, kind: 'income', budget: { '2026-02': -1 } },
      { ...PAY, kind: 'grant' },
    ];
    const wrong = refusal(
      'invalid_input',
      /budgetLines\[1\]\.kind: Use "expense" or "income", not "grant"/,
    );
    assert.throws(() => shop.import({ ...YEAR, budgetLines: lines }), wrong);
    assert.throws(
      () => shop.import({ ...YEAR, budgetLines: lines.slice(0, 1) }),
      refusal(
        'invalid_input',
        /budgetLines\[0\]\.budget\.2026-02: -1 is not an amount to expect of G\./,
      ),
    );
  });
});

describe('13 a report of some months', () => {
  it('13 has their periods, cut to the project, and nothing outside', () => {
    const shop = new Workshop();
    const days = { startDate: '2026-01-15', endDate: '2026-06-20', budgetMode: 'total' };
    shop.import({ ...YEAR, ...days, budgetLines: [{ code: 'A', name: 'A', budget: 600 }] });
    const dates = ['2026-01-01', '2026-01-20', '2026-02-01', '2026-05-31', '2026-06-21'];
    for (const date of dates) shop.allocate(shop.pushOne({ externalId: date, date }), [[1, 100]]);
    const all = getReport(shop, PROJECT);
    assert.deepEqual([all.totals.outsideActual, all.totals.total.actual], [200, 500]);
    const months = (from?: string, to?: string, granularity?: 'quarterly') => {
      const { startDate, endDate, periods, totals } = getReport(shop, PROJECT, {
        from,
        to,
        granularity,
      });
      assert.equal(totals.outsideActual, 0);
      const keys = periods.map((period) => `${period.key} ${period.startDate} ${period.endDate}`);
      return [startDate, endDate, ...keys, totals.total.budgeted, totals.total.actual];
    };
    assert.deepEqual(months(undefined, '2026-02', 'quarterly'), [
      '2026-01-15',
      '2026-02-28',
      '2026-Q1 2026-01-15 2026-02-28',
      20_000,
      200,
    ]);
    assert.deepEqual(months('2026-02', '2026-02'), [
      '2026-02-01',
      '2026-02-28',
      '2026-02 2026-02-01 2026-02-28',
      10_000,
      100,
    ]);
    assert.deepEqual(months('2026-06', '2027-01'), [
      '2026-06-01',
      '2026-06-20',
      '2026-06 2026-06-01 2026-06-20',
      10_000,
      0,
    ]);
    assert.deepEqual(months('2026-07'), ['2026-07-01', '2026-06-20', 0, 0]);
    assert.deepEqual(months('2026-05', '2026-03'), ['2026-05-01', '2026-03-31', 0, 0]);
  });

  it('13 counts what is under review or recoded in these months alone', () => {
    const shop = new Workshop();
    const [a = 0] = shop.project();
    for (const date of ['2026-01-05', '2026-02-05']) {
      shop.allocate(shop.pushOne({ externalId: date, date, accountCode: 'X' }), [[a, 100]]);
      shop.push([row({ externalId: date, date, amount: 99, accountCode: 'Y' })]);
    }
    const { needsReview, recoded } = getReport(shop, PROJECT, { to: '2026-01' });
    assert.deepEqual(
      [needsReview, recoded],
      [
        { count: 1, amountMinor: 100 },
        { count: 1, amountMinor: 100 },
      ],
    );
    assert.equal(getReport(shop, PROJECT).needsReview.count, 2);
  });
});
