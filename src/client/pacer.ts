/**
 * Paces requests by the rate headers of the answers (contract 1, 2 step 4): when no token is left,
 * the next request waits until the first token of this client comes back, instead of being refused.
 * Time is a parameter, in milliseconds of a clock that never goes back.
 */

/** How long after it was taken a token comes back. */
const WINDOW_MS = 60_000;

/** One request. Its token was taken between sending and answer. */
export interface Turn {
  readonly sentMs: number;
  answeredMs: number | undefined;
}

/**
 * `X-RateLimit-Remaining` and `X-RateLimit-Reset` of an answer. Here the second is the **seconds**
 * until all tokens are back; some other services send a time of day under that name.
 */
export interface RateState {
  readonly remaining: number;
  readonly resetSeconds: number;
}

/** The client's view of its key's bucket of tokens. */
export class Pacer {
  /** The requests of this client whose token may not be back yet, oldest first. */
  #turns: Turn[] = [];
  /** Tokens left, minus the requests sent since; undefined when unknown. */
  #remaining: number | undefined;
  #fullAtMs = 0;

  /** How long the next request should wait; 0 when a token is left or nothing is known. */
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
    // A token that may be back is part of `remaining` already.
    this.#turns = this.#turns.filter((each) => each.sentMs + WINDOW_MS > nowMs);
    const running = this.#turns.filter((each) => each.answeredMs === undefined).length;
    this.#remaining = state.remaining - running;
    this.#fullAtMs = nowMs + state.resetSeconds * 1000;
  }

  /** Records a 429, which takes no token; its `Retry-After` tells how long to wait. */
  refused(turn: Turn): void {
    this.#turns = this.#turns.filter((each) => each !== turn);
    this.#remaining = undefined;
  }
}
