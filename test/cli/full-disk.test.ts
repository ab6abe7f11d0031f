/** Commands on a full disk (contract 3): reading works, and writing fails with a clear message. */

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { reportError } from '../../src/cli/errors.ts';
import { openDatabase } from '../../src/database/database.ts';
import { canMount } from '../mounts.ts';
import { fillHashes } from '../store/fill-hashes.ts';
import { openOffice } from './office.ts';
import { OTHER_PROGRAM, programWith } from './program.ts';
import { membersOf, type Terminal } from './terminal.ts';

const skip = canMount() ? false : 'cannot mount a file system here';

const READING = [
  'report prj_0000000001',
  'transactions list --json',
  'projects list --json',
  'keys list',
  'check',
  'audit',
  'import rows.csv --dry-run',
];
const WRITING = ['exclude txn_0000000003 --reason R', 'plan set free', 'import rows.csv'];

/** Runs each line of the input; one process does that, unless another program is tested. */
const LINES =
  OTHER_PROGRAM === undefined
    ? `"${process.execPath}" "${fileURLToPath(new URL('lines.js', import.meta.url))}"`
    : 'while read -r line; do "$@" $line 2>&1; echo "== $?"; done';

/** Mounts a tmpfs at `$1`, copies the files of `$2`, fills it, then runs each line of the input. */
const SCRIPT = `
mount -t tmpfs -o size=1m none "$1" && cp "$2"/* "$1" && cd "$1" || exit 9
said=$2/served
first=$3
shift 3
if [ "$first" = served ]; then "$@" serve --port 0 > "$said" & fi
if [ "$first" = served ]; then until grep -q Listening "$said"; do sleep 0.1; done; fi
dd if=/dev/zero of=filler bs=1k 2> /dev/null
${LINES}
if [ "$first" = served ]; then kill $!; fi
`;

/** Runs the commands on a full disk with a copy of the folder's files. */
function runOnFullDisk({ folder }: Terminal, first: string) {
  const lines = [...READING, ...WRITING];
  const disk = join(folder, 'disk');
  const files = join(folder, 'files');
  mkdirSync(disk);
  mkdirSync(files);
  for (const name of readdirSync(folder).filter((each) => /\.(db|db-wal|csv)$/.test(each))) {
    copyFileSync(join(folder, name), join(files, name));
  }
  const shell = ['sh', '-c', SCRIPT, 'sh', disk, files, first, ...programWith([]).flat()];
  const input = `${lines.join('\n')}\n`;
  const ended = spawnSync('unshare', ['-rm', ...shell], { encoding: 'utf8', input });
  const outcomes = [...ended.stdout.matchAll(/(.*?)== (\d+)\n/gs)];
  assert.equal(outcomes.length, lines.length, ended.stdout + ended.stderr);
  return outcomes.map(([, text = '', exitCode], index) => {
    return { line: lines[index] ?? '', text, exitCode: Number(exitCode) };
  });
}

async function openFiles(t: Parameters<typeof openOffice>[0]) {
  const office = await openOffice(t);
  const { folder } = office.terminal;
  const rows = 'externalId,date,description,amount\nA,2026-01-31,Tea,1\n';
  writeFileSync(join(folder, 'rows.csv'), rows);
  return office;
}

for (const state of ['closed', 'crashed', 'served']) {
  test(`3 on a full disk (${state}), commands read, and report the full disk when they write`, {
    skip,
  }, async (t) => {
    const { terminal } = await openFiles(t);
    if (state === 'crashed') {
      // A copy of an open database has a WAL, as after a crash.
      const options = { file: terminal.database, create: false, busyTimeoutMs: 100 };
      const db = openDatabase(options);
      t.after(() => db.close());
      db.exec("update transactions set description = 'Only in the WAL'");
      fillHashes(db);
    }
    for (const { line, text, exitCode } of runOnFullDisk(terminal, state)) {
      if (READING.includes(line)) {
        assert.equal(exitCode, 0, `${line}: ${text}`);
        const isListed = line.startsWith('transactions list') && text.includes('Only in the WAL');
        assert.equal(isListed, state === 'crashed' && line.startsWith('transactions list'));
        continue;
      }
      assert.equal(exitCode, 1, `${line}: ${text}`);
      assert.match(
        text,
        /^budgetd( import)?: The disk is full\. Free some space; reading still works[.;]/m,
      );
    }
  });
}

const SMALL_DISK = fileURLToPath(new URL('small-disk.js', import.meta.url));
const MOUNT = `
mount -t tmpfs -o size=4m none "$1" && cp "$2" "$1" && cd "$1" && exec "$3" "$4" "$5" "$6"
`;

for (const minFreeDisk of ['1000000', '0']) {
  test(`3 serve starts on a full disk and writes when there is room (${minFreeDisk})`, {
    skip,
  }, async (t) => {
    const { terminal } = await openFiles(t);
    const scopes = ['--scope', 'transactions:write', '--scope', 'transactions:read'];
    const made = await terminal.json(['keys', 'create', '--name', 'erp', ...scopes]);
    const disk = join(terminal.folder, 'disk');
    mkdirSync(disk);
    const own = [disk, terminal.database, process.execPath, SMALL_DISK, minFreeDisk];
    const args = ['-rm', 'sh', '-c', MOUNT, 'sh', ...own, String(membersOf(made)['key'])];
    const { stdout, stderr } = spawnSync('unshare', args, { encoding: 'utf8' });
    assert.ok(stdout.startsWith('{'), stdout + stderr);
    assert.deepEqual(JSON.parse(stdout), {
      bytesAtStart: 0,
      full: ['503 storage_full', '200 ok', '200 ok'],
      freed: '200 ok',
      command: 0,
      again: ['503 storage_full', '200 ok'],
      last: '200 ok',
      exitCode: 0,
      check: 0,
    });
  });
}

test('3 errors of a full disk or a locked database are not reported as bugs', () => {
  for (const [code, expected] of [
    ['SQLITE_FULL', /^budgetd: The disk is full\. Free some space/],
    ['SQLITE_IOERR_WRITE', /^budgetd: The disk is full\. Free some space/],
    ['SQLITE_BUSY', /^budgetd: Another process is writing to the database\. Try again\.$/],
    ['SQLITE_LOCKED_SHAREDCACHE', /^budgetd: Another process is writing/],
    ['SQLITE_IOERR_READ', /^budgetd: The database is damaged, or its disk is failing/],
  ] as const) {
    const error = Object.assign(new Error('as SQLite says it'), { code });
    const { lines, exitCode } = reportError(error, undefined, false);
    assert.equal(exitCode, 1);
    assert.match(lines.join('\n'), expected);
  }
});
