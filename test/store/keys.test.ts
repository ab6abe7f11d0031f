import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { formatId } from '../../src/core/ids.ts';
import { formatKey, isKey, KEY_BYTES } from '../../src/core/keys.ts';
import { API_KEYS } from '../../src/core/limits.ts';
import type { Scope } from '../../src/core/plans.ts';
import { atomically } from '../../src/database/database.ts';
import { listAuditEntries } from '../../src/store/audit.ts';
import {
  findKey,
  findKeyByNumber,
  listKeys,
  listNewestKeys,
  recordUses,
  storeNewKey,
  storeRevocation,
} from '../../src/store/keys.ts';
import { storeOrganisationChange } from '../../src/store/organisations.ts';
import { folderFor, START_MS, Workshop } from './workshop.ts';

const SCOPES: readonly Scope[] = ['projects:read', 'transactions:write'];

function create(shop: Workshop, expiresAtMs: number | null = null, org = shop.organisation) {
  return storeNewKey(
    { db: shop.db, organisation: org },
    { name: 'erp', scopes: SCOPES, expiresAtMs },
    shop.actor(),
  );
}

describe('contract 7: keys in the database', () => {
  it('7 a key is found by its text, with the current state of its organisation', () => {
    const shop = new Workshop();
    const { id, key } = create(shop, START_MS + 5);
    assert.ok(isKey(key));
    const found = { id, scopes: SCOPES, expiresAtMs: START_MS + 5, revokedAtMs: null };
    assert.deepEqual(findKey(shop, key), { ...found, organisation: shop.organisation });
    storeOrganisationChange(shop, { member: 'plan', value: 'free' }, shop.actor());
    assert.equal(findKey(shop, key)?.organisation.plan, 'free');
  });

  it('lists some keys, the valid ones first, and finds one of the organisation', () => {
    const shop = new Workshop();
    const [old, expired, revoked, valid] = [
      create(shop).id,
      create(shop, START_MS + 5).id,
      create(shop).id,
      create(shop, START_MS + 60_000).id,
    ];
    const { id: theirs } = create(shop, null, shop.addOrganisation('GBP', 'Other'));
    storeRevocation(shop, revoked, shop.actor());
    const list = (limit: number) =>
      listNewestKeys(shop, { nowMs: START_MS + 5, limit }).keys.map(({ id }) => id);
    assert.deepEqual(list(10), [valid, old, revoked, expired]);
    assert.deepEqual(list(2), [valid, old]);
    assert.equal(listNewestKeys(shop, { nowMs: START_MS + 5, limit: 1 }).count, 4);
    const [, second] = listKeys(shop);
    assert.deepEqual(findKeyByNumber(shop, expired), second);
    assert.equal(findKeyByNumber(shop, theirs), undefined);
  });

  it('7 an unknown text, or another case of a key, finds nothing', () => {
    const shop = new Workshop();
    const { key } = create(shop);
    for (const text of ['', 'bdg_live_', key.toUpperCase(), `${key} `, key.slice(0, -1)]) {
      assert.equal(findKey(shop, text), undefined);
    }
  });

  it('5.3 only the SHA-256 is stored: neither file nor WAL contains the key', (t) => {
    const folder = folderFor(t);
    const shop = new Workshop(join(folder, 'budgetd.db'));
    const { id, key } = create(shop);
    findKey(shop, key);
    recordUses(shop, new Map([[id, START_MS]]));
    storeRevocation(shop, id, shop.actor());
    const bytesOf = () => {
      return Buffer.concat(readdirSync(folder).map((name) => readFileSync(join(folder, name))));
    };
    const files = readdirSync(folder).sort();
    assert.deepEqual(files, ['budgetd.db', 'budgetd.db-shm', 'budgetd.db-wal']);
    const bytes = bytesOf();
    shop.db.pragma('wal_checkpoint(TRUNCATE)');
    for (const stored of [bytes, bytesOf()]) {
      const secret = key.slice('bdg_live_'.length);
      assert.ok(stored.includes(createHash('sha256').update(key).digest()));
      assert.ok(stored.includes(secret.slice(0, 6)));
      for (const part of [secret.slice(0, 12), secret.slice(6, 20), secret.slice(20, 40)]) {
        assert.equal(stored.includes(part), false);
        assert.equal(stored.includes(Buffer.from(part, 'hex')), false);
      }
    }
    shop.db.close();
  });

  it('7 two keys never have the same text', () => {
    const shop = new Workshop();
    const keys = Array.from({ length: 200 }, () => create(shop).key);
    assert.equal(new Set(keys).size, 200);
  });

  it('7 the list of keys contains neither their text nor their hash', () => {
    const shop = new Workshop();
    const { id, key } = create(shop);
    assert.deepEqual(listKeys(shop), [
      {
        id,
        name: 'erp',
        display: key.slice(9, 15),
        scopes: SCOPES,
        createdBy: 'key_0000000001',
        createdAtMs: START_MS,
        expiresAtMs: null,
        lastUsedAtMs: null,
        revokedAtMs: null,
      },
    ]);
  });

  it('5.5 revoking takes effect at once; doing it again changes nothing', () => {
    const shop = new Workshop();
    const { id, key } = create(shop);
    shop.nowMs += 1000;
    const revokedAtMs = shop.nowMs;
    assert.equal(storeRevocation(shop, id, shop.actor()), revokedAtMs);
    assert.equal(findKey(shop, key)?.revokedAtMs, revokedAtMs);
    shop.nowMs += 1000;
    assert.equal(storeRevocation(shop, id, shop.actor()), revokedAtMs);
    assert.equal(storeRevocation(shop, 99, shop.actor()), undefined);
    assert.deepEqual(
      listAuditEntries(shop, revokedAtMs).map(({ action, subject }) => [action, subject]),
      [['key.revoked', formatId('key', id)]],
    );
  });

  it('7 a write that fails leaves nothing behind in what is remembered of keys', () => {
    const shop = new Workshop();
    const { id, key } = create(shop);
    const fail = () =>
      atomically(shop, () => {
        storeRevocation(shop, id, shop.actor());
        assert.notEqual(findKey(shop, key)?.revokedAtMs, null);
        throw new RangeError();
      });
    assert.throws(fail, RangeError);
    assert.equal(findKey(shop, key)?.revokedAtMs, null);
  });

  it('7 only keys that exist are remembered, and not too many', () => {
    const shop = new Workshop();
    const keys = Array.from({ length: API_KEYS.remembered + 1 }, () => create(shop).key);
    const [first = '', ...others] = keys;
    // Changes that are not an `atomically`: only what is read again shows them.
    const rename = (from: string, to: string) => {
      const hashOf = (key: string) => createHash('sha256').update(key).digest();
      shop.db.prepare('update api_keys set hash = ? where hash = ?').run(hashOf(to), hashOf(from));
    };
    const unknown = formatKey(new Uint8Array(KEY_BYTES));
    assert.equal(findKey(shop, unknown), undefined);
    assert.equal(findKey(shop, first)?.id, 1);
    rename(first, unknown);
    assert.equal(findKey(shop, unknown)?.id, 1, 'read again');
    assert.equal(findKey(shop, first)?.id, 1, 'remembered');
    for (const key of others) findKey(shop, key);
    assert.equal(findKey(shop, first), undefined, 'forgotten');
  });

  it('7 last uses are stored per key', () => {
    const shop = new Workshop();
    const [one, two, three] = [create(shop).id, create(shop).id, create(shop).id] as const;
    const uses = new Map([
      [one, START_MS + 1],
      [three, START_MS + 3],
    ]);
    recordUses(shop, uses);
    assert.deepEqual(
      listKeys(shop).map(({ id, lastUsedAtMs }) => [id, lastUsedAtMs]),
      [
        [one, START_MS + 1],
        [two, null],
        [three, START_MS + 3],
      ],
    );
  });
});
