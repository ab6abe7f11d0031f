/** Random sequences of changes, by two processes and on an unsteady clock, against a model. */

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { Actor } from '../../src/core/audit.ts';
import { Failure } from '../../src/core/failures.ts';
import { formatId } from '../../src/core/ids.ts';
import { statusOf } from '../../src/core/transactions.ts';
import { allocations } from '../../src/operations/allocations.ts';
import { listTransactionHistory } from '../../src/operations/audit.ts';
import { changeAll } from '../../src/operations/changes.ts';
import { listAll } from '../../src/operations/pages.ts';
import { getProjectPlan, readProject, saveProject } from '../../src/operations/project-plans.ts';
import { exclusions, restorations, reviewEndings } from '../../src/operations/workflow.ts';
import type { Access } from '../../src/store/access.ts';
import { previewChange } from '../../src/store/acts.ts';
import { mapShares } from '../../src/store/shares.ts';
import { undoing } from '../../src/store/undo.ts';
import { Random } from '../core/random.ts';
import { folderFor, row, START_MS, Workshop, YEAR } from '../store/workshop.ts';
import { allocateByAccountCode } from './by-code.ts';
import { projectToSave } from './project-to-save.ts';
import { allocated, IDLE, Model, Refused, type Share, settled, sum } from './random-model.ts';

const TRANSACTIONS = 6;

/** One organisation, open twice, and the model of it. */
class Run {
  readonly random: Random;
  readonly model = new Model();
  readonly shops: readonly [Workshop, Workshop];
  readonly counts = { done: 0, refused: 0 };
  nowMs = START_MS;

  constructor(file: string, seed: number) {
    this.random = new Random(seed);
    this.shops = [new Workshop(file), new Workshop(file)];
    const [shop, theirs] = this.shops;
    for (const id of shop.project(['A', 'B', 'C'])) {
      this.model.lines.set(id, ['A', 'B', 'C'][id - 1] ?? '');
    }
    theirs.project();
    this.model.stamp(shop.nowMs);
    for (let id = 1; id <= TRANSACTIONS; id += 1) {
      assert.equal(shop.pushOne({ externalId: `INV-${id}` }), id);
      const updatedAtMs = this.model.stamp(shop.nowMs);
      const txn = { amount: 10000, date: '2026-01-31', code: null, updatedAtMs, work: IDLE };
      this.model.txns.set(id, txn);
    }
  }

  get shop(): Workshop {
    return this.random.pick(this.shops);
  }

  get access(): Access {
    return { db: this.shop.db, organisation: this.shops[0].organisation };
  }

  get actor(): Actor {
    return { name: 'library', requestId: null, nowMs: this.nowMs };
  }

  /** Does the same to the model and the database. Refused: nothing may change. */
  both(expect: () => void, act: () => unknown): void {
    const [shop] = this.shops;
    const before = shop.everything();
    let code: string | undefined;
    try {
      expect();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      code = error.code;
    }
    const found: unknown[] = [];
    try {
      act();
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      found.push(error.code);
    }
    assert.deepEqual(found, code === undefined ? [] : [code]);
    this.counts[code === undefined ? 'done' : 'refused'] += 1;
    if (code !== undefined) assert.equal(shop.everything(), before);
  }

  targets(): { id: number; seenMs: number | undefined }[] {
    const ids = [...this.model.txns.keys()].filter(() => this.random.once(5));
    return (ids.length === 0 ? [this.random.whole(1, TRANSACTIONS)] : ids).map((id) => {
      const { updatedAtMs } = this.model.txn(id);
      if (this.random.once(3)) return { id, seenMs: undefined };
      return { id, seenMs: this.random.once(8) ? updatedAtMs - 1 : updatedAtMs };
    });
  }

  async step(): Promise<void> {
    this.nowMs += this.random.whole(-5000, 5000);
    const steps = [this.push, this.push, this.allocate, this.allocate, this.undo, this.undo];
    const others = [this.exclude, this.restore, this.settle, this.edit, this.claim];
    await this.random.pick([...steps, ...others]).call(this);
    this.compare();
  }

