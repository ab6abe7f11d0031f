/** Writes rejected rows to a new file. */

import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { extname } from 'node:path';
import { explainSystemCode } from '../../core/system.ts';
import { isTaken } from '../../database/private-files.ts';
import { type Entry, encodeRejected, type RejectedStyle } from '../../files/index.ts';

/** The file cannot be written, so all rejected rows are shown instead. */
export class UnwrittenError extends Error {
  override readonly name = 'UnwrittenError';

  constructor(path: string, cause: unknown) {
    const reason = explainSystemCode(cause) ?? String(cause);
    super(`Cannot write the rejected rows to ${path} (${reason}). They are shown above.`);
    this.cause = cause;
  }
}

/**
 * A file that is created for the first rejected row. It is always a new file: an earlier one may
 * have rows that someone is correcting, and a link can lead anywhere.
 */
export class RejectedFile {
  readonly #mode: number;
  readonly #style: RejectedStyle;
  #path: string;
  #handle: FileHandle | undefined;

  /**
   * `path` is the name to try first, `mode` the permissions: the same people can read it as the
   * input.
   */
  constructor(path: string, mode: number, style: RejectedStyle) {
    this.#path = path;
    this.#mode = mode;
    this.#style = style;
  }

  /** The name of the file; final once a row is written. */
  get path(): string {
    return this.#path;
  }

  /** Adds rows, in order. Rejects with {@link UnwrittenError}. */
  async write(entries: readonly Entry[]): Promise<void> {
    if (entries.length === 0) return;
    const bytes = encodeRejected(entries, this.#style, this.#handle === undefined);
    try {
      if (this.#handle === undefined) {
        [this.#path, this.#handle] = await createNew(this.#path, this.#mode);
      }
      await this.#handle.appendFile(bytes);
    } catch (error) {
      throw new UnwrittenError(this.#path, error);
    }
  }

  async close(): Promise<void> {
    await this.#handle?.close();
    this.#handle = undefined;
  }
}

/** Fails if the name is taken, even by a symbolic link. */
const NEW_FILE =
  constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);

/** Creates `a.csv`, or `a-2.csv`, `a-3.csv` and so on when the name is taken. */
async function createNew(path: string, mode: number): Promise<[path: string, handle: FileHandle]> {
  const ending = extname(path);
  const stem = path.slice(0, path.length - ending.length);
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? path : `${stem}-${number}${ending}`;
    try {
      return [name, await open(name, NEW_FILE, mode)];
    } catch (error) {
      if (!isTaken(error)) throw error;
    }
  }
}
