/**
 * Paces requests by the rate headers of the answers (docs/http.md). When no token is left,
 * the next request waits until this client's first token returns, instead of being refused. Time is
 * a parameter, in milliseconds of a clock that never goes back.
 */

/** How long after it was taken a token returns. */
const WINDOW_MS = 60_000;

/** One request. Its token was taken some time between sending and answer. */
interface Turn {
  readonly sentMs: number;
  answeredMs: number | undefined;
}

/**
 * `X-RateLimit-Remaining` and `X-RateLimit-Reset` of an answer. Reset is the number of **seconds**
 * until all tokens are back. Other services send a Unix timestamp in this header.
 */
interface RateState {
  readonly remaining: number;
  readonly resetSeconds: number;
}

/** The client's view of its key's bucket of tokens. */
export class Pacer {
  /** Requests whose tokens may not be back yet, oldest first. */
  #turns: Turn[] = [];
  /** Tokens left, minus the requests sent since. Undefined if unknown. */
  #remaining: number | undefined;
  #fullAtMs = 0;

  /** How long the next request should wait: 0 if a token is left or nothing is known. */
  waitMs(nowMs: number): number {
    if (this.#remaining === undefined || nowMs >= this.#fullAtMs) return 0;
    const backMs = this.#turns.map((turn) => (turn.answeredMs ?? nowMs) + WINDOW_MS);
    const back = backMs.filter((timeMs) => timeMs <= nowMs).length;
    if (this.#remaining + back > 0) return 0;
    const next = backMs.filter((timeMs) => timeMs > nowMs);
    return Math.ceil(Math.min(this.#fullAtMs, ...next) - nowMs);
  }

  /** Records that a request is sent. */
  begin(nowMs: number): Turn {
    const turn: Turn = { sentMs: nowMs, answeredMs: undefined };
    this.#turns.push(turn);
    if (this.#remaining !== undefined) this.#remaining -= 1;
    return turn;
  }

  /** Records its answer, with or without rate headers. */
  end(turn: Turn, nowMs: number, state: RateState | undefined): void {
    turn.answeredMs = nowMs;
    if (state === undefined) return;
    // `remaining` may already include tokens that are back.
    this.#turns = this.#turns.filter((each) => each.sentMs + WINDOW_MS > nowMs);
    const running = this.#turns.filter((each) => each.answeredMs === undefined).length;
    this.#remaining = state.remaining - running;
    this.#fullAtMs = nowMs + state.resetSeconds * 1000;
  }

  /** Records a 429, which takes no token. Its `Retry-After` is how long to wait. */
  refused(turn: Turn): void {
    this.#turns = this.#turns.filter((each) => each !== turn);
    this.#remaining = undefined;
  }
}
