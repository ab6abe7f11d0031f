/** Whatever happens to projects: statements add up, lead to their items, and never change. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Failure } from '../../src/core/failures.ts';
import { formatId } from '../../src/core/ids.ts';
import type { StatementDocument } from '../../src/core/statements.ts';
import { getRolledUp, listParts } from '../../src/operations/roll-up.ts';
import { issueStatement, withdrawStatement } from '../../src/operations/statements.ts';
import { KnownRules, takeRulings } from '../../src/store/rule-runs.ts';
import { changeRules } from '../../src/store/rules.ts';
import { Random } from '../core/random.ts';
import { repetitions } from '../repetitions.ts';
import { excludeTransaction, resolveReview, restoreTransaction } from '../store/single-changes.ts';
import { Workshop } from '../store/workshop.ts';
import { getDraft, getStatement, walkItems } from './statement-reads.ts';

const P = 'prj_0000000001';
const LINES = [
  { code: 'G', name: 'Grant', kind: 'income', category: 'In', accountCodes: ['4000'] },
  { code: 'P', name: 'Pay', category: 'Out', accountCodes: ['7000'] },
  { code: 'F', name: 'Food', category: 'Out' },
  { code: 'R', name: 'Rent', accountCodes: ['7100'] },
].map((line) => ({ ...line, budget: 1200 }));
const TENTS = [
  { code: 'T', name: 'Tents', category: 'Out', accountCodes: ['7200'], budget: 90 },
  { code: 'E', name: 'Fees', kind: 'income', budget: 50 },
];
const ENDS = ['2026-10-31', '2026-12-31', '2027-02-28'];

/** An organisation with a project, one below it, a rule, and what was issued so far. */
class Life {
  readonly shop = new Workshop();
  readonly random: Random;
  readonly counts = { issued: 0, withdrawn: 0, refused: 0 };
  readonly #known: number[] = [];
  readonly #frozen = new Map<string, string>();
  #steps = 0;

  constructor(seed: number) {
    this.random = new Random(seed);
    this.#importProject('2026-01-01', '2026-12-31');
    this.#importBelow(true);
    const share = (budgetLineId: number, weight: number | null) => ({ budgetLineId, weight });
    const ann = {
      ...{ name: 'Ann', isOn: true, from: null, until: null },
      conditions: { contact: { is: 'Ann' } },
      shares: [share(2, 3_333), share(5, null)],
    };
    const settings = { automatic: false, byAccountCode: true };
    changeRules(this.shop, { ...settings, rules: [ann] }, this.shop.actor());
    this.shop.nowMs = Date.UTC(2027, 2, 1);
    this.#known.push(this.shop.pushOne({ externalId: 'T-0' }));
  }

