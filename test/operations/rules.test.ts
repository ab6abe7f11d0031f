import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatId } from '../../src/core/ids.ts';
import { guardWrites } from '../../src/database/database.ts';
import { allocate } from '../../src/operations/allocations.ts';
import { changeAll } from '../../src/operations/changes.ts';
import { type RunCounts, type RunOptions, runRules } from '../../src/operations/rule-runs.ts';
import { changeRules } from '../../src/operations/rules.ts';
import { finish } from '../../src/operations/turns.ts';
import { exclude, restore } from '../../src/operations/workflow.ts';
import { sumClaims } from '../../src/store/account-codes.ts';
import { listAuditEntries } from '../../src/store/audit.ts';
import { KnownRules, type Ruling } from '../../src/store/rule-runs.ts';
import { readRules } from '../../src/store/rules.ts';
import { mapShares } from '../../src/store/shares.ts';
import { undoing } from '../../src/store/undo.ts';
import { Random } from '../core/random.ts';
import { refusal, row, rows, Workshop } from '../store/workshop.ts';
import { by, to, write } from './rule-lists.ts';

const run = (shop: Workshop, options: RunOptions = {}) => runRules(shop, shop.actor(), options);

/** The rule and the shares of a transaction. */
const seen = (shop: Workshop, id: number) => {
  return (mapShares(shop, [{ id }]).get(id) ?? []).map(({ rule, budgetLineId, amountMinor }) => {
    return [rule, budgetLineId, amountMinor];
  });
};

