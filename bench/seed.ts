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
  rmSync,
} from 'node:fs';
import { join } from 'node:path';
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
  if (!existsSync(`${file}.json`)) {
    const seeding = spawn(process.execPath, scriptArgs('seed', file, String(size)), {
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    const code = await new Promise((resolve) => seeding.once('exit', resolve));
    if (code !== 0) throw new Error(`seeding ${file} failed`);
  }
  return JSON.parse(readFileSync(`${file}.json`, 'utf8')) as Seed;
}

/** A copy for writing, already synced to disk so that this does not slow down a measurement. */
export function copySeed(seed: Seed, name: string): Seed {
  const file = seed.file.replace(/seed-(\d+)\.db$/, `${name}-$1.db`);
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
