/**
 * A disk that fails: the n-th write, sync or truncate of a process fails, once or from then on, for
 * every n. What was answered is there, what was refused is whole or not there, and the service
 * writes again when the disk does.
 */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildShim, findObstacle } from './disk/shim.ts';
import type { Trial } from './trial.ts';

const FAILER = fileURLToPath(new URL('disk/failer.js', import.meta.url));

export async function disk(trial: Trial): Promise<void> {
  const obstacle = findObstacle();
  if (obstacle !== undefined) {
    trial.count(`not tried, because ${obstacle}`);
    return;
  }
  const shim = buildShim(trial);
  const folder = mkdtempSync(join(tmpdir(), 'budgetd-disk-'));
  trial.after(() => rmSync(folder, { recursive: true }));
  const [step, most] = [trial.times(19, 3, 1), trial.times(8, 100, 1_000)];
  const args = [FAILER, folder, trial.random.whole(1, 1e9), step, most].map(String);
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    env: { ...process.env, LD_PRELOAD: shim, TORTURE_UNDER: folder },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`The process ended with ${status}: ${stderr}`);
  const { counts, problems } = JSON.parse(stdout) as {
    counts: Record<string, number>;
    problems: string[];
  };
  for (const [name, value] of Object.entries(counts)) trial.count(name, value);
  for (const problem of problems) trial.problem(problem);
}