  /** Something happens, or is refused; then all that was issued is as it was. */
  step(): void {
    this.#steps += 1;
    const often = [this.#push, this.#push, this.#push, this.#allocate, this.#change, this.#change];
    const seldom = [this.#set, this.#review, this.#run, this.#move, this.#issue, this.#withdraw];
    try {
      this.random.pick([...often, ...seldom]).call(this);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      this.counts.refused += 1;
    }
    this.#proveFrozen();
  }

  #push(): void {
    const { random } = this;
    const id = this.shop.pushOne({ externalId: `T-${this.#steps}`, ...this.#members() });
    this.#known.push(id);
    if (random.once(2)) return;
    const { amountMinor } = this.shop.transaction(id);
    this.shop.allocate(id, [[random.whole(1, 6), amountMinor]]);
  }

  #members(): object {
    const { random } = this;
    const year = random.pick(['2026', '2026', '2026', '2027']);
    const month = String(random.whole(1, 12)).padStart(2, '0');
    return {
      date: `${year}-${month}-${random.pick(['01', '10', '28'])}`,
      amount: random.pick([random.whole(-9_000, 9_000), random.whole(1, 99), 0]) / 100,
      contact: random.pick(['Ann', 'Bob', null]),
      accountCode: random.pick(['4000', '7000', '7100', '7200', null]),
    };
  }

  /** The transaction comes again, with another amount or date. */
  #change(): void {
    const { externalId } = this.shop.transaction(this.random.pick(this.#known));
    this.shop.pushOne({ externalId, ...this.#members() });
  }

  #allocate(): void {
    const { random } = this;
    const id = random.pick(this.#known);
    const half = Math.trunc(this.shop.transaction(id).amountMinor / 2);
    const first = random.whole(1, 6);
    const parts = [
      [],
      [[first, half]],
      [
        [first, half],
        [1 + (first % 6), half],
      ],
    ] as const;
    this.shop.allocate(id, random.pick(parts));
  }

  #set(): void {
    const transactionId = this.random.pick(this.#known);
    const { shop } = this;
    if (this.random.once(2)) return void restoreTransaction(shop, { transactionId }, shop.actor());
    shop.allocate(transactionId, []);
    excludeTransaction(shop, { transactionId, reason: 'A copy' }, shop.actor());
  }

  #review(): void {
    const { shop, random } = this;
    const ids = this.#known.filter((id) => shop.transaction(id).review !== null);
    const resolution = random.pick(['keep', 'rescale', 'clear'] as const);
    const request = { transactionId: random.pick([...ids, 1]), resolution };
    resolveReview(shop, request, shop.actor());
  }

  #run(): void {
    const { shop } = this;
    takeRulings(shop, { known: new KnownRules(), limit: 50 }, shop.actor());
  }

  /** The days of a project move, or where the one below it is. */
  #move(): void {
    const { random } = this;
    if (random.once(2)) this.#importBelow(random.once(2));
    else this.#importProject(random.pick(['2026-01-01', '2026-02-10']), random.pick(ENDS));
  }

  #importProject(startDate: string, endDate: string): void {
    const days = { startDate, endDate, budgetMode: 'total' };
    this.shop.import({ name: 'Shelter', ...days, budgetLines: LINES, tolerancePercent: null });
  }

  #importBelow(isBelow: boolean): void {
    const days = { startDate: '2025-11-05', endDate: '2027-06-30', budgetMode: 'total' };
    const parentProject = isBelow ? 'Shelter' : null;
    this.shop.import({ name: 'Camp', ...days, parentProject, budgetLines: TENTS });
  }

  #issue(): void {
    const { shop, random } = this;
    const from = getDraft(shop, P, {}, shop.actor()).from ?? '2026-12';
    const [year = 0, month = 0] = from.split('-').map(Number);
    const next = new Date(Date.UTC(year, month - 1 + random.whole(0, 2), 1));
    const to = next.toISOString().slice(0, 7);
    const request = { to, withSubProjects: random.once(2) };
    const { number, withSubProjects } = getDraft(shop, P, request, shop.actor());
    const last = number === 1 ? undefined : getStatement(shop, P, { number: number - 1 });
    const issued = issueStatement(shop, P, request, shop.actor());
    this.counts.issued += 1;
    prove(shop, issued, last);
    const isLike = last?.withSubProjects === withSubProjects;
    if (last !== undefined && isLike) proveChanges(issued, last);
  }

  #withdraw(): void {
    const { shop } = this;
    const { number } = getDraft(shop, P, {}, shop.actor());
    withdrawStatement(shop, P, { number: number - 1, reason: 'Too early' }, shop.actor());
    this.counts.withdrawn += 1;
  }

  #proveFrozen(): void {
    const found = this.shop.db
      .prepare<[], { key: string; text: string }>(
        'select id as key, document || hex(hash) as text from statements',
      )
      .all();
    for (const { key, text } of found) {
      assert.equal(text, this.#frozen.get(key) ?? text);
      this.#frozen.set(key, text);
    }
    assert.equal(found.length, this.#frozen.size);
  }
}

