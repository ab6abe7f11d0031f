/** Reads whole files and streams that a user names, up to a size, so that none is read for ever. */

import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { megabytes } from '../core/counts.ts';
import { Failure } from '../core/failures.ts';
import { explainSystemCode } from '../core/system.ts';

/** More than any settings, mapping or secret. */
export const SMALL_BYTES = 1_000_000;

/**
 * The bytes of a file or pipe. Throws what the system says, with the path, and `invalid_input` for
 * a device and for more bytes than `most`.
 */
export function readBounded(path: string, most: number): Buffer {
  try {
    const file = openSync(path, 'r');
    try {
      const found = fstatSync(file);
      if (!found.isFile() && !found.isFIFO() && !found.isDirectory()) {
        throw new Failure('invalid_input', `${path} is a device. Name a file.`);
      }
      const chunks: Buffer[] = [];
      for (let size = 0; ; ) {
        const chunk = Buffer.alloc(CHUNK_BYTES);
        const read = readSync(file, chunk);
        if (read === 0) return Buffer.concat(chunks);
        chunks.push(chunk.subarray(0, read));
        size += read;
        if (size > most) throw tooLarge(path, most);
      }
    } finally {
      closeSync(file);
    }
  } catch (error) {
    // Node omits the path when it is a folder.
    throw error instanceof Failure ? error : Object.assign(error as Error, { path });
  }
}

const CHUNK_BYTES = 65_536;

/** The bytes of a small file that an option or a variable names. Throws `invalid_input`. */
export function readNamed(path: string, named: string): Buffer {
  try {
    return readBounded(path, SMALL_BYTES);
  } catch (error) {
    if (error instanceof Failure) throw new Failure(error.code, `${named}: ${error.message}`);
    const why = explainSystemCode(error);
    throw why === undefined ? error : new Failure('invalid_input', `${named}: ${path}: ${why}.`);
  }
}

/** The bytes of a stream. Rejects with `invalid_input` for more than `most`. */
export async function readAll(
  stream: NodeJS.ReadableStream,
  name: string,
  most: number,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    const bytes = Buffer.from(chunk);
    chunks.push(bytes);
    size += bytes.length;
    if (size > most) throw tooLarge(name, most);
  }
  return Buffer.concat(chunks);
}

function tooLarge(name: string, most: number): Failure {
  return new Failure('invalid_input', `${name} has more than ${megabytes(most)}.`);
}
