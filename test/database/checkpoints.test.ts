import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { Checkpoints, whenCheckpointed } from '../../src/database/checkpoints.ts';
import { openDatabase } from '../../src/database/database.ts';
import { createService } from '../../src/service.ts';
import { repetitions } from '../repetitions.ts';
import { folderFor, rows, Workshop } from '../store/workshop.ts';
import { until } from '../upkeep/until.ts';

/** What SQLite cuts the WAL to when it begins again (`journal_size_limit`). */
const LIMIT_BYTES = 64 * 1024 * 1024;

/** Of the WAL, after which the watched files are copied. */
const PAGES = 300;
/** Of each row, so that 13 pushes of 500 write more pages than a service copies at once. */
const MEMO = 'x'.repeat(7_500);

const ROUNDS = repetitions(2, 3, 5);

/** A file, and a workshop that has just changed enough of it for a checkpoint. */
function openWritten(t: TestContext, watch: (shop: Workshop, file: string) => Checkpoints) {
  const file = join(folderFor(t), 'budgetd.db');
  const shop = new Workshop(file);
  const checkpoints = watch(shop, file);
  const bytes = statSync(file).size;
  for (const name of 'abcdefghi') pushRows(shop, name);
  return { file, shop, checkpoints, bytes };
}

function pushRows(shop: Workshop, name: string): void {
  shop.push(rows(500, (index) => ({ externalId: `${name}-${index}` })));
}

function pagesOf({ db }: Workshop): unknown {
  return db.pragma('wal_autocheckpoint', { simple: true });
}

