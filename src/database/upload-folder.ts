/** The folder of the files that people upload, until a service has read them. */

import { lstatSync, mkdtempSync, readdirSync, realpathSync, rmdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Failure } from '../core/failures.ts';
import { ensurePrivateFolder } from './private-files.ts';

/** The names of uploads, and of what belongs to them. Nothing else in the folder is removed. */
const UPLOAD = /^upload-[0-9a-f]{32}(?:\.[a-z]+)?$/;

/** A folder that only its owner can read, made when it is first needed. */
export class UploadFolder {
  readonly hasSpace: (bytes: number) => boolean;
  readonly #fixed: string | undefined;
  #path: string | undefined;

  /**
   * The folder FILE-uploads beside a locked database, or a temporary one without a database.
   * Removes what a service that was killed left there: the lock proves that it has ended. Throws
   * `invalid_input` if the name is taken by something else.
   */
  constructor(lockedDatabase: string | undefined, hasSpace: (bytes: number) => boolean) {
    this.hasSpace = hasSpace;
    this.#fixed = lockedDatabase && `${realpathSync.native(lockedDatabase)}-uploads`;
    if (this.#fixed !== undefined) empty(this.#fixed);
  }

  get path(): string {
    this.#path ??= this.#open();
    return this.#path;
  }

  /** Removes the uploads, and the folder if nothing else is in it. */
  close(): void {
    if (this.#path !== undefined) empty(this.#path);
    this.#path = undefined;
  }

  #open(): string {
    if (this.#fixed === undefined) return mkdtempSync(join(tmpdir(), 'budgetd-'));
    ensurePrivateFolder(this.#fixed);
    return this.#fixed;
  }
}

function empty(folder: string): void {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (!found.isDirectory()) {
    const message = `${folder} is not a folder, and uploads need a folder there.`;
    throw new Failure('invalid_input', `${message} Remove or rename that file.`);
  }
  const names = readdirSync(folder);
  const own = names.filter((name) => UPLOAD.test(name));
  for (const name of own) rmSync(join(folder, name), { force: true });
  if (own.length === names.length) rmdirSync(folder);
}
