import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openDatabase } from '../../src/database/database.ts';
import { KeyUses } from '../../src/operations/keys.ts';
import { listKeys, storeNewKey } from '../../src/store/keys.ts';
import { folderFor, refusal, START_MS, Workshop } from '../store/workshop.ts';
import { until } from '../upkeep/until.ts';
import { openHouse, START } from './house.ts';

describe('contract 7: keys in the library', () => {
  it('7 a key is shown once, then only its first 6 characters', async (t) => {
    const { service, org } = await openHouse(t);
    const { id, key } = service.keys.create(org, { name: ' erp ', scopes: ['projects:read'] });
    const shown = service.keys.list(org);
    assert.deepEqual(shown, [
      {
        id,
        name: 'erp',
        display: key.slice(9, 15),
        scopes: ['projects:read'],
        createdBy: 'library',
        createdAt: START,
        expiresAt: null,
        lastUsedAt: null,
        revokedAt: null,
      },
    ]);
    assert.ok(!JSON.stringify([shown, service.audit.list(org)]).includes(key.slice(9, 20)));
  });

  it('7 scopes are listed once each, in a fixed order', async (t) => {
    const { service, org } = await openHouse(t);
    const scopes = ['transactions:write', 'projects:read', 'transactions:write'] as const;
    service.keys.create(org, { name: 'erp', scopes });
    assert.deepEqual(service.keys.list(org)[0]?.scopes, ['projects:read', 'transactions:write']);
  });

  const wrong: [why: string, draft: object][] = [
    ['no scope', { scopes: [] }],
    ['an unknown scope', { scopes: ['projects:write'] }],
    ['a blank name', { name: ' ' }],
    ['a name that is too long', { name: 'x'.repeat(256) }],
    ['an expiry that is not a real date', { expiresAt: '2026-02-30' }],
    ['an expiry without an offset', { expiresAt: '2026-02-01T12:00:00' }],
    ['an empty expiry', { expiresAt: '' }],
  ];
  for (const [why, change] of wrong) {
    it(`7 refused: ${why}`, async (t) => {
      const { service, org } = await openHouse(t);
      const draft = { name: 'erp', scopes: ['projects:read'] as const, ...change };
      assert.throws(() => service.keys.create(org, draft), refusal('invalid_input'));
      assert.deepEqual(service.keys.list(org), []);
    });
  }

  const expiries: [expiresAt: string, wanted: string][] = [
    ['2026-02-28', '2026-03-01T00:00:00.000Z'],
    ['2024-02-28', '2024-02-29T00:00:00.000Z'],
    ['2020-01-01', '2020-01-02T00:00:00.000Z'],
    ['2199-12-31', '2200-01-01T00:00:00.000Z'],
    ['2026-02-28T12:00:00+01:00', '2026-02-28T11:00:00.000Z'],
    ['2020-01-01T00:00:00Z', '2020-01-01T00:00:00.000Z'],
  ];
  for (const [expiresAt, wanted] of expiries) {
    it(`8 a key that expires on ${expiresAt} works until ${wanted}`, async (t) => {
      const { service, org } = await openHouse(t);
      service.keys.create(org, { name: 'erp', scopes: ['projects:read'], expiresAt });
      assert.equal(service.keys.list(org)[0]?.expiresAt, wanted);
    });
  }

  it('8 revoking again keeps the first revokedAt', async (t) => {
    const { service, org, clock } = await openHouse(t);
    const { id } = service.keys.create(org, { name: 'erp', scopes: ['projects:read'] });
    clock.nowMs += 1000;
    const revokedAt = '2026-01-31T12:00:01.000Z';
    const first = service.keys.revoke(org, id);
    assert.deepEqual(first, { keyId: id, revokedAt });
    clock.nowMs += 60_000;
    assert.deepEqual(service.keys.revoke(org, id), first);
    assert.equal(service.keys.list(org)[0]?.revokedAt, revokedAt);
  });

  it("5.8 another organisation's key cannot be revoked or seen", async (t) => {
    const { service, org } = await openHouse(t);
    const other = service.organisations.create({ name: 'Other', baseCurrency: 'GBP' }).id;
    const { id } = service.keys.create(org, { name: 'erp', scopes: ['projects:read'] });
    for (const keyId of [id, 'key_0000000099', 'nonsense']) {
      assert.throws(() => service.keys.revoke(other, keyId), refusal('not_found'));
    }
    assert.deepEqual(service.keys.list(other), []);
    assert.equal(service.keys.list(org)[0]?.revokedAt, null);
  });
});

describe('contract 7: the last use is written at most once a minute', () => {
  const lastUse = (shop: Workshop) => listKeys(shop)[0]?.lastUsedAtMs;
  const build = (shop: Workshop) => {
    const draft = { name: 'erp', scopes: ['projects:read'] as const, expiresAtMs: null };
    const { id } = storeNewKey(shop, draft, shop.actor());
    return { id, uses: new KeyUses(shop.db) };
  };

  it('7 it is written again after a minute, not before', () => {
    const shop = new Workshop();
    const { id, uses } = build(shop);
    uses.write();
    assert.equal(lastUse(shop), null);
    for (const [afterMs, wantedMs] of [
      [0, 0],
      [1, 0],
      [59_999, 0],
      [60_000, 60_000],
      [60_001, 60_000],
      [500_000, 500_000],
    ] as const) {
      uses.note(id, START_MS + afterMs);
      uses.write();
      assert.equal(lastUse(shop), START_MS + wantedMs);
    }
  });

  it('7 of several uses before the first write, the last counts', () => {
    const shop = new Workshop();
    const { id, uses } = build(shop);
    uses.note(id, START_MS);
    uses.note(id, START_MS + 7);
    assert.equal(lastUse(shop), null);
    uses.write();
    assert.equal(lastUse(shop), START_MS + 7);
  });

  it('7 it is still written after the wall clock goes back a day', () => {
    const shop = new Workshop();
    const { id, uses } = build(shop);
    for (const nowMs of [START_MS, START_MS - 86_400_000]) {
      uses.note(id, nowMs);
      uses.write();
      assert.equal(lastUse(shop), nowMs);
    }
  });

  it('7 it is written automatically a moment later', async () => {
    const shop = new Workshop();
    const { id, uses } = build(shop);
    uses.note(id, START_MS);
    await until(() => lastUse(shop) !== null);
    assert.equal(lastUse(shop), START_MS);
  });

  it('7 while the database is locked it is kept for later, without an error', (t) => {
    const file = `${folderFor(t)}/budgetd.db`;
    const shop = new Workshop(file);
    const { id, uses } = build(shop);
    const other = openDatabase({ file, create: false, busyTimeoutMs: 20 });
    t.after(() => {
      other.close();
      shop.db.close();
    });
    other.exec('begin immediate');
    uses.note(id, START_MS);
    uses.write();
    assert.equal(lastUse(shop), null);
    other.exec('rollback');
    uses.write();
    assert.equal(lastUse(shop), START_MS);
  });
});
