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
      return requestTimeout();
    case 'HPE_HEADER_OVERFLOW':
      return headersTooLarge();
    case 'HPE_PAUSED_H2_UPGRADE':
      return versionNotSupported();
    case 'HPE_INVALID_VERSION':
      // Node uses the same code for a supported version with a wrong line ending.
      return / HTTP\/1\.[01]$/.test(requestLine(error, 1)) ? badRequest() : versionNotSupported();
    case 'HPE_INVALID_METHOD':
    case 'HPE_INVALID_CONSTANT':
      return unknownMethod(requestLine(error, 0), router) ?? badRequest();
    default:
      return code.startsWith('HPE_') ? badRequest() : undefined;
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

/** 408, for a request that did not arrive in time. */
export function requestTimeout(): Failure {
  return new Failure('request_timeout', 'The request did not arrive in time.');
}

/** 431, for too many header fields or too long ones. */
export function headersTooLarge(): Failure {
  const size = `${HEADER_BYTES / 1024} KiB`;
  const message = `Send at most ${HEADER_FIELDS} header fields, ${size} in total.`;
  return new Failure('headers_too_large', message);
}

/** 505, for anything but HTTP/1. */
export function versionNotSupported(): Failure {
  const message = 'This version of HTTP is not supported. Use HTTP/1.1.';
  return new Failure('http_version_not_supported', message);
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

function badRequest(): Failure {
  return new Failure('bad_request', 'The request is not well-formed HTTP/1.1.');
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
