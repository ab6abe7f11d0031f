/** What every section of the bench works with. */

import { KeyRing } from './key-ring.ts';
import type { Options } from './options.ts';
import { copySeed, removeDatabase, type Seed, seedFile } from './seed.ts';

/** The size that large files are compared with. */
export const SMALL_SIZE = 10_000;

/** Files, keys and how thorough to be. */
export class Lab {
  readonly options: Options;
  readonly #folder: string;
  readonly #keys = new Map<string, KeyRing>();

  constructor(options: Options, folder: string) {
    this.options = options;
    this.#folder = folder;
  }

  /** The large file; read only. */
  large(): Promise<Seed> {
    return seedFile(this.#folder, this.options.size);
  }

  /** The small file; read only. */
  small(): Promise<Seed> {
    return seedFile(this.#folder, SMALL_SIZE);
  }

  /** A copy of the large file to write to; `remove` it afterwards. */
  async copy(name: string): Promise<Seed> {
    return copySeed(await this.large(), name);
  }

  remove(seed: Seed): void {
    removeDatabase(seed.file);
  }

  /** The keys of a file; one ring for all that use it, as the servers remember. */
  keysOf(seed: Seed): KeyRing {
    let ring = this.#keys.get(seed.file);
    if (ring === undefined) {
      ring = new KeyRing(seed.keys);
      this.#keys.set(seed.file, ring);
    }
    return ring;
  }

  /** One of two numbers: for a quick run, or for a thorough one. */
  choose(quick: number, thorough: number): number {
    return this.options.quick ? quick : thorough;
  }

  progress(text: string): void {
    process.stderr.write(`  ${text}\n`);
  }
}
