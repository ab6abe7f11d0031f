import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { GRANULARITIES, quarterOf } from '../../src/core/calendar.ts';
import type { OrganisationRecord } from '../../src/core/organisations.ts';
import { buildReport } from '../../src/core/report.ts';
import { pageOfAllocations } from '../../src/store/allocations.ts';
import { findReport } from '../../src/store/reports.ts';
import { Random } from '../core/random.ts';
import { resolveReview } from './single-changes.ts';
import { row, Workshop, YEAR } from './workshop.ts';

const ACTIONS = ['push', 'change', 'allocate', 'codes', 'review', 'import', 'clear'] as const;
const CODES = ['A', 'B', 'C', 'D'];

describe('4.3 the report, from totals updated as allocations change', () => {
  it('4 dates outside the project count as outside, even in a partly included month', () => {
    const shop = new Workshop();
    const dates = { startDate: '2026-02-10', endDate: '2026-04-20' };
    shop.import({ ...YEAR, ...dates, budgetLines: [{ code: 'A', name: 'Line A' }] });
    const days = ['2026-02-09', '2026-02-10', '2026-04-20', '2026-04-21', '2030-01-01'];
    for (const [index, date] of days.entries()) {
      shop.allocate(shop.pushOne({ externalId: date, date }), [[1, 10 ** index]]);
    }
    const report = reportOf(shop, 1, 'monthly');
    assert.deepEqual(
      report?.totals.cells.map(({ actual }) => actual),
      [10, 0, 100],
    );
    assert.deepEqual(report?.totals.outsideActual, 1 + 1000 + 10_000);
    assert.equal(report?.totals.total.actual, 11_111);
    const quarters = reportOf(shop, 1, 'quarterly');
    assert.deepEqual(
      quarters?.totals.cells.map(({ actual }) => actual),
      [10, 100],
    );
    reconcile(shop, shop.organisation);
  });

  it('4 changing transactions dated outside keeps the outside total correct', () => {
    const shop = new Workshop();
    const [a = 0] = shop.project();
    const days = ['2025-11-01', '2025-11-20', '2025-12-24', '2026-01-01'];
    for (const date of days) shop.allocate(shop.pushOne({ externalId: date, date }), [[a, 10_000]]);
    const outside = () => reportOf(shop, 1, 'monthly')?.totals.outsideActual;
    assert.equal(outside(), 30_000);
    shop.push([row({ externalId: '2025-11-01', date: '2025-12-01' })]);
    assert.equal(outside(), 30_000);
    shop.push([row({ externalId: '2025-11-20', date: '2025-11-20', amount: 50 })]);
    const request = { transactionId: 2, resolution: 'rescale' } as const;
    resolveReview(shop, request, shop.actor());
    assert.equal(outside(), 25_000);
    shop.push([row({ externalId: '2025-12-24', date: '2026-01-02' })]);
    assert.equal(outside(), 15_000);
    shop.push([row({ externalId: '2026-01-01', date: '2025-12-31' })]);
    assert.equal(outside(), 25_000);
    reconcile(shop, shop.organisation);
    shop.check();
  });

  it('8 importing other project dates moves amounts between inside and outside', () => {
    const shop = new Workshop();
    const [a = 0] = shop.project();
    const ends = ['2026-01-15', '2026-06-15', '2026-12-15'];
    for (const date of ends) shop.allocate(shop.pushOne({ externalId: date, date }), [[a, 100]]);
    const budgetLines = ['A', 'B'].map((code) => ({ code, name: `Line ${code}` }));
    const spans: [start: string, end: string, outside: number][] = [
      ['2026-01-16', '2026-12-31', 100],
      ['2026-01-15', '2026-12-14', 100],
      ['2026-02-01', '2026-05-31', 300],
      ['2026-06-15', '2026-06-15', 200],
      ['2020-01-01', '2030-12-31', 0],
    ];
    for (const [startDate, endDate, outside] of spans) {
      shop.import({ ...YEAR, startDate, endDate, budgetLines });
      const totals = reportOf(shop, 1, 'monthly')?.totals;
      assert.deepEqual([totals?.outsideActual, totals?.total.actual], [outside, 300]);
      reconcile(shop, shop.organisation);
    }
  });

  it('4 needsReview counts transactions allocated here and adds up those allocations', () => {
    const shop = new Workshop();
    const [a = 0, b = 0] = shop.project();
    shop.import({ ...YEAR, name: 'Other', budgetLines: [{ name: 'O' }] });
    shop.allocate(shop.pushOne({ externalId: '1' }), [
      [a, 3000],
      [b, 2000],
      [3, 1000],
    ]);
    shop.allocate(shop.pushOne({ externalId: '2', amount: -50 }), [[a, -5000]]);
    shop.allocate(shop.pushOne({ externalId: '3' }), [[a, 1]]);
    const review = (id: number) => findReport(shop, id)?.needsReview;
    assert.deepEqual(review(1), { count: 0, amountMinor: 0 });
    shop.push([row({ externalId: '1', amount: 7 }), row({ externalId: '2', amount: 7 })]);
    assert.deepEqual(review(1), { count: 2, amountMinor: 0 });
    assert.deepEqual(review(2), { count: 1, amountMinor: 1000 });
    assert.equal(reportOf(shop, 1, 'monthly')?.totals.total.actual, 1);
    const request = { transactionId: 2, resolution: 'clear' } as const;
    resolveReview(shop, request, shop.actor());
    assert.deepEqual(review(1), { count: 1, amountMinor: 5000 });
    reconcile(shop, shop.organisation);
  });

  it("4 a parent's report does not include its children", () => {
    const shop = new Workshop();
    shop.project();
    const child = { ...YEAR, name: 'Child', parentProject: 'Shelter' };
    const [imported] = shop.import({
      ...child,
      budgetLines: [{ name: 'C', budget: { '2026-01': 9 } }],
    });
    shop.allocate(shop.pushOne({}), [[imported?.lines[0]?.id ?? 0, 500]]);
    const totals = reportOf(shop, 1, 'monthly')?.totals;
    assert.deepEqual([totals?.total.budgeted, totals?.total.actual], [0, 0]);
    assert.equal(reportOf(shop, 2, 'monthly')?.totals.total.actual, 500);
  });

  it('4.3 an unknown project has no report', () => {
    const shop = new Workshop();
    assert.equal(findReport(shop, 1), undefined);
  });

  for (const seed of [1, 2, 3, 4]) {
    it(`4 a property: it always reconciles to the minor unit (seed ${seed})`, () => {
      const random = new Random(seed);
      const shop = new Workshop();
      const other = shop.addOrganisation('GBP', 'Other');
      for (const org of [shop.organisation, other])
        for (const name of ['P', 'Q']) reimport(shop, org, name, random);
      for (let step = 0; step < 120; step += 1) {
        shop.nowMs += random.whole(-50, 100);
        const org = random.once(4) ? other : shop.organisation;
        act(shop, org, random);
        shop.check();
        reconcile(shop, shop.organisation);
        reconcile(shop, other);
      }
    });
  }
});

