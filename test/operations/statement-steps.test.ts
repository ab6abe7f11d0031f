import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { getReport } from '../../src/operations/projects.ts';
import { markFigures } from '../../src/operations/statement-drafts.ts';
import {
  findBehind,
  readWithChanges,
  readWithItems,
} from '../../src/operations/statement-items.ts';
import {
  issueInTurns,
  issueStatement,
  listStatements,
  readStatement,
  readStatementDraft,
} from '../../src/operations/statements.ts';
import { finish, nextTurn } from '../../src/operations/turns.ts';
import { countStatements } from '../console/statements.ts';
import { refusal, rows, Workshop, YEAR } from '../store/workshop.ts';
import { getDraft, getStatement, walkItems } from './statement-reads.ts';

const P = 'prj_0000000001';
const MANY = 1_800;

/** A project with payments on every day of the first half of 2026, of which some are allocated. */
function open(count = MANY): Workshop {
  const shop = new Workshop();
  shop.project();
  const day = (at: number) => new Date(Date.UTC(2026, 0, 1 + ((at * 37) % 181)));
  for (let from = 0; from < count; from += 500) {
    const all = rows(count, (at) => ({
      date: day(at).toISOString().slice(0, 10),
      amount: 1 + (at % 90),
      accountCode: at % 2 === 0 ? 'A' : 'B',
    }));
    shop.push(all.slice(from, from + 500));
    shop.allocateByCode();
  }
  shop.nowMs = Date.UTC(2026, 9, 14);
  return shop;
}

const REQUEST = { to: '2026-03', withoutReasons: true };
const issue = (shop: Workshop, more: object = {}) =>
  issueInTurns(shop, P, { ...REQUEST, ...more }, shop.actor());

/** What is staged, or left of it. */
function staged({ db }: Workshop): unknown[] {
  return [
    db.prepare('select count(*) from statement_stages').pluck().get(),
    db
      .prepare(
        `select count(*) from statement_items
          where statement_id not in (select id from statements)`,
      )
      .pluck()
      .get(),
  ];
}

/** Asserts that the first statement is of one moment: that of the last step. */
function proveWhole(shop: Workshop, { lines }: Awaited<ReturnType<typeof issue>>): void {
  const { rows: report } = getReport(shop, P, { to: '2026-03' });
  assert.deepEqual(
    lines.map(({ toDate }) => Math.round(100 * toDate)),
    report.map(({ total }) => total.actual),
  );
  assert.deepEqual(staged(shop), [0, 0]);
  shop.check();
}

describe('14 issuing in steps', () => {
  it('14 is what issuing at once is, and each step writes few records', async () => {
    const [one, other] = [open(), open()];
    const at = one.db.prepare<[], number>('select total_changes()').pluck();
    const written: number[] = [];
    let before = at.get() ?? 0;
    let isDone = false;
    const watch = async () => {
      while (!isDone) {
        const now = at.get() ?? 0;
        written.push(now - before);
        before = now;
        await new Promise(setImmediate);
      }
    };
    const watching = watch();
    const issued = await issue(one);
    isDone = true;
    await watching;
    assert.deepEqual(issued, issueStatement(other, P, REQUEST, other.actor()));
    const items = [...walkItems(one, issued, one.actor())].flat();
    assert.deepEqual(items, [...walkItems(other, issued, other.actor())].flat());
    assert.ok(items.length > 800, `${items.length} items`);
    assert.ok(Math.max(...written) < 1_010, `${Math.max(...written)} records in a step`);
    proveWhole(one, issued);
  });

  it('14 is of the moment of the last step, whatever is written between the steps', async () => {
    const shop = open();
    const issuing = issue(shop);
    let isDone = false;
    void issuing.then(() => {
      isDone = true;
    });
    for (let at = 0; !isDone; at += 1) {
      const moved = { externalId: `INV-${at * 5}`, date: '2026-03-31', description: 'x' };
      shop.push([
        { ...moved, amount: 700 + at },
        { ...moved, externalId: `N-${at}`, amount: 9 },
      ]);
      shop.allocate(1 + at * 7, at % 2 === 0 ? [] : [[2, 50]]);
      shop.allocateByCode();
      await nextTurn();
    }
    proveWhole(shop, await issuing);
  });

  it('14 is refused once the figures that were seen have moved, or the project has', async () => {
    const shop = open(600);
    const figures = markFigures(getDraft(shop, P, REQUEST, shop.actor()));
    const wait = async (change: () => void) => {
      const issuing = issue(shop, { figures });
      await nextTurn();
      change();
      return issuing;
    };
    const moved = refusal('conflict', /^It was not issued: its figures have changed/);
    await assert.rejects(
      wait(() => shop.allocate(1, [])),
      moved,
    );
    await assert.rejects(issue(shop, { figures }), moved);
    await assert.rejects(
      issue(shop, { withoutReasons: false }),
      refusal('conflict', /lines have no reasons/),
    );
    const shorter = () => {
      const budgetLines = ['A', 'B'].map((code) => ({ code, name: `Line ${code}` }));
      shop.import({ ...YEAR, startDate: '2026-01-10', budgetLines });
    };
    const issuing = issue(shop);
    await nextTurn();
    shorter();
    const issued = await issuing.catch((error) => error);
    assert.match(String(issued.message), /its project or another statement has just changed/);
    assert.deepEqual([listStatements(shop, P), ...staged(shop)], [[], 0, 0]);
  });

  it('14 by two people at once is one statement, and a stage that a crash left goes', async () => {
    const shop = open(600);
    shop.db.exec(`insert into statement_stages values (70, 1, 1, 0);
      with recursive n(i) as (select 1 union all select i + 1 from n where i < 1200)
      insert into statement_items select 70, i, 1, 0, 5 from n`);
    const both = await Promise.allSettled([issue(shop), issue(shop)]);
    const refused = both.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
    assert.equal(refused.length, 1);
    assert.equal(refused[0]?.message, 'It was not issued: someone else is issuing it.');
    assert.deepEqual(
      listStatements(shop, P).map(({ number, issue: again }) => [number, again]),
      [[1, 1]],
    );
    assert.deepEqual(staged(shop), [0, 0]);
    shop.check();
  });

  it('14 adds at most 60 bytes an item to the file', async () => {
    const shop = open();
    const size = () => Number(shop.db.pragma('page_count', { simple: true })) * 4096;
    const before = size();
    const issued = await issue(shop, { to: '2026-06' });
    const items = [...walkItems(shop, issued, shop.actor())].flat();
    const bytes = (size() - before) / items.length;
    assert.ok(bytes > 10 && bytes <= 60, `${bytes} bytes an item`);
  });
});

