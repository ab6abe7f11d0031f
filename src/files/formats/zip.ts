/**
 * Reads ZIP archives in memory, and refuses odd ones: no path of an archive is ever used as one,
 * and nothing is inflated beyond what the archive states.
 */

import { createInflateRaw } from 'node:zlib';
import { FileError } from '../problems.ts';

/** A file in an archive. */
export interface ZipEntry {
  readonly name: string;
  /** How many bytes it has. */
  readonly size: number;
  /** How it is in the archive. */
  readonly packed: Buffer;
  readonly isPlain: boolean;
}

const MOST_ENTRIES = 4_096;
/** The size of what is inflated, and how many times as large it may be, if it is not small. */
const MOST_BYTES = 256 * 1024 * 1024;
const SMALL_BYTES = 32 * 1024 * 1024;
const MOST_TIMES = 30;

const [END, CENTRAL, LOCAL] = [0x06054b50, 0x02014b50, 0x04034b50];

/** The files of an archive, without its folders. Throws FileError. */
export function listEntries(bytes: Buffer): ZipEntry[] {
  const end = findEnd(bytes);
  const entries = bytes.readUInt16LE(end + 10);
  let at = bytes.readUInt32LE(end + 16);
  if (entries === 0xffff || at === 0xffffffff || entries > MOST_ENTRIES) throw odd('is too large');
  const found: (ZipEntry & { readonly start: number; readonly end: number })[] = [];
  for (let left = entries; left > 0; left -= 1) {
    if (at + 46 > end || bytes.readUInt32LE(at) !== CENTRAL) throw odd('is broken');
    const lengths = [28, 30, 32].map((place) => bytes.readUInt16LE(at + place));
    const [nameLength = 0, extra = 0, comment = 0] = lengths;
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength);
    if (!name.endsWith('/')) found.push({ name, ...readEntry(bytes, at, name) });
    at += 46 + nameLength + extra + comment;
  }
  found.sort((one, other) => one.start - other.start);
  const overlaps = found.some(({ end: own }, place) => own > (found[place + 1]?.start ?? end));
  const names = new Set(found.map(({ name }) => name));
  if (overlaps || names.size < found.length) throw odd('has files that overlap');
  return found;
}

function findEnd(bytes: Buffer): number {
  const least = Math.max(bytes.length - 0xffff - 22, 0);
  for (let at = bytes.length - 22; at >= least; at -= 1) {
    if (bytes.readUInt32LE(at) === END) return at;
  }
  throw odd('is cut off');
}

function readEntry(bytes: Buffer, at: number, name: string) {
  if (/^[/\\]|^[a-z]:|(?:^|[/\\])\.\.(?:[/\\]|$)/i.test(name)) {
    throw odd('names a path outside of itself');
  }
  if ((bytes.readUInt16LE(at + 8) & 1) !== 0) throw odd('has a password. Save it without one');
  const method = bytes.readUInt16LE(at + 10);
  if (method !== 0 && method !== 8) throw odd('is packed in a way that is not read');
  const [length, size, start] = [20, 24, 42].map((place) => bytes.readUInt32LE(at + place));
  if (length === undefined || size === undefined || start === undefined) throw odd('is broken');
  const isBomb = size > SMALL_BYTES && size > length * MOST_TIMES;
  if (size > MOST_BYTES || isBomb) throw odd('has a file that is too large when it is unpacked');
  if (start + 30 > bytes.length || bytes.readUInt32LE(start) !== LOCAL) throw odd('is broken');
  const data = start + 30 + bytes.readUInt16LE(start + 26) + bytes.readUInt16LE(start + 28);
  const end = data + length;
  if (end > bytes.length) throw odd('is cut off');
  return { size, packed: bytes.subarray(data, end), isPlain: method === 0, start, end };
}

/** The bytes of a file in small pieces. Throws FileError if they are not those that it states. */
export async function* unpack({ size, packed, isPlain }: ZipEntry): AsyncGenerator<Buffer> {
  const inflate = createInflateRaw();
  inflate.end(isPlain ? Buffer.alloc(0) : packed);
  let total = 0;
  try {
    for await (const piece of isPlain ? slices(packed) : inflate) {
      total += piece.length;
      if (total > size) break;
      yield piece;
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')) {
      throw odd('is broken');
    }
    throw error;
  } finally {
    inflate.destroy();
  }
  if (total !== size) throw odd('has a file of another size than it states');
}

function* slices(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += 16 * 1024) yield bytes.subarray(at, at + 16 * 1024);
}

function odd(what: string): FileError {
  return new FileError(`the Excel file or ZIP archive ${what}.`);
}
