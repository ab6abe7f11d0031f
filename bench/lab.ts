/** What the sections of the bench share. */

import { KeyRing } from './key-ring.ts';
import type { Options } from './options.ts';
import { copySeed, leanSeedFile, removeDatabase, type Seed, seedFile } from './seed.ts';

/** The size of the file that the large one is compared with. */
export const SMALL_SIZE = 10_000;

/** The seeded files, their keys, and the size of the run. */
export class Lab {
  readonly options: Options;
  readonly #folder: string;
  readonly #keys = new Map<string, KeyRing>();

  constructor(options: Options, folder: string) {
    this.options = options;
    this.#folder = folder;
  }

  /** The large file: do not write to it. */
  large(): Promise<Seed> {
    return seedFile(this.#folder, this.options.size);
  }

  /** The small file: do not write to it. */
  small(): Promise<Seed> {
    return seedFile(this.#folder, SMALL_SIZE);
  }

  /** A copy of the large file for writing; `remove` it afterwards. */
  async copy(name: string): Promise<Seed> {
    return copySeed(await this.large(), name);
  }

  /** A copy of the lean file with the same transactions, for writing; `remove` it afterwards. */
  async leanCopy(name: string): Promise<Seed> {
    return copySeed(await leanSeedFile(await this.large()), name);
  }

  remove(seed: Seed): void {
    removeDatabase(seed.file);
  }

  /** The keys of a file: one ring for all sections, because the servers count their requests. */
  keysOf(seed: Seed): KeyRing {
    let ring = this.#keys.get(seed.file);
    if (ring === undefined) {
      ring = new KeyRing(seed.keys);
      this.#keys.set(seed.file, ring);
    }
    return ring;
  }

  /** `quick` in a quick run, else `thorough`. */
  choose(quick: number, thorough: number): number {
    return this.options.quick ? quick : thorough;
  }

  progress(text: string): void {
    process.stderr.write(`  ${text}\n`);
  }
}
