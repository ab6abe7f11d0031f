/**
 * Turns everything that can go wrong with a request into its answer: JSON, or whatever the route or
 * the prefix of its path renders.
 */

import { Failure, type FailureCode } from '../core/failures.ts';
import type { FailedRequest, FailurePages, Reply, Route } from './message.ts';
import { errorHeaders, errorReply } from './status.ts';

/** An unexpected error, with the code that the client received. */
export interface LogEvent {
  readonly kind: 'request_failed' | 'listener_failed';
  readonly code: FailureCode;
  readonly requestId: string | null;
  readonly method: string | null;
  /** Without the query, which may contain names of people. */
  readonly path: string | null;
  readonly error: unknown;
}

/** What refusals need to know. */
export interface RefusalOptions {
  /** Receives errors whose details the client must not see. */
  readonly log: (event: LogEvent) => void;
  /** Converts an error of the storage to a Failure; undefined means that it is a bug. */
  readonly failureOf?: ((error: unknown) => Failure | undefined) | undefined;
  /** Renders failures of requests that match no route, else JSON; the longest prefix counts. */
  readonly failurePages?: readonly FailurePages[] | undefined;
}

/** A request that failed, and the route of its path. Unmatched requests have none. */
interface Refused extends FailedRequest {
  readonly method?: string;
  readonly route: Route | undefined;
}

/** After these, the connection cannot be trusted, or the rest is a body that nobody reads. */
const CLOSING_CODES: ReadonlySet<FailureCode> = new Set<FailureCode>([
  'bad_request',
  'expectation_failed',
  'headers_too_large',
  'http_version_not_supported',
  'payload_too_large',
  'request_timeout',
]);

/** Contract 2, step 1: under `/api`, even browsers get JSON. */
const API_PAGES: FailurePages = {
  prefix: '/api',
  renderFailure: (failure, { requestId }) => errorReply(failure, requestId),
};

/** Answers what went wrong. */
export class Refusals {
  readonly #options: RefusalOptions;
  /** The longest prefix first. */
  readonly #pages: readonly FailurePages[];

  constructor(options: RefusalOptions) {
    this.#options = options;
    const pages = [...(options.failurePages ?? []), API_PAGES];
    this.#pages = pages.sort((one, other) => other.prefix.length - one.prefix.length);
  }

  /**
   * The answer to a request that failed with an error, and whether it closes the connection. Logs
   * the error unless it is a Failure.
   */
  answer(error: unknown, request: Refused) {
    const failure = error instanceof Failure ? error : this.log(error, request);
    return { reply: this.#render(failure, request), isLast: CLOSING_CODES.has(failure.code) };
  }

  /** Logs an error that the client is not told, and returns what to tell instead. */
  log(error: unknown, request: Refused): Failure {
    const failure = this.#options.failureOf?.(error) ?? new Failure('internal_error', UNEXPECTED);
    const { requestId, method = null, path } = request;
    this.#options.log({
      kind: 'request_failed',
      code: failure.code,
      requestId,
      method,
      path,
      error,
    });
    return failure;
  }

  #render(failure: Failure, request: Refused): Reply {
    const { route, path } = request;
    const pages = route ?? this.#pages.find(({ prefix }) => isUnder(prefix, path));
    if (pages?.renderFailure === undefined) return errorReply(failure, request.requestId);
    try {
      const reply = pages.renderFailure(failure, request);
      return { ...reply, headers: { ...errorHeaders(failure), ...reply.headers } };
    } catch (error) {
      return errorReply(this.log(error, request), request.requestId);
    }
  }
}

function isUnder(prefix: string, path: string): boolean {
  return path === prefix || path.startsWith(prefix === '/' ? '/' : `${prefix}/`);
}

const UNEXPECTED = 'Something went wrong on the server. It has been logged.';

/** Whether an Accept header prefers HTML to JSON, or both equally. Wildcards do not count. */
export function asksForHtml(accept: string | undefined): boolean {
  let best = '';
  let bestWeight = 0;
  for (const range of (accept ?? '').split(',')) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    if (type !== 'text/html' && type !== 'application/json') continue;
    const weight = parameters.find((one) => one.startsWith('q='))?.slice(2) ?? '1';
    if (Number(weight) > bestWeight) {
      best = type;
      bestWeight = Number(weight);
    }
  }
  return best === 'text/html';
}