const NAMES = ['before', 'period', 'changes', 'toDate'] as const;
type Figures = Readonly<Record<(typeof NAMES)[number], number>>;
const pence = (amount: number) => Math.round(100 * amount);
const inPence = (figures: Figures) => NAMES.map((name) => pence(figures[name]));
const add = (all: readonly Figures[]) =>
  NAMES.map((name) => all.reduce((sum, each) => sum + pence(each[name]), 0));

/** Compares each figure of a statement with the report, its items, and the one before. */
function prove(shop: Workshop, issued: StatementDocument, last?: StatementDocument): void {
  const { to, withSubProjects, lines } = issued;
  const whole = getRolledUp(shop, P, { withSubProjects });
  const { periods } = whole.report;
  const report = new Map(
    [...listParts(whole)].flatMap((part) =>
      part.lines.map(({ line, cells }) => {
        const own = cells.filter((_, at) => (periods[at]?.key ?? '') <= to);
        return [formatId('bln', line.id), own.reduce((sum, { actual }) => sum + actual, 0)];
      }),
    ),
  );
  const items = [...walkItems(shop, issued, shop.actor())].flat();
  for (const line of lines) {
    const { budgetLineId, kind } = line;
    const sign = kind === 'income' ? -1 : 1;
    const [before = 0, period = 0, changes = 0, toDate = 0] = inPence(line);
    assert.equal(before + period + changes, toDate);
    assert.equal(toDate, sign * (report.get(budgetLineId) ?? 0) + 0);
    const reported = last?.lines.find((each) => each.budgetLineId === budgetLineId);
    assert.equal(before, pence(reported?.toDate ?? 0));
    for (const [isChange, sum] of [period, changes].entries()) {
      const own = items.filter((item) => formatId('bln', item.budgetLineId) === budgetLineId);
      const counted = own.filter((item) => item.isChange === isChange);
      assert.equal(sign * counted.reduce((minor, item) => minor + item.amountMinor, 0) + 0, sum);
    }
  }
  const ids = new Set(lines.map(({ budgetLineId }) => budgetLineId));
  assert.ok(items.every((item) => ids.has(formatId('bln', item.budgetLineId))));
  assert.ok([...report.keys()].every((id) => ids.has(String(id))));
  proveSums(issued);
}

function proveSums({ lines, categories, income, expenses, balance }: StatementDocument): void {
  for (const each of categories) {
    const own = lines.filter(
      ({ projectId, kind, category }) =>
        projectId === each.projectId && kind === each.kind && category === each.category,
    );
    assert.deepEqual(inPence(each), add(own));
  }
  assert.deepEqual(inPence(income), add(lines.filter(({ kind }) => kind === 'income')));
  assert.deepEqual(inPence(expenses), add(lines.filter(({ kind }) => kind === 'expense')));
  const less = inPence(expenses);
  assert.deepEqual(
    inPence(balance),
    inPence(income).map((minor, at) => minor - (less[at] ?? 0)),
  );
}

/** What had changed since the one before is what this one reports as changes. */
function proveChanges(issued: StatementDocument, last: StatementDocument): void {
  for (const { budgetLineId, changes } of issued.lines) {
    const own = last.changedSince?.transactions.filter(
      (each) => each.budgetLineId === budgetLineId,
    );
    const sum = (own ?? []).reduce((minor, { change }) => minor + pence(change), 0);
    assert.equal(sum, pence(changes), budgetLineId);
  }
  assert.equal(last.changedSince?.income, issued.income.changes);
  assert.equal(last.changedSince?.expenses, issued.expenses.changes);
}

describe('14 statements, whatever happens', () => {
  it('14 add up, are the report of their moment, lead to their items and never change', () => {
    const total = { issued: 0, withdrawn: 0, refused: 0 };
    for (let seed = 1; seed <= repetitions(12, 24, 300); seed += 1) {
      const life = new Life(seed);
      for (let step = 0; step < 150; step += 1) life.step();
      life.shop.check();
      for (const name of ['issued', 'withdrawn', 'refused'] as const) {
        total[name] += life.counts[name];
      }
    }
    assert.ok(total.issued > 60 && total.withdrawn > 20, JSON.stringify(total));
  });
});
