/**
 * What every client retries. The OpenAPI document prints this table; tests compare docs/http.md,
 * the client and the examples with it. Any request can be repeated: reads change nothing, and a
 * push finds its rows by their externalId. So every failure that may pass is retried. That includes
 * 500: a retry of a bug costs a few requests, and giving up at a passing fault costs a push.
 */

/** A failure after which the same request may succeed. */
export interface Retry {
  /** The HTTP status; null when no whole answer came. */
  readonly status: number | null;
  readonly means: string;
  readonly wait: string;
}

const LONGER = 'ever longer';

/** Every failure that is retried; any other answer is final. */
export const RETRIES: readonly Retry[] = [
  {
    status: null,
    means: 'the connection was refused or cut, or no whole answer came in time',
    wait: LONGER,
  },
  { status: 408, means: 'the request did not arrive in time', wait: LONGER },
  {
    status: 429,
    means: 'the key has used up its requests',
    wait: '`Retry-After` seconds, 1 to 60: one retry is then enough',
  },
  {
    status: 500,
    means: 'a fault in budgetd; if it persists, report it with the request id',
    wait: LONGER,
  },
  { status: 502, means: 'a proxy found no service', wait: LONGER },
  {
    status: 503,
    means: 'the service is busy or shutting down, or its disk is full',
    wait: '`Retry-After` seconds where it is sent, else ever longer',
  },
  { status: 504, means: 'a proxy gave up waiting for the service', wait: LONGER },
];

/** How often a request is retried before a client gives up. */
export const RETRY_COUNT = 6;
/** The longest wait without `Retry-After`, reached by doubling one second. */
export const LONGEST_RETRY_SECONDS = 30;

/** What "ever longer" means, and when to stop. */
export const RETRY_RULE =
  `"Ever longer" is 1 second, then twice as long each time, up to ${LONGEST_RETRY_SECONDS} ` +
  `seconds. Give up after ${RETRY_COUNT} retries. Do not retry any other answer: it would be the ` +
  'same again.';
