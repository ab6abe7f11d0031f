/**
 * Sends a request and retries it within limits, waiting for the rate limit. Every request of the
 * interface can be repeated: reads change nothing, and a push identifies rows by their externalId.
 */

import { type Expectation, readAnswer, readBody } from './answers.ts';
import { BudgetdError } from './errors.ts';
import { Pacer } from './pacer.ts';
import type { ClientSettings } from './settings.ts';

interface ApiRequest {
  readonly method: 'GET' | 'POST';
  /** Path and query, starting with `/api/v1`. */
  readonly target: string;
  /** JSON text. */
  readonly body?: string;
  /** When aborted, ends the current request and every wait. */
  readonly signal?: AbortSignal | undefined;
  /** When aborted, ends every wait and sends nothing more. The current request can finish. */
  readonly stop?: AbortSignal | undefined;
}

/** The document of an answer. */
export interface Answered<Document> {
  readonly document: Document;
  /** Whether an earlier attempt may have been processed although its answer was lost. */
  readonly answerLost: boolean;
}

/** A path of version 1 with its query. Encodes the parts of the path. */
export function targetOf(parts: readonly string[], query: object = {}): string {
  const path = ['/api/v1', ...parts.map((part) => encodeURIComponent(part))].join('/');
  const values = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    if (value instanceof Date && Number.isNaN(value.getTime())) {
      throw new BudgetdError('invalid_option', `${name} is a Date without a moment.`);
    }
    values.set(name, value instanceof Date ? value.toISOString() : String(value));
  }
  const text = values.toString();
  return text === '' ? path : `${path}?${text}`;
}

/** The statuses of src/core/retries.ts without 429, which has a separate limit. */
const RETRIED_STATUSES = [408, 500, 502, 503, 504];
/** An address that never answered is probably mistyped, not restarting. */
const FIRST_CONTACT_RETRIES = 3;
/** Requests with these answers were not processed. */
const UNTOUCHED_STATUSES = [429, 503];

/** The connection to one service with one key. */
export class Transport {
  readonly #settings: ClientSettings;
  readonly #pacer = new Pacer();
  #hasAnswered = false;

  constructor(settings: ClientSettings) {
    this.#settings = settings;
  }

  /** Sends a request and returns the document of the answer. Throws {@link BudgetdError}. */
  async send<Document>(
    request: ApiRequest,
    expected: Expectation<Document>,
  ): Promise<Answered<Document>> {
    const waits = new Waits(this.#settings, request);
    let answerLost = false;
    let refusals = 0;
    for (let failures = 0; ; ) {
      await this.#takeTurn(waits);
      const outcome = await this.#try(request, expected);
      if ('document' in outcome) return { document: outcome.document, answerLost };
      const { error, retryAfterMs } = outcome;
      if (error.status === 429) {
        await waits.forRate(retryAfterMs || waits.backOffMs(refusals), error);
        refusals += 1;
        continue;
      }
      if (!this.#isWorthRetrying(error, failures, retryAfterMs)) {
        throw this.#explainWait(error, retryAfterMs);
      }
      if (!UNTOUCHED_STATUSES.includes(error.status ?? 0)) answerLost = true;
      const waitMs = Math.max(waits.backOffMs(failures), retryAfterMs ?? 0);
      await waits.wait({ reason: 'retry', waitMs, error });
      failures += 1;
    }
  }

  async #takeTurn(waits: Waits): Promise<void> {
    waits.check();
    for (;;) {
      const waitMs = this.#pacer.waitMs(this.#settings.now());
      if (waitMs <= 0) return;
      await waits.forRate(waitMs, null);
    }
  }

