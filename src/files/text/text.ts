/**
 * Decodes bytes to whole lines. Invalid bytes are an error: a replacement character would be stored
 * as if it were in the file. The encoding is that of the byte order mark, or else that of the
 * mapping, or else UTF-8.
 */

import { isAscii, isUtf8 } from 'node:buffer';
import { FileError } from '../problems.ts';
import { decodeBytes, type Encoding, findMark, isUtf8Line } from './encodings.ts';
import { refuseForeign, SIGNATURE_BYTES } from './foreign-files.ts';

/** A longer line means that this is not a CSV file. */
const LINE_BYTES = 8 * 1024 * 1024;

/**
 * Opens a text file; `stated` is the encoding to expect. Throws FileError if it is binary. Its
 * lines come in pieces of whole ones with their ends, without a byte order mark; the last may have
 * no end. They throw FileError at the first invalid byte.
 */
export async function openText(bytes: AsyncIterable<Buffer>, stated: Encoding = 'utf-8') {
  const chunks = bytes[Symbol.asyncIterator]();
  const head = await readHead(chunks, ({ length }) => length >= SIGNATURE_BYTES);
  refuseForeign(head);
  const mark = findMark(head);
  const encoding = mark?.encoding ?? stated;
  if (encoding === 'utf-8' && head.includes(0)) {
    const message = 'it contains zero bytes. It may be UTF-16 without a mark.';
    throw new FileError(message, { kind: 'find encoding' });
  }
  const rest = joinHead(head.subarray(mark?.length ?? 0), chunks);
  return { encoding, byteOrderMark: mark !== undefined, lines: readLines(rest, encoding) };
}

async function* readLines(bytes: AsyncIterable<Buffer>, encoding: Encoding) {
  const isWide = encoding === 'utf-16le' || encoding === 'utf-16be';
  let line = 1;
  for await (const piece of cutPieces(isWide ? fromUtf16(bytes, encoding) : bytes)) {
    const text = decodePiece(piece, isWide ? 'utf-8' : encoding, line);
    yield text;
    line += countLines(text);
  }
}

/** How many line ends a text has; CRLF is one. */
export function countLines(text: string): number {
  let lines = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1;
  for (let at = text.indexOf('\r'); at >= 0; at = text.indexOf('\r', at + 1)) {
    if (text.charCodeAt(at + 1) !== 10) lines += 1;
  }
  return lines;
}

/** Reads a whole text at once. Throws FileError. */
export async function readText(bytes: AsyncIterable<Buffer>, maxBytes: number): Promise<string> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of bytes) {
    size += piece.length;
    if (size > maxBytes) {
      const limit = `${Math.round(maxBytes / 1024 / 1024)} MiB`;
      throw new FileError(
        `it is larger than ${limit}. Use NDJSON, one row per line, for a file of any size.`,
      );
    }
    pieces.push(piece);
  }
  const whole = Buffer.concat(pieces);
  refuseForeign(whole);
  const mark = findMark(whole);
  if (mark !== undefined && mark.encoding !== 'utf-8') {
    throw new FileError('it is in UTF-16. Save it as UTF-8.');
  }
  if (!isUtf8(whole)) throw new FileError(notUtf8(1 + findBadLine(whole, 'utf-8')));
  return whole.toString('utf8', mark?.length ?? 0);
}

/** The first bytes, until there are enough or no more. */
export async function readHead(
  chunks: AsyncIterator<Buffer>,
  isEnough: (head: Buffer) => boolean,
): Promise<Buffer> {
  let head: Buffer = Buffer.alloc(0);
  while (!isEnough(head)) {
    const next = await chunks.next();
    if (next.done === true) break;
    head = Buffer.concat([head, next.value]);
  }
  return head;
}

/** Yields what was already read, then the rest. */
export async function* joinHead<Piece>(
  head: Piece,
  rest: AsyncIterator<Piece>,
): AsyncGenerator<Piece> {
  yield head;
  yield* { [Symbol.asyncIterator]: () => rest };
}

/** Converts UTF-16 to UTF-8, so that other functions need not handle two-byte characters. */
async function* fromUtf16(bytes: AsyncIterable<Buffer>, encoding: 'utf-16le' | 'utf-16be') {
  const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true });
  const isOther = watchForAscii();
  const decode = (chunk: Buffer | undefined): Buffer => {
    if (chunk !== undefined && isOther(chunk)) {
      throw new FileError('only its beginning is in UTF-16. Save all of it as UTF-8.');
    }
    try {
      return Buffer.from(decoder.decode(chunk, { stream: chunk !== undefined }));
    } catch {
      throw new FileError('it is broken UTF-16: it contains half a character.');
    }
  };
  for await (const chunk of bytes) yield decode(chunk);
  yield decode(undefined);
}

/** A longer run of ASCII, with a line end in it, is not UTF-16 in any language. */
const ASCII_RUN = 32;

/** Finds lines of ASCII that a program has added to UTF-16: pairs of them look like Chinese. */
function watchForAscii(): (chunk: Buffer) => boolean {
  let run = 0;
  let hasEnd = false;
  return (chunk) => {
    for (const byte of chunk) {
      const isEnd = byte === 0x0a || byte === 0x0d;
      const isAscii = isEnd || byte === 0x09 || (byte >= 0x20 && byte <= 0x7e);
      run = isAscii ? run + 1 : 0;
      hasEnd = isAscii && (hasEnd || isEnd);
      if (hasEnd && run > ASCII_RUN) return true;
    }
    return false;
  };
}

