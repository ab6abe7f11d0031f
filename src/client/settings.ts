/** How a client is made: its options with their defaults, read once. */

import { BudgetdError } from './errors.ts';

/** Why the client waits, for whoever shows progress. */
export interface Wait {
  readonly reason: 'rate_limit' | 'retry';
  readonly waitMs: number;
  /** What failed and is tried again; null when the client waits of its own accord. */
  readonly error: BudgetdError | null;
}

/** What {@link createClient} takes. Times are milliseconds. */
export interface ClientOptions {
  /** The service's address, such as `https://budget.example.org`, without `/api/v1`. */
  readonly url: string;
  /** The API key. It is sent as a Bearer token and shown in no message. */
  readonly key: string;
  readonly fetch?: typeof globalThis.fetch;
  /** Waits; may end early when the signal is aborted. */
  readonly sleep?: (waitMs: number, signal: AbortSignal) => Promise<void>;
  /** A clock that never goes back, for pacing. */
  readonly now?: () => number;
  /** Hears of every wait before it begins. */
  readonly onWait?: (wait: Wait) => void;
  /** How often a failed request is sent again; 6 by default, 0 for never. */
  readonly retries?: number;
  /** The first wait before a retry, doubled each time: 500 by default. Half of it is chance. */
  readonly retryDelayMs?: number;
  /** The longest wait before a retry: 30 seconds by default. */
  readonly maxRetryDelayMs?: number;
  /** How long one request may wait for the rate limit in all: 5 minutes by default. */
  readonly maxRateLimitWaitMs?: number;
  /** How long an answer may take: 60 seconds by default. */
  readonly timeoutMs?: number;
  /** Ends everything at once, the running request too, with the code `aborted`. */
  readonly signal?: AbortSignal;
}

/** The options with their defaults. */
export interface Settings extends Required<Omit<ClientOptions, 'signal'>> {
  readonly signal: AbortSignal;
}

/** Reads the options. Throws `invalid_option`. */
export function readSettings(options: ClientOptions): Settings {
  return {
    url: readUrl(options.url),
    key: readKey(options.key),
    // Called through globalThis: a browser's fetch refuses another `this`.
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    sleep: options.sleep ?? sleep,
    now: options.now ?? (() => performance.now()),
    onWait: options.onWait ?? (() => {}),
    retries: options.retries ?? 6,
    retryDelayMs: options.retryDelayMs ?? 500,
    maxRetryDelayMs: options.maxRetryDelayMs ?? 30_000,
    maxRateLimitWaitMs: options.maxRateLimitWaitMs ?? 300_000,
    timeoutMs: options.timeoutMs ?? 60_000,
    signal: options.signal ?? new AbortController().signal,
  };
}

/** The address without a slash at its end; a path before `/api/v1` (a proxy's) is kept. */
function readUrl(text: string): string {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw invalid(`"${text}" is not an address such as https://budget.example.org.`);
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw invalid(`The address must begin with https:// or http://, not "${url.protocol}".`);
  }
  if (url.username !== '' || url.password !== '') {
    throw invalid('The address must not hold a user name or password.');
  }
  if (url.search !== '' || url.hash !== '') {
    throw invalid('The address must end before "?" and "#".');
  }
  const path = url.pathname.replace(/\/+$/, '');
  const version = path.search(/\/api\/v1(\/|$)/);
  if (version >= 0) throw invalid(`Give the address without "${path.slice(version)}".`);
  return url.origin + path;
}

function readKey(key: string): string {
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw invalid('The key is empty or holds characters that no key has, such as a line break.');
}

function sleep(waitMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, waitMs);
    if (signal.aborted) done();
    else signal.addEventListener('abort', done);
  });
}

function invalid(message: string): BudgetdError {
  return new BudgetdError('invalid_option', message);
}