it('14 a draft in steps is of one moment, whatever is written between two of them', () => {
  for (let before = 1; before <= 3; before += 1) {
    const shop = open(100);
    const steps = readStatementDraft(shop, P, { to: '2026-03' }, shop.actor());
    for (let taken = 0; taken < before; taken += 1) assert.equal(steps.next().done, false);
    shop.allocate(1, []);
    shop.push([{ externalId: 'INV-8', date: '2026-03-31', description: 'x', amount: 700 }]);
    assert.deepEqual(finish(steps), getDraft(shop, P, { to: '2026-03' }, shop.actor()));
  }
});

it('14 changes to earlier periods are read without all that was reported', async (test) => {
  const shop = open();
  const texts = countStatements(test, shop.db);
  const read = () => readStatementDraft(shop, P, { to: '2026-03' }, shop.actor());
  const take = () => {
    texts.length = 0;
    const { changes } = finish(readWithChanges(shop, read, shop.actor()));
    return changes
      .map(({ transactionId, budgetLineId, kind, date, reported, now, change }) => {
        return [transactionId, budgetLineId, kind, date, reported, now, change];
      })
      .sort();
  };
  const readsAll = () => texts.some((text) => text.includes('newest_first as sort'));
  assert.deepEqual(take(), []);
  assert.equal(readsAll(), false);
  await issue(shop, { to: '2026-02' });
  shop.allocate(1, []);
  shop.allocate(2, [[2, 50]]);
  const moved = { externalId: 'INV-6', date: '2026-03-31', description: 'x', amount: 7 };
  shop.push([moved, { externalId: 'N', date: '2026-01-05', description: 'x', amount: 9 }]);
  shop.allocate(MANY + 1, [[1, 900]]);
  const few = take();
  assert.equal(few.length, 4);
  assert.equal(readsAll(), false);
  const budgetLines = ['A', 'B'].map((code) => ({ code, name: `Line ${code}` }));
  const change = (more: object) => shop.import({ ...YEAR, budgetLines, ...more });
  change({ description: 'Other' });
  change({ budgetLines: budgetLines.map((line) => ({ ...line, budget: { '2026-01': 5 } })) });
  change({ endDate: '2026-02-28' });
  change({ endDate: '2027-03-31' });
  assert.deepEqual(take(), few);
  assert.equal(readsAll(), false);
  // Then any transaction can be counted otherwise.
  change({ startDate: '2026-01-02' });
  const without = take();
  assert.equal(readsAll(), true);
  const { expenses } = finish(read());
  const sum = without.reduce((minor, [, , , , , , each]) => minor + Number(each), 0);
  assert.equal(sum, Math.round(100 * expenses.changes));
  assert.ok(without.length > few.length, `${without.length} changes`);
  change({});
  assert.deepEqual(take(), few);
});

