/** Checks how a body is declared: as plain JSON in UTF-8 (contract 2, step 8), or as a form. */

import type { IncomingHttpHeaders } from 'node:http';
import { Failure } from '../core/failures.ts';
import { tooLarge } from './body.ts';

/** What each kind of body is declared as, and how to send it, as a sentence. */
const KINDS = {
  json: {
    accepts: (contentType: string) => isUtf8Type('application/json', contentType),
    expected: 'Send the body as Content-Type: application/json, in UTF-8.',
  },
  form: {
    accepts: (contentType: string) => isUtf8Type('application/x-www-form-urlencoded', contentType),
    expected: 'Send the form as Content-Type: application/x-www-form-urlencoded, in UTF-8.',
  },
  upload: {
    accepts: (contentType: string) => readBoundary(contentType) !== undefined,
    expected: 'Send the form as Content-Type: multipart/form-data, with its boundary.',
  },
};

/** A kind of body that a handler can read. */
export type BodyKind = keyof typeof KINDS;

/**
 * Checks the header before any byte is read. Throws `unsupported_media_type`, or
 * `payload_too_large` by Content-Length.
 */
export function checkBodyHeaders(
  kind: BodyKind,
  maxBytes: number,
  headers: IncomingHttpHeaders,
): void {
  const { accepts, expected } = KINDS[kind];
  if (!accepts(headers['content-type'] ?? '')) {
    throw new Failure('unsupported_media_type', expected);
  }
  const codings = headers['content-encoding']?.split(',') ?? [];
  if (!codings.every((one) => /^(?:identity)?$/i.test(one.trim()))) {
    throw new Failure('unsupported_media_type', 'Send the body without Content-Encoding.');
  }
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
}

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const QUOTED = '"(?:[^"\\\\]|\\\\.)*"';
// An empty parameter is grammatical (RFC 9110, 5.6.6): `application/json;` is JSON.
const PARAMETER = new RegExp(`[ \\t]*;[ \\t]*(?:(${TOKEN})=(${TOKEN}|${QUOTED}))?`, 'y');

/** What can separate the parts of a form (RFC 2046, 5.1.1). */
const BOUNDARY = /^[0-9A-Za-z'()+_,./:=? -]{0,69}[0-9A-Za-z'()+_,./:=?-]$/;

/** The boundary of a `multipart/form-data` body; undefined if the value is anything else. */
export function readBoundary(contentType: string): string | undefined {
  const [boundary = '', second] = (readParameters('multipart/form-data', contentType) ?? [])
    .filter(([name]) => name === 'boundary')
    .map(([, value]) => value);
  return second === undefined && BOUNDARY.test(boundary) ? boundary : undefined;
}

/**
 * Whether the value is of a type, with charset utf-8 or without one. Other well-formed parameters
 * are ignored, as in RFC 9110.
 */
function isUtf8Type(type: string, contentType: string): boolean {
  const parameters = readParameters(type, contentType);
  const isUtf8 = ([name, value]: readonly [string, string]) =>
    name !== 'charset' || value.toLowerCase() === 'utf-8';
  return parameters?.every(isUtf8) === true;
}

/** The parameters of a value that is of this type; undefined if it is not. */
function readParameters(type: string, contentType: string) {
  const text = contentType.trimEnd();
  if (text.slice(0, type.length).toLowerCase() !== type) return undefined;
  const parameters: [name: string, value: string][] = [];
  let at = type.length;
  while (at < text.length) {
    PARAMETER.lastIndex = at;
    const match = PARAMETER.exec(text);
    if (match === null) return undefined;
    const [, name, value = ''] = match;
    if (name !== undefined) parameters.push([name.toLowerCase(), unquote(value)]);
    at = PARAMETER.lastIndex;
  }
  return parameters;
}

function unquote(value: string): string {
  return value.startsWith('"') ? value.slice(1, -1).replace(/\\(.)/g, '$1') : value;
}