  push(): void {
    const { model, random } = this;
    const id = random.whole(1, TRANSACTIONS);
    const amount = random.pick([10000, -2500, 0, 99, random.whole(-20000, 20000)]);
    const next = {
      amount,
      date: random.pick(['2026-01-31', '2026-11-30', '2027-02-28']),
      code: random.pick([null, 'A', 'B', 'C']),
    };
    const { amount: old, date, code } = model.txn(id);
    const isSame = amount === old && date === next.date && code === next.code;
    const atMs = model.stamp(this.nowMs);
    if (!isSame) model.push(id, next, atMs);
    const [first] = this.shops;
    const { shop } = this;
    shop.nowMs = this.nowMs;
    const accountCode = next.code;
    const change = { externalId: `INV-${id}`, date: next.date, amount: amount / 100, accountCode };
    shop.push([row(change)], { org: first.organisation });
  }

  allocate(): void {
    const { model, random, access } = this;
    const lines = [...model.lines.keys()];
    const requests = this.targets().map(({ id, seenMs }) => {
      const { amount } = model.txn(id);
      const parts = random.pick([
        [],
        [1],
        [0.5, 0.5],
        [0.3, 0.2],
        [0.25],
        [random.pick([2, -1, 0])],
      ]);
      const shares = parts.map((part): Share => {
        return {
          line: random.once(12) ? 4 : random.pick(lines),
          amount: Math.trunc(amount * part),
          note: random.pick([null, 'Half']),
        };
      });
      return { id, seenMs, shares };
    });
    const wanted = requests.map(({ id, seenMs, shares }) => ({
      transactionId: formatId('txn', id),
      seenUpdatedAtMs: seenMs,
      allocations: shares.map(({ line, amount, note }) => {
        return { budgetLineId: formatId('bln', line), amountMinor: amount, note };
      }),
    }));
    const { refusals, planned } = previewChange(access, allocations(access, wanted));
    this.both(
      () =>
        model.act(requests, this.nowMs, (txn, id) => {
          const { shares = [] } = requests.find((each) => each.id === id) ?? {};
          return allocated(txn, model.lines, shares);
        }),
      () => {
        const done = changeAll(access, allocations(access, wanted), this.actor);
        assert.deepEqual(
          done.map((each) => [each.allocatedMinor, each.status]),
          planned.map((each) => [each.allocatedMinor, each.status]),
        );
        assert.deepEqual(refusals, []);
      },
    );
  }

  exclude(): void {
    const targets = this.targets();
    this.both(
      () =>
        this.model.act(targets, this.nowMs, ({ work }) => {
          if (work.reason !== null || work.shares.length > 0) throw new Refused('conflict');
          return { ...IDLE, reason: 'Own' };
        }),
      () => {
        const requests = targets.map((each) => ({ ...target(each), reason: ' Own ' }));
        changeAll(this.access, exclusions(this.access, requests), this.actor);
      },
    );
  }

  restore(): void {
    const targets = this.targets();
    this.both(
      () =>
        this.model.act(targets, this.nowMs, ({ work }) => {
          if (work.reason === null) throw new Refused('conflict');
          return IDLE;
        }),
      () => changeAll(this.access, restorations(targets.map(target)), this.actor),
    );
  }

  settle(): void {
    const { model, random } = this;
    const under = [...model.txns].filter(([, { work }]) => work.review !== null);
    const ids = under.length === 0 || random.once(5) ? [1] : under.map(([id]) => id);
    const resolution = random.pick(['keep', 'rescale', 'clear'] as const);
    this.both(
      () =>
        model.act(
          ids.map((id) => ({ id })),
          this.nowMs,
          (txn) => settled(txn, resolution),
        ),
      () => {
        const requests = ids.map((id) => ({ ...target({ id }), resolution }));
        changeAll(this.access, reviewEndings(this.access, requests), this.actor);
      },
    );
  }

  /** Often the last act, sometimes an older one or none at all. */
  undo(): void {
    const { model, random, access } = this;
    const isOld = random.once(4) && model.acts.length > 0;
    const act = isOld ? random.pick(model.acts) : model.acts.at(-1);
    const atMs = act?.atMs ?? START_MS - 60_000 + 1;
    this.both(
      () => {
        if (act === undefined) throw new Refused('not_found');
        const targets = [...act.before.keys()].map((id) => ({ id, seenMs: atMs }));
        model.act(targets, this.nowMs, (_, id) => {
          const work = act.before.get(id) ?? IDLE;
          if (work.shares.some(({ line }) => !model.lines.has(line))) throw new Refused('conflict');
          return work;
        });
      },
      () => changeAll(access, undoing(access, atMs), this.actor),
    );
  }

