import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatId } from '../../src/core/ids.ts';
import { canonicalJson, usedPercentOf } from '../../src/core/statements.ts';
import { formatStatementCsv } from '../../src/operations/statement-files.ts';
import {
  issueStatement,
  listStatements,
  withdrawStatement,
} from '../../src/operations/statements.ts';
import { checkDatabase } from '../../src/upkeep/check.ts';
import { refusal, Workshop, YEAR } from '../store/workshop.ts';
import { getDraft, getStatement, walkItems } from './statement-reads.ts';

const P = 'prj_0000000001';
const [GRANT, PAY, FOOD] = [1, 2, 3].map((number) => formatId('bln', number));
const BUDGET = Object.fromEntries(
  Array.from({ length: 12 }, (_, at) => [`2026-${String(at + 1).padStart(2, '0')}`, 100]),
);
const LINES = [
  { code: 'G', name: 'Grant', kind: 'income', category: 'In', budget: BUDGET },
  { code: 'P', name: 'Pay', category: 'Out', budget: BUDGET },
  { code: 'F', name: 'Food', budget: {} },
];

/** A project of 2026, in which it is October. */
function open(): Workshop {
  const shop = new Workshop();
  shop.import({ ...YEAR, tolerancePercent: null, budgetLines: LINES });
  shop.nowMs = Date.UTC(2026, 9, 14);
  return shop;
}

/** Pushes a payment and gives it to a line. */
function book(shop: Workshop, externalId: string, date: string, [line, amount]: [number, number]) {
  const id = shop.pushOne({ externalId, date, amount });
  shop.allocate(id, [[line, Math.round(100 * amount)]]);
  return id;
}

function issue(shop: Workshop, to: string, more: object = {}) {
  return issueStatement(shop, P, { to, ...more }, shop.actor());
}

/** A line of a document, by its identifier. */
function figures(document: ReturnType<typeof issue>, id: string | undefined) {
  const { before, period, changes, toDate } =
    document.lines.find(({ budgetLineId }) => budgetLineId === id) ?? {};
  return [before, period, changes, toDate];
}

