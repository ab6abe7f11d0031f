import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pageOfAllocations } from '../../src/store/allocations.ts';
import { listAuditEntries, listHistory } from '../../src/store/audit.ts';
import { listLines } from '../../src/store/budget-lines.ts';
import { findKey, listKeys, storeNewKey, storeRevocation } from '../../src/store/keys.ts';
import {
  findOrganisation,
  listOrganisations,
  storeOrganisationChange,
} from '../../src/store/organisations.ts';
import { findProject, pageOfProjects } from '../../src/store/projects.ts';
import { findReport } from '../../src/store/reports.ts';
import { mapShares } from '../../src/store/shares.ts';
import { findTransaction, pageOfTransactions } from '../../src/store/transactions.ts';
import { excludeTransaction, resolveReview, restoreTransaction } from './single-changes.ts';
import { refusal, row, rows, START_MS, Workshop, YEAR } from './workshop.ts';

/** Our organisation has one of everything; theirs only has objects with the same names. */
function openBoth() {
  const shop = new Workshop();
  const { db, organisation: org } = shop;
  const draft = { name: 'erp', scopes: ['projects:read'] as const, expiresAtMs: null };
  const { id: keyId, key } = storeNewKey(shop, draft, shop.actor());
  const budgetLines = [
    { code: 'A', name: 'Line A', accountCodes: ['A'], budget: { '2026-01': 5 } },
  ];
  shop.import({ ...YEAR, budgetLines });
  shop.pushOne({ accountCode: 'A' });
  shop.allocate(1, [[1, 10_000]]);
  shop.pushOne({ externalId: 'INV-2' });
  const theirs = shop.addOrganisation('GBP', 'Theirs');
  return { shop, db, ours: org, theirs, keyId, key };
}

describe("5.8 another organisation's data is invisible", () => {
  const { shop, db, ours, theirs, keyId, key } = openBoth();

  it('5.8 reading with its identifiers finds nothing', () => {
    const page = { limit: 99 };
    assert.equal(findTransaction({ db, organisation: theirs }, 1), undefined);
    for (const order of ['date', 'updatedAt'] as const) {
      for (const filters of [{}, { projectId: 1 }, { externalId: 'INV-1' }, { search: 'rent' }]) {
        assert.deepEqual(
          pageOfTransactions({ db, organisation: theirs }, { filters, order, ...page }).items,
          [],
        );
      }
    }
    assert.deepEqual(listHistory({ db, organisation: theirs }, 'txn_0000000001'), []);
    assert.deepEqual(listHistory({ db, organisation: theirs }, 'prj_0000000001'), []);
    assert.deepEqual(
      pageOfAllocations({ db, organisation: theirs }, { projectId: 1, ...page }).items,
      [],
    );
    assert.deepEqual(mapShares({ db, organisation: theirs }, [{ id: 1 }]).get(1), []);
    assert.equal(findProject({ db, organisation: theirs }, 1), undefined);
    assert.deepEqual(pageOfProjects({ db, organisation: theirs }, page).items, []);
    assert.deepEqual(
      pageOfProjects({ db, organisation: theirs }, { parentProjectId: 1, ...page }).items,
      [],
    );
    assert.equal(findReport({ db, organisation: theirs }, 1), undefined);
    assert.deepEqual(listLines({ db, organisation: theirs }, 1), []);
    assert.deepEqual(listKeys({ db, organisation: theirs }), []);
    assert.deepEqual(
      listAuditEntries({ db, organisation: theirs }, 0).map(({ action }) => action),
      ['organisation.created'],
    );
  });

  it('5.8 changes with its identifiers are refused as if they did not exist', () => {
    const [actor, gone] = [shop.actor(), refusal('not_found')];
    const before = shop.everything();
    const exclude = { transactionId: 2, reason: 'x' };
    assert.throws(() => shop.allocate(1, [[1, 1]], theirs), gone);
    assert.throws(() => shop.allocate(1, [], theirs), gone);
    assert.throws(() => excludeTransaction({ db, organisation: theirs }, exclude, actor), gone);
    assert.throws(
      () => restoreTransaction({ db, organisation: theirs }, { transactionId: 2 }, actor),
      gone,
    );
    const review = { transactionId: 1, resolution: 'clear' } as const;
    assert.throws(() => resolveReview({ db, organisation: theirs }, review, actor), gone);
    assert.equal(storeRevocation({ db, organisation: theirs }, keyId, actor), undefined);
    const child = { ...YEAR, name: 'Child', parentProject: 'Shelter' };
    assert.throws(() => shop.import(child, theirs), refusal('invalid_input'));
    assert.equal(shop.everything(), before);
  });

  it('4.6(4) both can use the same names and externalIds', () => {
    const [mine, project] = [shop.transaction(1), findProject({ db, organisation: ours }, 1)];
    const theirTransaction = shop.pushOne({ amount: 5, accountCode: 'A' }, theirs);
    assert.notEqual(theirTransaction, 1);
    const outcome = shop.allocateByCode(theirs);
    assert.deepEqual(outcome, { claimed: 0, ambiguous: 0, unmatched: 1 });
    const [line = 0] = shop.project(['A'], theirs);
    assert.throws(() => shop.allocate(theirTransaction, [[1, 1]], theirs), refusal('not_found'));
    assert.equal(shop.allocateByCode(theirs).claimed, 1);
    assert.deepEqual(shop.shares(2, theirs), [[line, 500]]);
    assert.deepEqual(
      [shop.transaction(1), findProject({ db, organisation: ours }, 1)],
      [mine, project],
    );
    assert.throws(() => shop.allocate(2, [[line, 1]]), refusal('not_found'));
    shop.push(rows(3), { org: theirs });
    assert.equal(shop.push([row({ externalId: 'INV-0' })]).meta.created, 1);
    shop.check();
  });

  it('5.4 a plan and a key apply to one organisation', () => {
    storeOrganisationChange(
      { db, organisation: theirs },
      { member: 'plan', value: 'free' },
      shop.actor(),
    );
    assert.equal(findOrganisation({ db }, ours.id)?.plan, 'professional');
    assert.equal(findKey({ db }, key)?.organisation.id, ours.id);
    assert.deepEqual(
      listOrganisations({ db }).map(({ name, plan }) => [name, plan]),
      [
        ['Test', 'professional'],
        ['Theirs', 'free'],
      ],
    );
    assert.equal(findOrganisation({ db }, 99), undefined);
  });
});

