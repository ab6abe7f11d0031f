/**
 * Converts errors of Node's parser, which occur before there is a request, to refusals (contract 2,
 * step 1). Does not use sockets.
 */

import { Failure } from '../core/failures.ts';
import type { Router } from './router.ts';
import { HEADER_BYTES, HEADER_FIELDS } from './settings.ts';
import { splitTarget } from './target.ts';

const NEWLINE = 0x0a;

/** An error of the `clientError` event. */
export interface ParserError extends Error {
  readonly code?: string;
  /** How many bytes of `rawPacket` were parsed. */
  readonly bytesParsed?: number;
  /** The bytes that were being parsed, without those of earlier packets. */
  readonly rawPacket?: Uint8Array;
}

/** The refusal to answer with; undefined if the connection itself failed. */
export function failureOfParserError(error: ParserError, router: Router): Failure | undefined {
  const code = error.code ?? '';
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return refusalOf('request_timeout');
    case 'HPE_HEADER_OVERFLOW':
      return refusalOf('headers_too_large');
    case 'HPE_PAUSED_H2_UPGRADE':
      return refusalOf('http_version_not_supported');
    case 'HPE_INVALID_VERSION':
      // Node uses the same code for a supported version with a wrong line ending.
      return / HTTP\/1\.[01]$/.test(requestLine(error, 1))
        ? refusalOf('bad_request')
        : refusalOf('http_version_not_supported');
    case 'HPE_INVALID_METHOD':
    case 'HPE_INVALID_CONSTANT':
      return unknownMethod(requestLine(error, 0), router) ?? refusalOf('bad_request');
    default:
      return code.startsWith('HPE_') ? refusalOf('bad_request') : undefined;
  }
}

/**
 * The path of the request that the parser refused; empty if its first line was in an earlier packet
 * or is not well-formed.
 */
export function pathOfParserError(error: ParserError): string {
  const line =
    linesUpToError(error)
      .filter((one) => REQUEST_LINE.test(one))
      .at(-1) ?? '';
  return pathOfLine(line) ?? '';
}

const SIZE = `${HEADER_BYTES / 1024} KiB`;
const MESSAGES = {
  bad_request: 'The request is not well-formed HTTP/1.1.',
  request_timeout: 'The request did not arrive in time.',
  headers_too_large: `Send at most ${HEADER_FIELDS} header fields, ${SIZE} in total.`,
  http_version_not_supported: 'This version of HTTP is not supported. Use HTTP/1.1.',
} as const;

/** The refusal of a request that is late, too large or no HTTP/1. */
export function refusalOf(code: keyof typeof MESSAGES): Failure {
  return new Failure(code, MESSAGES[code]);
}

/** 404, for an unknown path, with what to do instead. */
export function notFound(advice = ''): Failure {
  return new Failure('not_found', `There is nothing at this path.${advice}`);
}

/** 405, with the methods that the path accepts. */
export function methodNotAllowed(allow: string): Failure {
  return new Failure('method_not_allowed', `This path only accepts ${allow}.`, {
    headers: { Allow: allow },
  });
}

/** If the rest of the line is valid, the parser did not know its method. */
function unknownMethod(line: string, router: Router): Failure | undefined {
  const path = pathOfLine(line);
  const refusal = path === undefined ? undefined : router.refusalAt(path);
  return refusal === undefined ? undefined : methodNotAllowed(refusal.allow);
}

const REQUEST_LINE = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+ ([^ ]+) HTTP\/\d\.\d$/;

function pathOfLine(line: string): string | undefined {
  return splitTarget(REQUEST_LINE.exec(line)?.[1] ?? '')?.path;
}

/** The lines of the packet, up to the one where the parser stopped. */
function linesUpToError(error: ParserError): string[] {
  const packet = Buffer.from(error.rawPacket ?? []);
  const end = packet.indexOf(NEWLINE, error.bytesParsed ?? 0);
  return packet.toString('latin1', 0, end < 0 ? packet.length : end).split(/\r?\n|\r$/);
}

/**
 * The line where the parser stopped, or the one `before` bytes earlier. The packet may contain
 * other requests before it.
 */
function requestLine(error: ParserError, before: number): string {
  const packet = Buffer.from(error.rawPacket ?? []);
  const stop = Math.max((error.bytesParsed ?? 0) - before, 0);
  const start = stop === 0 ? 0 : packet.lastIndexOf(NEWLINE, stop - 1) + 1;
  const end = packet.indexOf(NEWLINE, stop);
  return packet.toString('latin1', start, end < 0 ? packet.length : end).replace(/\r$/, '');
}