describe('contract 15: a run of the rules', () => {
  it('15 the first that fits takes it whole; by account code is last', async () => {
    const shop = new Workshop();
    const [a = 0, b = 0] = shop.project();
    write(
      shop,
      ['Ann', by('ann'), to('A', 60), to('B')],
      ['All', { provider: 'api', contact: { contains: 'n' } }, to('B')],
    );
    shop.push([
      row({ externalId: '1', contact: 'Ann', accountCode: 'B' }),
      row({ externalId: '2', contact: 'Ben', accountCode: 'A', amount: -7 }),
      row({ externalId: '3', contact: 'Joe', accountCode: 'A' }),
      row({ externalId: '4', contact: 'Joe', accountCode: 'X' }),
      row({ externalId: '5', contact: 'Ann', amount: 0 }),
    ]);
    const preview = await run(shop, { isDry: true });
    assert.equal(shop.transaction(1).status, 'unallocated');
    const { actsMs, ...outcome } = await run(shop);
    assert.deepEqual({ ...preview, actsMs }, { ...outcome, actsMs });
    assert.deepEqual(seen(shop, 1), [
      ['Ann', a, 6000],
      ['Ann', b, 4000],
    ]);
    assert.deepEqual(seen(shop, 2), [['All', b, -700]]);
    assert.deepEqual(seen(shop, 3), [['By account code', a, 10_000]]);
    const { allocated, ambiguous, unmatched, rules } = outcome;
    assert.deepEqual([allocated, ambiguous, unmatched], [3, 0, 1]);
    assert.deepEqual(
      rules.map(({ position, name, transactions, amountMinor, lines }) => {
        return [position, name, transactions, amountMinor, [...lines.keys()]];
      }),
      [
        [1, 'Ann', 1, 10_000, [a, b]],
        [2, 'All', 1, -700, [b]],
        [null, 'By account code', 1, 10_000, [a]],
      ],
    );
    shop.check();
    const again = await run(shop);
    assert.deepEqual([again.allocated, again.unmatched, again.actsMs], [0, 1, []]);
    assert.deepEqual(
      readRules(shop).rules.map((each) => each.allocated),
      [1, 1],
    );
  });

  it('15 says how many it allocated before the disk was full', async () => {
    const shop = new Workshop();
    shop.project();
    write(shop, ['All', { provider: 'api' }, to('A')]);
    shop.push(rows(201));
    let writes = 0;
    guardWrites(shop.db, () => {
      const pages = Number(shop.db.pragma('page_count', { simple: true }));
      if (++writes > 1) shop.db.pragma(`max_page_count = ${pages}`);
    });
    const said = /^110 transactions were allocated\. The rest was not changed: The disk is full/;
    await assert.rejects(run(shop), refusal('storage_full', said));
  });

  it('15 a share of 0 gives no allocation', async () => {
    const shop = new Workshop();
    const [a = 0] = shop.project();
    write(shop, ['Half', by('ann'), to('A', 50), to('B', 50)]);
    shop.push([row({ contact: 'Ann', amount: 0.01 })]);
    await run(shop);
    assert.deepEqual(seen(shop, 1), [['Half', a, 1]]);
    shop.check();
  });

  it('15 by account code can be switched off; asked for alone it works all the same', async () => {
    const shop = new Workshop();
    shop.project();
    changeRules(shop, { byAccountCode: false }, shop.actor());
    shop.push([row({ accountCode: 'A' })]);
    const { allocated, unmatched } = await run(shop);
    assert.deepEqual([allocated, unmatched], [0, 1]);
    assert.equal((await run(shop, { onlyByAccountCode: true })).allocated, 1);
  });

  it('15 --until is included', async () => {
    const shop = new Workshop();
    shop.project();
    write(shop, ['Ann', by('ann'), to('A')]);
    shop.push(
      ['2026-03-01', '2026-03-02'].map((date) => row({ externalId: date, date, contact: 'Ann' })),
    );
    const { allocated, unmatched } = await run(shop, { until: '2026-03-01' });
    assert.deepEqual([allocated, unmatched], [1, 0]);
    await assert.rejects(
      run(shop, { until: '2026-02-30' }),
      refusal('invalid_input', /not a date/),
    );
  });

  it('15 a run can be of the oldest few, and says that there are more', async () => {
    const shop = new Workshop();
    shop.project();
    write(shop, ['Ann', by('ann'), to('A')]);
    shop.push(
      Array.from({ length: 230 }, (_, at) => {
        const day = String(1 + (at % 28)).padStart(2, '0');
        return row({ externalId: `${at}`, date: `2026-03-${day}`, contact: 'Ann' });
      }),
    );
    const some = await run(shop, { most: 130, isDry: true });
    assert.deepEqual([some.allocated, some.isCut], [130, true]);
    const done = await run(shop, { most: 130 });
    assert.deepEqual({ ...done, actsMs: [] }, { ...some, actsMs: [] });
    const rest = await run(shop, { most: 130 });
    assert.deepEqual([rest.allocated, rest.isCut], [100, false]);
  });

  it('15 steps that take longer look at fewer transactions, and dry ones at 250', async (t) => {
    const shop = new Workshop();
    shop.project(['A', 'B', 'C']);
    const list = Array.from({ length: 200 }, (_, at): [string, object, object] => {
      return [`Rule ${at}`, { contact: { contains: `ann ${at}.` } }, to('A')];
    });
    write(shop, ...list);
    shop.push(rows(450, (at) => ({ externalId: `${at}`, contact: `Ann ${at}.` })));
    const tookMs = [2, 32, 4];
    t.mock.method(process, 'cpuUsage', (before?: object) => {
      return { user: before ? 1_000 * (tookMs.shift() ?? 0) : 0, system: 0 };
    });
    for (const isDry of [true, false]) {
      const steps: number[] = [];
      let before = 0;
      const onStep = ({ allocated, ambiguous, unmatched }: RunCounts) => {
        const all = allocated + ambiguous + unmatched;
        steps.push(all - before);
        before = all;
      };
      assert.equal((await run(shop, { isDry, onStep })).allocated, 200);
      assert.deepEqual(steps, isDry ? [250, 200] : [110, 220, 110, 10]);
    }
  });

  it('15 where many wait, they are taken in order of creation, without later ones', async () => {
    const shop = new Workshop();
    shop.project();
    write(shop, ['Ann', by('ann'), to('A')]);
    const push = (from: number, count: number) => {
      const days = Array.from({ length: count }, (_, at) => String(1 + ((from + at) % 28)));
      shop.push(
        days.map((day, at) => {
          const date = `2026-03-${day.padStart(2, '0')}`;
          return row({ externalId: `${from + at}`, date, contact: 'Ann' });
        }),
      );
    };
    push(0, 300);
    const order = async (options: RunOptions) => {
      const ids: number[] = [];
      const onRuling = ({ transaction: { id } }: Ruling) => void ids.push(id);
      await run(shop, { ...options, onRuling });
      return ids;
    };
    const created = Array.from({ length: 300 }, (_, at) => at + 1);
    assert.deepEqual(await order({ isDry: true }), created);
    assert.notDeepEqual(await order({ isDry: true, until: '2026-12-31' }), created);
    const running = order({});
    push(300, 500);
    const taken = await running;
    assert.deepEqual(taken.slice(0, 300), created);
    assert.ok(taken.length < 800);
    assert.equal((await run(shop)).allocated, 800 - taken.length);
    push(800, 20);
    const few = await order({ isDry: true });
    assert.equal(few.length, 20);
    assert.notDeepEqual(
      few,
      [...few].sort((one, two) => one - two),
    );
  });

  it('15 the rules are looked up in a turn before the first step', async (t) => {
    const shop = new Workshop();
    let turn = 0;
    const turns: number[] = [];
    const { refresh } = KnownRules.prototype;
    t.mock.method(KnownRules.prototype, 'refresh', function (this: KnownRules, ...given) {
      turns.push(turn);
      setImmediate(() => {
        turn += 1;
      });
      return refresh.apply(this, given);
    } satisfies typeof refresh);
    await run(shop);
    assert.deepEqual(turns, [0, 1]);
  });

  it('15 what a person did is never touched', async () => {
    const shop = new Workshop();
    const [, b = 0] = shop.project();
    const ids = ['hand', 'part', 'excluded', 'review', 'cleared', 'restored'];
    const some = ids.map((externalId) => row({ externalId, contact: 'Ann', accountCode: 'A' }));
    shop.push(some);
    shop.allocate(1, [[b, 10_000]]);
    shop.allocate(2, [[b, 1]]);
    const target = (id: number) => ({ transactionId: formatId('txn', id), reason: 'Own' });
    exclude(shop, target(3), shop.actor());
    shop.allocate(4, [[b, 10_000]]);
    shop.push([row({ externalId: 'review', contact: 'Ann', amount: 7 })]);
    shop.allocate(5, [[b, 10_000]]);
    allocate(shop, { ...target(5), allocations: [] }, shop.actor());
    exclude(shop, target(6), shop.actor());
    restore(shop, target(6), shop.actor());
    write(shop, ['Ann', by('ann'), to('A')]);
    const before = [1, 2, 3, 4, 5].map((id) => shop.transaction(id));
    const groups = finish(sumClaims(shop));
    assert.deepEqual(
      groups.map(({ count }) => count),
      [1],
    );
    for (const options of [{}, { onlyByAccountCode: true }, { isAutomatic: true }]) {
      await run(shop, options);
    }
    assert.deepEqual(
      [1, 2, 3, 4, 5].map((id) => shop.transaction(id)),
      before,
    );
    assert.equal(shop.transaction(6).status, 'allocated');
    // A push that changes a member ends that.
    shop.push([row({ externalId: 'cleared', contact: 'Ann', accountCode: 'B' })]);
    assert.equal((await run(shop)).allocated, 1);
    shop.check();
  });

  it('15 an undone run is as if it had not run, but automatic runs leave it', async () => {
    const shop = new Workshop();
    shop.project();
    write(shop, ['Ann', by('ann'), to('A', 50), to('B')]);
    shop.push([row({ contact: 'Ann' })]);
    const before = shop.transaction(1);
    const undo = async () => {
      const { actsMs } = await run(shop);
      for (const atMs of actsMs) changeAll(shop, undoing(shop, atMs), shop.actor());
    };
    await undo();
    const { updatedAtMs: _, ...after } = shop.transaction(1);
    assert.deepEqual({ ...after, updatedAtMs: before.updatedAtMs }, before);
    assert.equal(readRules(shop).rules[0]?.allocated, 0);
    const automatic = { isAutomatic: true };
    assert.equal((await run(shop, automatic)).allocated, 0);
    assert.equal((await run(shop, { isDry: true })).allocated, 1);
    shop.nowMs += 1000;
    write(shop, ['Anna', by('ann'), to('A', 50), to('B')]);
    assert.equal((await run(shop, automatic)).allocated, 1);
    shop.check();
  });

  it('15 a property: a dry run says what the run does; a second run does nothing', async (t) => {
    // Steps that take no time are as large as they can be, however busy the machine is.
    t.mock.method(process, 'cpuUsage', () => ({ user: 0, system: 0 }));
    const random = new Random(35);
    for (let round = 0; round < 12; round += 1) {
      const shop = new Workshop();
      shop.project(['A', 'B', 'C']);
      const names = ['ann', 'bob', 'hall', 'n'];
      write(
        shop,
        ...Array.from({ length: random.whole(0, 6) }, (_, at): [string, object, ...object[]] => {
          const percent = random.whole(1, 99);
          const only = random.once(2) ? { direction: random.pick(['in', 'out']) } : {};
          const shares = random.once(2) ? [to('A')] : [to('B', percent), to('C')];
          return [`Rule ${at}`, { ...by(random.pick(names)), ...only }, ...shares];
        }),
      );
      shop.push(
        rows(300, (at) => ({
          externalId: `${at}`,
          contact: random.pick(['Ann', 'Bob', 'Hall Bob', null]),
          accountCode: random.pick(['A', 'B', 'X', null]),
          amount: random.whole(-500, 500) / 100,
        })),
      );
      const { actsMs: none, ...dry } = await run(shop, { isDry: true });
      const { actsMs, ...done } = await run(shop, { isAutomatic: random.once(2) });
      assert.deepEqual(done, dry);
      assert.deepEqual(none, []);
      assert.ok(actsMs.length <= 4);
      assert.equal((await run(shop)).allocated, 0);
      const entries = listAuditEntries(shop, 0).filter(
        ({ action }) => action === 'transactions.allocated',
      );
      const logged = entries.flatMap(({ details }) => details.changes).length;
      assert.equal(logged, done.allocated);
      shop.check();
    }
  });
});
