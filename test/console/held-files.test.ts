import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { type HeldFile, HeldFiles } from '../../src/console/import/held-files.ts';
import type { Imported } from '../../src/console/import/tally.ts';
import { Stopped, Task } from '../../src/console/session/task.ts';
import { IMPORTS } from '../../src/core/limits.ts';
import { openHouse } from '../library/house.ts';
import { folderFor } from '../store/workshop.ts';

/** Files of users of one organisation, and what is left of them. */
async function openFiles(test: TestContext) {
  const { service, org } = await openHouse(test);
  const access = service.access(org);
  const folder = folderFor(test);
  const files = new HeldFiles({ path: folder, hasSpace: () => true, close: () => {} });
  test.after(() => files.close());
  let uploads = 0;
  const sessionOf = (userId: number) => ({ id: userId, userId, access });
  function hold(userId: number, bytes = 1): HeldFile {
    uploads += 1;
    const path = join(folder, `upload-${uploads}`);
    writeFileSync(path, '');
    return files.hold({ field: 'file', name: `${uploads}.csv`, path, bytes }, sessionOf(userId));
  }
  const isHeld = (userId: number, file: HeldFile) => {
    return files.find(file.id, sessionOf(userId)) === file;
  };
  return { folder, hold, isHeld };
}

describe('files that are being imported', () => {
  it('stay until an import that reads them has ended', async (test) => {
    const { folder, hold, isHeld } = await openFiles(test);
    const file = hold(1);
    let end: (imported: Imported) => void = () => {};
    file.imported = new Task('', () => new Promise<Imported>((resolve) => (end = resolve)));
    for (let more = 0; more < IMPORTS.perUser; more += 1) hold(1);
    const isThere = () => readdirSync(folder).includes(basename(file.path));
    assert.deepEqual([isHeld(1, file), isThere()], [false, true]);
    end({} as Imported);
    await file.imported.ended;
    assert.equal(isThere(), false);
  });

  it('of one user never push out those of others', async (test) => {
    const { folder, hold, isHeld } = await openFiles(test);
    const others = [hold(1), hold(2), hold(2)];
    const own = Array.from({ length: 2 * IMPORTS.held }, () => hold(3));
    assert.deepEqual(
      others.map((file, at) => isHeld(at === 0 ? 1 : 2, file)),
      [true, true, true],
    );
    const kept = own.filter((file) => isHeld(3, file));
    assert.deepEqual(kept, own.slice(-IMPORTS.perUser));
    assert.equal(readdirSync(folder).length, others.length + IMPORTS.perUser);
  });

  it('of too many users go where there are most', async (test) => {
    const { folder, hold, isHeld } = await openFiles(test);
    const few = hold(0);
    for (let user = 1; user <= IMPORTS.held / 2; user += 1) {
      hold(user);
      hold(user);
    }
    assert.ok(isHeld(0, few));
    assert.equal(readdirSync(folder).length, IMPORTS.held);
  });

  it('end what looks at them when they go, whatever that finds', async (test) => {
    const { hold } = await openFiles(test);
    const file = hold(1);
    const looked = new Task<never>('', async () => {
      await delay(1);
      throw new Error(readFileSync(file.path, 'utf8'));
    });
    file.looked = looked;
    for (let at = 0; at < IMPORTS.perUser; at += 1) hold(1);
    await looked.wait(60_000);
    assert.throws(() => looked.result, Stopped);
  });

  it('have a bound of bytes', async (test) => {
    const { folder, hold, isHeld } = await openFiles(test);
    const small = hold(0, 1);
    const most = Math.floor((IMPORTS.bytesHeld - 1) / IMPORTS.fileBytes);
    const large = Array.from({ length: most }, (_, at) => hold(1 + at, IMPORTS.fileBytes));
    assert.equal(readdirSync(folder).length, most + 1);
    hold(most + 1, IMPORTS.fileBytes);
    assert.equal(readdirSync(folder).length, most + 1);
    assert.ok(isHeld(0, small));
    assert.deepEqual(
      large.filter((file, at) => !isHeld(1 + at, file)),
      large.slice(0, 1),
    );
  });

  it('are refused if they alone are too much', async (test) => {
    const { folder, hold } = await openFiles(test);
    const names = Array.from({ length: 10 }, (_, user) => hold(user, IMPORTS.bytesHeld / 10).path);
    assert.throws(() => hold(10, IMPORTS.bytesHeld / 5), { code: 'unavailable' });
    assert.deepEqual(
      readdirSync(folder).sort(),
      names.map((path) => path.slice(folder.length + 1)).sort(),
    );
  });
});