/** One random act of a user or a client. A refused act changes nothing. */
function act(shop: Workshop, org: OrganisationRecord, random: Random): void {
  const id = anyTransaction(shop, org, random);
  const action = random.pick(ACTIONS);
  if (action === 'push' || id === undefined) {
    const batch = Array.from({ length: random.whole(1, 6) }, () => anyRow(random));
    shop.push(batch, { org, dryRun: random.once(6) });
    return;
  }
  const before = shop.everything();
  try {
    if (action === 'change')
      shop.push([anyRow(random, shop.transaction(id, org).externalId)], { org });
    if (action === 'allocate') shop.allocate(id, anyParts(shop, org, id, random), org);
    if (action === 'clear') shop.allocate(id, [], org);
    if (action === 'codes') shop.allocateByCode();
    if (action === 'import') reimport(shop, org, random.pick(['P', 'Q']), random);
    if (action === 'review') {
      const resolution = random.pick(['keep', 'rescale', 'clear'] as const);
      resolveReview(
        { db: shop.db, organisation: org },
        { transactionId: id, resolution },
        shop.actor(),
      );
    }
  } catch (error) {
    assert.match(String(error), /^Failure: /);
    assert.equal(shop.everything(), before);
  }
}

function anyTransaction(
  shop: Workshop,
  org: OrganisationRecord,
  random: Random,
): number | undefined {
  const text = 'select id from transactions where organisation_id = ? order by random()';
  const ids = shop.db.prepare<[number], { id: number }>(text).all(org.id);
  const sorted = ids.map(({ id }) => id).sort((a, b) => a - b);
  return sorted.length === 0 ? undefined : random.pick(sorted);
}

