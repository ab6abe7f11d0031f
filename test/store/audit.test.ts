import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AUDIT_ACTIONS } from '../../src/core/audit.ts';
import { formatId } from '../../src/core/ids.ts';
import { issueStatement, withdrawStatement } from '../../src/operations/statements.ts';
import { changeAll } from '../../src/store/acts.ts';
import { listAuditEntries, recordAudit } from '../../src/store/audit.ts';
import { invite, withdrawInvitation } from '../../src/store/invitations.ts';
import { storeNewKey, storeRevocation } from '../../src/store/keys.ts';
import { storeOrganisationChange } from '../../src/store/organisations.ts';
import { dropProject, storeArchiving } from '../../src/store/projects.ts';
import { changeRules } from '../../src/store/rules.ts';
import { storeDraft } from '../../src/store/statements.ts';
import { undoing } from '../../src/store/undo.ts';
import { addUser, recordLink, removeUser, setRole, storePassword } from '../../src/store/users.ts';
import {
  excludeTransaction,
  exclusionChange,
  resolveReview,
  restoreChange,
  restoreTransaction,
  reviewChange,
} from './single-changes.ts';
import { row, rows, START_MS, Workshop, YEAR } from './workshop.ts';

function actOnUsers(shop: Workshop): void {
  const { db } = shop;
  const [draft, actor] = [{ name: null, role: 'owner', password: 'x' } as const, shop.actor()];
  const { user } = addUser(shop, { ...draft, email: 'ada@example.org' }, actor);
  addUser(shop, { ...draft, email: 'bob@example.org' }, actor);
  setRole(shop, { email: user.email, role: 'member' }, actor);
  recordLink(shop, user, actor);
  invite(shop, { email: 'cat@example.org', name: null, role: 'member' }, actor);
  withdrawInvitation(shop, 'cat@example.org', actor);
  storePassword({ db }, user.id, { password: 'y' }, actor);
  removeUser(shop, user.email, actor);
}