describe('5.8 the database itself rejects a reference to another organisation', () => {
  const { shop, db, theirs } = openBoth();
  shop.import({ ...YEAR, budgetLines: [{ code: 'A', name: 'A' }] }, theirs);
  const columns = 'organisation_id, project_id, budget_line_id';
  const inserts: [what: string, text: string][] = [
    [
      'an allocation of our transaction to their line',
      `insert into allocations (${columns}, transaction_id, date, under_review, amount_minor,
         created_at, updated_at) values (1, 2, 2, 1, '2026-01-31', 0, 1, 0, 0)`,
    ],
    [
      'their allocation of our transaction',
      `insert into allocations (${columns}, transaction_id, date, under_review, amount_minor,
         created_at, updated_at) values (2, 2, 2, 1, '2026-01-31', 0, 1, 0, 0)`,
    ],
    [
      'a line in their project',
      `insert into budget_lines (organisation_id, project_id, name, position)
         values (1, 2, 'x', 0)`,
    ],
    ['a budget for their line', `insert into budget_amounts values (1, 2, 2, '2026-01', 1)`],
    [
      'an account code for their line',
      `insert into budget_line_account_codes (${columns}, account_code, position)
         values (1, 2, 2, 'A', 0)`,
    ],
    ['a role of nobody', `insert into memberships values (1, 1, 'owner', 1, null, 0)`],
    ['their project as a parent', 'update projects set parent_project_id = 2 where id = 1'],
  ];
  for (const [what, text] of inserts) {
    it(`5.8 ${what}`, () => {
      assert.throws(() => db.exec(text), /FOREIGN KEY constraint failed/);
    });
  }

  it('1 the database rejects amounts that are not whole numbers', () => {
    for (const amount of ['1.5', '9e999', '1e19', `'many'`]) {
      const text = `update transactions set amount_minor = ${amount} where id = 1`;
      assert.throws(() => db.exec(text), /cannot store (REAL|TEXT) value in INTEGER/);
    }
    assert.equal(shop.transaction(1).createdAtMs, START_MS + 2);
  });
});
