/**
 * Passes the abort of one signal on to everything under way, with one listener on it however much
 * that is: Node warns of more than ten.
 */
export class Endings {
  readonly #signal: AbortSignal;
  readonly #running = new Set<AbortController>();
  readonly #endAll = () => {
    for (const each of this.#running) each.abort();
  };

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /** What ends something under way; it must be given to `finish` when that is done. */
  begin(): AbortController {
    const ending = new AbortController();
    if (this.#signal.aborted) ending.abort();
    if (this.#running.size === 0) this.#signal.addEventListener('abort', this.#endAll);
    this.#running.add(ending);
    return ending;
  }

  finish(ending: AbortController): void {
    this.#running.delete(ending);
    if (this.#running.size === 0) this.#signal.removeEventListener('abort', this.#endAll);
  }
}
