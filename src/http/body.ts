/**
 * Reads the body of a request (contract 2, step 8, up to `invalid_json`): `readChunks` reads a
 * stream, `readBytes` keeps it in memory, `readJsonBytes` parses the bytes.
 */

import { isAscii, isUtf8, transcode } from 'node:buffer';
import type { EventEmitter } from 'node:events';
import type { Readable } from 'node:stream';
import { Failure } from '../core/failures.ts';
import { measureJson } from '../core/json-size.ts';
import { BODY_BYTES, JSON_DEPTH, JSON_VALUES } from '../core/limits.ts';
import { findJsonFault } from './json-fault.ts';
import { type BodyKind, isIdentityEncoding, isJsonMediaType } from './media-type.ts';

/** The client disconnected before the end of its body, so there is no one to answer. */
export class BodyAborted extends Error {
  override readonly name = 'BodyAborted';
}

/** The header fields that describe the body. */
export interface BodyHeaders {
  readonly contentType: string | undefined;
  readonly contentEncoding: string | undefined;
  readonly contentLength: string | undefined;
}

/** A JSON document. */
export const JSON_BODY: BodyKind = {
  accepts: isJsonMediaType,
  expected: 'Send the body as Content-Type: application/json, in UTF-8.',
  maxBytes: BODY_BYTES,
};

/**
 * Checks the header before any byte is read. Throws `unsupported_media_type`, or
 * `payload_too_large` by Content-Length.
 */
export function checkBodyHeaders(kind: BodyKind, headers: BodyHeaders): void {
  if (!kind.accepts(headers.contentType)) {
    throw new Failure('unsupported_media_type', kind.expected);
  }
  if (!isIdentityEncoding(headers.contentEncoding)) {
    throw new Failure('unsupported_media_type', 'Send the body without Content-Encoding.');
  }
  if (Number(headers.contentLength ?? 0) > kind.maxBytes) {
    throw tooLarge(kind.maxBytes);
  }
}

/** Where a body comes from. */
export interface BodySource {
  readonly source: Readable;
  /** When it closes first, the request has been answered and its body is not needed. */
  readonly answer: EventEmitter;
  readonly maxBytes: number;
  /** What has arrived so far. */
  receivedBytes: number;
}

/** Reads a stream to its end. Throws as {@link readChunks} does. */
export async function readBytes(body: BodySource): Promise<Buffer> {
  const bytes = new ByteCollector();
  await readChunks(body, (chunk) => bytes.add(chunk));
  return bytes.taken();
}

/**
 * Passes the chunks of a stream to `take`, and waits whenever that returns a promise. Throws
 * `payload_too_large`, or BodyAborted when the stream breaks off or the answer closes first.
 */
export function readChunks(
  body: BodySource,
  take: (chunk: Buffer) => Promise<void> | void,
): Promise<void> {
  const { source, answer, maxBytes } = body;
  return new Promise((resolve, reject) => {
    let taking: Promise<void> | void;
    if (source.destroyed) {
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
      source.off('data', onData).off('end', onEnd).off('close', onClose);
      answer.off('close', onClose);
    }
    source.on('data', onData).on('end', onEnd).on('close', onClose);
    answer.on('close', onClose);
  });
}

/**
 * Parses JSON. Skips a leading byte order mark. Throws `invalid_encoding` for anything but UTF-8,
 * `invalid_json` for anything but JSON or too many nested brackets, and `invalid_envelope` for too
 * many values.
 */
export function readJsonBytes(bytes: Uint8Array): unknown {
  const text = decodeUtf8(bytes);
  const { depth, values } = measureJson(bytes);
  if (depth > JSON_DEPTH) {
    throw new Failure(
      'invalid_json',
      `The body nests more than ${JSON_DEPTH} brackets. Send flat rows.`,
    );
  }
  if (values > JSON_VALUES) {
    throw new Failure(
      'invalid_envelope',
      `The body has more than ${JSON_VALUES} values. Send fewer rows, or fewer fields per row.`,
    );
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new Failure('invalid_json', faultMessage(text));
  }
}

/** 413, for a body above this limit. */
export function tooLarge(maxBytes: number): Failure {
  const kibibytes = maxBytes / 1024;
  const most = kibibytes < 1024 ? `${kibibytes} KiB` : `${kibibytes / 1024} MiB`;
  const message = `The body is larger than ${most}. Send it in smaller parts.`;
  return new Failure('payload_too_large', message);
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
  if (!/[^ \t\r\n]/.test(text)) {
    return 'The body is empty. Send a JSON document.';
  }
  const fault = findJsonFault(text);
  return fault === undefined
    ? 'The body is not valid JSON.'
    : `The body is not valid JSON: line ${fault.line}, column ${fault.column}: ` +
        `expected ${fault.expected}, found ${fault.found}.`;
}

/**
 * Collects chunks in one growing buffer. Separate chunks would take a hundred times the size of a
 * body that is sent one byte at a time.
 */
export class ByteCollector {
  #bytes: Buffer = Buffer.alloc(0);
  length = 0;

  /** Adds a chunk. */
  add(chunk: Buffer): void {
    if (this.length === 0) {
      this.#bytes = chunk;
      this.length = chunk.length;
      return;
    }
    const length = this.length + chunk.length;
    if (length > this.#bytes.length) {
      const grown = Buffer.alloc(Math.max(length, this.#bytes.length * 2));
      grown.set(this.#bytes.subarray(0, this.length));
      this.#bytes = grown;
    }
    this.#bytes.set(chunk, this.length);
    this.length = length;
  }

  /** All bytes so far. */
  taken(): Buffer {
    return this.#bytes.subarray(0, this.length);
  }
}