function anyRow(random: Random, externalId: string | null = null): object {
  const month = String(random.whole(1, 12)).padStart(2, '0');
  return row({
    externalId: externalId ?? `T${random.whole(1, 40)}`,
    date: `${random.whole(2024, 2027)}-${month}-${random.pick(['01', '10', '15', '28'])}`,
    amount: random.whole(-500, 500) / 100,
    accountCode: random.pick([...CODES, null]),
  });
}

function anyParts(shop: Workshop, org: OrganisationRecord, id: number, random: Random) {
  const text = 'select id from budget_lines where organisation_id = ? order by id';
  const lines = shop.db.prepare<[number], { id: number }>(text).all(org.id);
  const { amountMinor } = shop.transaction(id, org);
  const share = Math.trunc(amountMinor / random.whole(1, 3));
  const parts = Array.from({ length: random.whole(1, 3) }, () => {
    return [random.pick(lines).id, random.once(10) ? 0 : share] as const;
  });
  return parts;
}

function reimport(shop: Workshop, org: OrganisationRecord, name: string, random: Random): void {
  const startDate = `2025-${random.pick(['01-01', '03-15', '11-10'])}`;
  const endDate = `2026-${random.pick(['01-14', '05-31', '12-31'])}`;
  const codes = CODES.filter(() => !random.once(5));
  const budgetLines = codes.map((code) => {
    return {
      code,
      name: code,
      accountCodes: random.once(2) ? [code] : [],
      budget: anyBudget(random),
    };
  });
  shop.import({ name, startDate, endDate, budgetMode: 'total', budgetLines }, org);
}

function anyBudget(random: Random): number {
  return random.whole(-1000, 1000) / 100;
}

function reportOf(shop: Workshop, projectId: number, granularity: 'monthly' | 'quarterly') {
  const facts = findReport(shop, projectId);
  return facts && buildReport(facts, granularity);
}

/** Compares every report of the organisation with the sum of its allocations. */
function reconcile(shop: Workshop, org: OrganisationRecord): void {
  const text = 'select id from projects where organisation_id = ?';
  for (const { id } of shop.db.prepare<[number], { id: number }>(text).all(org.id)) {
    const facts = findReport({ db: shop.db, organisation: org }, id);
    if (facts === undefined) assert.fail('a project has no report');
    const all = pageOfAllocations(
      { db: shop.db, organisation: org },
      { projectId: id, limit: 10_000 },
    ).items;
    for (const granularity of GRANULARITIES) {
      const { periods, rows, totals } = buildReport(facts, granularity);
      for (const { line, cells, outsideActual, total } of rows) {
        const actuals = new Map<string, number>();
        for (const { budgetLineId, date, amountMinor } of all) {
          if (budgetLineId !== line.id) continue;
          const inside = date >= facts.startDate && date <= facts.endDate;
          const month = date.slice(0, 7);
          const key = granularity === 'monthly' ? month : quarterOf(month);
          const place = inside ? key : 'outside';
          actuals.set(place, (actuals.get(place) ?? 0) + amountMinor);
        }
        const wanted = periods.map(({ key }) => actuals.get(key) ?? 0);
        assert.deepEqual(
          cells.map(({ actual }) => actual),
          wanted,
        );
        assert.equal(outsideActual, actuals.get('outside') ?? 0);
        assert.equal(total.budgeted, line.totalMinor ?? 0);
      }
      assert.equal(
        totals.total.actual,
        all.reduce((sum, { amountMinor }) => sum + amountMinor, 0),
      );
    }
    const text = `select count(distinct t.id) as count,
        coalesce(sum(a.amount_minor), 0) as amountMinor
      from allocations a join transactions t on t.id = a.transaction_id
      where a.project_id = ? and t.status = 'needs_review'`;
    assert.deepEqual(facts.needsReview, shop.db.prepare<[number]>(text).get(id));
  }
}
