import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Coded } from '../../src/core/transactions.ts';
import { changeAll } from '../../src/store/acts.ts';
import { listAuditEntries } from '../../src/store/audit.ts';
import { undoing } from '../../src/store/undo.ts';
import { Random } from '../core/random.ts';
import { resolveReview } from './single-changes.ts';
import { refusal, row, Workshop, YEAR } from './workshop.ts';

const warningsOf = (outcome: ReturnType<Workshop['push']>) =>
  outcome.results.flatMap((each) => {
    return each.status === 'rejected' ? [] : each.warnings.map(({ code, field }) => [code, field]);
  });

/** A payment that is allocated by account code to line A. */
function codedShop(): Workshop {
  const shop = new Workshop();
  shop.project();
  shop.push([row({ accountCode: 'A' })]);
  shop.allocateByCode();
  return shop;
}

describe('contract 17: the mark of a payment that was recoded', () => {
  it('17 it keeps line, status and review, and is as before the first push that marked it', () => {
    const shop = codedShop();
    const { status, review, allocatedMinor } = shop.transaction(1);
    shop.nowMs += 1000;
    const { results } = shop.push([row({ accountCode: 'B', date: '2027-01-01' })]);
    const marked = shop.transaction(1);
    const { updatedAtMs: changedAtMs } = marked;
    const mark = { accountCode: 'A', projectCode: null, date: '2026-01-31', changedAtMs };
    assert.deepEqual(marked.recoded, mark);
    assert.deepEqual(
      [marked.status, marked.review, marked.allocatedMinor],
      [status, review, allocatedMinor],
    );
    assert.match(JSON.stringify(results), /"code":"recoded"/);
    shop.nowMs += 1000;
    assert.deepEqual(warningsOf(shop.push([row({ accountCode: 'X' })])), [
      ['recoded', 'accountCode'],
    ]);
    assert.deepEqual(shop.transaction(1).recoded, mark);
    assert.deepEqual(warningsOf(shop.push([row({ accountCode: 'X', description: 'New' })])), []);
    shop.check();
  });

  it('17 within a batch the later row can take the mark away, and the log has no trace', () => {
    const shop = codedShop();
    const outcome = shop.push([row({ accountCode: 'B' }), row({ accountCode: 'A' })]);
    assert.deepEqual(warningsOf(outcome), [
      ['recoded', 'accountCode'],
      ['duplicate_in_batch', 'externalId'],
    ]);
    assert.equal(shop.transaction(1).recoded, null);
    shop.check();
  });

  it('17 a project code that goes, and comes as one that nobody has, keeps the mark', () => {
    const shop = new Workshop();
    for (const code of ['YOU', 'ELD']) {
      const budgetLines = [{ name: 'Rent', accountCodes: ['A'] }];
      shop.import({ ...YEAR, name: code, codes: [code], budgetLines });
    }
    const push = (projectCode: string | null) =>
      shop.push([row({ accountCode: 'A', projectCode })]);
    push('YOU');
    shop.allocateByCode();
    const marked = [['recoded', 'projectCode']];
    for (const code of [null, 'ZZ', 'ELD', 'ZZ']) assert.deepEqual(warningsOf(push(code)), marked);
    assert.equal(shop.transaction(1).recoded?.projectCode, 'YOU');
    assert.deepEqual(warningsOf(push('YOU')), []);
    assert.equal(shop.transaction(1).recoded, null);
  });

  it('17 a dry run warns and marks nothing', () => {
    const shop = codedShop();
    const before = shop.everything();
    const dry = shop.push([row({ accountCode: 'B' })], { dryRun: true });
    assert.equal(shop.everything(), before);
    const real = shop.push([row({ accountCode: 'B' })]);
    assert.deepEqual(dry.results, real.results);
  });

  it('17 a change of amount alone is a review, of both is both, and a mark is not a status', () => {
    const shop = codedShop();
    shop.push([row({ accountCode: 'A', amount: 90 })]);
    assert.equal(shop.transaction(1).recoded, null);
    shop.push([row({ accountCode: 'B', amount: 90 })]);
    assert.equal(shop.transaction(1).status, 'needs_review');
    assert.equal(shop.transaction(1).recoded?.accountCode, 'A');
    shop.check();
  });

  it('17 a change of the plan or of the days of a project neither marks nor unmarks', () => {
    const shop = codedShop();
    const budgetLines = ['A', 'B'].map((code) => ({ code, name: `Line ${code}` }));
    shop.import({ ...YEAR, startDate: '2026-02-01', budgetLines });
    assert.equal(shop.transaction(1).recoded, null);
    shop.push([row({ accountCode: 'B' })]);
    shop.import({ ...YEAR, budgetLines });
    assert.equal(shop.transaction(1).recoded?.accountCode, 'A');
    shop.check();
  });

  it('17 keep, clear and saving end it, and undo brings it back; rescale is refused', () => {
    const shop = codedShop();
    shop.push([row({ accountCode: 'B' })]);
    const mark = shop.transaction(1).recoded;
    assert.notEqual(mark, null);
    const resolve = (resolution: 'keep' | 'clear' | 'rescale') =>
      resolveReview(shop, { transactionId: 1, resolution }, shop.actor());
    assert.throws(() => resolve('rescale'), refusal('conflict', /not under review/));
    for (const end of [
      () => resolve('keep'),
      () => resolve('clear'),
      () => shop.allocate(1, [[2, 10_000]]),
    ]) {
      shop.nowMs += 1000;
      const before = shop.shares();
      end();
      assert.equal(shop.transaction(1).recoded, null);
      shop.check();
      changeAll(shop, undoing(shop, shop.transaction(1).updatedAtMs), shop.actor());
      assert.deepEqual(shop.transaction(1).recoded, mark);
      assert.deepEqual(shop.shares(), before);
      shop.check();
    }
    const logged = '"recoded":{"accountCode":"A","projectCode":null,"date":"2026-01-31",';
    const pushes = listAuditEntries(shop, 0).filter(
      ({ action }) => action === 'transactions.pushed',
    );
    const changes = JSON.stringify(pushes.at(-1)?.details.changes);
    assert.match(changes, /"before":{"accountCode":"A","recoded":null}/);
    assert.ok(changes.includes(logged), changes);
  });

  for (const seed of [1, 2, 3, 4, 5, 6]) {
    it(`17 a property: it is exactly what the sentences say (seed ${seed})`, () => {
      const random = new Random(seed);
      const shop = new Workshop();
      const model = new Model(shop, seed % 3 !== 0);
      for (let step = 0; step < 150; step += 1) {
        shop.nowMs += random.whole(1, 100);
        if (random.once(7)) model.settle(random);
        else model.push(random);
        if (step % 25 === 0) shop.check();
      }
      assert.ok(model.marked > 20 && model.unmarked > 0, `${model.marked} ${model.unmarked}`);
      shop.check();
    });
  }
});

