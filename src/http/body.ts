/**
 * Reads the body of a request (contract 2, step 8, up to `invalid_json`): `readChunks` reads a
 * stream, `readBytes` keeps it in memory, `readJsonBytes` parses the bytes.
 */

import { isAscii, isUtf8, transcode } from 'node:buffer';
import type { EventEmitter } from 'node:events';
import type { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Failure } from '../core/failures.ts';
import { measureJson } from '../core/json-size.ts';
import { BODY_BYTES, JSON_DEPTH, JSON_VALUES } from '../core/limits.ts';
import { parseJson } from '../core/text.ts';
import { findJsonFault } from './json-fault.ts';
import { SIZES } from './settings.ts';
import { Shares } from './shares.ts';

/** Bodies are collected in blocks of at most this size. */
const BLOCK_BYTES = 16 * 1024;
const SMALLEST_BLOCK_BYTES = 1024;
/**
 * Blocks are cut from slabs of so many, 1 MiB: the system gets these back, and small pieces of
 * memory between others not.
 */
const SLAB_BLOCKS = 64;
/** Blocks that stay when no body is being read: for one of the largest. */
const SPARE_BLOCKS = BODY_BYTES / BLOCK_BYTES;

/** Nobody needs the rest of the body: the client has disconnected, or has its answer. */
export class BodyAborted extends Error {
  override readonly name = 'BodyAborted';
}

/** Where a body comes from. */
export interface BodySource {
  readonly source: Readable;
  /** When it closes first, the request has been answered and its body is not needed. */
  readonly answer: EventEmitter & { readonly destroyed?: boolean };
  readonly maxBytes: number;
  /** The organisation and the key or user, else the network twice. */
  readonly sender: readonly [owner: string, member: string];
  /** The memory of all bodies. */
  readonly memory: BodyMemory;
  /** What has arrived so far. */
  receivedBytes: number;
  /** Ends the reading with an error. Set while it lasts. */
  refuse?: ((error: Failure | BodyAborted) => void) | undefined;
}

/**
 * The memory of the bodies that are being read, of all requests. At its limit, the sender that has
 * the most is refused the body that has waited longest for more: one that was left half-sent.
 */
export class BodyMemory {
  readonly #shares: Shares<BodySource>;
  /** Blocks to use again: freed ones would stay for seconds, until they are collected. */
  #free: Buffer[] = [];

  constructor(maxBytes: number) {
    this.#shares = new Shares(maxBytes);
  }

