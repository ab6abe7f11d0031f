/** The executable: built by the Node that runs this, and used without its files. */

import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createClient } from '../src/client/index.ts';
import { buildText } from '../src/package-folder.ts';
import { canMount } from './mounts.ts';
import { ROOT, readText } from './repository.ts';
import { until } from './upkeep/until.ts';

const isBuilt = Number(process.versions.node.split('.')[0]) >= 24 && process.platform === 'linux';

/** Where the system may not run what is in a file. */
const NO_PROGRAMS = 'mount -t tmpfs -o noexec none';

/** Of each row, so that the WAL gets as long as it has to be for a checkpoint. */
const MEMO = 'x'.repeat(7_500);

if (isBuilt) describe('the executable', testExecutable);
else {
  it('is built with a later Node, which an earlier one says', () => {
    const { status, stderr } = build();
    assert.equal(status, 1);
    assert.match(stderr, /^The executable is built with Node 24 or later on Linux\. This is Node /);
  });
}

function testExecutable() {
  const folder = mkdtempSync(join(tmpdir(), 'budgetd-executable-'));
  const program = join(folder, 'budgetd');
  let service: ChildProcess;
  let url = '';
  let size = '';
  const run = (...args: string[]) => spawnSync(program, args, { cwd: folder, encoding: 'utf8' });

  before(async () => {
    const { status, stdout, stderr } = build();
    assert.equal(status, 0, stderr);
    [, size = ''] = / with budgetd, (\d+) MB\.\n$/.exec(stdout) ?? [];
    copyFileSync(join(ROOT, 'dist/budgetd'), program);
    assert.equal(run('init', '--name', 'Well', '--currency', 'GBP').status, 0);
    service = spawn(program, ['serve', '--port', '0', '--json'], { cwd: folder });
    const [line] = await once(service.stdout ?? service, 'data');
    ({ url } = JSON.parse(line));
  });

  after(async () => {
    service.kill();
    assert.deepEqual(await once(service, 'exit'), [0, null]);
    rmSync(folder, { recursive: true });
  });

  it('has the version of the package', () => {
    assert.equal(run('--version').stdout, `budgetd ${buildText()}\n`);
  });

  it('has the size that the page for operators names, but for a twentieth', () => {
    const [major] = process.versions.node.split('.');
    const named = new RegExp(`(\\d+) MB with Node ${major}[,;]`);
    const [, stated] = named.exec(readText('docs/operating.md')) ?? [];
    // A Node that has no figure yet is not compared.
    if (stated !== undefined) assert.ok(Math.abs(Number(size) / Number(stated) - 1) < 0.05, size);
    assert.notEqual(size, '');
  });

  it('serves the documents of the interface', async () => {
    for (const path of ['/docs', '/docs.css', '/docs.js', '/openapi.json']) {
      assert.equal((await fetch(url + path)).status, 200, path);
    }
  });

  it('explains a project file, and shows places in the sources', () => {
    writeFileSync(join(folder, 'pump.json'), '{ "name": "Pump" }');
    assert.match(run('projects', 'import', 'pump.json').stderr, /^pump\.json: startDate: This is/m);
    const env = { ...process.env, BUDGETD_DEBUG: '1' };
    const args = ['check', '--db', 'missing.db'];
    const { stderr } = spawnSync(program, args, { cwd: folder, encoding: 'utf8', env });
    assert.match(stderr, /\(src\/database\/database\.ts:\d+:\d+\)$/m);
  });

  it('stores pushes, copies the WAL in a thread with the same SQLite, and backs up', async () => {
    const create = ['keys', 'create', '--name', 'erp', '--scope', 'transactions:write', '--json'];
    const { key } = JSON.parse(run(...create).stdout);
    const client = createClient({ url, key });
    const bytes = statSync(join(folder, 'budgetd.db')).size;
    for (const batch of 'abcdefghijklm') {
      const rows = Array.from({ length: 500 }, (_, index) => {
        const externalId = `${batch}-${index}`;
        return { externalId, date: '2026-01-31', description: 'Rent', amount: 1, memo: MEMO };
      });
      assert.equal((await client.push(rows)).created, 500);
    }
    // A checkpoint.
    await until(() => statSync(join(folder, 'budgetd.db')).size !== bytes);
    assert.equal(run('backup', 'copy.db').status, 0);
    assert.match(run('check', '--db', 'copy.db').stdout, /is sound\.\n$/);

    const maps = readFileSync(`/proc/${service.pid}/maps`, 'utf8');
    const loaded = [...maps.matchAll(/ (\d+) +(\S+\/driver \(deleted\))$/gm)];
    assert.equal(new Set(loaded.map(([, inode]) => inode)).size, 1, maps);
  });

  it('loads its driver where it may run programs, or says what to do', {
    skip: canMount() ? false : 'cannot mount a file system here',
  }, () => {
    // The program and the file are not in a folder that is mounted over.
    const dist = join(ROOT, 'dist');
    rmSync(join(dist, 'listed.db'), { force: true });
    assert.equal(run('backup', join(dist, 'listed.db')).status, 0);
    const listWith = (mounts: string) => {
      const script = `${mounts} && exec "$0" projects list --db "$1"`;
      const args = ['-rm', 'sh', '-c', script, join(dist, 'budgetd'), join(dist, 'listed.db')];
      const env = { ...process.env, TMPDIR: '/mnt' };
      return spawnSync('unshare', args, { encoding: 'utf8', env });
    };
    const one = listWith(`${NO_PROGRAMS} /mnt`);
    assert.equal(one.status, 0, one.stderr);
    const folders = ['/mnt', '/var/tmp', '/dev/shm'];
    const all = listWith(folders.map((each) => `${NO_PROGRAMS} ${each}`).join(' && '));
    assert.equal(all.status, 1);
    assert.match(
      all.stderr,
      /^budgetd: Cannot load SQLite\. Set TMPDIR to a folder where .*\/mnt: /,
    );
  });
}

function build() {
  return spawnSync(process.execPath, ['executable.js'], { cwd: ROOT, encoding: 'utf8' });
}
