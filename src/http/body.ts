/**
 * The body of a request (contract 2, step 8, up to `invalid_json`). `readJsonBytes` is the pure
 * part, bytes to value; `readBytes` takes them from a stream and knows nothing of HTTP.
 */

import { isAscii, isUtf8, transcode } from 'node:buffer';
import type { EventEmitter } from 'node:events';
import type { Readable } from 'node:stream';
import { Failure } from '../core/failures.ts';
import { BODY_BYTES, JSON_DEPTH, JSON_VALUES } from '../core/limits.ts';
import { findJsonFault } from './json-fault.ts';
import { isIdentityEncoding, isJsonMediaType } from './media-type.ts';

/** The client went away in the middle of its body: nobody is left to read an answer. */
export class BodyAborted extends Error {
  override readonly name = 'BodyAborted';
}

/** What a request's head says of its body. */
export interface BodyHeaders {
  readonly contentType: string | undefined;
  readonly contentEncoding: string | undefined;
  readonly contentLength: string | undefined;
}

/**
 * Refuses from the head alone, before a byte is read: `unsupported_media_type`, or
 * `payload_too_large` by the Content-Length.
 */
export function checkBodyHeaders(headers: BodyHeaders): void {
  if (!isJsonMediaType(headers.contentType)) {
    throw new Failure(
      'unsupported_media_type',
      'Send the body as Content-Type: application/json, in UTF-8.',
    );
  }
  if (!isIdentityEncoding(headers.contentEncoding)) {
    throw new Failure(
      'unsupported_media_type',
      'Send the body as it is: no Content-Encoding but identity is understood.',
    );
  }
  if (Number(headers.contentLength ?? 0) > BODY_BYTES) {
    throw tooLarge();
  }
}

/**
 * Reads a stream to its end. Refuses with `payload_too_large`; BodyAborted when it breaks off or
 * when `answer` closes first: what is answered over a reader's head is of no use to it any more.
 */
export function readBytes(source: Readable, answer: EventEmitter): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const bytes = new ByteCollector();
    if (source.destroyed) {
      reject(new BodyAborted());
      return;
    }
    function onData(chunk: Buffer): void {
      if (bytes.length + chunk.length > BODY_BYTES) {
        release();
        reject(tooLarge());
      } else {
        bytes.add(chunk);
      }
    }
    function onEnd(): void {
      release();
      resolve(bytes.taken());
    }
    function onClose(): void {
      release();
      reject(new BodyAborted());
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
 * Bytes to value. Refuses with `invalid_encoding` what is not UTF-8 (a leading byte order mark is
 * skipped), with `invalid_json` what is not JSON or has too many brackets open at once, and with
 * `invalid_envelope` what holds too many values.
 */
export function readJsonBytes(bytes: Uint8Array): unknown {
  const text = decodeUtf8(bytes);
  const { depth, values } = measureJson(bytes);
  if (depth > JSON_DEPTH) {
    throw new Failure(
      'invalid_json',
      `The body has more than ${JSON_DEPTH} brackets open at once.`,
    );
  }
  if (values > JSON_VALUES) {
    throw new Failure(
      'invalid_envelope',
      `The body holds more than ${JSON_VALUES} values: send fewer rows, or fewer members in each.`,
    );
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new Failure('invalid_json', faultMessage(text));
  }
}

/**
 * How many brackets are open at once at the most, and how many values there may be: brackets and
 * commas. One pass, no recursion: a parser would have built it all by the time it could complain.
 * What stands in strings does not count.
 */
export function measureJson(bytes: Uint8Array): { depth: number; values: number } {
  const { length } = bytes;
  let open = 0;
  let depth = 0;
  let values = 1;
  for (let at = 0; at < length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      at += 1;
      while (at < length && bytes[at] !== QUOTE) {
        at += bytes[at] === BACKSLASH ? 2 : 1;
      }
    } else if (byte === COMMA) {
      values += 1;
    } else if (byte === 0x5b || byte === 0x7b) {
      open += 1;
      values += 1;
      if (open > depth) depth = open;
    } else if (byte === 0x5d || byte === 0x7d) {
      open -= 1;
    }
  }
  return { depth, values };
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;

function tooLarge(): Failure {
  const mebibytes = BODY_BYTES / (1024 * 1024);
  return new Failure('payload_too_large', `The body is larger than ${mebibytes} MiB.`);
}

/**
 * Checked first, as decoders replace bad bytes without a word, then decoded in the way that costs
 * least: most bodies are ASCII, and of the others UTF-16 is seven times faster than from UTF-8.
 */
function decodeUtf8(bytes: Uint8Array): string {
  const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset + start, bytes.byteLength - start);
  if (isAscii(text)) return text.toString('latin1');
  if (!isUtf8(text)) throw new Failure('invalid_encoding', 'The body is not UTF-8.');
  return transcode(text, 'utf8', 'utf16le').toString('utf16le');
}

function faultMessage(text: string): string {
  if (!/[^ \t\r\n]/.test(text)) {
    return 'The body is empty; a JSON document was expected.';
  }
  const fault = findJsonFault(text);
  return fault === undefined
    ? 'The body is not valid JSON.'
    : `The body is not valid JSON: line ${fault.line}, column ${fault.column}: ` +
        `expected ${fault.expected}, found ${fault.found}.`;
}

/**
 * Gathers chunks in one growing buffer: kept one by one, a body sent a byte at a time would take
 * a hundred times its size.
 */
class ByteCollector {
  #bytes: Uint8Array = new Uint8Array(0);
  length = 0;

  add(chunk: Uint8Array): void {
    if (this.length === 0) {
      this.#bytes = chunk;
      this.length = chunk.length;
      return;
    }
    const length = this.length + chunk.length;
    if (length > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(length, this.#bytes.length * 2));
      grown.set(this.#bytes.subarray(0, this.length));
      this.#bytes = grown;
    }
    this.#bytes.set(chunk, this.length);
    this.length = length;
  }

  taken(): Uint8Array {
    return this.#bytes.subarray(0, this.length);
  }
}
