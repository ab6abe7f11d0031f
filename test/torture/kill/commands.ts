/** Kills `budgetd backup` and `budgetd restore-backup` at random moments. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { programWith } from '../../cli/program.ts';
import type { Trial } from '../trial.ts';
import { countIn, inspect, kill, type Yard } from './yard.ts';

/** Runs a command, and kills it after some time. Returns its exit code; null if it was killed. */
async function run(args: readonly string[], cwd: string, killMs?: number): Promise<number | null> {
  const child = spawn(...programWith(args), { cwd, stdio: 'ignore' });
  const ended = once(child, 'exit');
  if (killMs !== undefined) {
    await Promise.race([sleep(killMs), ended]);
    await kill(child);
  }
  const [code] = await ended;
  return code;
}

const COUNT = 'select count(*) from transactions';

/** Kills backups: a file with the name that was asked for is whole. */
export async function killBackups(trial: Trial, { database, folder }: Yard, kills: number) {
  const home = join(folder, 'backups-by-command');
  mkdirSync(home);
  const copy = join(home, 'copy.db');
  const args = ['backup', copy, '--db', database];
  const beganMs = performance.now();
  if ((await run(args, folder)) !== 0) trial.problem('backup failed');
  const wholeMs = performance.now() - beganMs;
  let expected = 0;
  inspect(trial, database, (db) => {
    expected = countIn(db, COUNT);
  });
  for (let turn = 0; turn < kills; turn += 1) {
    rmSync(copy, { force: true });
    await run(args, folder, (wholeMs * trial.random.whole(30, 130)) / 100);
    const isThere = existsSync(copy);
    trial.count(`kills of a backup, ${isThere ? 'after it had its name' : 'before'}`);
    if (!isThere) continue;
    inspect(trial, copy, (db) => {
      trial.hold(countIn(db, COUNT) === expected, 'a backup lacks transactions');
    });
  }
  rmSync(copy, { force: true });
  if ((await run(args, folder)) !== 0) trial.problem('no backup after those that were killed');
  const left = readdirSync(home).filter((name) => name !== 'copy.db' && !/-(wal|shm)$/.test(name));
  trial.hold(left.length === 0, `killed backups left ${left}`);
  rmSync(home, { recursive: true });
}

/** Kills restores: the database is the old one or the new one, and the next restore ends it. */
export async function killRestores(trial: Trial, { database, folder }: Yard, kills: number) {
  const home = join(folder, 'restores');
  mkdirSync(home);
  const [file, copy] = ['budgetd.db', 'copy.db'].map((name) => join(home, name)) as [
    string,
    string,
  ];
  copyFileSync(database, copy);
  let [now, then] = [0, 0];
  inspect(trial, copy, (db) => {
    then = countIn(db, COUNT);
  });
  const place = () => {
    for (const name of readdirSync(home)) if (name !== 'copy.db') rmSync(join(home, name));
    copyFileSync(copy, file);
    inspect(trial, file, (db) => {
      db.exec("update organisations set name = 'Later'");
      now = countIn(db, COUNT);
    });
  };
  const args = ['restore-backup', copy, '--db', file];
  place();
  const beganMs = performance.now();
  if ((await run(args, home)) !== 0) trial.problem('restore-backup failed');
  const wholeMs = performance.now() - beganMs;
  for (let turn = 0; turn < kills; turn += 1) {
    place();
    await run(args, home, (wholeMs * trial.random.whole(30, 130)) / 100);
    const isThere = existsSync(file);
    if (isThere) {
      inspect(trial, file, (db) => {
        const isOld = countIn(db, "select count(*) from organisations where name = 'Later'") > 0;
        trial.count(`kills of a restore that left the ${isOld ? 'old' : 'new'} database`);
        trial.hold(countIn(db, COUNT) === (isOld ? now : then), 'a restore left a part');
      });
    } else {
      trial.count('kills of a restore that left the old database under another name');
      trial.hold(existsSync(`${file}.before-restore`), 'a restore left no database');
      trial.hold((await run(args, home)) === 0, 'a killed restore could not be given again');
    }
  }
  rmSync(home, { recursive: true });
}
