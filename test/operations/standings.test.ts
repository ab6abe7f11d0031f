import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type Days, daysInMonth, holds, monthsBetween } from '../../src/core/calendar.ts';
import { formatId } from '../../src/core/ids.ts';
import { budgetIn, dueMonths, dueOf } from '../../src/core/report.ts';
import { sumOfKind } from '../../src/core/report-lines.ts';
import { archiveProject } from '../../src/operations/projects.ts';
import { getRolledUp, listStandings, takeRolledUp } from '../../src/operations/roll-up.ts';
import { finish } from '../../src/operations/turns.ts';
import { countStatements } from '../console/statements.ts';
import { Random } from '../core/random.ts';
import { Workshop } from '../store/workshop.ts';

it('the totals of all projects are those of their reports with the projects below', () => {
  const shop = new Workshop();
  const lines = shop
    .import([
      {
        name: 'House',
        startDate: '2026-01-15',
        endDate: '2026-06-30',
        budgetLines: [
          { name: 'Grant', kind: 'income', budget: { '2026-01': 500, '2026-06': 1 } },
          { name: 'Rent', budget: { '2026-02': 70 } },
          { name: 'Heat' },
        ],
      },
      {
        name: 'Attic',
        parentProject: 'House',
        startDate: '2025-11-01',
        endDate: '2026-03-10',
        budgetMode: 'total',
        budgetLines: [
          { name: 'Roof', budget: 10.03 },
          { name: 'Gift', kind: 'income', budget: 20 },
        ],
      },
      { name: 'Beam', parentProject: 'Attic', startDate: '2026-01-01', endDate: '2026-09-30' },
      {
        name: 'Other',
        startDate: '2026-01-01',
        endDate: '2026-12-31',
        budgetLines: [{ name: 'Food', budget: { '2026-12': 30 } }],
      },
    ])
    .flatMap((project) => project.lines.map(({ id }) => id));
  const amounts = [-600, 80, 1, 10.04, -19, 30];
  for (const [at, amount] of amounts.entries()) {
    const id = shop.pushOne({ externalId: `${at}`, amount, date: `2026-0${at + 1}-05` });
    shop.allocate(id, [[lines[at] ?? 0, Math.round(100 * amount)]]);
  }
  archiveProject(shop, { id: formatId('prj', 2), isArchived: true }, shop.actor());
  const standings = finish(listStandings(shop, '2026-02-14'));
  assert.deepEqual(
    standings.map(({ project, linesOver }) => [project.name, linesOver]),
    [
      ['Attic', 1],
      ['Beam', 0],
      ['House', 3],
      ['Other', 0],
    ],
  );
  for (const { project, total, income, linesOver } of standings) {
    const rolled = getRolledUp(shop, formatId('prj', project.id));
    const { report, kinds, over } = rolled;
    const [spent, came] = [sumOfKind(rolled, 'expense'), sumOfKind(rolled, 'income').total];
    assert.deepEqual(total, spent.total);
    const received = { expectedMinor: came.budgeted, receivedMinor: came.actual };
    assert.deepEqual(income, kinds.length > 1 ? received : undefined);
    const quarterly = getRolledUp(shop, formatId('prj', project.id), { granularity: 'quarterly' });
    for (const { byMonth } of [rolled, quarterly]) {
      assert.deepEqual(
        report.periods.map(({ key }) => byMonth.get(key) ?? 0),
        spent.cells.map(({ budgeted }) => budgeted),
      );
    }
    assert.equal(linesOver, over.lines);
  }
});

/** The budget of the days that have passed: of a month, the part of its days in the project. */
function dueBy(today: string, days: Days, byMonth: ReadonlyMap<string, number>): number {
  let [whole, part] = [0, 0];
  for (const month of monthsBetween(days.startDate, days.endDate)) {
    const all = Array.from({ length: daysInMonth(month) }, (_, at) => {
      return `${month}-${String(at + 1).padStart(2, '0')}`;
    }).filter((day) => holds(days, day));
    const passed = all.filter((day) => day <= today).length;
    const minor = byMonth.get(month) ?? 0;
    if (passed === all.length) whole += minor;
    else part += (minor * passed) / all.length;
  }
  return whole + Math.round(part);
}