describe('contract 5: the audit log', () => {
  it('5 records every kind of change', () => {
    const shop = new Workshop();
    const { organisation: org } = shop;
    storeOrganisationChange(shop, { member: 'plan', value: 'free' }, shop.actor());
    const draft = { name: 'erp', scopes: ['projects:read'] as const, expiresAtMs: null };
    const { id: keyId } = storeNewKey(shop, draft, shop.actor());
    storeRevocation(shop, keyId, shop.actor());
    const [a = 0] = shop.project();
    shop.import({ ...YEAR, budgetLines: [{ code: 'A', name: 'Renamed' }] });
    storeOrganisationChange(shop, { member: 'name', value: 'New', seen: org.name }, shop.actor());
    storeOrganisationChange(shop, { member: 'timeZone', value: 'Europe/London' }, shop.actor());
    storeOrganisationChange(shop, { member: 'letterhead', value: '4 Quay Street' }, shop.actor());
    for (const isArchived of [true, false]) {
      storeArchiving(shop, { id: 1, isArchived }, shop.actor());
    }
    shop.import({ ...YEAR, name: 'Gone' });
    dropProject(shop, 2, shop.actor());
    const transactionId = shop.pushOne({});
    for (const resolution of ['keep', 'rescale', 'clear'] as const) {
      shop.allocate(transactionId, [[a, 1]]);
      shop.pushOne({ amount: shop.transaction(transactionId).amountMinor / 100 + 1 });
      resolveReview(shop, { transactionId, resolution }, shop.actor());
    }
    shop.allocate(transactionId, [[a, 1]]);
    shop.pushOne({ amount: 1 });
    shop.allocate(transactionId, []);
    excludeTransaction(shop, { transactionId, reason: 'x' }, shop.actor());
    restoreTransaction(shop, { transactionId }, shop.actor());
    shop.pushOne({ externalId: 'INV-2', accountCode: 'B' });
    shop.import({ ...YEAR, budgetLines: [{ code: 'A', name: 'A', accountCodes: ['B'] }] });
    shop.allocateByCode();
    changeAll(shop, undoing(shop, shop.transaction(2).updatedAtMs), shop.actor());
    shop.push(rows(2, (index) => ({ externalId: `${index}` })));
    const both = [{ transactionId: 3 }, { transactionId: 4 }];
    const out = both.map((each) => ({ ...each, reason: 'x' }));
    changeAll(shop, exclusionChange(shop, out), shop.actor());
    changeAll(shop, restoreChange(both), shop.actor());
    for (const { transactionId } of both) shop.allocate(transactionId, [[a, 1]]);
    shop.push(rows(2, (index) => ({ externalId: `${index}`, amount: 2 })));
    const reviews = both.map((each) => ({ ...each, resolution: 'keep' }) as const);
    changeAll(shop, reviewChange(shop, reviews), shop.actor());
    actOnUsers(shop);
    changeRules(shop, { automatic: true, byAccountCode: true, rules: [] }, shop.actor());
    const last = { to: '2026-01', withoutReasons: true };
    issueStatement(shop, formatId('prj', 1), last, shop.actor());
    const text = { to: null, withSubProjects: false, reasons: {}, note: 'x' };
    storeDraft(shop, 1, text, shop.actor());
    withdrawStatement(shop, formatId('prj', 1), { number: 1, reason: 'x' }, shop.actor());
    const actions = listAuditEntries(shop, 0).map(({ action }) => action);
    // `console/trail`, `console/users`, `console/second-factor`, `database/upgrade` have others.
    const wanted = AUDIT_ACTIONS.filter(
      (action) => !/^(?:session|backup|database)\.|sessions_ended|second_factor/.test(action),
    );
    assert.deepEqual([...new Set(actions)].sort(), [...wanted].sort());
  });

  it('5 entries cannot be changed, replaced or deleted', () => {
    const shop = new Workshop();
    shop.push([row()]);
    const before = listAuditEntries(shop, 0);
    for (const text of [
      `update audit_log set actor = 'nobody'`,
      'update audit_log set at = 0 where id = 1',
      'delete from audit_log',
      'delete from audit_log where id = 1',
      'replace into audit_log select * from audit_log where id = 1',
    ]) {
      assert.throws(() => shop.db.exec(text), /the audit log is append-only/);
    }
    assert.deepEqual(listAuditEntries(shop, 0), before);
  });

  it('5 an entry and its change are written together or not at all', () => {
    const shop = new Workshop();
    const before = listAuditEntries(shop, 0);
    shop.db.exec(`create temp trigger broken before insert on audit_log
      begin select raise(abort, 'as if the disk failed'); end`);
    assert.throws(
      () => storeOrganisationChange(shop, { member: 'plan', value: 'free' }, shop.actor()),
      /as if/,
    );
    assert.throws(() => shop.project(), /as if/);
    assert.throws(() => shop.push([row()]), /as if/);
    shop.db.exec('drop trigger temp.broken');
    assert.deepEqual(listAuditEntries(shop, 0), before);
    assert.equal(shop.db.prepare(`select count(*) as n from projects`).pluck().get(), 0);
    assert.equal(shop.db.prepare(`select plan from organisations`).pluck().get(), 'professional');
  });

  it('8 lists entries since a given time, inclusive, oldest first', () => {
    const shop = new Workshop();
    for (const second of [2, 1, 3]) {
      shop.nowMs = START_MS + second * 1000;
      const details = { changes: [], second };
      const entry = { action: 'plan.changed', subject: null, details } as const;
      recordAudit(shop, { ...shop.actor(), stampMs: shop.nowMs }, entry);
    }
    const seconds = (sinceMs: number) => {
      return listAuditEntries(shop, sinceMs).map(({ details }) => details['second']);
    };
    assert.deepEqual(seconds(START_MS + 1), [1, 2, 3]);
    assert.deepEqual(seconds(START_MS + 2000), [2, 3]);
    assert.deepEqual(seconds(START_MS + 3001), []);
  });

  it('5 records the plan before and after, and nothing if it stays the same', () => {
    const shop = new Workshop();
    shop.nowMs += 1000;
    storeOrganisationChange(shop, { member: 'plan', value: 'professional' }, shop.actor());
    storeOrganisationChange(shop, { member: 'plan', value: 'enterprise' }, shop.actor());
    assert.deepEqual(
      listAuditEntries(shop, shop.nowMs).map(({ action, details }) => [action, details]),
      [
        [
          'plan.changed',
          {
            changes: [
              {
                subject: 'org_0000000001',
                before: { plan: 'professional' },
                after: { plan: 'enterprise' },
              },
            ],
          },
        ],
      ],
    );
  });
});
