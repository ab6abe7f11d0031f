import assert from 'node:assert/strict';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { Failure, type FailureCode } from '../../src/core/failures.ts';
import { freeBytesAt } from '../../src/database/copies.ts';
import { openDatabase } from '../../src/database/database.ts';
import { createService, type ServiceOptions } from '../../src/service.ts';
import type { Notice } from '../../src/upkeep/upkeep.ts';
import { folderFor, row } from '../store/workshop.ts';
import { until } from './until.ts';

/** An exclusive service with an organisation, and what it says. */
async function openOne(t: TestContext, options: Partial<ServiceOptions> = {}) {
  const file = join(folderFor(t), 'budgetd.db');
  const notices: Notice[] = [];
  const notify = (notice: Notice) => notices.push(notice);
  const own = { database: file, create: true, exclusive: true, notify };
  const service = await createService({ ...own, ...options });
  t.after(() => service.close());
  const { id } = service.organisations.create({ name: 'A', baseCurrency: 'GBP' });
  const push = (externalId: string) => service.transactions.push(id, [row({ externalId })]);
  const count = () => service.transactions.list(id).data.length;
  const { url } = await service.listen({ port: 0 });
  const kinds = () => notices.map(({ kind }) => kind).join(' ');
  return { file, service, push, count, url, kinds };
}

const refusal = (code: FailureCode, message: RegExp) => (error: unknown) => {
  assert.ok(error instanceof Failure);
  assert.equal(error.code, code);
  assert.match(error.message, message);
  // Clients are not told where the file is.
  assert.doesNotMatch(error.message, /budgetd\.db/);
  return true;
};

/** A user without rights. */
const NOBODY = 65534;

describe('a file under a running service', () => {
  const ways: [what: string, act: (file: string) => void, back: (file: string) => void][] = [
    ['moved', (file) => renameSync(file, `${file}-x`), (file) => renameSync(`${file}-x`, file)],
    [
      'replaced by a copy',
      (file) => {
        copyFileSync(file, `${file}-copy`);
        renameSync(file, `${file}-x`);
        renameSync(`${file}-copy`, file);
      },
      (file) => renameSync(`${file}-x`, file),
    ],
    [
      'that lost its -wal',
      (file) => renameSync(`${file}-wal`, `${file}-x`),
      (file) => renameSync(`${file}-x`, `${file}-wal`),
    ],
  ];
  for (const end of ['-wal', '-shm']) {
    it(`that lost its ${end} is opened by no other process, which would damage it`, async (t) => {
      const { file, service, push } = await openOne(t);
      push('before');
      const open = () => openDatabase({ file, create: false, busyTimeoutMs: 20 });
      open().close();
      rmSync(file + end);
      assert.throws(open, new RegExp(`A service runs on .* without .*${end}: someone removed it`));
      assert.equal(existsSync(file + end), false);
      await service.close();
      const after = open();
      assert.equal(after.prepare('select count(*) from transactions').pluck().get(), 1);
      after.close();
    });
  }

  it('that can only be read is not served, whoever runs the service', async (t) => {
    const folder = folderFor(t);
    const file = join(folder, 'budgetd.db');
    openDatabase({ file, create: true, busyTimeoutMs: 20 }).close();
    const isRoot = process.getuid?.() === 0;
    // Root may write to any file.
    if (isRoot) {
      chownSync(folder, NOBODY, NOBODY);
      chmodSync(dirname(folder), 0o711);
    }
    chmodSync(file, isRoot ? 0o444 : 0o400);
    if (isRoot) process.seteuid?.(NOBODY);
    const opened = createService({ database: file, exclusive: true });
    if (isRoot) process.seteuid?.(0);
    await assert.rejects(opened, /Cannot open the database .* for writing\. Give this user write/);
  });

  for (const [what, act, back] of ways) {
    it(`${what} is not written, until it is back`, async (t) => {
      const { file, service, push, count, url, kinds } = await openOne(t);
      push('before');
      act(file);
      assert.throws(() => push('lost'), refusal('unavailable', /moved, removed or replaced/));
      assert.equal(count(), 1);
      assert.equal((await fetch(`${url}/readyz`)).status, 503);
      assert.equal((await fetch(`${url}/healthz`)).status, 200);
      assert.match(service.health()?.problem?.message ?? '', /budgetd\.db.* Put it back/);
      await until(() => kinds() === 'file_replaced');
      back(file);
      push('after');
      assert.equal((await fetch(`${url}/readyz`)).status, 200);
      await until(() => kinds() === 'file_replaced writing_again');
      assert.deepEqual([count(), service.health()?.problem], [2, null]);
    });
  }

  it('is not ready while it is away, also without upkeep', async (t) => {
    const { file, url, push, service } = await openOne(t, { exclusive: false });
    push('before');
    const metrics = await createService({ database: file });
    t.after(() => metrics.close());
    const { url: address } = await metrics.listenForMetrics({ port: 0 });
    const isReady = async () =>
      /^budgetd_ready 1$/m.test(await (await fetch(`${address}/metrics`)).text());
    const ready = async () => [(await fetch(`${url}/readyz`)).status, await isReady()];
    assert.deepEqual(await ready(), [200, true]);
    renameSync(file, `${file}-x`);
    assert.deepEqual(await ready(), [503, false]);
    const body = (await (await fetch(`${url}/readyz`)).json()) as { message: string };
    assert.match(body.message, /moved, removed or replaced/);
    renameSync(`${file}-x`, file);
    assert.deepEqual(await ready(), [200, true]);
    assert.equal(service.health(), undefined);
  });

  it('is noticed through a link that leads to another file', async (t) => {
    const folder = folderFor(t);
    const link = join(folder, 'link.db');
    symlinkSync(join(folder, 'real.db'), link);
    const { push } = await openOne(t, { database: link });
    push('before');
    rmSync(link);
    writeFileSync(join(folder, 'other.db'), '');
    symlinkSync(join(folder, 'other.db'), link);
    assert.throws(() => push('lost'), refusal('unavailable', /replaced/));
  });

  it('stays as it is when the service ends without it', async (t) => {
    const { file, service, push } = await openOne(t);
    push('before');
    renameSync(file, `${file}-x`);
    copyFileSync(`${file}-x`, file);
    const before = existsSync(`${file}-wal`);
    await service.close();
    // The -wal has what the moved file lacks.
    assert.deepEqual([before, existsSync(`${file}-wal`)], [true, true]);
    rmSync(file);
    renameSync(`${file}-x`, file);
    const again = await createService({ database: file });
    const [organisation] = again.organisations.list();
    assert.equal(again.transactions.list(organisation?.id ?? '').data.length, 1);
    await again.close();
  });
});