describe('14 statements', () => {
  it('14 report a period, and what has changed since in the months before', () => {
    const shop = open();
    const late = shop.pushOne({ externalId: 'late', date: '2026-02-01', amount: 7 });
    book(shop, 'g', '2026-01-05', [1, -300]);
    const pay = book(shop, 'p', '2026-03-31', [2, 90.5]);
    const moved = book(shop, 'm', '2026-03-01', [2, 40]);
    const draft = getDraft(shop, P, { to: '2026-03' }, shop.actor());
    assert.deepEqual(
      [draft.status, draft.number, draft.from, draft.hash],
      ['draft', 1, '2026-01', null],
    );
    assert.deepEqual(figures(draft, PAY), [0, 130.5, 0, 130.5]);
    assert.deepEqual(draft.unfinished.unallocated, { count: 1, out: 7, in: 0 });
    const first = issue(shop, '2026-03');
    assert.deepEqual(figures(first, GRANT), [0, 300, 0, 300]);
    assert.equal(first.balance.toDate, 169.5);
    assert.deepEqual(first.changedSince, { count: 0, income: 0, expenses: 0, transactions: [] });
    shop.allocate(late, [[2, 700]]);
    shop.push([
      { externalId: 'p', date: '2026-03-31', description: 'Rent', amount: 95 },
      { externalId: 'm', date: '2026-04-02', description: 'Rent', amount: 40 },
    ]);
    const { changedSince, ...frozen } = getStatement(shop, P, { number: 1 });
    const { changedSince: _, ...issued } = first;
    assert.equal(JSON.stringify(frozen), JSON.stringify(issued));
    assert.deepEqual(
      changedSince?.transactions.map((each) => [each.transactionId, each.reported, each.now]),
      [
        [formatId('txn', moved), 40, 0],
        [formatId('txn', late), 0, 7],
      ],
    );
    assert.equal(changedSince?.expenses, -33);
    const second = issue(shop, '2026-06');
    assert.deepEqual(figures(second, PAY), [130.5, 40, -33, 137.5]);
    assert.deepEqual(
      [second.from, second.startDate, second.endDate],
      ['2026-04', '2026-04-01', '2026-06-30'],
    );
    const items = [...walkItems(shop, second, shop.actor())].flat();
    assert.deepEqual(
      items.map(({ transactionId, isChange, amountMinor }) => [
        transactionId,
        isChange,
        amountMinor,
      ]),
      [
        [late, 1, 700],
        [moved, 0, 4_000],
        [moved, 1, -4_000],
      ],
    );
    assert.ok(!items.some(({ transactionId }) => transactionId === pay));
    assert.deepEqual(
      listStatements(shop, P).map((each) => [each.number, each.to, each.expenses, each.changed]),
      [
        [1, '2026-03', 130.5, 2],
        [2, '2026-06', 137.5, 0],
      ],
    );
    shop.check();
  });

  it('14 ask for reasons beyond the tolerance, and issue without them when told to', () => {
    const shop = open();
    shop.import({ ...YEAR, budgetLines: LINES });
    book(shop, 'g', '2026-01-05', [1, -110]);
    book(shop, 'p', '2026-01-31', [2, 110.01]);
    book(shop, 'f', '2026-01-31', [3, 1]);
    const all = shop.everything();
    assert.throws(
      () => issue(shop, '2026-01'),
      refusal('conflict', /^Nothing was issued: 2 lines have no reasons: P Pay, F Food\.$/),
    );
    for (const [reasons, message] of [
      [{ X: 'a' }, /No line of the statement is "X"/],
      [{ P: ' ' }, /The reason of "P" cannot be blank/],
      [{ P: 'a\u0007' }, /contains a control character/],
      [{ P: 'a\tb' }, /contains a control character/],
      [{ P: 'a'.repeat(2_001) }, /longer than 2000/],
    ] as const) {
      assert.throws(() => issue(shop, '2026-01', { reasons }), refusal('invalid_input', message));
    }
    assert.equal(shop.everything(), all);
    const reasons = { P: ' Holiday\r\ncover ', [FOOD ?? '']: 'A party' };
    const issued = issue(shop, '2026-01', { reasons, note: ' Two\rlines ' });
    assert.equal(issued.note, 'Two\nlines');
    assert.deepEqual(
      issued.lines.map((line) => [line.asksReason, line.reason]),
      [
        [false, null],
        [true, 'Holiday\ncover'],
        [true, 'A party'],
      ],
    );
    const again = withdrawStatement(shop, P, { number: 1, reason: 'Wrong' }, shop.actor());
    assert.deepEqual(
      [again.status, again.withdrawn?.reason, again.changedSince],
      ['withdrawn', 'Wrong', null],
    );
    assert.equal(again.hash, issued.hash);
    const draft = getDraft(shop, P, {}, shop.actor());
    assert.deepEqual(
      [draft.number, draft.issue, draft.to, draft.note],
      [1, 2, '2026-01', 'Two\nlines'],
    );
    assert.equal(draft.lines[2]?.reason, 'A party');
    const third = issue(shop, '2026-02', { withoutReasons: true });
    assert.deepEqual([third.number, third.issue], [1, 2]);
    assert.deepEqual(third.unfinished.reasonsMissing, [GRANT]);
    assert.equal(getStatement(shop, P, { number: 1 }).issue, 2);
    assert.equal(getStatement(shop, P, { number: 1, issue: 1 }).status, 'withdrawn');
    shop.check();
  });

  it('14 cover whole months up to one that has begun, and changes alone at the end', () => {
    const shop = open();
    book(shop, 'p', '2026-12-31', [2, 9]);
    const refused = refusal('conflict');
    for (const to of ['2025-12', '2026-11', '2027-01'])
      assert.throws(() => issue(shop, to), refused);
    for (const to of ['2026-13', '2026-3', '2026-013', '2026-03-31'])
      assert.throws(() => issue(shop, to), refusal('invalid_input', /is not a month/));
    assert.equal(getDraft(shop, P, {}, shop.actor()).to, '2026-09');
    assert.equal(issue(shop, '2026-10').to, '2026-10');
    assert.throws(() => issue(shop, '2026-10'), refused);
    const last = issue(shop, '2026-12');
    assert.deepEqual(figures(last, PAY), [0, 9, 0, 9]);
    assert.throws(() => issue(shop, '2026-12'), refusal('conflict', /nothing has changed since/));
    book(shop, 'q', '2026-11-30', [2, 1]);
    const more = issue(shop, '2026-12');
    assert.deepEqual(
      [more.number, more.from, more.startDate, more.endDate],
      [3, null, null, '2026-12-31'],
    );
    assert.deepEqual(figures(more, PAY), [9, 0, 1, 10]);
    assert.throws(
      () => withdrawStatement(shop, P, { number: 2, reason: 'x' }, shop.actor()),
      refusal('conflict', /^Statement 3 exists\. Only the newest statement can be withdrawn\.$/),
    );
    shop.check();
  });

  it('14 are of lines, and begin with the first month that can be reported', () => {
    const shop = open();
    const next = { startDate: '2026-11-01', endDate: '2027-12-31', budgetMode: 'monthly' };
    shop.import({ ...next, name: 'Next', budgetLines: [{ code: 'N', name: 'New', budget: {} }] });
    const NEXT = 'prj_0000000002';
    const { to } = getDraft(shop, NEXT, {}, shop.actor());
    assert.equal(to, '2027-12');
    assert.equal(issueStatement(shop, NEXT, { to }, shop.actor()).to, to);
    shop.import({ ...YEAR, name: 'Bare', budgetLines: [] });
    assert.throws(
      () => issueStatement(shop, 'prj_0000000003', { to: '2026-09' }, shop.actor()),
      refusal('conflict', /^"Bare" has no budget lines, so it has no statements\.$/),
    );
  });

  it('14 keep what they reported: lines, kinds, and rows that are elsewhere now', () => {
    const shop = open();
    const camp = { ...YEAR, name: 'Camp', parentProject: YEAR.name };
    shop.import({ ...camp, budgetLines: [{ name: 'Tents', budget: { '2026-01': 5 } }] });
    const paid = book(shop, 't', '2026-01-09', [4, 30]);
    const first = issue(shop, '2026-01', { withSubProjects: true });
    assert.deepEqual(
      [first.withSubProjects, figures(first, formatId('bln', 4))],
      [true, [0, 30, 0, 30]],
    );
    assert.equal(first.lines.at(-1)?.project, 'Camp');
    shop.allocate(paid, []);
    assert.throws(
      () => shop.import({ ...camp, budgetLines: [] }),
      refusal('conflict', /cannot be removed: statement 1 of "Shelter" has reported it\.$/),
    );
    const tents = { name: 'Tents', kind: 'income', budget: {} };
    assert.throws(
      () => shop.import({ ...camp, budgetLines: [tents] }),
      refusal('conflict', /cannot change kind: statement 1/),
    );
    shop.allocate(paid, [[4, 3_000]]);
    const second = issue(shop, '2026-02', { withSubProjects: false });
    const gone = second.lines.at(-1);
    assert.deepEqual(
      [gone?.name, gone?.budget, figures(second, formatId('bln', 4))],
      ['Tents', 0, [30, 0, -30, 0]],
    );
    const third = issue(shop, '2026-03');
    assert.equal(third.lines.length, 3);
    shop.check();
  });

  it('14 are found by check when a byte of a document or an item is changed', () => {
    const shop = open();
    book(shop, 'p', '2026-01-31', [2, 9]);
    issue(shop, '2026-01');
    const broken = (sql: string) => {
      shop.db.exec(`savepoint s; ${sql}`);
      const found = checkDatabase(shop.db).filter(({ ok }) => !ok);
      shop.db.exec('rollback to s; release s');
      return found.map(({ name, examples }) => [name, ...examples]);
    };
    assert.deepEqual(broken(`update statements set document = replace(document, 'Pay', 'Pal')`), [
      ['each issued statement is as it was issued', 'statement 1'],
    ]);
    assert.deepEqual(broken('update statement_items set amount_minor = amount_minor + 1'), [
      ['the figures of each statement are the sums of its items', 'statement 1'],
    ]);
    assert.deepEqual(broken('select 1'), []);
  });

  it('14 have sums that are larger than any amount', () => {
    const shop = open();
    for (const id of ['one', 'two']) book(shop, id, '2026-01-05', [2, 9_999_999_999.99]);
    const document = issue(shop, '2026-01');
    assert.match(formatStatementCsv(document, shop), /,Pay,GBP,1200.00,0.00,19999999999.98,0.00,/);
    const next = getDraft(shop, P, { to: '2026-02' }, shop.actor());
    assert.deepEqual(figures(next, PAY), [19_999_999_999.98, 0, 0, 19_999_999_999.98]);
    shop.check();
  });

  it('14 have percentages half away from zero, and JSON in one form', () => {
    assert.deepEqual(
      [usedPercentOf(1, 200), usedPercentOf(-1, 200), usedPercentOf(5, 0), usedPercentOf(0, 5)],
      [1, -1, null, 0],
    );
    assert.equal(usedPercentOf(999_999_999_999_999, -999_999_999_999_999), -100);
    assert.equal(
      canonicalJson({ b: [1, 'é\n'], a: null, 'a b': { z: 0.1, y: true } }),
      '{"a":null,"a b":{"y":true,"z":0.1},"b":[1,"é\\n"]}',
    );
  });
});
