/** The Debian package of a release, with a small program in place of the one file. */

import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { canMount } from './mounts.ts';
import { without } from './programs.ts';
import { listFiles, ROOT, readText } from './repository.ts';

const isThere = (program: string) => spawnSync(program, ['--version']).status === 0;
const skip = isThere('dpkg-deb') ? false : 'no dpkg-deb';

describe('the Debian package', { skip }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'budgetd-debian-'));
  const file = join(folder, 'budgetd_0.1.0_amd64.deb');
  const run = (program: string, ...argv: string[]) => {
    return spawnSync(program, argv, { cwd: ROOT, encoding: 'utf8' });
  };
  const build = async (output: string, umask = '022') => {
    const program = join(folder, 'program');
    writeFileSync(program, '#!/bin/sh\necho "$BUDGETD_CONFIG $*"\n');
    chmodSync(program, 0o755);
    const path = new URL('build/release/debian.js', `file://${ROOT}`);
    const options = {
      ...{ folder: `${output}.d`, output, program, arch: 'x64', version: '0.1.0' },
      ...{ author: 'Ada King <ada@example.org>', seconds: '1790000000', nodeLicence: 'LICENSE' },
    };
    const script = `import { buildDebianPackage } from '${path}';
      buildDebianPackage(${JSON.stringify(options)});`;
    const command = `umask ${umask} && exec "$0" "$@"`;
    const argv = [process.execPath, '--input-type=module', '-e', script];
    const { status, stderr } = run('sh', '-c', command, ...argv);
    assert.equal(status, 0, stderr);
    return readFileSync(output);
  };
  let bytes: Buffer;

  before(async () => {
    bytes = await build(file);
  });
  after(() => rmSync(folder, { recursive: true }));

  it('has the same bytes each time, whatever the umask', async () => {
    assert.ok((await build(join(folder, 'again.deb'), '077')).equals(bytes));
  });

  it('has the size of its files, whatever the file system takes for a folder', () => {
    const { stdout } = run('dpkg-deb', '--contents', file);
    const sizes = [...stdout.matchAll(/^(.)\S+ root\/root +(\d+) .* \.\/./gm)].map(
      ([, kind, size]) => (kind === 'd' ? 1 : Math.ceil(Number(size) / 1024)),
    );
    const sum = sizes.reduce((total, each) => total + each, 0);
    assert.notEqual(sum, 0);
    const { stdout: stated } = run('dpkg-deb', '--field', file, 'Installed-Size');
    assert.equal(Number(stated), sum);
  });

  it('has the unit, the settings, the manual and the completions, all of root', () => {
    const { stdout } = run('dpkg-deb', '--contents', file);
    for (const path of [
      '-rw-r--r-- root/root .* ./etc/budgetd.conf',
      '-rwxr-xr-x root/root .* ./usr/bin/budgetd',
      '-rwxr-xr-x root/root .* ./usr/lib/budgetd/budgetd',
      '-rw-r--r-- root/root .* ./usr/lib/systemd/system/budgetd.service',
      '-rw-r--r-- root/root .* ./usr/share/bash-completion/completions/budgetd',
      '-rw-r--r-- root/root .* ./usr/share/doc/budgetd/copyright',
      '-rw-r--r-- root/root .* ./usr/share/doc/budgetd/examples/walk/january.csv',
      '-rw-r--r-- root/root .* ./usr/share/fish/vendor_completions.d/budgetd.fish',
      '-rw-r--r-- root/root .* ./usr/share/man/man1/budgetd.1.gz',
      '-rw-r--r-- root/root .* ./usr/share/zsh/vendor-completions/_budgetd',
    ]) {
      assert.match(
        stdout,
        new RegExp(`^${path.replaceAll('.', '\\.').replace('\\.*', '.*')}$`, 'm'),
      );
    }
    const out = join(folder, 'out');
    assert.equal(run('dpkg-deb', '--extract', file, out).status, 0);
    const unit = readFileSync(join(out, 'usr/lib/systemd/system/budgetd.service'), 'utf8');
    assert.match(unit, /^\[Unit\]\n[\s\S]*\nExecStart=\/usr\/lib\/budgetd\/budgetd serve\n/);
    assert.doesNotMatch(unit, /\{\{/);
  });

  it('has no error that lintian finds', { skip: isThere('lintian') ? false : 'no lintian' }, () => {
    const { stdout, stderr } = run('lintian', '--fail-on=error', '--tag-display-limit', '0', file);
    assert.doesNotMatch(stdout, /^E:/m, stdout + stderr);
  });

  it('makes the folder of the data, leaves the data and names it on purge', {
    skip: canMount() ? false : 'cannot mount a file system here',
  }, () => {
    const scripts = 'build/release/debian';
    const inside = (script: string) => {
      const mounts = 'mount -t tmpfs none /var/lib && mount -t tmpfs none /run';
      return run('unshare', '-rm', 'sh', '-ec', `${mounts}\n${script}`);
    };
    const kept = inside(`
      sh ${scripts}/postinst configure
      stat -c %a /var/lib/budgetd
      touch /var/lib/budgetd/budgetd.db
      sh ${scripts}/prerm remove
      sh ${scripts}/postrm remove
      sh ${scripts}/postrm purge
      ls /var/lib/budgetd`);
    assert.match(
      kept.stdout,
      /^700\nThe data of budgetd is still in .*\n {2}rm -r .*\nbudgetd\.db\n$/,
      kept.stderr,
    );
    const empty = inside(`
      sh ${scripts}/postinst configure
      sh ${scripts}/postrm purge
      ls /var/lib`);
    assert.deepEqual([empty.status, empty.stdout], [0, ''], empty.stderr);
  });
});