  /** A block for a body, which may be refused for it. */
  take(body: BodySource, bytes: number): Buffer {
    this.count(body, bytes);
    const isBlock = bytes === BLOCK_BYTES;
    if (isBlock && this.#free.length === 0) this.#free = cutSlab();
    return (isBlock ? this.#free.pop() : undefined) ?? Buffer.allocUnsafeSlow(bytes);
  }

  /** Counts bytes that are kept elsewhere. */
  count(body: BodySource, bytes: number): void {
    for (const leaving of this.#shares.grow(body, body.sender, bytes)) {
      leaving.refuse?.(new Failure('unavailable', 'Too much is being sent at once. Try again.'));
    }
  }

  /** The body has been read, or never will be. */
  release(body: BodySource, blocks: readonly Buffer[] = []): void {
    this.#shares.remove(body);
    this.#free.push(...blocks.filter(({ length }) => length === BLOCK_BYTES));
    if (!this.#shares.isEmpty || this.#free.length <= SPARE_BLOCKS) return;
    const slabs = [...new Set(this.#free.map(({ buffer }) => buffer))];
    const spare = new Set(slabs.slice(0, SPARE_BLOCKS / SLAB_BLOCKS));
    this.#free = this.#free.filter(({ buffer }) => spare.has(buffer));
  }
}

function cutSlab(): Buffer[] {
  const slab = Buffer.allocUnsafeSlow(SLAB_BLOCKS * BLOCK_BYTES);
  return Array.from({ length: SLAB_BLOCKS }, (_, at) => {
    return slab.subarray(at * BLOCK_BYTES, (at + 1) * BLOCK_BYTES);
  });
}

/** Reads a stream to its end. Throws as {@link readChunks} does. */
export async function readBytes(body: BodySource): Promise<Buffer> {
  const bytes = new ByteCollector((size) => body.memory.take(body, size));
  try {
    await readChunks(body, (chunk) => bytes.add(chunk));
    return bytes.taken();
  } finally {
    body.memory.release(body, bytes.blocks);
  }
}

/**
 * Passes the chunks of a stream to `take`, and waits whenever that returns a promise. Throws
 * `payload_too_large`, `unavailable` at the limit of {@link BodyMemory}, or BodyAborted when the
 * stream breaks off or the answer closes first.
 */
export function readChunks(
  body: BodySource,
  take: (chunk: Buffer) => Promise<void> | void,
): Promise<void> {
  const { source, answer, maxBytes } = body;
  return new Promise((resolve, reject) => {
    let taking: Promise<void> | void;
    // The sender can be gone before anything is read: then no event says so.
    if (source.destroyed || answer.destroyed) {
      reject(new BodyAborted());
      return;
    }
    function onData(chunk: Buffer): void {
      body.receivedBytes += chunk.length;
      try {
        if (body.receivedBytes > maxBytes) throw tooLarge(maxBytes);
        taking = take(chunk);
        if (taking === undefined) return;
        source.pause();
        taking.then(() => source.resume(), fail);
      } catch (error) {
        fail(error);
      }
    }
    function onEnd(): void {
      release();
      // A stream that is paused at its last chunk ends all the same.
      resolve(taking);
    }
    function onClose(): void {
      fail(new BodyAborted());
    }
    function fail(error: unknown): void {
      release();
      reject(error);
    }
    function release(): void {
      body.refuse = undefined;
      source.off('data', onData).off('end', onEnd).off('close', onClose);
      answer.off('close', onClose);
    }
    body.refuse = fail;
    source.on('data', onData).on('end', onEnd).on('close', onClose);
    answer.on('close', onClose);
  });
}

/**
 * Parses JSON, a long text in turns. Skips a leading byte order mark. Throws
 * `invalid_encoding` for anything but UTF-8, `invalid_json` for anything but JSON or too many
 * nested brackets, and `invalid_envelope` for too many values.
 */
export async function readJsonBytes(bytes: Uint8Array): Promise<unknown> {
  const text = decodeUtf8(bytes);
  const { depth, values } = measureJson(bytes);
  if (depth > JSON_DEPTH) {
    const message = `The body nests more than ${JSON_DEPTH} brackets. Send flat rows.`;
    throw new Failure('invalid_json', message);
  }
  if (values > JSON_VALUES) {
    throw new Failure(
      'invalid_envelope',
      `The body has more than ${JSON_VALUES} values. Send fewer rows, or fewer fields per row.`,
    );
  }
  await nextTurnAfter(bytes);
  const value = parseJson(text);
  await nextTurnAfter(bytes);
  if (value === undefined) throw new Failure('invalid_json', faultMessage(text));
  return value;
}

/** Decoding a long text, parsing it, and using its value or finding its fault are a turn each. */
async function nextTurnAfter({ length }: Uint8Array): Promise<void> {
  if (length > SIZES.atOnceBytes) await nextTurn();
}

/** 413, for a body above this limit, or for something in it. */
export function tooLarge(
  maxBytes: number,
  what = 'The body',
  advice = 'Send it in smaller parts',
): Failure {
  const kibibytes = maxBytes / 1024;
  const most = kibibytes < 1024 ? `${kibibytes} KiB` : `${kibibytes / 1024} MiB`;
  return new Failure('payload_too_large', `${what} is larger than ${most}. ${advice}.`);
}

/**
 * Checks first, because decoders silently replace bad bytes. Then takes the fastest way: most
 * bodies are ASCII, and for the others going through UTF-16 is seven times faster.
 */
function decodeUtf8(bytes: Uint8Array): string {
  const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset + start, bytes.byteLength - start);
  if (isAscii(text)) return text.toString('latin1');
  if (!isUtf8(text)) {
    throw new Failure('invalid_encoding', 'The body is not UTF-8. Encode it as UTF-8.');
  }
  return transcode(text, 'utf8', 'utf16le').toString('utf16le');
}

function faultMessage(text: string): string {
  if (!/[^ \t\r\n]/.test(text)) return 'The body is empty. Send a JSON document.';
  const fault = findJsonFault(text);
  return fault === undefined
    ? 'The body is not valid JSON.'
    : `The body is not valid JSON: line ${fault.line}, column ${fault.column}: ` +
        `expected ${fault.expected}, found ${fault.found}.`;
}

/** Collects chunks by copying them into blocks, so that no chunk is kept, however small it is. */
export class ByteCollector {
  readonly blocks: Buffer[] = [];
  readonly #takeBlock: (bytes: number) => Buffer;
  /** The rest of the last block. */
  #room: Buffer = Buffer.alloc(0);
  length = 0;

  /** `takeBlock` makes a block. */
  constructor(takeBlock: (bytes: number) => Buffer = Buffer.allocUnsafeSlow) {
    this.#takeBlock = takeBlock;
  }

  add(chunk: Buffer): void {
    let left = chunk;
    while (left.length > 0) {
      if (this.#room.length === 0) this.#room = this.#addBlock(left.length);
      const count = left.copy(this.#room);
      this.#room = this.#room.subarray(count);
      this.length += count;
      left = left.subarray(count);
    }
  }

  /** A copy of all bytes so far. */
  taken(): Buffer {
    return Buffer.concat(this.blocks, this.length);
  }

  /** Short bodies get small blocks: each is at most as long as all before. */
  #addBlock(bytes: number): Buffer {
    const size = Math.min(BLOCK_BYTES, Math.max(bytes, this.length, SMALLEST_BLOCK_BYTES));
    const block = this.#takeBlock(size);
    this.blocks.push(block);
    return block;
  }
}