  #isWorthRetrying(error: BudgetdError, failures: number, retryAfterMs = 0): boolean {
    const { retries, maxRateLimitWaitMs } = this.#settings;
    if (retryAfterMs > maxRateLimitWaitMs) return false;
    const reason = reasonOf(error.cause);
    if (CERTIFICATES.some(([code]) => code.test(reason))) return false;
    if (error.code === 'network_error' && !this.#hasAnswered) {
      return failures < Math.min(retries, FIRST_CONTACT_RETRIES);
    }
    const passing =
      error.code === 'network_error' ||
      error.code === 'timeout' ||
      RETRIED_STATUSES.includes(error.status ?? 0) ||
      // The answer was truncated or corrupted on its way.
      error.cause instanceof SyntaxError;
    return passing && failures < retries;
  }

  /** Adds the wait of `Retry-After` to the message if it is too long for the client. */
  #explainWait(error: BudgetdError, retryAfterMs = 0): BudgetdError {
    if (retryAfterMs <= this.#settings.maxRateLimitWaitMs) return error;
    const { code, status, requestId, details } = error;
    const minutes = Math.ceil(retryAfterMs / 60_000);
    const wait = `Try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`;
    return new BudgetdError(code, `${error.message} ${wait}`, { status, requestId, details });
  }

  async #try<Document>(
    request: ApiRequest,
    expected: Expectation<Document>,
  ): Promise<{ document: Document } | { error: BudgetdError; retryAfterMs: number | undefined }> {
    const { now } = this.#settings;
    const turn = this.#pacer.begin(now());
    let response: Response | undefined;
    try {
      const raw = await this.#fetch(request);
      response = raw.response;
      this.#hasAnswered = true;
      const document = readAnswer(raw, expected);
      this.#pacer.end(turn, now(), readRate(response.headers));
      return { document };
    } catch (error) {
      if (!(error instanceof BudgetdError) || error.code === 'aborted') throw error;
      if (response?.status === 429) this.#pacer.refused(turn);
      else this.#pacer.end(turn, now(), response && readRate(response.headers));
      return { error, retryAfterMs: response && readRetryAfter(response.headers) };
    }
  }

  async #fetch(request: ApiRequest) {
    const { timeoutMs } = this.#settings;
    const url = this.#settings.url + request.target;
    const signals = [this.#settings.signal, request.signal];
    const ending = new AbortController();
    const stopListening = onAbort(signals, () => ending.abort());
    const timer = setTimeout(() => ending.abort(), timeoutMs);
    try {
      const response = await this.#settings.fetch(url, {
        method: request.method,
        headers: this.#headersOf(request),
        ...(request.body === undefined ? {} : { body: request.body }),
        // Following a redirect would turn a push into a read.
        redirect: 'manual',
        signal: ending.signal,
      });
      return { url, response, text: await readBody(response) };
    } catch (cause) {
      refuseAborted(signals);
      if (ending.signal.aborted) {
        throw new BudgetdError('timeout', `${url} did not answer within ${timeoutMs / 1000} s.`);
      }
      const reason = reasonOf(cause);
      const [, question] = QUESTIONS.find(([code]) => code.test(reason)) ?? [];
      const check = question ?? 'is the service running there?';
      const message = `No answer from ${url} (${reason}): ${check}`;
      throw new BudgetdError('network_error', message, { cause });
    } finally {
      clearTimeout(timer);
      stopListening();
    }
  }

  #headersOf({ body }: ApiRequest): Record<string, string> {
    const headers = { Authorization: `Bearer ${this.#settings.key}`, Accept: 'application/json' };
    return body === undefined ? headers : { ...headers, 'Content-Type': 'application/json' };
  }
}

/** The waits of one request, within their limits. A stop or an abort ends them. */
class Waits {
  readonly #settings: ClientSettings;
  readonly #signals: Parameters<typeof refuseAborted>[0];
  #rateWaitMs = 0;

  constructor(settings: ClientSettings, { signal, stop }: ApiRequest) {
    this.#settings = settings;
    this.#signals = [settings.signal, signal, stop];
  }