  /** Removes a line or adds one, exchanges their codes and claims, or moves the project's end. */
  edit(): void {
    const { model, random } = this;
    const ids = [...model.lines.keys()];
    const removed = random.once(2) ? random.pick(ids) : undefined;
    const kept = ids.filter((id) => id !== removed);
    const claims = random.pick([
      ['A', 'B', 'C'],
      ['C', 'A', 'B'],
      ['A', 'A', 'B'],
    ]);
    const turn = random.whole(0, 2);
    const endDate = random.pick(['2026-12-31', '2026-06-30', '2027-12-31']);
    const budgetLines = [...kept, ...(kept.length < 3 ? [undefined] : [])].map((id, at) => ({
      ...(id === undefined ? { name: `New ${model.lastMs}` } : { name: `Line ${id}`, id }),
      code: id === undefined ? null : `K${(at + turn) % kept.length}`,
      accountCodes: [claims[at] ?? ''],
    }));
    const input = projectToSave({ ...YEAR, endDate, id: 1, budgetLines });
    const isUsed = [...model.txns.values()].some(({ work }) => {
      return work.shares.some(({ line }) => line === removed);
    });
    const saved: { id: number }[] = [];
    this.both(
      () => {
        if (isUsed) throw new Refused('conflict');
      },
      () => {
        const project = readProject(this.access, input);
        const { change } = saveProject(this.access, project, this.actor);
        saved.push(...getProjectPlan(this.access, formatId('prj', 1)).lines);
        if (change !== 'unchanged') model.stamp(this.nowMs);
      },
    );
    if (isUsed) return;
    model.endDate = endDate;
    model.lines = new Map(saved.map(({ id }, at) => [id, claims[at] ?? '']));
  }

  async claim(): Promise<void> {
    const { model } = this;
    const claimed = [...model.txns].flatMap(([id, txn]) => {
      const line = model.claimOf(txn);
      return line === undefined ? [] : [{ id, shares: [{ line, amount: txn.amount, note: null }] }];
    });
    const { allocated: done, actsMs } = await allocateByAccountCode(this.access, this.actor);
    assert.equal(done, claimed.length);
    if (claimed.length === 0) return;
    model.act(claimed, this.nowMs, (_, id) => {
      return { ...IDLE, shares: claimed.find((each) => each.id === id)?.shares ?? [] };
    });
    assert.deepEqual(actsMs, [model.lastMs]);
  }

  /** Every transaction is as the model says, and every rule of `budgetd check` holds. */
  compare(): void {
    const { shop } = this;
    const [{ organisation }] = this.shops;
    for (const [id, { amount, date, updatedAtMs, work }] of this.model.txns) {
      const { shares, reason, review } = work;
      const allocatedMinor = sum(shares);
      const facts = { excluded: reason !== null, review, amountMinor: amount, allocatedMinor };
      const found = shop.transaction(id, organisation);
      const expected = { amountMinor: amount, date, updatedAtMs, review, allocatedMinor };
      assert.deepEqual({ ...found, ...expected, status: statusOf(facts) }, found);
      assert.deepEqual(
        mapShares({ db: shop.db, organisation }, [{ id }])
          .get(id)
          ?.map((share) => {
            return [share.budgetLineId, share.amountMinor, share.note];
          }),
        shares.map(({ line, amount: part, note }) => [line, part, note]),
      );
      assert.equal(shop.hidden(id)['excluded_reason'], reason);
    }
    shop.check();
  }

  /** The log has every act on a transaction, newest first, in pages of any size. */
  compareHistories(): void {
    const { access } = this;
    for (const id of this.model.txns.keys()) {
      const items = listAll(({ cursor }) => {
        return listTransactionHistory(access, formatId('txn', id), { limit: 7, cursor });
      });
      const acts = this.model.acts.filter(({ before }) => before.has(id));
      assert.deepEqual(
        items.filter(({ action }) => action !== 'transactions.pushed').map(({ atMs }) => atMs),
        acts.map(({ atMs }) => atMs).reverse(),
      );
    }
  }
}

function target({ id, seenMs }: { id: number; seenMs?: number | undefined }) {
  return { transactionId: formatId('txn', id), seenUpdatedAtMs: seenMs };
}

describe('contract 5: random changes by two processes', () => {
  for (const seed of [1, 2, 3, 4]) {
    it(`5 are those of the model (seed ${seed})`, async (t) => {
      const run = new Run(join(folderFor(t), 'random.db'), seed);
      try {
        for (let step = 0; step < 150; step += 1) await run.step();
        run.compareHistories();
      } finally {
        for (const { db } of run.shops) db.close();
      }
      assert.ok(run.counts.done > 30 && run.counts.refused > 20, JSON.stringify(run.counts));
    });
  }
});
