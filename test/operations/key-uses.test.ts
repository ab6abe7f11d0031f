import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openDatabase } from '../../src/database/database.ts';
import { KeyUses } from '../../src/operations/keys.ts';
import { listKeys, storeNewKey } from '../../src/store/keys.ts';
import { storeNewOrganisation } from '../../src/store/organisations.ts';

const ACTOR = { name: 'test', requestId: null, nowMs: 1_000 };

test('7: a last use does not wait for a lock, and is written after it', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'budgetd-uses-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'uses.db');
  const db = openDatabase({ file, create: true, busyTimeoutMs: 30_000 });
  const draft = { name: 'Test', currency: 'GBP', plan: 'professional', timeZone: 'UTC' } as const;
  const access = { db, organisation: storeNewOrganisation({ db }, draft, ACTOR) };
  const scopes = ['projects:read'] as const;
  const { id } = storeNewKey(access, { name: 'erp', scopes, expiresAtMs: null }, ACTOR);
  const other = openDatabase({ file, create: false, busyTimeoutMs: 0 });
  const uses = new KeyUses(db);

  other.exec('begin immediate');
  uses.note(id, 5_000);
  uses.write();
  assert.equal(listKeys(access)[0]?.lastUsedAtMs, null);
  assert.equal(db.pragma('busy_timeout', { simple: true }), 30_000, 'other writes still wait');

  other.exec('rollback');
  uses.write();
  assert.equal(listKeys(access)[0]?.lastUsedAtMs, 5_000);

  uses.note(id, 64_999);
  uses.write();
  assert.equal(listKeys(access)[0]?.lastUsedAtMs, 5_000, 'at most once a minute');
  uses.note(id, 65_000);
  uses.write();
  assert.equal(listKeys(access)[0]?.lastUsedAtMs, 65_000);
  other.close();
  db.close();
});
