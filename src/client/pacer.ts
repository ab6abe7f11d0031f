/**
 * Paces requests by what the answers say of the rate limit (contract 1, 2 step 4): when no token is
 * left, the next request waits for the first of the client's own to come back, rather than being
 * refused. Time is a parameter, in milliseconds of a clock that never goes back.
 */

/** A token comes back exactly so long after it was taken. */
const WINDOW_MS = 60_000;

/** One request: sent, and answered or not. Its token was taken between the two. */
export interface Turn {
  readonly sentMs: number;
  answeredMs: number | undefined;
}

/** What an answer said in `X-RateLimit-Remaining` and `-Reset`. */
export interface RateState {
  readonly remaining: number;
  readonly resetSeconds: number;
}

/** What the client knows of its key's bucket. */
export class Pacer {
  /** Own requests whose token may not be back yet, in the order they were sent. */
  #turns: Turn[] = [];
  /** Tokens left, less what was sent since; undefined when nothing is known. */
  #remaining: number | undefined;
  #fullAtMs = 0;

  /** How long the next request should wait; 0 when a token is there, or nothing is known. */
  waitMs(nowMs: number): number {
    if (this.#remaining === undefined || nowMs >= this.#fullAtMs) return 0;
    const backMs = this.#turns.map((turn) => (turn.answeredMs ?? nowMs) + WINDOW_MS);
    const back = backMs.filter((timeMs) => timeMs <= nowMs).length;
    if (this.#remaining + back > 0) return 0;
    const next = backMs.filter((timeMs) => timeMs > nowMs);
    return Math.ceil(Math.min(this.#fullAtMs, ...next) - nowMs);
  }

  /** A request is sent. */
  begin(nowMs: number): Turn {
    const turn: Turn = { sentMs: nowMs, answeredMs: undefined };
    this.#turns.push(turn);
    if (this.#remaining !== undefined) this.#remaining -= 1;
    return turn;
  }

  /** It was answered, with or without a word on the rate; a refused one took no token. */
  end(turn: Turn, nowMs: number, state: RateState | undefined): void {
    turn.answeredMs = nowMs;
    if (state === undefined) return;
    // A token that may be back already may be counted in `remaining`: it must not count twice.
    this.#turns = this.#turns.filter((each) => each.sentMs + WINDOW_MS > nowMs);
    const running = this.#turns.filter((each) => each.answeredMs === undefined).length;
    this.#remaining = state.remaining - running;
    this.#fullAtMs = nowMs + state.resetSeconds * 1000;
  }

  /** It was refused (429) and took no token; the wait that the refusal asks for is the rule. */
  refused(turn: Turn): void {
    this.#turns = this.#turns.filter((each) => each !== turn);
    this.#remaining = undefined;
  }
}
