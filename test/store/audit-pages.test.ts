import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PUSH_ROWS, STRETCH } from '../../src/core/limits.ts';
import {
  type AuditRecord,
  listAuditEntries,
  listAuditPage,
  listHistory,
} from '../../src/store/audit.ts';
import { storeOrganisationChange } from '../../src/store/organisations.ts';
import type { Page, Position } from '../../src/store/pages.ts';
import { excludeTransaction } from './single-changes.ts';
import { row, rows, START_MS, Workshop, YEAR } from './workshop.ts';

/** Reads all pages, and how many entries each one has. */
function readAll(read: (after: Position | undefined) => Page<AuditRecord>) {
  const items: AuditRecord[] = [];
  const lengths: number[] = [];
  let after: Position | undefined;
  do {
    const page = read(after);
    items.push(...page.items);
    lengths.push(page.items.length);
    after = page.next;
  } while (after !== undefined);
  return { items, lengths };
}

/** A workshop with 3 pushes, 2 plans and an import of two projects under one stamp. */
function busy(): Workshop {
  const shop = new Workshop();
  shop.push([row()]);
  storeOrganisationChange(
    shop,
    { member: 'plan', value: 'free' },
    { ...shop.actor(), name: 'command line' },
  );
  shop.import(['One', 'Two'].map((name) => ({ ...YEAR, name, budgetLines: [] })));
  shop.push([row({ amount: 1 })]);
  storeOrganisationChange(
    shop,
    { member: 'plan', value: 'professional' },
    { ...shop.actor(), name: 'command line' },
  );
  shop.push([row({ amount: 2 })]);
  return shop;
}

describe('5 pages of the audit log', () => {
  it('have every entry once, newest first, whatever their size', () => {
    const { db, organisation: org } = busy();
    const all = listAuditEntries({ db, organisation: org }, 0).reverse();
    for (const limit of [1, 2, 3, 100]) {
      const { items, lengths } = readAll((after) => {
        return listAuditPage({ db, organisation: org }, { filters: {}, after, limit });
      });
      assert.equal(items.length, all.length);
      assert.deepEqual(items, all);
      assert.ok(lengths.every((length) => length <= limit));
    }
  });

  const filters: [
    filters: Parameters<typeof listAuditPage>[1]['filters'],
    isWanted: (entry: AuditRecord) => boolean,
  ][] = [
    [{ actor: 'command line' }, ({ actor }) => actor === 'command line'],
    [{ actions: ['transactions.pushed'] }, ({ action }) => action === 'transactions.pushed'],
    [
      { actions: ['plan.changed', 'project.created'] },
      ({ action }) => action === 'plan.changed' || action === 'project.created',
    ],
    [{ sinceMs: START_MS + 2 }, ({ atMs }) => atMs >= START_MS + 2],
    [{ beforeMs: START_MS + 2 }, ({ atMs }) => atMs < START_MS + 2],
    [
      { actor: 'command line', sinceMs: START_MS + 2 },
      ({ actor, atMs }) => actor === 'command line' && atMs >= START_MS + 2,
    ],
    [{ actor: 'nobody' }, () => false],
  ];
  for (const [each, isWanted] of filters) {
    it(`filtered by ${JSON.stringify(each)}`, () => {
      const { db, organisation: org } = busy();
      const wanted = listAuditEntries({ db, organisation: org }, 0).reverse().filter(isWanted);
      for (const limit of [1, 100]) {
        const { items } = readAll((after) => {
          return listAuditPage({ db, organisation: org }, { filters: each, after, limit });
        });
        assert.deepEqual(items, wanted);
      }
    });
  }

  it('are of one organisation', () => {
    const shop = busy();
    const theirs = shop.addOrganisation();
    const { items } = listAuditPage(
      { db: shop.db, organisation: theirs },
      { filters: {}, limit: 100 },
    );
    assert.deepEqual(
      items.map(({ action }) => action),
      ['organisation.created'],
    );
    const page = { filters: {}, subject: 'prj_0000000001', limit: 100 };
    assert.deepEqual(listAuditPage({ db: shop.db, organisation: theirs }, page).items, []);
  });

  it('end after a limited number of entries without a match; the next page continues', () => {
    const shop = new Workshop();
    const { db, organisation: org } = shop;
    storeOrganisationChange(
      shop,
      { member: 'plan', value: 'free' },
      { ...shop.actor(), name: 'needle' },
    );
    const count = STRETCH.work / STRETCH.recordWork;
    db.exec(
      `insert into audit_log (organisation_id, at, actor, action, details)
       with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})
       select ${org.id}, ${shop.nowMs} + i, 'hay', 'plan.changed', '{}' from n`,
    );
    const { items, lengths } = readAll((after) => {
      return listAuditPage(shop, { filters: { actor: 'needle' }, after, limit: 10 });
    });
    assert.deepEqual([items.length, lengths], [1, [0, 1]]);
  });

  it('end after a limited size of details', () => {
    const shop = new Workshop();
    for (let amount = 1; amount <= 8; amount += 1) {
      shop.push(rows(PUSH_ROWS, () => ({ amount, description: `${amount}`.padEnd(400, 'x') })));
    }
    const { items, lengths } = readAll((after) => {
      return listAuditPage(shop, { filters: {}, after, limit: 100 });
    });
    assert.equal(items.length, 9);
    assert.ok(lengths.length > 2 && lengths.every((length) => length > 0), String(lengths));
    const history = readAll((after) => {
      const page = { subject: 'txn_0000000001', filters: {}, after, limit: 100 };
      return listAuditPage(shop, page);
    });
    assert.equal(history.items.length, 8);
    assert.ok(history.lengths.length > 2, String(history.lengths));
  });
});

