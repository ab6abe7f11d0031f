import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { GRANULARITIES, quarterOf } from '../../src/core/calendar.ts';
import { spreadTotal } from '../../src/core/projects.ts';
import { buildReport, type MonthSum } from '../../src/core/report.ts';
import { Random } from './random.ts';

const line = (id: number, totalMinor: number | null = null) => {
  const texts = { code: `L${id}`, name: `Line ${id}`, category: null };
  return { id, ...texts, kind: 'expense' as const, accountCodes: [], totalMinor };
};
const budget = (lineId: number, month: string, amountMinor: number): MonthSum => {
  return { lineId, month, amountMinor, outsideMinor: 0 };
};
const actual = (lineId: number, month: string, inside: number, outside = 0): MonthSum => {
  return { lineId, month, amountMinor: inside, outsideMinor: outside };
};
const cell = (budgeted: number, spent: number) => {
  return { budgeted, actual: spent, variance: budgeted - spent };
};

/** A project from mid-February to mid-May, with two lines and transactions before and after it. */
type ReportFacts = Parameters<typeof buildReport>[0];

const FACTS: ReportFacts = {
  startDate: '2025-02-10',
  endDate: '2025-05-20',
  budgetMode: 'monthly',
  lines: [line(1), line(2)],
  budgets: [budget(1, '2025-02', 100), budget(1, '2025-04', 50), budget(2, '2025-05', -30)],
  actuals: [
    actual(1, '2025-02', 70, 7),
    actual(1, '2025-01', 0, 5),
    actual(1, '2025-06', 0, -2),
    actual(2, '2025-05', -10, 0),
    actual(2, '2024-01', 0, 900),
  ],
};

describe('4.3 the report: budget against actual', () => {
  it('4.3 by month: a cell for every month, even zeros, with variance = budgeted - actual', () => {
    const { periods, rows, totals } = buildReport(FACTS, 'monthly');
    const keys = ['2025-02', '2025-03', '2025-04', '2025-05'];
    assert.deepEqual(
      periods.map(({ key }) => key),
      keys,
    );
    const [one, two] = rows;
    assert.deepEqual(one?.cells, [cell(100, 70), cell(0, 0), cell(50, 0), cell(0, 0)]);
    assert.deepEqual(two?.cells, [cell(0, 0), cell(0, 0), cell(0, 0), cell(-30, -10)]);
    assert.deepEqual(totals.cells, [cell(100, 70), cell(0, 0), cell(50, 0), cell(-30, -10)]);
  });

  it('4.3 by calendar quarter', () => {
    const { periods, rows } = buildReport(FACTS, 'quarterly');
    assert.deepEqual(
      periods.map(({ key }) => key),
      ['2025-Q1', '2025-Q2'],
    );
    assert.deepEqual(rows[0]?.cells, [cell(100, 70), cell(50, 0)]);
    assert.deepEqual(rows[1]?.cells, [cell(0, 0), cell(-30, -10)]);
  });

  for (const granularity of GRANULARITIES) {
    it(`4 amounts dated outside are in the total but in no cell: ${granularity}`, () => {
      const { rows, totals } = buildReport(FACTS, granularity);
      assert.deepEqual(
        rows.map(({ outsideActual }) => outsideActual),
        [10, 900],
      );
      assert.deepEqual(
        rows.map(({ total }) => total),
        [cell(150, 80), cell(-30, 890)],
      );
      assert.equal(totals.outsideActual, 910);
      assert.deepEqual(totals.total, cell(120, 970));
    });
  }

  it('4 a budget in mode total is spread over the months, and thus over the quarters', () => {
    const facts: ReportFacts = {
      ...FACTS,
      budgetMode: 'total',
      lines: [line(1, 10), line(2, 0)],
      budgets: [],
      actuals: [],
    };
    const spread = [3, 3, 2, 2];
    const monthly = buildReport(facts, 'monthly');
    assert.deepEqual(
      monthly.rows[0]?.cells,
      spread.map((each) => cell(each, 0)),
    );
    assert.deepEqual(
      monthly.rows[1]?.cells,
      spread.map(() => cell(0, 0)),
    );
    assert.deepEqual(buildReport(facts, 'quarterly').rows[0]?.cells, [cell(6, 0), cell(4, 0)]);
    assert.deepEqual(monthly.totals.total, cell(10, 0));
  });

  it('4 a project without lines has periods with zeros', () => {
    const { rows, totals } = buildReport(
      { ...FACTS, lines: [], budgets: [], actuals: [] },
      'monthly',
    );
    assert.deepEqual(rows, []);
    assert.deepEqual(totals, {
      cells: [cell(0, 0), cell(0, 0), cell(0, 0), cell(0, 0)],
      outsideActual: 0,
      total: cell(0, 0),
    });
  });

  it('4 rows are in the order of the lines', () => {
    const { rows } = buildReport({ ...FACTS, lines: [line(2), line(1)] }, 'monthly');
    assert.deepEqual(
      rows.map((row) => row.line.id),
      [2, 1],
    );
  });

  it('4 property: every figure equals the sum of its parts, and all figures reconcile', () => {
    const random = new Random(41);
    for (let round = 0; round < 300; round += 1) {
      const facts = anyFacts(random);
      for (const granularity of GRANULARITIES) {
        const keyOf = (month: string) => (granularity === 'monthly' ? month : quarterOf(month));
        const { periods, rows, totals } = buildReport(facts, granularity);
        for (const row of rows) {
          const ofLine = ({ lineId }: MonthSum) => lineId === row.line.id;
          const budgets = budgetsOf(facts).filter(ofLine);
          const actuals = facts.actuals.filter(ofLine);
          const wanted = periods.map(({ key }) => {
            const inPeriod = ({ month }: MonthSum) => keyOf(month) === key;
            return cell(
              sumOf(budgets.filter(inPeriod), 'amountMinor'),
              sumOf(actuals.filter(inPeriod), 'amountMinor'),
            );
          });
          assert.deepEqual(row.cells, wanted);
          const outside = sumOf(actuals, 'outsideMinor');
          const spent = sumOf(actuals, 'amountMinor') + outside;
          assert.equal(row.outsideActual, outside);
          assert.deepEqual(row.total, cell(sumOf(budgets, 'amountMinor'), spent));
        }
        for (const index of periods.keys()) {
          const column = rows.map(({ cells }) => cells[index] ?? cell(0, 0));
          const budgeted = column.reduce((all, each) => all + each.budgeted, 0);
          const spent = column.reduce((all, each) => all + each.actual, 0);
          assert.deepEqual(totals.cells[index], cell(budgeted, spent));
        }
        const inside = totals.cells.reduce((all, each) => all + each.actual, 0);
        assert.equal(totals.total.actual, inside + totals.outsideActual);
        const all = rows.reduce((sum, row) => sum + row.total.actual, 0);
        assert.equal(totals.total.actual, all);
      }
    }
  });
});