interface Plan {
  readonly days: readonly [string, string];
  readonly codes: readonly string[];
  /** Its lines, with the account codes that they claim. */
  readonly lines: ReadonlyMap<number, readonly string[]>;
}

interface Kept {
  coded: Coded;
  amount: number;
  lines: readonly number[];
  mark: Coded | null;
}

/** What the contract says, worked out again from everything that was pushed. */
class Model {
  readonly #shop: Workshop;
  readonly #plans: Plan[] = [];
  readonly #kept = new Map<string, Kept>();
  marked = 0;
  unmarked = 0;

  constructor(shop: Workshop, hasCodes: boolean) {
    this.#shop = shop;
    this.#add('Youth', ['2026-01-01', '2026-12-31'], hasCodes ? ['YOU', 'BOTH'] : [], ['a', 'b']);
    this.#add('Elders', ['2026-01-01', '2026-12-31'], hasCodes ? ['ELD', 'BOTH'] : [], ['b', 'c']);
    this.#add('Past', ['2025-01-01', '2025-12-31'], [], ['a', 'd']);
  }

  #add(name: string, days: readonly [string, string], codes: string[], claimed: string[]): void {
    const budgetLines = claimed.map((code) => ({ name: code, accountCodes: [code] }));
    const [startDate, endDate] = days;
    const [project] = this.#shop.import({ name, startDate, endDate, codes, budgetLines });
    const lines = new Map((project?.lines ?? []).map(({ id }, at) => [id, [claimed[at] ?? '']]));
    this.#plans.push({ days, codes, lines });
  }

  push(random: Random): void {
    const rows = Array.from({ length: random.whole(1, 4) }, () => {
      const externalId = `${random.whole(1, 6)}`;
      const last = this.#kept.get(externalId);
      const keep = <Value>(value: Value | undefined, other: readonly Value[]) => {
        return value === undefined || random.once(3) ? random.pick(other) : value;
      };
      return {
        externalId,
        description: random.pick(['x', 'y']),
        amount: keep(last?.amount, [100, 50, 0, 100]),
        accountCode: keep<string | null>(last?.coded.accountCode, ['a', 'b', 'c', 'd', 'no', null]),
        projectCode: keep<string | null>(last?.coded.projectCode, [
          'YOU',
          'ELD',
          'BOTH',
          'NO',
          null,
        ]),
        date: keep(last?.coded.date, ['2025-06-01', '2026-06-01', '2026-07-01', '2027-06-01']),
      };
    });
    const dry = this.#shop.push(rows, { dryRun: true });
    const { results } = this.#shop.push(rows);
    for (const [at, { externalId, amount, description: _, ...coded }] of rows.entries()) {
      const field = this.#take(externalId, coded, amount);
      for (const each of [results[at], dry.results[at]]) {
        assert.ok(each !== undefined && each.status !== 'rejected');
        const fields = each.warnings.flatMap(({ code, field: of }) => {
          return code === 'recoded' ? [of] : [];
        });
        assert.deepEqual(fields, field === undefined ? [] : [field], JSON.stringify(rows[at]));
      }
    }
    this.#compare();
  }

  /** Takes a row, and says for which member it is marked. */
  #take(externalId: string, coded: Coded, amount: number): string | undefined {
    const kept = this.#kept.get(externalId);
    if (kept === undefined) {
      this.#kept.set(externalId, { coded, amount, lines: [], mark: null });
      return undefined;
    }
    const before = kept.coded;
    kept.coded = coded;
    kept.amount = amount;
    const looked = this.#plans.some(({ codes }) => codes.length > 0);
    const isTouched =
      before.accountCode !== coded.accountCode ||
      before.date !== coded.date ||
      (looked && before.projectCode !== coded.projectCode);
    if (kept.lines.length === 0 || !isTouched) return undefined;
    const { accountCode, projectCode, date } = kept.mark ?? before;
    const reasons: string[] = [];
    if (accountCode !== coded.accountCode) reasons.push('accountCode');
    if (looked && projectCode !== coded.projectCode) {
      const isFirst = before.projectCode === null && projectCode === null;
      if (!isFirst || this.#isElsewhere(kept.lines, coded.projectCode)) reasons.push('projectCode');
    }
    const within = (day: string, [from, to]: Plan['days']) => from <= day && day <= to;
    const projects = kept.lines.map((line) => this.#planOf(line));
    if (projects.some(({ days }) => within(date, days) && !within(coded.date, days))) {
      reasons.push('date');
    }
    const isMarked = reasons.length > 0 && !this.#givesLine(kept);
    if (isMarked) this.marked += 1;
    else if (kept.mark !== null) this.unmarked += 1;
    kept.mark = isMarked ? (kept.mark ?? before) : null;
    return isMarked ? reasons[0] : undefined;
  }

  #planOf(line: number): Plan {
    const plan = this.#plans.find(({ lines }) => lines.has(line));
    assert.ok(plan);
    return plan;
  }

  /** Whether another project has the code, and one that it is allocated to has not. */
  #isElsewhere(lines: readonly number[], code: string | null): boolean {
    const own = lines.map((line) => this.#planOf(line));
    const lacking = own.find(({ codes }) => code === null || !codes.includes(code));
    const other = this.#plans.find((plan) => {
      return plan !== lacking && code !== null && plan.codes.includes(code);
    });
    return lacking !== undefined && other !== undefined;
  }

  /** Whether the codes give the one line that all of it is on. */
  #givesLine({ coded: { accountCode, projectCode, date }, lines }: Kept): boolean {
    const looked = this.#plans.some(({ codes }) => codes.length > 0);
    const claiming = this.#plans
      .filter(({ days: [from, to] }) => from <= date && date <= to)
      .filter(({ codes }) => !looked || projectCode === null || codes.includes(projectCode))
      .flatMap((plan) => [...plan.lines])
      .filter(([, codes]) => accountCode !== null && codes.includes(accountCode));
    return claiming.length === 1 && lines.every((line) => line === claiming[0]?.[0]);
  }

  /** Saves, confirms or removes the allocations of one, or allocates by account code. */
  settle(random: Random): void {
    const id = random.whole(1, this.#kept.size);
    const [, kept] =
      [...this.#kept].find(([externalId]) => this.#numberOf(externalId) === id) ?? [];
    if (kept === undefined) return;
    const all = this.#plans.flatMap(({ lines }) => [...lines.keys()]);
    const { status, recoded, amountMinor } = this.#shop.transaction(id);
    if (random.once(3) && recoded !== null && status !== 'needs_review') {
      const resolution = random.pick(['keep', 'clear'] as const);
      resolveReview(this.#shop, { transactionId: id, resolution }, this.#shop.actor());
      if (resolution === 'clear') kept.lines = [];
    } else {
      const count = amountMinor === 0 ? 0 : random.pick([0, 1, 1, 1, 2]);
      kept.lines = [...new Set(Array.from({ length: count }, () => random.pick(all)))];
      const share = Math.floor(amountMinor / 2);
      this.#shop.allocate(
        id,
        kept.lines.map((line) => [line, share]),
      );
    }
    kept.mark = null;
    this.#compare();
  }

  #numberOf(externalId: string): number {
    const select = 'select id from transactions where external_id = ?';
    return this.#shop.db.prepare<[string], number>(select).pluck().get(externalId) ?? 0;
  }

  #compare(): void {
    for (const [externalId, { mark }] of this.#kept) {
      const { recoded } = this.#shop.transaction(this.#numberOf(externalId));
      const { changedAtMs: _, ...stored } = recoded ?? { changedAtMs: 0 };
      assert.deepEqual(recoded === null ? null : stored, mark, externalId);
    }
  }
}
