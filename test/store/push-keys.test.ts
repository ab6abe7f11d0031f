import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatId } from '../../src/core/ids.ts';
import type { PushResult } from '../../src/core/push.ts';
import { storeNewKey, storeRevocation } from '../../src/store/keys.ts';
import { storeBatch } from '../../src/store/push.ts';
import { fillHashes } from './fill-hashes.ts';
import { row, Workshop } from './workshop.ts';

/** Two systems, each with a key of its own, and what a batch of one of them is warned of. */
class Systems extends Workshop {
  readonly keys = ['rent', 'payroll'].map((name) => this.addKey(name));

  addKey(name: string, expiresAtMs: number | null = null): number {
    const draft = { name, scopes: ['transactions:write'], expiresAtMs } as const;
    return storeNewKey(this.access, draft, this.actor()).id;
  }

  get access() {
    return { db: this.db, organisation: this.organisation };
  }

  /** The warnings of each row; `system` is the place of a key, or a name that is not a key's. */
  send(system: number | 'library' | 'import', rows: readonly unknown[], dryRun = false) {
    const name = typeof system === 'string' ? system : formatId('key', this.keys[system] ?? 0);
    const provider = system === 'import' ? 'csv' : 'api';
    const batch = { rows, provider, dryRun } as const;
    this.nowMs += 1000;
    return storeBatch(this.access, batch, { ...this.actor(), name }).results.map(warningsOf);
  }
}

const RENT = row({ externalId: '1001', amount: 500 });
const PAY = row({ externalId: '1001', amount: 1800 });

describe('contract 17: a row of another key', () => {
  it('has a warning if it changes something, first a dry run, and not again', () => {
    const shop = new Systems();
    shop.send(0, [RENT, row({ externalId: '1002' })]);
    for (const isDry of [true, true, false]) {
      const sent = shop.send(1, [{ ...PAY, memo: 1 }, row({ externalId: '1003' })], isDry);
      assert.deepEqual(sent, [['other_key', 'unknown_field'], []]);
    }
    assert.deepEqual(shop.send(1, [{ ...PAY, amount: 1900 }]), [[]]);
    assert.deepEqual(shop.send(0, [RENT]), [['other_key']], 'the other way round as well');
    shop.check();
  });

  it('has none if it changes nothing, nor does that make the transaction its own', () => {
    const shop = new Systems();
    shop.send(0, [RENT]);
    assert.deepEqual(shop.send(1, [{ ...RENT, memo: 1 }]), [['unknown_field']]);
    assert.deepEqual(shop.send(0, [{ ...RENT, amount: 501 }]), [[]]);
    assert.deepEqual(shop.send(1, [PAY]), [['other_key']]);
    shop.check();
  });

  it('has one for the first change of a batch alone, after duplicate_in_batch', () => {
    const shop = new Systems();
    shop.send(0, [RENT]);
    assert.deepEqual(shop.send(1, [RENT, PAY, RENT, row({ externalId: 'new' }), PAY]), [
      [],
      ['duplicate_in_batch', 'other_key'],
      ['duplicate_in_batch'],
      [],
      ['duplicate_in_batch'],
    ]);
    const both = [row({ externalId: 'a' }), row({ externalId: 'a', amount: 2 })];
    assert.deepEqual(shop.send(1, both), [[], ['duplicate_in_batch']]);
  });

  it('has none where the other key is revoked or has expired', () => {
    const shop = new Systems();
    shop.send(0, [RENT]);
    assert.deepEqual(shop.send(1, [PAY], true), [['other_key']]);
    storeRevocation(shop.access, shop.keys[0] ?? 0, shop.actor());
    assert.deepEqual(shop.send(1, [PAY]), [[]]);
    shop.keys.push(shop.addKey('short', shop.nowMs + 5_000));
    shop.send(2, [RENT]);
    assert.deepEqual(shop.send(1, [PAY], true), [['other_key']]);
    shop.nowMs += 5_000;
    assert.deepEqual(shop.send(1, [PAY]), [[]]);
  });

  it('has none where a key is not known: before, by import, by the library', () => {
    const shop = new Systems();
    shop.send('library', [RENT]);
    assert.deepEqual(shop.send(0, [PAY]), [[]]);
    assert.deepEqual(shop.send('library', [RENT]), [[]]);
    assert.deepEqual(shop.send(1, [PAY]), [[]], 'the library changed it last');
    assert.deepEqual(shop.send('import', [RENT]), [['other_provider']]);
    assert.deepEqual(shop.send('import', [PAY]), [[]]);
    shop.db.exec('update transactions set key_id = null, row_hash = 0');
    fillHashes(shop.db);
    assert.deepEqual(shop.send(0, [RENT]), [[]], 'stored before keys were');
    shop.check();
  });
});

function warningsOf(result: PushResult): string[] {
  return 'warnings' in result ? result.warnings.map(({ code }) => code) : [];
}
