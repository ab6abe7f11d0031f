/**
 * Power cuts. A process works on a database while each of its writes and syncs is recorded; the
 * record is cut at random calls, and what was not synchronised is dropped, kept in part or torn.
 * What was answered before the cut must be there. A database that waits for no sync
 * (`synchronous = NORMAL`) is the control: it must lose something, or the cuts cut nothing.
 */

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildFixture } from '../store/fixture-file.ts';
import { type Call, Disk, FATES, type Fate, readRecording } from './disk/recording.ts';
import { buildShim, findObstacle } from './disk/shim.ts';
import { judge, type Said } from './stages.ts';
import type { Trial } from './trial.ts';

const WRITER = fileURLToPath(new URL('disk/writer.js', import.meta.url));
const NORMAL = 1;

/** What a process said until a call. */
class Story {
  said = new Map<number, Said>();
  isFounded = false;
  /** What each backup has, and whether it was answered. */
  readonly backups = new Map<string, { readonly said: Map<number, Said>; isDone: boolean }>();
  /** The backup that is being put back. */
  restoring: string | undefined;

  hear(words: string): void {
    const [when, what, ...numbers] = words.split(' ');
    const isDone = when === 'done';
    const [first = '', stage] = numbers;
    if (what === 'found') this.isFounded = isDone;
    if (what === 'act') {
      const { done = 0 } = this.said.get(Number(first)) ?? {};
      const begun = Number(stage);
      this.said.set(Number(first), { done: isDone ? begun : done, begun });
    }
    const backup = this.backups.get(first) ?? { said: new Map(this.said), isDone };
    if (what === 'backup') this.backups.set(first, { ...backup, isDone });
    if (what === 'restore' && isDone) this.said = backup.said;
    if (what === 'restore') this.restoring = isDone ? undefined : first;
  }
}

/** What a process did, from the files that were there before. */
interface Recorded {
  readonly calls: readonly Call[];
  readonly before: ReadonlyMap<string, Buffer>;
}

/** How to write a record. */
interface Plan {
  readonly acts: number;
  readonly synchronous?: number;
  /** The schema of the database at first; without one the process makes it. */
  readonly version?: number;
}

/** Records a process that works on a new database, or on one of an older schema. */
function record(trial: Trial, shim: string, { acts, synchronous, version }: Plan): Recorded {
  const folder = mkdtempSync(join(tmpdir(), 'budgetd-power-'));
  try {
    const files = join(folder, 'files');
    mkdirSync(files);
    if (version !== undefined) buildFixture(files, version);
    const names = readdirSync(files);
    const before = new Map(names.map((name) => [name, readFileSync(join(files, name))]));
    const log = join(folder, 'record');
    const seed = trial.random.whole(1, 1e9);
    const args = [WRITER, join(files, 'old.db'), seed, acts, synchronous ?? ''].map(String);
    const { status, stderr } = spawnSync(process.execPath, args, {
      env: { ...process.env, LD_PRELOAD: shim, TORTURE_UNDER: files, TORTURE_LOG: log },
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`The writer ended with ${status}: ${stderr}`);
    trial.count('bytes recorded', statSync(log).size);
    return { calls: readRecording(log, files), before };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Cuts a record at random calls. Returns how many acts were lost that were answered. */
function cut(trial: Trial, { calls, before }: Recorded, cuts: number): number {
  const { random } = trial;
  const places = Array.from({ length: cuts }, () => random.whole(0, calls.length)).sort(
    (one, other) => one - other,
  );
  const disk = new Disk(before);
  const story = new Story();
  let [at, lost] = [0, 0];
  for (const place of places) {
    for (; at < place; at += 1) {
      const call = calls[at];
      if (call?.what === 'say') story.hear(call.path);
      else if (call !== undefined) disk.take(call);
    }
    const fate = random.pick(FATES);
    const folder = mkdtempSync(join(tmpdir(), 'budgetd-cut-'));
    try {
      disk.leave(folder, fate, random);
      const { problems, lost: gone } = inspect(folder, story, before.size > 0);
      lost += gone;
      const where = `cut at call ${place} of ${calls.length}, ${fate}`;
      for (const problem of problems) trial.problem(`${where}: ${problem}`);
    } catch (error) {
      trial.problem(`cut at call ${place} of ${calls.length}, ${fate}: ${error}`);
    } finally {
      rmSync(folder, { recursive: true });
    }
    trial.count(`cuts, the rest ${fate}` satisfies `cuts, the rest ${Fate}`);
  }
  return lost;
}

/** Looks at the files that a power cut has left. */
function inspect(folder: string, story: Story, wasThere: boolean) {
  const file = join(folder, 'old.db');
  const names = readdirSync(folder);
  const isEmpty = !names.includes('old.db') || statSync(file).size === 0;
  const { said, restoring, backups, isFounded } = story;
  const [problems, lost]: [string[], number[]] = [[], [0]];
  if (isEmpty && restoring !== undefined) {
    // Both names are taken in turn, and the command that is given again ends it.
    if (!names.includes('old.db.before-restore')) problems.push('no database after a restore');
  } else if (isEmpty) {
    if (isFounded || wasThere) problems.push('no database');
  } else {
    const verdict = judge(file, said, !isFounded);
    const other = restoring === undefined ? undefined : backups.get(restoring)?.said;
    const isSound = ({ problems: wrong, lost: gone }: typeof verdict) => wrong.length + gone === 0;
    if (other === undefined || (!isSound(verdict) && !isSound(judge(file, other)))) {
      problems.push(...verdict.problems);
      lost.push(verdict.lost);
    }
  }
  for (const [number, { said: held, isDone }] of backups) {
    const copy = `old.db.copy-${number}`;
    if (!names.includes(copy)) {
      if (isDone) problems.push(`backup ${number} is gone`);
      continue;
    }
    const { problems: wrong, lost: gone } = judge(join(folder, copy), held);
    problems.push(...wrong.map((each) => `backup ${number}: ${each}`));
    if (gone > 0) problems.push(`backup ${number} lacks ${gone} acts`);
  }
  return { problems, lost: lost.reduce((all, each) => all + each) };
}

/** Power cuts while a database is founded, upgraded, worked on, backed up and put back. */
export async function power(trial: Trial): Promise<void> {
  const obstacle = findObstacle();
  if (obstacle !== undefined) {
    trial.count(`not tried, because ${obstacle}`);
    return;
  }
  const shim = buildShim(trial);
  const acts = trial.times(90, 400, 1_000);
  const cuts = trial.times(90, 600, 3_000);
  for (const version of [undefined, 1, 2]) {
    const share = version === undefined ? 3 : 6;
    const plan = { acts: acts / share, ...(version && { version }) };
    const recorded = record(trial, shim, plan);
    trial.count('calls recorded', recorded.calls.length);
    const lost = cut(trial, recorded, Math.round(cuts / 3));
    trial.count('acts lost that were answered', lost);
    if (lost > 0) trial.problem(`${lost} acts were lost that were answered`);
  }
  const control = record(trial, shim, { acts: acts / 3, synchronous: NORMAL });
  const lost = cut(trial, control, Math.round(cuts / 10));
  trial.count('acts lost by the control, which waits for no sync', lost);
  trial.hold(lost > 0, 'the control lost nothing: the cuts cut nothing');
}