it('the archive of a release has the same bytes, whatever the umask when its files came', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'budgetd-archive-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const path = `file://${ROOT}build/release/archive.js`;
  const script = `import { packPublic } from '${path}'; console.log(packPublic('.'));`;
  const manifest = { name: 'well', version: '1.0.0', files: ['program', 'text'] };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  const archives = [0o022, 0o077].map((umask) => {
    for (const name of ['program', 'text']) {
      writeFileSync(join(folder, name), '');
      chmodSync(join(folder, name), (name === 'text' ? 0o666 : 0o777) & ~umask);
    }
    const argv = ['--input-type=module', '-e', script];
    const options = { cwd: folder, encoding: 'utf8' } as const;
    const { stdout, stderr } = spawnSync(process.execPath, argv, options);
    assert.equal(stdout, './well-1.0.0.tgz\n', stderr);
    return readFileSync(join(folder, stdout.trim())).toString('base64');
  });
  assert.equal(archives[0], archives[1]);
});

/** Packages whose code is in the bundles, by their maps, or whose data the build writes. */
function listInside(): string[] {
  const maps = listFiles('dist/bundle').filter((name) => name.endsWith('.map'));
  const sources = maps.flatMap((name): string[] => JSON.parse(readText(name)).sources);
  const builders = listFiles('build/reference').filter((name) => name.endsWith('.ts'));
  const text = [...sources, ...builders.map(readText)].join('\n');
  const names = text.matchAll(/(?:node_modules\/|from ')((?:@[\w-]+\/)?[a-z][\w-]*)(?=['/])/g);
  return [...new Set([...names].map(([, name = '']) => name))];
}

it('the bill of materials and the licences have every package inside', async () => {
  const inside = listInside();
  assert.deepEqual(inside.sort(), ['@zxcvbn-ts/language-common', 'qr', 'typebox']);
  const { listMaterials } = await import(`file://${ROOT}build/release/materials.js`);
  const { components } = JSON.parse(listMaterials('1790000000', '24.0.0'));
  const names = components.map(({ name }: { readonly name: string }) => name);
  const licences = readText('build/release/debian/copyright');
  for (const name of [...inside, 'better-sqlite3', 'papaparse']) {
    assert.ok(names.includes(name), name);
    assert.ok(licences.includes(name), name);
  }
});

it('a release is refused at once for a change that is not committed, and without its tag', {
  skip: process.platform === 'linux' ? without('git') : 'Linux only',
}, (t) => {
  // A repository of its own around the files: that of this clone may have the tag.
  const folder = mkdtempSync(join(tmpdir(), 'budgetd-untagged-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const env = { ...process.env, GIT_DIR: folder, GIT_WORK_TREE: ROOT };
  const run = (program: string, ...argv: string[]) => {
    return spawnSync(program, argv, { cwd: ROOT, env, encoding: 'utf8' });
  };
  const refuse = (why: RegExp) => {
    const { status, stdout, stderr } = run('npm', 'run', '--silent', 'release');
    assert.deepEqual([status, stdout], [1, '']);
    assert.match(stderr, isEarly ? /^A release is made with Node 24/ : why);
  };
  const isEarly = Number.parseInt(process.versions.node, 10) < 24;
  run('git', 'init', '--quiet');
  refuse(/^Commit your changes first/);
  writeFileSync(join(folder, 'info/exclude'), '*');
  const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org'];
  run('git', ...who, 'commit', '--quiet', '--allow-empty', '--message', 'None');
  refuse(/^This commit has no tag v/);
});

describe('known faults of packages inside a release', () => {
  /** What is found where a registry gives these advice of each package. */
  const findFaults = async (advice: Readonly<Record<string, readonly object[]>>) => {
    const registry = createServer((request, response) => {
      request.resume();
      const name = request.url?.slice(1);
      const answer = request.method === 'POST' ? advice : { name, versions: {} };
      response.setHeader('Content-Type', 'application/json').end(JSON.stringify(answer));
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => registry.once('listening', resolve));
    const { port } = registry.address() as AddressInfo;
    const path = new URL('build/release/known-faults.js', `file://${ROOT}`);
    const script = `import { findKnownFaults } from '${path}';
      process.stdout.write(JSON.stringify(findKnownFaults(['papaparse', 'qr']) ?? null));`;
    const env = { ...process.env, npm_config_registry: `http://127.0.0.1:${port}/` };
    try {
      const argv = ['--input-type=module', '-e', script];
      const { stdout } = await promisify(execFile)(process.execPath, argv, { cwd: ROOT, env });
      return JSON.parse(stdout) as string | null;
    } finally {
      registry.close();
    }
  };
  const fault = {
    ...{ id: 1, title: 'a slow pattern', severity: 'high', vulnerable_versions: '*', cwe: [] },
    ...{ url: 'https://example.org/1', cvss: { score: 7 } },
  };

  it('are named, if they are in a package that users get', async () => {
    const found = await findFaults({ papaparse: [fault], c8: [fault] });
    assert.match(found ?? '', /\npapaparse: a slow pattern \(high\), https:\/\/example.org\/1$/);
    assert.doesNotMatch(found ?? '', /c8/);
  });

  it('do not count where only tools have some, or nothing has', async () => {
    assert.equal(await findFaults({ c8: [fault] }), null);
    assert.equal(await findFaults({}), null);
  });
});
