/**
 * The commands of docs/operating.md for root, in their order, on machines without a network: with
 * the Debian package, with a proxy, by hand, and in the place of a lost one. What only a real
 * machine has, such as systemd, is a function of the shell that does the same.
 */

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { canMount } from './mounts.ts';
import { without } from './programs.ts';
import { listBlocks, ROOT, readText } from './repository.ts';

const hasIp = spawnSync('ip', ['-V']).status === 0;
const whyNot = hasIp ? without('curl') : 'ip (iproute2) is not installed';
const skip = canMount() ? whyNot : 'cannot mount a file system here';

/** A command with what the document shows below it. */
interface Step {
  readonly command: string;
  readonly shown: string;
}

/** The blocks of commands. Other lines that begin like one name a file. */
const BLOCKS = listBlocks(readText('docs/operating.md'), '')
  .filter((block) => /^[#$] (?!\/|\S+\.yml\n)/.test(block))
  .map((block) =>
    [...block.matchAll(/^[#$] (.+)\n((?:(?![#$] ).*\n)*)/gm)].map(
      ([, command = '', shown = '']): Step => ({ command, shown }),
    ),
  );

/** The first commands of the blocks for each machine. */
const PACKAGE = ['apt install ./budgetd_0.1.0_amd64.deb'];
const PROXY = ['apt install ./budgetd_0.1.0_amd64.deb caddy'];
const BY_HAND = [
  ...['npm install --global', 'BUDGETD_PORT=9000 budgetd config', 'budgetd print unit'],
  ...['budgetd projects import', 'budgetd print caddy', 'budgetd backup', 'systemctl stop budgetd'],
  ...['budgetd check', 'budgetd doctor', 'litestream restore', 'budgetd export'],
  'systemctl disable',
];
/** Asks at a terminal; builds the executable; takes the place of two others. */
const ELSEWHERE = [
  'budgetd users create',
  'npm ci && npm run executable',
  'budgetd restore-backup',
];

/** Samples of what a command may print: their figures are of another database. */
const SAMPLES = ['budgetd doctor'];

/** A machine of its own: its files, its network, and functions in the place of other programs. */
const MACHINE = `
ip link set lo up
mount -t tmpfs none /var/lib && mount -t tmpfs none /mnt && mkdir /mnt/usb /mnt/etc
for file in passwd group hosts nsswitch.conf; do cp /etc/$file /mnt/etc/ || true; done
mkdir -p /mnt/etc/systemd/system /mnt/etc/caddy && mount --bind /mnt/etc /etc
apt() {
  mkdir -m 0700 /var/lib/budgetd
  cp "$ROOT/build/release/debian/budgetd.conf" /etc/budgetd.conf
  export BUDGETD_CONFIG=/etc/budgetd.conf
}
curl() { command curl -s "$@"; }
npm() { test "$1" != ci; }
litestream() { budgetd backup "$3"; }
systemctl() {
  case "$*" in
    *budgetd*) ;;
    *) return 0 ;;
  esac
  if [ -n "\${service:-}" ]; then
    kill "$service" && wait "$service"
    service=
  fi
  case "$*" in stop* | disable*) return 0 ;; esac
  (set -a && . /etc/budgetd.conf && exec budgetd serve) >> /mnt/log 2>&1 &
  service=$!
  until curl http://127.0.0.1:8080/readyz > /mnt/ready; do kill -0 "$service"; sleep 0.1; done
}`;

describe('docs/operating.md, in order', { skip }, () => {
  it('has no block of commands that is not tried here', () => {
    const known = [...PACKAGE, ...PROXY, ...BY_HAND, ...ELSEWHERE];
    const isKnown = ([first]: readonly Step[]) =>
      known.some((command) => first?.command.startsWith(command));
    assert.deepEqual(
      BLOCKS.filter((steps) => !isKnown(steps)),
      [],
    );
  });

  it('the package: install, open, done', (t) => {
    const [, , , link] = run(t, stepsOf(PACKAGE));
    assert.match(link ?? '', /^http:\/\/127\.0\.0\.1:8080\/set-up\?token=/);
  });

  it('the package behind a proxy is five commands', (t) => {
    const steps = stepsOf(PROXY);
    assert.equal(steps.length, 5);
    const link = run(t, [...steps, { command: 'budgetd set-up-link', shown: '' }]).at(-1);
    assert.match(link ?? '', /^https:\/\/budget\.example\.org\/set-up\?token=/);
  });

  it('by hand, from an empty machine to an empty machine', (t) => {
    const steps = stepsOf(BY_HAND);
    run(t, [...steps, { command: 'test ! -e /etc/budgetd.conf', shown: '' }]);
  });

  it('a backup in the place of a lost machine', (t) => {
    const [restore] = stepsOf(['budgetd restore-backup']);
    const backup = 'budgetd init --db /mnt/usb/budgetd-2026-11-22.db --name Well --currency GBP';
    const steps = stepsOf(['budgetd print unit']).flatMap((step) => {
      if (step.command.startsWith('budgetd init')) return restore ?? [];
      return step.command.startsWith('budgetd users create') ? [] : step;
    });
    run(t, [{ command: backup, shown: '' }, ...steps]);
  });
});

/** The steps of the blocks that begin with these commands. */
function stepsOf(firsts: readonly string[]): Step[] {
  return firsts.flatMap((command) => {
    // Whole first: the command of one block is the beginning of another's.
    const block = BLOCKS.find(([first]) => first?.command === command);
    const found = block ?? BLOCKS.find(([first]) => first?.command.startsWith(command));
    assert.ok(found, command);
    return found;
  });
}

/** Runs steps on a new machine, compares what they print, and returns that. */
function run(t: TestContext, steps: readonly Step[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'budgetd-operating-'));
  t.after(() => rmSync(folder, { recursive: true }));
  cpSync(join(ROOT, 'examples/walk'), folder, { recursive: true });
  // The proxy is tried in test/proxies.
  const tried = steps.filter(({ command }) => !command.startsWith('curl https:'));
  const typed = (command: string) =>
    command.startsWith('budgetd users create') ? `echo 'a long password' | ${command}` : command;
  const lines = tried.flatMap(({ command }) => [typed(command), `printf '\\n@@\\n'`]);
  writeFileSync(join(folder, 'steps.sh'), ['set -e', 'exec 2>&1', MACHINE, ...lines].join('\n'));
  // Not the variables of the suite, of which budgetd would warn.
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('BUDGETD_'));
  const env = {
    // Its file is in /etc of this machine.
    ...{ ...Object.fromEntries(own), ROOT, NODE_EXTRA_CA_CERTS: '' },
    PATH: `${join(ROOT, 'bin')}:${process.env['PATH']}`,
  };
  const argv = ['-rmn', '--kill-child', '-pf', 'bash', 'steps.sh'];
  const { status, stdout } = spawnSync('unshare', argv, {
    ...{ cwd: folder, env, encoding: 'utf8' },
  });
  assert.equal(status, 0, stdout);
  const printed = stdout.split('\n@@\n');
  for (const [at, { command, shown }] of tried.entries()) {
    if (shown === '' || SAMPLES.includes(command)) continue;
    assert.equal(printed[at]?.trimEnd(), shown.trimEnd(), command);
  }
  return printed.slice(0, tried.length);
}