  /** Throws `aborted` if the caller has stopped or aborted the request. */
  check(): void {
    refuseAborted(this.#signals);
  }

  backOffMs(failures: number): number {
    const { retryDelayMs, maxRetryDelayMs } = this.#settings;
    const longest = Math.min(retryDelayMs * 2 ** failures, maxRetryDelayMs);
    return Math.ceil(longest * (0.5 + Math.random() / 2));
  }

  /** Waits for the rate limit. Throws `rate_limit_wait_exceeded` if that takes too long. */
  async forRate(waitMs: number, error: BudgetdError | null): Promise<void> {
    const { maxRateLimitWaitMs } = this.#settings;
    this.#rateWaitMs += waitMs;
    if (this.#rateWaitMs > maxRateLimitWaitMs) {
      const waited = Math.round((this.#rateWaitMs - waitMs) / 1000);
      const message =
        `Gave up waiting for the rate limit after ${waited} s: another ` +
        `${Math.ceil(waitMs / 1000)} s to go. Check whether another program uses the same key.`;
      const { status = 429, requestId = null } = error ?? {};
      throw new BudgetdError('rate_limit_wait_exceeded', message, { status, requestId });
    }
    await this.wait({ reason: 'rate_limit', waitMs, error });
  }

  /** Waits, unless the caller has stopped or aborted the request. */
  async wait(wait: Parameters<ClientSettings['onWait']>[0]): Promise<void> {
    const { onWait, sleep } = this.#settings;
    this.check();
    onWait(wait);
    const ending = new AbortController();
    const stopListening = onAbort(this.#signals, () => ending.abort());
    try {
      await sleep(wait.waitMs, ending.signal);
    } finally {
      stopListening();
    }
    this.check();
  }
}

function readRate(headers: Headers) {
  const remaining = readWhole(headers.get('x-ratelimit-remaining'));
  const resetSeconds = readWhole(headers.get('x-ratelimit-reset'));
  if (remaining === undefined || resetSeconds === undefined) return undefined;
  return { remaining, resetSeconds };
}

/** `Retry-After` is in whole seconds or, from some proxies, a date. */
function readRetryAfter(headers: Headers): number | undefined {
  const text = headers.get('retry-after');
  const seconds = readWhole(text);
  if (seconds !== undefined) return seconds * 1000;
  const date = Date.parse(text ?? '');
  return Number.isNaN(date) ? undefined : Math.max(date - Date.now(), 0);
}

function readWhole(text: string | null): number | undefined {
  return text !== null && /^\d{1,9}$/.test(text.trim()) ? Number(text) : undefined;
}

/** Why a fetch failed. Node has the reason in the cause and its code. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (!(cause instanceof Error)) return error.message;
  const code = Reflect.get(cause, 'code');
  return typeof code === 'string' ? code : cause.message || error.message;
}

/** What is wrong with a certificate, by the reason from Node: trying again cannot help. */
const CERTIFICATES: readonly (readonly [code: RegExp, advice: string])[] = [
  [
    /SELF_SIGNED|UNABLE_TO_|CERT_UNTRUSTED/,
    'this machine does not trust its certificate. Start the program with ' +
      'NODE_EXTRA_CA_CERTS=FILE, a PEM file with that certificate or the one that signed it.',
  ],
  [
    /CERT_HAS_EXPIRED|CERT_NOT_YET/,
    'is its certificate out of date, or the clock of this machine?',
  ],
  [/ALTNAME/, 'its certificate is for another name. Use the name that it has.'],
  [/CERT|ERR_TLS/, 'is its certificate right?'],
];

/** What to check first, by the reason from Node. */
const QUESTIONS: readonly (readonly [code: RegExp, question: string])[] = [
  ...CERTIFICATES,
  [/ERR_SSL/, 'does it use https?'],
  // The code of the parser or, on Node 24, its message.
  [/^HPE_|HTTP\/1\.1 protocol/, 'does it use http?'],
  [/^(ENOTFOUND|EAI_AGAIN)$/, 'is the name right?'],
];

/** Our listeners by signal. A signal gets only one of them: Node 20 warns about more than ten. */
const LISTENERS = new WeakMap<AbortSignal, Set<() => void>>();

/** The signals that can end something. */
type Signals = readonly (AbortSignal | undefined)[];

/** Calls `end` when any of the signals aborts. Returns the function that stops listening. */
function onAbort(given: Signals, end: () => void): () => void {
  const signals = given.filter((signal) => signal !== undefined);
  const stops = signals.map((signal) => listen(signal, end));
  if (signals.some((signal) => signal.aborted)) end();
  return () => {
    for (const stop of stops) stop();
  };
}

/** Throws `aborted` if one of the signals is aborted, with its reason as the cause. */
export function refuseAborted(signals: Signals): void {
  const signal = signals.find((each) => each?.aborted);
  if (signal === undefined) return;
  throw new BudgetdError('aborted', 'The call was aborted.', { cause: signal.reason });
}

function listen(signal: AbortSignal, end: () => void): () => void {
  const listeners = LISTENERS.get(signal) ?? new Set();
  if (listeners.size === 0) signal.addEventListener('abort', endAll);
  LISTENERS.set(signal, listeners.add(end));
  return () => {
    listeners.delete(end);
    if (listeners.size > 0) return;
    // A signal that lives longer than its requests must not collect their listeners.
    LISTENERS.delete(signal);
    signal.removeEventListener('abort', endAll);
  };
}

function endAll({ currentTarget }: Event): void {
  for (const end of LISTENERS.get(currentTarget as AbortSignal) ?? []) end();
}