function budgetsOf(facts: ReportFacts): MonthSum[] {
  const spread = facts.lines.flatMap(({ id, totalMinor }) => {
    const months =
      totalMinor === null ? [] : spreadTotal(totalMinor, facts.startDate, facts.endDate);
    return [...months].map(([month, amountMinor]) => budget(id, month, amountMinor));
  });
  return [...facts.budgets, ...spread];
}

function anyFacts(random: Random): ReportFacts {
  const month = () => `${random.whole(2024, 2026)}-${String(random.whole(1, 12)).padStart(2, '0')}`;
  const [first, last] = [month(), month()].sort() as [string, string];
  const startDate = `${first}-${random.pick(['01', '10'])}`;
  const endDate = `${last}-${random.pick(['15', '28'])}`;
  const budgetMode = random.pick(['monthly', 'total'] as const);
  const lines = Array.from({ length: random.whole(0, 4) }, (_, index) => {
    return line(index + 1, budgetMode === 'total' ? random.whole(-5000, 5000) : null);
  });
  const sums = <Sum>(make: (lineId: number) => Sum) => {
    return lines.flatMap(({ id }) => Array.from({ length: random.whole(0, 6) }, () => make(id)));
  };
  const isInside = (each: string) => each >= first && each <= last;
  return {
    startDate,
    endDate,
    budgetMode,
    lines,
    budgets:
      budgetMode === 'total'
        ? []
        : sums((id) => budget(id, random.pick([first, last]), random.whole(-900, 900))),
    actuals: sums((id) => {
      const each = month();
      const inside = isInside(each) ? random.whole(-900, 900) : 0;
      return actual(id, each, inside, random.whole(-900, 900));
    }),
  };
}

function sumOf(sums: readonly MonthSum[], member: 'amountMinor' | 'outsideMinor'): number {
  return sums.reduce((all, sum) => all + sum[member], 0);
}
