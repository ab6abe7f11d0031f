/**
 * The files that people import on a page, between its steps. Each stays for as long as its steps
 * may take, and all go when the service ends.
 */

import { randomBytes } from 'node:crypto';
import { renameSync, rmSync } from 'node:fs';
import { Failure } from '../../core/failures.ts';
import { IMPORTS, UPLOADS } from '../../core/limits.ts';
import type { UploadedFile, UploadRoom } from '../../http/message.ts';
import { Shares } from '../../http/shares.ts';
import type { Session } from '../../store/sessions.ts';
import type { Task } from '../session/task.ts';
import type { Imported, Looked } from './tally.ts';

/** A file that someone is importing. */
export interface HeldFile {
  /** Nobody can guess it. */
  readonly id: string;
  readonly sessionId: Session['id'];
  readonly organisationId: Session['access']['organisation']['id'];
  /** As its owner named it. */
  readonly name: string;
  readonly bytes: number;
  readonly path: string;
  /** Where the rejected rows are, once some were found. */
  readonly rejectedPath: string;
  readonly hasSpace: FileFolder['hasSpace'];
  /** What was imported of it: since when, and in which requests, if some stopped half-way. */
  readonly brought: { created: number; sinceMs: number; readonly requests: string[] };
  /** What the file was last read as. */
  looked: Task<Looked> | undefined;
  /** The import itself, once it has begun; it ends even if the file is gone. */
  imported: Task<Imported> | undefined;
  /** Whether it has been deleted: nothing more of it is written. */
  isGone: boolean;
}

/** A private folder; see UploadFolder. */
interface FileFolder {
  readonly path: string;
  /** Whether its disk may have so many bytes more. */
  readonly hasSpace: (bytes: number) => boolean;
  close(): void;
}

/** All files that are being imported. */
export class HeldFiles {
  readonly #files = new Map<string, HeldFile>();
  readonly #counts = new Shares<HeldFile>(IMPORTS.held, IMPORTS.held, IMPORTS.perUser);
  readonly #bytes = new Shares<HeldFile>(IMPORTS.bytesHeld);
  readonly #arriving = new Shares<object>(UPLOADS.all, UPLOADS.perOrganisation, UPLOADS.perUser);
  readonly #folder: FileFolder;

  constructor(folder: FileFolder) {
    this.#folder = folder;
  }

  /** Where an upload goes first. */
  get room(): UploadRoom {
    const { path: folder, hasSpace } = this.#folder;
    return { folder, maxFileBytes: IMPORTS.fileBytes, arriving: this.#arriving, hasSpace };
  }

  /**
   * Keeps an upload for the session that sent it. A user who has too many loses the oldest; if all
   * have too many, the user with the most does. Throws `unavailable` if that is this file.
   */
  hold(
    { path: uploaded, name, bytes }: UploadedFile,
    { id: sessionId, userId, access }: Pick<Session, 'id' | 'userId' | 'access'>,
  ): HeldFile {
    const id = randomBytes(16).toString('base64url');
    const path = `${uploaded}.held`;
    renameSync(uploaded, path);
    const file: HeldFile = {
      id,
      sessionId,
      organisationId: access.organisation.id,
      name,
      bytes,
      path,
      rejectedPath: `${uploaded}.rejected`,
      hasSpace: this.#folder.hasSpace,
      brought: { created: 0, sinceMs: Number.POSITIVE_INFINITY, requests: [] },
      looked: undefined,
      imported: undefined,
      isGone: false,
    };
    this.#files.set(id, file);
    const sender = [String(access.organisation.id), String(userId)] as const;
    for (const leaving of this.#counts.grow(file, sender, 1)) this.#drop(leaving);
    for (const leaving of this.#bytes.grow(file, sender, bytes)) this.#drop(leaving);
    if (!this.#files.has(id)) {
      const message = 'Too many files are being imported at once. Try again in a few minutes.';
      throw new Failure('unavailable', message);
    }
    setTimeout(() => this.#drop(file), IMPORTS.heldMs).unref();
    return file;
  }

  /** The file with this id; undefined if this session has none. */
  find(id: string, { id: sessionId, access }: Pick<Session, 'id' | 'access'>) {
    const file = this.#files.get(id);
    const isOwn = file?.sessionId === sessionId && file.organisationId === access.organisation.id;
    return isOwn ? file : undefined;
  }

  /** Deletes all files. */
  close(): void {
    for (const file of this.#files.values()) this.#drop(file);
    this.#folder.close();
  }

  #drop(file: HeldFile): void {
    if (!this.#files.delete(file.id)) return;
    this.#counts.remove(file);
    this.#bytes.remove(file);
    file.isGone = true;
    file.looked?.stop();
    // An import reads it to the end.
    const remove = () => rmSync(file.path, { force: true });
    if (file.imported === undefined) remove();
    else void file.imported.ended.then(remove);
    rmSync(file.rejectedPath, { force: true });
  }
}
