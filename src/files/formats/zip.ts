/**
 * Reads ZIP archives, and refuses odd ones: no path of an archive is ever used as one, and nothing
 * is inflated beyond what the archive states.
 */

import { pipeline } from 'node:stream';
import { crc32, createInflateRaw } from 'node:zlib';
import { FileError } from '../problems.ts';
import { readStored, type Stored } from '../text/text.ts';

/** A file in an archive. */
export interface ZipEntry {
  readonly name: string;
  /** How many bytes it has. */
  readonly size: number;
  /** The CRC-32 of its bytes. */
  readonly sum: number;
  readonly isPlain: boolean;
  readonly archive: Stored;
  /** Where it begins in the archive, and where something else does. */
  readonly start: number;
  readonly limit: number;
  /** How many bytes it has there. */
  readonly length: number;
}

const MOST_ENTRIES = 4_096;
/** The size of what is inflated, and how many times as large it may be, if it is not small. */
const MOST_BYTES = 256 * 1024 * 1024;
const SMALL_BYTES = 32 * 1024 * 1024;
const MOST_TIMES = 30;

const [END, CENTRAL, LOCAL] = [0x06054b50, 0x02014b50, 0x04034b50];

/** The list of files at the end of an archive is read at once, and a longer one is refused. */
const LIST_BYTES = 1024 * 1024;

/** The files of an archive, without its folders. Rejects with FileError. */
export async function listEntries(archive: Stored): Promise<ZipEntry[]> {
  const before = Math.max((await archive.size()) - LIST_BYTES, 0);
  const bytes = await archive.read(before, LIST_BYTES);
  const end = findEnd(bytes);
  const entries = bytes.readUInt16LE(end + 10);
  const list = bytes.readUInt32LE(end + 16);
  let at = list - before;
  if (entries === 0xffff || list === 0xffffffff || at < 0 || entries > MOST_ENTRIES) {
    throw odd('is too large');
  }
  const found: Omit<ZipEntry, 'limit'>[] = [];
  for (let left = entries; left > 0; left -= 1) {
    if (at + 46 > end || bytes.readUInt32LE(at) !== CENTRAL) throw odd('is broken');
    const lengths = [28, 30, 32].map((place) => bytes.readUInt16LE(at + place));
    const [nameLength = 0, extra = 0, comment = 0] = lengths;
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength);
    if (!name.endsWith('/')) found.push({ name, archive, ...readEntry(bytes, at, name) });
    at += 46 + nameLength + extra + comment;
  }
  found.sort((one, other) => one.start - other.start);
  const all = found.map((each, place) => ({ ...each, limit: found[place + 1]?.start ?? list }));
  const overlaps = all.some(({ start, length, limit }) => start + HEAD_BYTES + length > limit);
  if (overlaps || new Set(all.map(({ name }) => name)).size < all.length) throw OVERLAPPING();
  return all;
}

/** What is before the bytes of a file, with its name and more. */
const HEAD_BYTES = 30;
const OVERLAPPING = () => odd('has files that overlap');

function findEnd(bytes: Buffer): number {
  const least = Math.max(bytes.length - 0xffff - 22, 0);
  for (let at = bytes.length - 22; at >= least; at -= 1) {
    if (bytes.readUInt32LE(at) === END) return at;
  }
  throw odd('is cut off');
}

function readEntry(bytes: Buffer, at: number, name: string) {
  if (/^[/\\]|^[a-z]:|(?:^|[/\\])\.\.(?:[/\\]|$)/i.test(name)) {
    throw odd('names a path outside the archive');
  }
  if ((bytes.readUInt16LE(at + 8) & 1) !== 0) throw odd('has a password. Save it without one');
  const method = bytes.readUInt16LE(at + 10);
  if (method !== 0 && method !== 8) throw odd('is packed in a way that budgetd does not read');
  const [length, size, start] = [20, 24, 42].map((place) => bytes.readUInt32LE(at + place));
  if (length === undefined || size === undefined || start === undefined) throw odd('is broken');
  const isBomb = size > SMALL_BYTES && size > length * MOST_TIMES;
  if (size > MOST_BYTES || isBomb) throw odd('has a file that is too large when unpacked');
  return { size, sum: bytes.readUInt32LE(at + 16), length, start, isPlain: method === 0 };
}

/** The bytes of a file in small pieces. Throws FileError if they are not those that it states. */
export async function* unpack(entry: ZipEntry): AsyncGenerator<Buffer> {
  const { size, sum, isPlain, archive, start, limit, length } = entry;
  const head = await archive.read(start, HEAD_BYTES);
  if (head.length < HEAD_BYTES || head.readUInt32LE(0) !== LOCAL) throw odd('is broken');
  const data = start + HEAD_BYTES + head.readUInt16LE(26) + head.readUInt16LE(28);
  if (data + length > limit) throw OVERLAPPING();
  const packed = readStored(archive, data, data + length);
  let [total, own] = [0, 0];
  try {
    for await (const piece of isPlain ? packed : pipeline(packed, createInflateRaw(), () => {})) {
      total += piece.length;
      if (total > size) break;
      own = crc32(piece, own);
      yield piece;
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')) {
      throw odd('is broken');
    }
    throw error;
  }
  if (total !== size) throw odd('has a file whose size is not the size that it states');
  if (own !== sum) throw odd('is damaged: a file in it has changed');
}

function odd(what: string): FileError {
  return new FileError(`the Excel file or ZIP archive ${what}.`);
}