describe('checkpoints in a thread', () => {
  it('copy what was written into the file, without a commit that does it', async (t) => {
    const { file, shop, checkpoints, bytes } = openWritten(
      t,
      ({ db }, name) => new Checkpoints(db, name, { pages: PAGES }),
    );
    assert.equal(pagesOf(shop), 16_000);
    await until(() => statSync(file).size > bytes);
    await checkpoints.close();
    assert.equal(pagesOf(shop), 4000);
    pushRows(shop, 'z');
    shop.check();
    shop.db.close();
    assert.deepEqual(readdirSync(join(file, '..')), ['budgetd.db']);
  });

  it('can be waited for, which keeps the WAL short', async (t) => {
    const { file, shop, checkpoints, bytes } = openWritten(
      t,
      ({ db }, name) => new Checkpoints(db, name, { pages: PAGES }),
    );
    await whenCheckpointed(shop.db);
    assert.ok(statSync(file).size > bytes);
    const longest = statSync(`${file}-wal`).size;
    for (let batch = 0; batch < 30; batch += 1) {
      pushRows(shop, `more-${batch}`);
      await whenCheckpointed(shop.db);
    }
    assert.ok(statSync(`${file}-wal`).size < 3 * longest);
    await checkpoints.close();
    await whenCheckpointed(shop.db);
    shop.db.close();
  });

  it('do not start for a few records', async (t) => {
    const file = join(folderFor(t), 'budgetd.db');
    const shop = new Workshop(file);
    const checkpoints = new Checkpoints(shop.db, file, { pages: PAGES });
    const none = checkpoints.whenMade();
    shop.push(rows(50));
    assert.equal(checkpoints.whenMade(), none);
    await checkpoints.close();
    shop.db.close();
  });

  it('are left to commits again if the thread fails', async (t) => {
    const script = new URL('data:text/javascript,throw new Error()');
    const { shop, checkpoints } = openWritten(
      t,
      ({ db }, name) => new Checkpoints(db, name, { pages: PAGES, script }),
    );
    await whenCheckpointed(shop.db);
    await until(() => pagesOf(shop) === 4000);
    pushRows(shop, 'z');
    assert.equal(pagesOf(shop), 4000, 'no second thread');
    await checkpoints.close();
    shop.db.close();
  });

  it('that cannot be made change nothing', async (t) => {
    const { file, shop, checkpoints, bytes } = openWritten(
      t,
      ({ db }, name) => new Checkpoints(db, `${name}-gone`, { pages: PAGES }),
    );
    await checkpoints.close();
    assert.equal(statSync(file).size, bytes);
    pushRows(shop, 'z');
    shop.check();
    shop.db.close();
    assert.deepEqual(readdirSync(join(file, '..')), ['budgetd.db']);
  });

  it('of two services on one file do not disturb each other, or closing', async (t) => {
    const file = join(folderFor(t), 'budgetd.db');
    new Workshop(file).db.close();
    for (let round = 0; round < ROUNDS; round += 1) {
      const services = [
        await createService({ database: file }),
        await createService({ database: file }),
      ];
      for (const batch of 'abcdefghi') {
        for (const [at, service] of services.entries()) {
          const name = `${round}-${at}-${batch}`;
          const pushed = rows(500, (index) => ({ externalId: `${name}-${index}`, memo: MEMO }));
          const { meta } = service.transactions.push('org_0000000001', pushed);
          assert.equal(meta.created, 500);
        }
      }
      await services[0]?.close();
      assert.deepEqual(
        services[1]?.check().filter(({ ok }) => !ok),
        [],
      );
      await services[1]?.close();
      assert.deepEqual(readdirSync(join(file, '..')), ['budgetd.db']);
    }
  });

  it('do not keep or break a process that ends without closing its service', async (t) => {
    const file = join(folderFor(t), 'budgetd.db');
    new Workshop(file).db.close();
    const library = new URL('../../src/index.js', import.meta.url).href;
    const waiting = "await service.transactions.allocateByAccountCode('org_0000000001')";
    const stopping = ['process.exit(0)', 'setTimeout(() => process.exit(0), 60)'];
    for (const ending of ['', ...stopping, waiting]) {
      const script = `
        import { createService } from '${library}';
        const service = await createService({ database: ${JSON.stringify(file)} });
        for (let batch = 0; batch < 13; batch += 1) {
          const rows = Array.from({ length: 500 }, (_, index) => {
            return { externalId: batch + '-' + index + ${JSON.stringify(ending)}, amount: 1,
              date: '2026-01-31', description: 'Rent', memo: ${JSON.stringify(MEMO)} };
          });
          service.transactions.push('org_0000000001', rows);
        }
        ${ending}`;
      const args = ['--input-type=module', '--eval', script];
      const child = spawn(process.execPath, args, { stdio: 'inherit' });
      assert.deepEqual(await once(child, 'exit'), [0, null], ending);
    }
    const service = await createService({ database: file });
    assert.deepEqual(
      service.check().filter(({ ok }) => !ok),
      [],
    );
    await service.close();
  });

  it('leave a WAL that is short again after another process held a snapshot', async (t) => {
    const { file, shop, checkpoints } = openWritten(
      t,
      ({ db }, name) => new Checkpoints(db, name, { pages: PAGES }),
    );
    const walBytes = () => statSync(`${file}-wal`).size;
    const reader = openDatabase({ file, create: false, busyTimeoutMs: 0 });
    reader.exec('begin');
    const before = reader.prepare('select count(*) from transactions').pluck().get();
    shop.db.exec('create table filler (bytes)');
    while (walBytes() < LIMIT_BYTES * 1.1) {
      shop.db.exec('insert into filler values (zeroblob(1000000))');
      await whenCheckpointed(shop.db);
    }
    pushRows(shop, 'held');
    await whenCheckpointed(shop.db);
    assert.equal(reader.prepare('select count(*) from transactions').pluck().get(), before);
    reader.close();
    for (let batch = 0; walBytes() > LIMIT_BYTES; batch += 1) {
      assert.ok(batch < 50, `${walBytes()} bytes`);
      pushRows(shop, `free-${batch}`);
      await whenCheckpointed(shop.db);
    }
    const longest = walBytes();
    for (let batch = 0; batch < 20; batch += 1) {
      pushRows(shop, `later-${batch}`);
      await whenCheckpointed(shop.db);
    }
    assert.ok(walBytes() <= longest);
    await checkpoints.close();
    shop.db.exec('drop table filler');
    shop.check();
    shop.db.close();
  });
});
