/**
 * Converts errors of Node's parser, which occur before there is a request, to refusals (contract 2,
 * step 1). Does not use sockets.
 */

import { Failure } from '../core/failures.ts';
import type { Router } from './router.ts';
import { SIZES } from './settings.ts';
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

/**
 * The refusal to answer with, and the path of the request that the parser refused: empty if its
 * first line was in an earlier packet or is not well-formed. Undefined if the connection failed.
 */
export function refusalOfParserError(
  error: ParserError,
  router: Router,
): { readonly failure: Failure; readonly path: string } | undefined {
  const { code = '' } = error;
  const failure = failureOf(code, error, router);
  if (failure === undefined) return undefined;
  const line = linesUpToError(error, 0).filter((one) => REQUEST_LINE.test(one));
  return { failure, path: pathOfLine(line.at(-1)) ?? '' };
}

function failureOf(code: string, error: ParserError, router: Router): Failure | undefined {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return refusalOf('request_timeout');
    case 'HPE_HEADER_OVERFLOW':
      return refusalOf('headers_too_large');
    case 'HPE_PAUSED_H2_UPGRADE':
      return refusalOf('http_version_not_supported');
    case 'HPE_INVALID_VERSION':
      // Node uses the same code for a supported version with a wrong line ending.
      return / HTTP\/1\.[01]$/.test(linesUpToError(error, 1).at(-1) ?? '')
        ? refusalOf('bad_request')
        : refusalOf('http_version_not_supported');
    case 'HPE_INVALID_METHOD':
    case 'HPE_INVALID_CONSTANT': {
      // If the rest of the line is valid, the parser did not know its method.
      const path = pathOfLine(linesUpToError(error, 0).at(-1));
      const { route, refuse } = router.refusedAt(path ?? '');
      return route === undefined ? refusalOf('bad_request') : refuse();
    }
    default:
      return code.startsWith('HPE_') ? refusalOf('bad_request') : undefined;
  }
}

const SIZE = `${SIZES.headerBytes / 1024} KiB`;
const MESSAGES = {
  bad_request: 'The request is not well-formed HTTP/1.1.',
  request_timeout: 'The request did not arrive in time. Send it again.',
  headers_too_large: `Send at most ${SIZES.headerFields} header fields, ${SIZE} in total.`,
  http_version_not_supported: 'This version of HTTP is not supported. Use HTTP/1.1.',
} as const;

/** The refusal of a request that is late, too large or no HTTP/1. */
export function refusalOf(code: keyof typeof MESSAGES): Failure {
  return new Failure(code, MESSAGES[code]);
}

const REQUEST_LINE = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+ ([^ ]+) HTTP\/\d\.\d$/;

function pathOfLine(line = ''): string | undefined {
  return splitTarget(REQUEST_LINE.exec(line)?.[1] ?? '')?.path;
}

/** The lines of the packet, up to the one where the parser stopped, or `before` bytes earlier. */
function linesUpToError({ rawPacket = NOTHING, bytesParsed = 0 }: ParserError, before: number) {
  const packet = Buffer.from(rawPacket);
  const end = packet.indexOf(NEWLINE, Math.max(bytesParsed - before, 0));
  const text = packet.toString('latin1', 0, end < 0 ? packet.length : end);
  return text.replace(/\r$/, '').split(/\r?\n/);
}

const NOTHING = new Uint8Array();