describe('5 pages of the history of one object', () => {
  it('have what its whole history has, newest first', () => {
    const shop = new Workshop();
    const [a = 0] = shop.project();
    shop.push(rows(3));
    shop.push(rows(3, () => ({ amount: 7 })));
    shop.allocate(2, [[a, 1]]);
    shop.allocate(2, []);
    excludeTransaction(shop, { transactionId: 2, reason: 'x' }, shop.actor());
    for (const subject of ['txn_0000000002', 'prj_0000000001', 'org_0000000001']) {
      const whole = listHistory(shop, subject).reverse();
      assert.notEqual(whole.length, 0);
      for (const limit of [1, 2, 100]) {
        const { items } = readAll((after) => {
          return listAuditPage(shop, { subject, filters: {}, after, limit });
        });
        assert.deepEqual(items, whole);
      }
    }
  });

  it('are filtered like the log', () => {
    const shop = new Workshop();
    shop.push([row()]);
    shop.push([row({ amount: 7 })]);
    excludeTransaction(shop, { transactionId: 1, reason: 'x' }, shop.actor());
    const list = (filters: Parameters<typeof listAuditPage>[1]['filters']) => {
      const page = { subject: 'txn_0000000001', filters, limit: 100 };
      return listAuditPage(shop, page).items.map(({ atMs }) => atMs - START_MS);
    };
    assert.deepEqual(list({}), [2, 1, 0]);
    assert.deepEqual(list({ actions: ['transactions.pushed'] }), [1, 0]);
    assert.deepEqual(list({ sinceMs: START_MS + 1 }), [2, 1]);
    assert.deepEqual(list({ beforeMs: START_MS + 1 }), [0]);
    assert.deepEqual(list({ actor: 'nobody' }), []);
  });

  it('a budget line: the imports that created and changed it', () => {
    const shop = new Workshop();
    const { db } = shop;
    const budgetLines = ['A', 'B'].map((code) => ({ code, name: code }));
    shop.import({ ...YEAR, budgetLines });
    shop.import({ ...YEAR, description: 'Changed', budgetLines });
    shop.import({ ...YEAR, budgetLines: [{ code: 'A', name: 'Renamed' }, budgetLines[1]] });
    const actions = (subject: string) => {
      return listHistory(shop, subject).map(({ action, atMs }) => [action, atMs - START_MS]);
    };
    assert.deepEqual(actions('bln_0000000001'), [
      ['project.created', 0],
      ['project.updated', 2],
    ]);
    assert.deepEqual(actions('bln_0000000002'), [['project.created', 0]]);
    assert.deepEqual(actions('bln_0000000009'), []);
    assert.deepEqual(
      listHistory({ db, organisation: shop.addOrganisation() }, 'bln_0000000001'),
      [],
    );
  });
});
