/**
 * What Node's parser refuses by itself, before there is a request (contract 2, step 1): which
 * refusal its error stands for. Knows no socket.
 */

import { Failure } from '../core/failures.ts';
import type { Router } from './router.ts';
import { splitTarget } from './target.ts';

/** An error of the `clientError` event, as far as it is looked at. */
export interface ParserError extends Error {
  readonly code?: string;
  /** How far into `rawPacket` the parser came. */
  readonly bytesParsed?: number;
  /** The bytes that were being parsed; what came in an earlier packet is not among them. */
  readonly rawPacket?: Uint8Array;
}

/** The refusal to answer with, or undefined for a failure of the connection itself. */
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
      // The code also stands for a version that is followed by the wrong line end.
      return / HTTP\/1\.[01]$/.test(requestLine(error, 1)) ? badRequest() : versionNotSupported();
    case 'HPE_INVALID_METHOD':
    case 'HPE_INVALID_CONSTANT':
      return unknownMethod(requestLine(error, 0), router) ?? badRequest();
    default:
      return code.startsWith('HPE_') ? badRequest() : undefined;
  }
}

/** 408: the request did not arrive in time. */
export function requestTimeout(): Failure {
  return new Failure('request_timeout', 'The request did not arrive in time.');
}

/** 431: fields too long, or too many of them. */
export function headersTooLarge(): Failure {
  return new Failure('headers_too_large', 'The header fields of the request are too large.');
}

/** 505: anything but HTTP/1. */
export function versionNotSupported(): Failure {
  return new Failure('http_version_not_supported', 'HTTP/1.1 is spoken here.');
}

/** 404: no route has the path. */
export function notFound(): Failure {
  return new Failure('not_found', 'There is nothing at this path.');
}

/** 405, with what the path does answer. */
export function methodNotAllowed(allow: string): Failure {
  return new Failure('method_not_allowed', `This path answers ${allow}.`, {
    headers: { Allow: allow },
  });
}

function badRequest(): Failure {
  return new Failure('bad_request', 'The request is not well-formed HTTP/1.1.');
}

/** Where the line is otherwise right, its method is what the parser did not know. */
function unknownMethod(line: string, router: Router): Failure | undefined {
  const target = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+ ([^ ]+) HTTP\/\d\.\d$/.exec(line)?.[1];
  const path = splitTarget(target ?? '')?.path;
  const allow = path === undefined ? undefined : router.allowFor(path);
  return allow === undefined ? undefined : methodNotAllowed(allow);
}

/**
 * The line in which the parser stopped, or `before` bytes earlier; other requests may stand before
 * it in the packet.
 */
function requestLine(error: ParserError, before: number): string {
  const packet = Buffer.from(error.rawPacket ?? []);
  const stop = Math.max((error.bytesParsed ?? 0) - before, 0);
  const start = stop === 0 ? 0 : packet.lastIndexOf(0x0a, stop - 1) + 1;
  const end = packet.indexOf(0x0a, stop);
  return packet.toString('latin1', start, end < 0 ? packet.length : end).replace(/\r$/, '');
}
