/**
 * Reads the body of a request (contract 2, step 8, up to `invalid_json`): `readBytes` reads a
 * stream into memory, `readJsonBytes` parses the bytes.
 */

import { isAscii, isUtf8, transcode } from 'node:buffer';
import type { EventEmitter } from 'node:events';
import type { Readable } from 'node:stream';
import { Failure } from '../core/failures.ts';
import { measureJson } from '../core/json-size.ts';
import { BODY_BYTES, JSON_DEPTH, JSON_VALUES } from '../core/limits.ts';
import { findJsonFault } from './json-fault.ts';
import { isIdentityEncoding, isJsonMediaType } from './media-type.ts';

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

/**
 * Checks the header before any byte is read. Throws `unsupported_media_type`, or
 * `payload_too_large` by Content-Length.
 */
export function checkBodyHeaders(headers: BodyHeaders): void {
  if (!isJsonMediaType(headers.contentType)) {
    throw new Failure(
      'unsupported_media_type',
      'Send the body as Content-Type: application/json, in UTF-8.',
    );
  }
  if (!isIdentityEncoding(headers.contentEncoding)) {
    throw new Failure('unsupported_media_type', 'Send the body without Content-Encoding.');
  }
  if (Number(headers.contentLength ?? 0) > BODY_BYTES) {
    throw tooLarge();
  }
}

/**
 * Reads a stream to its end. Throws `payload_too_large`, or BodyAborted when the stream breaks off
 * or `answer` closes first: then the request has been answered and its body is not needed.
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

function tooLarge(): Failure {
  const mebibytes = BODY_BYTES / (1024 * 1024);
  const message = `The body is larger than ${mebibytes} MiB. Send it in smaller parts.`;
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