describe('the lock of a running service', () => {
  it('is taken again when its file is removed, so no second service can start', async (t) => {
    const { file, push, kinds } = await openOne(t);
    rmSync(`${file}-lock`);
    await until(() => kinds() === 'lock_renewed');
    await assert.rejects(createService({ database: file, exclusive: true }), /already serving/);
    push('after');
  });

  it('that another service has taken stops the writing of the first', async (t) => {
    const { file, push, kinds, url } = await openOne(t);
    rmSync(`${file}-lock`);
    const second = await createService({ database: file, exclusive: true });
    await until(() => kinds() === 'lock_taken');
    assert.throws(() => push('twice'), refusal('unavailable', /Another service has locked/));
    assert.equal((await fetch(`${url}/readyz`)).status, 503);
    await second.close();
    await until(() => kinds() === 'lock_taken lock_renewed writing_again');
    push('once');
  });
});

describe('11 min-free-disk', () => {
  it('refuses writes with storage_full below it; reading and /readyz still work', async (t) => {
    const file = join(folderFor(t), 'budgetd.db');
    const first = await openOne(t, { database: file });
    first.push('before');
    await first.service.close();
    const free = freeBytesAt(file) ?? 0;
    assert.ok(free > 0);
    const notices: Notice[] = [];
    const service = await createService({
      database: file,
      exclusive: true,
      minFreeDisk: free * 2,
      notify: (notice) => notices.push(notice),
    });
    t.after(() => service.close());
    const [organisation] = service.organisations.list();
    const id = organisation?.id ?? '';
    const push = () => service.transactions.push(id, [row()]);
    assert.throws(push, refusal('storage_full', /almost full.*reading still works/));
    assert.throws(() => service.keys.create(id, { name: 'a', scopes: ['projects:read'] }), {
      code: 'storage_full',
    });
    assert.equal(service.transactions.list(id).data.length, 1);
    const { url } = await service.listen({ port: 0 });
    assert.equal((await fetch(`${url}/readyz`)).status, 200);
    assert.deepEqual(
      [notices[0]?.kind, service.health()?.problem?.code],
      ['disk_full', 'disk_full'],
    );
  });
});
