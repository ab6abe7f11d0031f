/** The options of a client, with their defaults. */

import { BudgetdError } from './errors.ts';

/** A wait that is about to begin, for showing progress. */
export interface Wait {
  /** `rate_limit`: no request is allowed yet. `retry`: a request failed and will be sent again. */
  readonly reason: 'rate_limit' | 'retry';
  /** How long, in milliseconds. */
  readonly waitMs: number;
  /** The failure that caused it. Null if the client waits to avoid a refusal. */
  readonly error: BudgetdError | null;
}

/** Options of a single call. */
export interface CallOptions {
  /**
   * Aborts the call at once, during a request or a wait. The call throws `aborted` with the reason
   * of the signal as `cause`. The service may still process a request that was already sent.
   */
  readonly signal?: AbortSignal | undefined;
}

/** Options of {@link createClient}. Times are in milliseconds. */
export interface ClientOptions {
  /** The address of the service, such as `https://budget.example.org`, without `/api/v1`. */
  readonly url: string;
  /** The API key. It is sent as a Bearer token and never appears in a message. */
  readonly key: string;
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
  /** Replaces the timer of every wait. Can return early when the signal is aborted. */
  readonly sleep?: (waitMs: number, signal: AbortSignal) => Promise<void>;
  /** Replaces the clock that paces requests, in milliseconds. It must never go back. */
  readonly now?: () => number;
  /** Called before every wait. */
  readonly onWait?: (wait: Wait) => void;
  /**
   * How often to retry a request after no answer or after 408, 500, 502, 503 or 504. 6 by default,
   * 0 for never, and at most 3 until the address has answered once. After a 429 the client always
   * waits.
   */
  readonly retries?: number;
  /** The first wait before a retry: 500 by default. It doubles each time; up to half is random. */
  readonly retryDelayMs?: number;
  /** The longest wait before a retry: 30 seconds by default. */
  readonly maxRetryDelayMs?: number;
  /**
   * How long one call can wait for the rate limit in total: 5 minutes by default. The client reads
   * the headers for you. If you read them yourself: `X-RateLimit-Reset` is a number of seconds from
   * now, not a Unix timestamp as in other services.
   */
  readonly maxRateLimitWaitMs?: number;
  /** How long to wait for an answer: 60 seconds by default. */
  readonly timeoutMs?: number;
  /** Aborts every call of this client, like {@link CallOptions.signal}. */
  readonly signal?: AbortSignal;
}

/** The options with their defaults. */
export interface ClientSettings extends Required<Omit<ClientOptions, 'signal'>> {
  readonly signal: AbortSignal | undefined;
}

/** A longer timer ends at once, such as one of `Infinity`. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Reads the options. Throws `invalid_option`. */
export function readClientOptions(options: ClientOptions): ClientSettings {
  return {
    url: readUrl(options.url),
    key: readKey(options.key),
    // Called on globalThis: a browser's fetch refuses any other `this`.
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    sleep: options.sleep ?? sleep,
    now: options.now ?? (() => performance.now()),
    onWait: options.onWait ?? (() => {}),
    retries: options.retries ?? 6,
    retryDelayMs: options.retryDelayMs ?? 500,
    maxRetryDelayMs: options.maxRetryDelayMs ?? 30_000,
    maxRateLimitWaitMs: options.maxRateLimitWaitMs ?? 300_000,
    timeoutMs: Math.min(options.timeoutMs ?? 60_000, LONGEST_TIMER_MS),
    signal: options.signal,
  };
}

/** The address without a trailing slash. Keeps a path before `/api/v1`, which a proxy may add. */
function readUrl(text: string): string {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw invalid(`"${text}" is not an address. Use one such as https://budget.example.org.`);
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw invalid(`The address must begin with https:// or http://, not "${url.protocol}".`);
  }
  if (url.username !== '' || url.password !== '') {
    throw invalid('The address must not contain a user name or password.');
  }
  if (url.search !== '' || url.hash !== '') {
    throw invalid('The address must not contain "?" or "#".');
  }
  const path = url.pathname.replace(/\/+$/, '');
  const version = path.search(/\/api\/v1(\/|$)/);
  if (version >= 0) throw invalid(`Use the address without "${path.slice(version)}".`);
  return url.origin + path;
}

function readKey(key: string): string {
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw invalid('The key is empty or contains a space, a line break or a character beyond ASCII.');
}

function sleep(waitMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, Math.min(waitMs, LONGEST_TIMER_MS));
    if (signal.aborted) done();
    else signal.addEventListener('abort', done);
  });
}

function invalid(message: string): BudgetdError {
  return new BudgetdError('invalid_option', message);
}