it('what is due of a budget is the same in lists, in the report and counted day by day', () => {
  const random = new Random(5);
  const day = () => `2026-0${random.whole(1, 9)}-${random.whole(10, 28)}`;
  for (let round = 0; round < 12; round += 1) {
    const shop = new Workshop();
    const names = ['A', 'B', 'C', 'D', 'E'];
    for (const [at, name] of names.entries()) {
      const [startDate = '', endDate = ''] = [day(), day()].sort();
      const isTotal = random.once(3);
      const months = monthsBetween(startDate, endDate).filter(() => random.once(2));
      shop.import({
        name,
        startDate,
        endDate,
        parentProject: at === 0 || random.once(4) ? null : random.pick(names.slice(0, at)),
        budgetMode: isTotal ? 'total' : 'monthly',
        budgetLines: ['Rent', 'Heat', 'Grant'].slice(random.whole(0, 2)).map((line) => ({
          name: line,
          kind: line === 'Grant' ? 'income' : 'expense',
          budget: isTotal
            ? random.whole(0, 99_999) / 100
            : Object.fromEntries(months.map((month) => [month, random.whole(0, 9_999) / 100])),
        })),
      });
    }
    for (const today of ['2025-12-31', '2026-01-20', day(), day(), day(), '2027-01-01']) {
      for (const { project, dueMinor } of finish(listStandings(shop, today))) {
        const { report, byMonth } = getRolledUp(shop, formatId('prj', project.id));
        const months = dueMonths(today, report);
        const wanted = dueBy(today, report, byMonth);
        assert.equal(dueMinor, wanted, `${project.name} on ${today}`);
        assert.equal(dueOf([budgetIn(byMonth, months)], months), wanted);
      }
    }
  }
});

it('a project is summed once, however many are above it, and few lines in one step', (test) => {
  const shop = new Workshop();
  const days = { startDate: '2026-01-01', endDate: '2026-12-31' };
  const budgetLines = Array.from({ length: 600 }, (_, at) => ({ name: `Line ${at}` }));
  for (const [name, parentProject] of [['A'], ['B', 'A'], ['C', 'B']]) {
    shop.import({ ...days, name, parentProject: parentProject ?? null, budgetLines });
  }
  const texts = countStatements(test, shop.db);
  finish(listStandings(shop, '2026-02-14'));
  const of = (table: string) => texts.filter((text) => text.includes(`from ${table}`)).length;
  assert.deepEqual([of('actuals'), of('json_each') - of('actuals')], [3, 6]);
});

/** A project with 300 others below it. */
function openHouse(): Workshop {
  const shop = new Workshop();
  const days = { startDate: '2026-01-01', endDate: '2026-12-31' };
  const below = Array.from({ length: 300 }, (_, at) => {
    return { ...days, name: `Part ${at}`, parentProject: 'House' };
  });
  shop.import([{ ...days, name: 'House', budgetLines: [{ name: 'Rent' }] }, ...below]);
  return shop;
}

it('a report with 300 projects below adds up once what is not allocated', (test) => {
  const shop = openHouse();
  shop.pushOne({ externalId: '1', amount: 5, date: '2026-01-05' });
  const texts = countStatements(test, shop.db);
  const { unallocated } = getRolledUp(shop, formatId('prj', 1));
  assert.equal(unallocated.count, 1);
  const sums = texts.filter((text) => text.includes('from unallocated'));
  assert.equal(sums.length, 1);
});

it('a report in steps is of one moment, even if something is written between two of them', () => {
  const shop = openHouse();
  const house = formatId('prj', 1);
  const steps = takeRolledUp(shop, house);
  for (let turns = 0; turns < 100; turns += 1) assert.equal(steps.next().done, false);
  const id = shop.pushOne({ externalId: '1', amount: 5, date: '2026-01-05' });
  shop.allocate(id, [[1, 500]]);
  const rolled = finish(steps);
  assert.deepEqual(rolled, getRolledUp(shop, house));
  assert.equal(rolled.totals.total.actual, 500);
});
