/** The files that everything is measured on: made once for each size, copied where written to. */

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

/** What there is to ask for in a seeded file. */
export interface Seed {
  readonly file: string;
  readonly size: number;
  readonly allocations: number;
  readonly organisationId: string;
  readonly keys: readonly string[];
  /** A project whose lines and months hold half of all transactions. */
  readonly projectId: string;
  /** One of its lines. */
  readonly budgetLineId: string;
  /** A project with a thousandth of all transactions. */
  readonly smallProjectId: string;
}

/** The seeded file of a size, made now unless it is there. */
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

/** A copy that may be written to. It is on disk, so that nobody pays for it later. */
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
