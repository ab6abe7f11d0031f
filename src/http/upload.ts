/** Receives a form with a file. The file goes to the disk as it arrives, and never into memory. */

import { isUtf8 } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import { createWriteStream, openSync, rmSync, type WriteStream } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { Failure } from '../core/failures.ts';
import { FORMS, UPLOADS } from '../core/limits.ts';
import { type BodySource, ByteCollector, readChunks, tooLarge } from './body.ts';
import { Form } from './form.ts';
import type { Upload, UploadRoom } from './message.ts';
import { type Part, PartReader } from './multipart.ts';

/** Smaller chunks are parsed together: a body of single bytes would take twice the time. */
const BLOCK_BYTES = 16 * 1024;

/**
 * Receives a form, passes it to `use`, and then deletes its file, whatever happened. Throws as
 * `readChunks` and PartReader do, `storage_full` without space on the disk, and before it reads
 * anything `rate_limit_exceeded` or `unavailable` if the sender or all send too many at once.
 */
export async function receiveUpload<Result>(
  body: BodySource,
  boundary: string,
  room: UploadRoom,
  use: (upload: Upload) => Result | Promise<Result>,
): Promise<Result> {
  admit(body, room);
  const receiver = new Receiver(room, (bytes) => body.memory.count(body, bytes));
  const reader = new PartReader(boundary, (...header) => receiver.begin(...header));
  let block = new ByteCollector();
  function parse(): void {
    reader.push(block.taken());
    block = new ByteCollector();
  }
  try {
    await readChunks(body, (chunk) => {
      block.add(chunk);
      if (block.length < BLOCK_BYTES) return undefined;
      parse();
      return receiver.whenWritten();
    });
    parse();
    reader.finish();
    return await use(await receiver.finish());
  } catch (error) {
    throw orDiskFull(error);
  } finally {
    body.memory.release(body);
    // First, so that who sees the file gone finds the room made.
    room.arriving.remove(body);
    await receiver.discard();
  }
}

/** Whoever sends too many waits: what others have sent so far is kept. */
function admit(body: BodySource, { arriving, hasSpace }: UploadRoom): void {
  const full = arriving.findFull(body.sender, 1);
  const headers = { 'Retry-After': String(UPLOADS.retrySeconds) };
  if (full === 'member') {
    const message =
      'Your other files are still being uploaded. Send this one again when they are finished.';
    throw new Failure('rate_limit_exceeded', message, { headers });
  }
  if (full !== undefined) {
    const message = 'Too many files are being sent at once. Send this one again in a minute.';
    throw new Failure('unavailable', message, { headers });
  }
  if (!hasSpace(body.maxBytes)) throw diskFull();
  arriving.grow(body, body.sender, 1);
}

function diskFull(): Failure {
  const message =
    'The disk of the service has no space for the file. Ask the person who runs it to free some.';
  return new Failure('storage_full', message);
}

/** Collects the fields of one form, and writes its file. */
class Receiver {
  readonly #room: UploadRoom;
  readonly #keep: (bytes: number) => void;
  readonly #fields: [name: string, value: string][] = [];
  #fieldBytes = 0;
  #received: { readonly field: string; readonly name: string; file: TemporaryFile } | undefined;

  /** `keep` is told of the bytes that stay in memory. */
  constructor(room: UploadRoom, keep: (bytes: number) => void) {
    this.#room = room;
    this.#keep = keep;
  }

  /** A promise if the disk is slower than the client. */
  whenWritten(): Promise<void> | undefined {
    return this.#received?.file.whenWritten();
  }

  async finish(): Promise<Upload> {
    const form = new Form(this.#fields);
    if (this.#received === undefined) return { form, file: undefined };
    const { field, name, file } = this.#received;
    await file.finish();
    return { form, file: { field, name, path: file.path, bytes: file.bytes } };
  }

  async discard(): Promise<void> {
    await this.#received?.file.discard();
  }

  /** What takes the bytes of the next part. */
  begin(name: string, fileName: string | undefined, headerBytes: number): Part {
    this.#keep(headerBytes);
    if (fileName === undefined) return this.#beginText(name);
    // Browsers send an empty name if no file was chosen.
    if (fileName === '') return NAMELESS;
    if (this.#received !== undefined) {
      throw new Failure('bad_request', 'The form has more than one file. Send one at a time.');
    }
    const file = new TemporaryFile(this.#room);
    this.#received = { field: name, name: fileName, file };
    return file;
  }

  #beginText(name: string): Part {
    const text = new ByteCollector();
    return {
      add: (bytes) => {
        this.#fieldBytes += bytes.length;
        if (this.#fieldBytes > FORMS.bytes) throw tooLarge(FORMS.bytes);
        this.#keep(bytes.length);
        text.add(bytes);
      },
      end: () => {
        const value = text.taken();
        if (!isUtf8(value)) {
          throw new Failure('invalid_encoding', 'A field of the form is not UTF-8.');
        }
        this.#fields.push([name, value.toString()]);
      },
    };
  }
}

const NAMELESS: Part = {
  add() {
    throw new Failure('bad_request', 'A file in the form has no name.');
  },
};

/** A file that only its owner can read, under a name that nobody can guess. */
class TemporaryFile implements Part {
  readonly path: string;
  bytes = 0;
  readonly #room: UploadRoom;
  readonly #stream: WriteStream;
  /** Settles when the file is closed. */
  readonly #closed: Promise<void>;

  constructor(room: UploadRoom) {
    this.path = join(room.folder, `upload-${randomBytes(16).toString('hex')}`);
    this.#room = room;
    this.#stream = createWriteStream(this.path, { fd: openSync(this.path, 'wx', 0o600) });
    this.#closed = finished(this.#stream);
    // It may fail while nobody waits for it.
    this.#closed.catch(() => {});
  }

  add(bytes: Buffer): void {
    const { maxFileBytes, hasSpace } = this.#room;
    this.bytes += bytes.length;
    if (this.bytes > maxFileBytes) throw tooLarge(maxFileBytes);
    writeWithin(hasSpace, bytes.length, () => this.#stream.write(bytes));
  }

  whenWritten(): Promise<void> | undefined {
    if (!this.#stream.writableNeedDrain && !this.#stream.destroyed) return undefined;
    const drained = new Promise<void>((resolve) => this.#stream.once('drain', resolve));
    return Promise.race([drained, this.#closed]);
  }

  finish(): Promise<void> {
    this.#stream.end();
    return this.#closed;
  }

  /** The file is gone at once, even if the process ends before the rest has settled. */
  async discard(): Promise<void> {
    rmSync(this.path, { force: true });
    this.#stream.destroy();
    await this.#closed.catch(() => {});
  }
}

/** Writes so many bytes to the disk. Throws `storage_full` if it has no space for them. */
export function writeWithin(hasSpace: UploadRoom['hasSpace'], bytes: number, write: () => void) {
  if (!hasSpace(bytes)) throw diskFull();
  try {
    write();
  } catch (error) {
    throw orDiskFull(error);
  }
}

/** An error of writing a file, or the refusal if it says that the disk is full. */
function orDiskFull(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'ENOSPC' || code === 'EDQUOT' ? diskFull() : error;
}
