/** Lines on standard error that never hold up their writer, whoever reads them. */

/** Lines that wait for a slow reader, in characters: some thousands of requests. */
const PENDING_CHARACTERS = 1024 * 1024;
const RETRY_MS = 100;
/** For a reader to take the last lines. */
const CLOSING_MS = 1000;

interface LineWriterOptions {
  /** Takes what it can without waiting and returns how many bytes, or throws. */
  readonly write: (bytes: Uint8Array) => number;
  /** The line that tells how many lines are missing before it. */
  readonly lineForDropped: (count: number) => string;
}

/**
 * Writes the lines of a turn of the event loop together, at its end or when the process exits.
 * What the reader does not take waits; beyond a limit lines are dropped and counted.
 */
export class LineWriter {
  /** Lines dropped so far. */
  dropped = 0;
  readonly #options: LineWriterOptions;
  readonly #onExit = () => this.#flush();
  #lines = '';
  #rest: Buffer = Buffer.alloc(0);
  #untold = 0;
  #isScheduled = false;
  #retry: NodeJS.Timeout | undefined;
  /** Why the last bytes were not taken. */
  #problem: unknown;

  constructor(options: LineWriterOptions) {
    this.#options = options;
    process.once('exit', this.#onExit);
  }

  /** Adds a line. It is without its end of line, and never fails. */
  add(line: string): void {
    if (this.#lines.length + this.#rest.length + line.length > PENDING_CHARACTERS) {
      this.dropped += 1;
      this.#untold += 1;
      return;
    }
    this.#lines += `${line}\n`;
    if (this.#isScheduled || this.#retry !== undefined) return;
    this.#isScheduled = true;
    setImmediate(() => this.#flush());
  }

  /** Writes what is left, for as long as a slow reader may take, but not for ever. */
  async close(): Promise<void> {
    process.off('exit', this.#onExit);
    const endMs = performance.now() + CLOSING_MS;
    this.#flush();
    while (this.#rest.length > 0 && isFull(this.#problem) && performance.now() < endMs) {
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS / 10));
      this.#flush();
    }
    clearTimeout(this.#retry);
  }

  #flush(): void {
    this.#isScheduled = false;
    clearTimeout(this.#retry);
    this.#retry = undefined;
    this.#writeAll();
    if (this.#rest.length === 0 && this.#untold > 0) {
      this.#lines = `${this.#options.lineForDropped(this.#untold)}\n`;
      this.#untold = 0;
      this.#writeAll();
    }
    if (this.#rest.length > 0) this.#retry = setTimeout(() => this.#flush(), RETRY_MS).unref();
  }

  #writeAll(): void {
    const added = Buffer.from(this.#lines);
    this.#rest = this.#rest.length === 0 ? added : Buffer.concat([this.#rest, added]);
    this.#lines = '';
    try {
      while (this.#rest.length > 0) {
        this.#rest = this.#rest.subarray(this.#options.write(this.#rest));
      }
    } catch (error) {
      this.#problem = error;
    }
  }
}

/** Whether the reader is only slow. */
function isFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EAGAIN';
}
