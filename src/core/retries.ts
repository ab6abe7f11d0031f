/**
 * What every client retries. The OpenAPI document prints this table; tests compare docs/http.md,
 * the client and the examples with it. Any request can be repeated: reads change nothing, and a
 * push finds its rows by their externalId. So every failure that may be temporary is retried, even
 * 500: retrying a bug costs a few requests, but giving up on a temporary error costs a push.
 */

/** A failure after which the same request may succeed. */
interface Retry {
  /** The HTTP status; null when no whole answer came. */
  readonly status: number | null;
  readonly means: string;
  readonly wait: string;
}

/** Twice as long each time, as RETRY_RULE explains. */
const BACKOFF = '1, 2, 4 … 30 seconds';

/** Every failure that is retried; any other answer is final. */
export const RETRIES: readonly Retry[] = [
  {
    status: null,
    means: 'the connection was refused or cut, or the answer did not arrive completely in time',
    wait: BACKOFF,
  },
  { status: 408, means: 'the request did not arrive in time', wait: BACKOFF },
  {
    status: 429,
    means: 'the key has reached its rate limit',
    wait: '`Retry-After` seconds, 1 to 60; one retry is then enough',
  },
  {
    status: 500,
    means: 'an error in budgetd; if it persists, report it with the request id',
    wait: BACKOFF,
  },
  { status: 502, means: 'a proxy could not reach the service', wait: BACKOFF },
  {
    status: 503,
    means: 'the service is busy or shutting down, or its disk is full',
    wait: '`Retry-After` seconds if sent, else 1, 2, 4 … 30',
  },
  { status: 504, means: 'a proxy gave up waiting for the service', wait: BACKOFF },
];

/** How often a request is retried before a client gives up. */
export const RETRY_COUNT = 6;

/** How long to wait without `Retry-After`, and when to stop. */
export const RETRY_RULE =
  'Without `Retry-After`, wait 1 second, then twice as long each time, up to 30 seconds. Give up ' +
  `after ${RETRY_COUNT} retries. Do not retry any other answer: it would be the same again.`;
