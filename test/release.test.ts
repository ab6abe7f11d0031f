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
import { ROOT } from './repository.ts';

const isThere = (program: string) => spawnSync(program, ['--version']).status === 0;
const skip = isThere('dpkg-deb') ? false : 'no dpkg-deb';

describe('the Debian package', { skip }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'budgetd-debian-'));
  const file = join(folder, 'budgetd_0.1.0_amd64.deb');
  const run = (program: string, ...argv: string[]) => {
    return spawnSync(program, argv, { cwd: ROOT, encoding: 'utf8' });
  };
  const build = async (output: string) => {
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
    const { status, stderr } = run(process.execPath, '--input-type=module', '-e', script);
    assert.equal(status, 0, stderr);
    return readFileSync(output);
  };
  let bytes: Buffer;

  before(async () => {
    bytes = await build(file);
  });
  after(() => rmSync(folder, { recursive: true }));

  it('has the same bytes each time', async () => {
    assert.ok((await build(join(folder, 'again.deb'))).equals(bytes));
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

it('a release is refused for a change that is not committed, and without its tag', {
  skip: process.platform === 'linux' ? false : 'Linux only',
}, () => {
  const argv = ['build/release/release.js'];
  const { status, stderr } = spawnSync(process.execPath, argv, { cwd: ROOT, encoding: 'utf8' });
  assert.equal(status, 1);
  assert.match(
    stderr,
    /^(?:A release is made with Node 24|Commit your changes first|This commit has no tag v)/,
  );
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
