/** The seeded files: created once for each size, and copied before something writes to them. */

import { spawn } from 'node:child_process';
import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { scriptArgs } from './children.ts';

/** The contents of a seeded file that requests need. */
export interface Seed {
  readonly file: string;
  readonly size: number;
  readonly allocations: number;
  readonly organisationId: string;
  readonly keys: readonly string[];
  /** A project with half of all transactions. */
  readonly projectId: string;
  /** One of its lines. */
  readonly budgetLineId: string;
  /** A project with a thousandth of all transactions. */
  readonly smallProjectId: string;
}

/** The seeded file of this size. Creates it if necessary. */
export async function seedFile(folder: string, size: number): Promise<Seed> {
  const file = join(folder, `seed-${size}.db`);
  if (!existsSync(`${file}.json`)) await create('seed', file, { size, input: '' });
  return JSON.parse(readFileSync(`${file}.json`, 'utf8')) as Seed;
}

/** The lean file with the same transactions and keys. Creates it if necessary. */
export async function leanSeedFile(seed: Seed): Promise<Seed> {
  const file = seed.file.replace(/seed-(\d+\.db)$/, 'lean-seed-$1');
  if (!existsSync(file)) {
    const input = JSON.stringify(seed.keys);
    await create('lean-seed', `${file}.part`, { size: seed.size, input });
    renameSync(`${file}.part`, file);
  }
  return { ...seed, file };
}

async function create(
  script: string,
  file: string,
  { size, input }: { size: number; input: string },
): Promise<void> {
  const seeding = spawn(process.execPath, scriptArgs(script, file, String(size)), {
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  seeding.stdin.end(input);
  const code = await new Promise((resolve) => seeding.once('exit', resolve));
  if (code !== 0) throw new Error(`seeding ${file} failed`);
}

/** A copy for writing, already synced to disk so that this does not slow down a measurement. */
export function copySeed(seed: Seed, name: string): Seed {
  const file = join(dirname(seed.file), `${name}-${seed.size}.db`);
  removeDatabase(file);
  copyFileSync(seed.file, file, constants.COPYFILE_FICLONE);
  const descriptor = openSync(file, 'r+');
  fsyncSync(descriptor);
  closeSync(descriptor);
  return { ...seed, file };
}

export function removeDatabase(file: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true });
}