function decodePiece(piece: Buffer, encoding: Encoding, line: number): string {
  const isMixed = encoding === 'windows-1252' && LIKE_UTF8.test(piece.toString('latin1'));
  const parts = isMixed ? cutLines(piece) : [piece];
  const texts = parts.flatMap((part) => decodeLine(part, encoding) ?? []);
  if (texts.length < parts.length) {
    const bad = line + findBadLine(piece, encoding);
    if (encoding === 'utf-8') throw new FileError(notUtf8(bad), { kind: 'state encoding' });
    throw new FileError(`line ${bad} is not ${encoding}.`, { kind: 'find encoding' });
  }
  // Bytes that are valid UTF-8 are UTF-8: in another encoding they would make no sense.
  if (!isMixed && encoding !== 'utf-8' && !isAscii(piece) && isUtf8(piece)) {
    throw new FileError(
      `line ${line} and the lines below are UTF-8, but the mapping says ${encoding}.`,
    );
  }
  return texts.join('');
}

/**
 * Decodes one line. In files in Windows-1252 some programs leave lines in UTF-8, which would make
 * no sense as Windows-1252.
 */
export function decodeLine(bytes: Buffer, encoding: Encoding): string | undefined {
  return decodeBytes(bytes, encoding === 'windows-1252' && isUtf8Line(bytes) ? 'utf-8' : encoding);
}

/** What UTF-8 has for a character that is not ASCII. */
const LIKE_UTF8 = /[\xc2-\xf4][\x80-\xbf]/;

/** Splits at line ends. In these encodings they are never part of another character. */
async function* cutPieces(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of bytes) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const end = findCut(rest);
    if (end > 0) {
      yield rest.subarray(0, end);
      rest = rest.subarray(end);
    } else if (rest.length > LINE_BYTES) {
      throw new FileError('it has a line of more than 8 MiB. Is this the right file?');
    }
  }
  if (rest.length > 0) yield rest;
}

/** The index after the last line end; a `\r` at the very end may be half of one. */
function findCut(bytes: Buffer): number {
  const newline = bytes.lastIndexOf(10);
  const ending = bytes.length < 2 ? -1 : bytes.lastIndexOf(13, bytes.length - 2);
  return Math.max(newline, ending) + 1;
}

function notUtf8(line: number): string {
  const way = 'save it as UTF-8 (in Excel: "CSV UTF-8")';
  return `line ${line} is not UTF-8, perhaps Windows-1252: ${way}.`;
}

/** How many lines come before the first that is not in the encoding. */
function findBadLine(bytes: Buffer, encoding: Encoding): number {
  const lines = cutLines(bytes);
  return Math.max(
    lines.findIndex((each) => decodeLine(each, encoding) === undefined),
    0,
  );
}

/** The lines with their ends. */
export function cutLines(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(10, start) + 1 || bytes.length;
    lines.push(bytes.subarray(start, end));
    start = end;
  }
  return lines;
}

/** Bytes in pieces of a size, the last one perhaps shorter. */
export function* piecesOf(bytes: Buffer, size: number): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** Bytes that can be read from any place, so that none of them need be held. */
export interface Stored {
  size(): Promise<number>;
  /** At most so many bytes; fewer only at the end. */
  read(start: number, bytes: number): Promise<Buffer>;
}

/** Bytes that can be read again from the start, such as a file or an upload. */
export interface FileSource {
  readonly name: string;
  /** Where they are; absent for a pipe, which can be opened only once, and for a table. */
  readonly stored?: Stored;
  /** Whether it is read to its end only once: then nothing need stay for another reading. */
  readonly isReadOnce?: boolean;
  /** Whether it is a sheet, which leaves out empty cells at the end of a row: none is cut off. */
  readonly isSheet?: boolean;
  open(): AsyncIterable<Buffer>;
}

/** What is read at once. */
const READ_BYTES = 64 * 1024;

/** The bytes between two places in small pieces. */
export async function* readStored(
  { read }: Stored,
  start = 0,
  end = Number.POSITIVE_INFINITY,
): AsyncGenerator<Buffer> {
  for (let place = start; place < end; place += READ_BYTES) {
    const bytes = await read(place, Math.min(READ_BYTES, end - place));
    yield* piecesOf(bytes, SLICE_BYTES);
    if (bytes.length < READ_BYTES) return;
  }
}

/** What is decoded and split in one step: about a millisecond of work. */
const SLICE_BYTES = 16 * 1024;
/** The longest line and record: a longer one could not be split within a turn. */
export const LONGEST_RECORD = 256 * 1024;

/** The bytes in small pieces, whatever the pieces of the source. Throws FileError. */
export async function* readSlices(source: FileSource): AsyncGenerator<Buffer> {
  let length = 0;
  for await (const bytes of source.open()) {
    for (const slice of piecesOf(bytes, SLICE_BYTES)) {
      const end = Math.max(slice.lastIndexOf(10), slice.lastIndexOf(13));
      length = end < 0 ? length + slice.length : slice.length - end;
      if (length > LONGEST_RECORD) {
        throw new FileError('it has a line of more than 256 KiB. Is this the right file?');
      }
      yield slice;
    }
  }
}

/** The lines of a source in pieces, each time from its start. Throws FileError. */
export async function* openLines(source: FileSource, encoding: Encoding): AsyncGenerator<string> {
  yield* (await openText(readSlices(source), encoding)).lines;
}
