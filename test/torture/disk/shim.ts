/** Builds `shim.c`, which records and refuses what a process writes, and speaks to it. */

import { spawnSync } from 'node:child_process';
import { accessSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../../repository.ts';
import type { Scope } from '../trial.ts';

/** What can fail: a `short` call writes half of its bytes, and the next write fails. */
export const KINDS = ['write', 'sync', 'truncate', 'short'] as const;
export type Kind = (typeof KINDS)[number];

/** Why the calls of a process cannot be recorded here; undefined if they can. */
export function findObstacle(): string | undefined {
  if (process.platform !== 'linux') return 'only Linux has LD_PRELOAD';
  return spawnSync('cc', ['--version']).status === 0 ? undefined : 'there is no C compiler';
}

/** Builds the library, and returns its path. It is removed in the end. */
export function buildShim(scope: Scope): string {
  const folder = mkdtempSync(join(tmpdir(), 'budgetd-shim-'));
  scope.after(() => rmSync(folder, { recursive: true }));
  const library = join(folder, 'shim.so');
  const source = `${ROOT}test/torture/disk/shim.c`;
  const args = ['-shared', '-fPIC', '-O2', '-o', library, source, '-ldl'];
  const { status, stderr } = spawnSync('cc', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return library;
}

function ask(words: string): boolean {
  try {
    accessSync(`/torture/${words}`);
    return true;
  } catch {
    return false;
  }
}

/** In a process with the library: puts a line into the record. */
export function say(words: string): void {
  ask(`say/${words}`);
}

/** In a process with the library: the n-th call of a kind from now on fails. */
export function failAt(kind: Kind, nth: number, how: { errno: number; stays: boolean }): void {
  ask(`fail/${kind}/${nth}/${how.errno}/${how.stays ? 1 : 0}`);
}

/** In a process with the library: no call fails any more. Whether one did. */
export function failNoMore(): boolean {
  const hasFailed = ask('failed');
  ask('off');
  return hasFailed;
}