it('14 days of projects that were moved count for what has changed since', async () => {
  const shop = open();
  const below = { ...YEAR, name: 'Below', budgetLines: [{ code: 'C', name: 'Line C' }] };
  shop.import({ ...below, parentProject: null });
  shop.push([{ externalId: 'N', date: '2026-02-10', description: 'x', amount: 9 }]);
  shop.allocate(MANY + 1, [[3, 900]]);
  await issue(shop, { to: '2026-02', withSubProjects: true });
  const changed = () => getStatement(shop, P, { number: 1 }).changedSince;
  assert.equal(changed()?.count, 0);
  shop.import({ ...below, parentProject: YEAR.name });
  assert.deepEqual([changed()?.count, changed()?.expenses], [1, 9]);
  shop.import({ ...below, parentProject: YEAR.name, endDate: '2026-02-09' });
  assert.equal(changed()?.count, 0);
  const budgetLines = ['A', 'B'].map((code) => ({ code, name: `Line ${code}` }));
  shop.import({ ...YEAR, budgetLines, endDate: '2026-02-27' });
  assert.ok((changed()?.count ?? 0) > 1);
});

it('14 what has changed since is of the moment of the last step', async () => {
  const shop = open();
  await issue(shop, { to: '2026-02' });
  const moved = rows(MANY, (at) => ({ date: '2026-02-28', amount: 1 + (at % 90) }));
  for (const at of [0, 500, 1_000]) shop.push(moved.slice(at, at + 500));
  for (const days of [{}, { startDate: '2026-01-02' }]) {
    const budgetLines = ['A', 'B'].map((code) => ({ code, name: `Line ${code}` }));
    shop.import({ ...YEAR, budgetLines, ...days });
    const steps = readStatement(shop, P, { number: 1 });
    let taken = 1;
    let step = steps.next();
    for (; !step.done; step = steps.next()) {
      shop.allocate(taken, [[2, 50 + taken]]);
      shop.push([{ externalId: `N-${taken}`, date: '2026-01-05', description: 'x', amount: 9 }]);
      taken += 1;
    }
    assert.ok(taken > 1, `${taken} steps`);
    assert.ok((step.value.changedSince?.count ?? 0) > 300);
    assert.deepEqual(step.value, getStatement(shop, P, { number: 1 }));
  }
});

it('14 the transactions behind a figure are found in steps', async () => {
  const shop = open();
  await issue(shop, { to: '2026-01' });
  shop.allocate(1, [[2, 50]]);
  const issued = await issue(shop);
  const budgetLineId = issued.lines[0]?.budgetLineId ?? '';
  const find = (column: 'toDate' | 'changes', most: number) =>
    findBehind(shop, issued, { budgetLineId, column, most });
  const all = finish(find('toDate', MANY));
  assert.equal(all.minor, Math.round(100 * (issued.lines[0]?.toDate ?? 0)));
  assert.equal(all.count, all.items.length);
  assert.ok(all.count > 400, `${all.count} transactions`);
  assert.deepEqual(
    all.items,
    [...all.items].sort(
      (one, other) =>
        other.date.localeCompare(one.date) || one.transactionId.localeCompare(other.transactionId),
    ),
  );
  assert.deepEqual(finish(find('toDate', 7)), { ...all, items: all.items.slice(0, 7) });
  const { count, minor } = finish(find('changes', 7));
  assert.deepEqual([count, minor], [1, -100]);
  // Of another line, so only their number counts.
  shop.db.exec(`with recursive n(i) as (select 10000 union all select i + 1 from n where i < 35000)
    insert into statement_items select 2, i, 2, 0, 5 from n`);
  const steps = find('toDate', MANY);
  let taken = 1;
  let step = steps.next();
  for (; !step.done; step = steps.next()) taken += 1;
  assert.ok(taken > 4, `${taken} steps`);
  assert.deepEqual(step.value, all);
});

describe('14 the items of a draft', () => {
  const begin = (shop: Workshop) => {
    const read = () => readStatementDraft(shop, P, { to: '2026-03' }, shop.actor());
    return readWithItems(shop, read, shop.actor());
  };
  type Found = ReturnType<ReturnType<typeof begin>['next']>['value'];
  const prove = (shop: Workshop, found: NonNullable<Found>) => {
    const items = [...found.items].flat();
    const sum = items.reduce((minor, { amountMinor }) => minor + amountMinor, 0);
    assert.equal(sum, Math.round(100 * found.document.expenses.toDate));
    assert.deepEqual(found.document, getDraft(shop, P, { to: '2026-03' }, shop.actor()));
    const places = items.map(({ transactionId }) => transactionId);
    assert.deepEqual(
      places,
      [...places].sort((one, other) => one - other),
    );
    return items.length;
  };

  it('14 are read in steps of some 500', () => {
    const shop = open();
    const steps = begin(shop);
    let taken = 0;
    let step = steps.next();
    for (; !step.done; step = steps.next()) taken += 1;
    const count = prove(shop, step.value);
    assert.ok(count > 800 && taken >= 3, `${taken} steps for ${count} items`);
  });

  for (const [what, writes] of [
    ['once', 1],
    ['all the time', 1_000],
  ] as const) {
    it(`14 are of the moment of the draft, although someone writes ${what}`, () => {
      const shop = open();
      const steps = begin(shop);
      let step = steps.next();
      for (let left = writes; !step.done; step = steps.next(), left -= 1) {
        if (left > 0) shop.allocate(1 + left, [[2, 50]]);
      }
      prove(shop, step.value);
    });
  }
});
