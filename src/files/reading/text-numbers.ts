/**
 * A whole number for each of very many texts, in at most 43 bytes for each. Only
 * a hash of 53 bits is kept, so two of a million texts are taken for the same one in one of 18,000
 * files: enough to tell what occurs twice, not to identify anything.
 */
export class TextNumbers {
  /** One large table would grow in a single step that holds up a service; small ones do not. */
  readonly #parts: Part[] = [];
  size = 0;

  get(text: string): number | undefined {
    const key = hashOf(text);
    const part = this.#partOf(key);
    const at = part.find(key);
    return part.cells[at] === key ? part.cells[at + 1] : undefined;
  }

  /** Sets the number of a text, and returns the one that it had. */
  set(text: string, number: number): number | undefined {
    const key = hashOf(text);
    const before = this.#partOf(key).set(key, number);
    if (before === undefined) this.size += 1;
    return before;
  }

  #partOf(key: number): Part {
    const at = key % 256;
    this.#parts[at] ??= new Part();
    return this.#parts[at];
  }
}

/** A hash table with open addressing: keys, each with its number behind it; 0 is a free place. */
class Part {
  cells = new Float64Array(32);
  #size = 0;

  /** The place of a key, or the free one for it. */
  find(key: number): number {
    const last = this.cells.length - 1;
    let at = (2 * Math.floor(key / 256)) & last;
    while (this.cells[at] !== 0 && this.cells[at] !== key) at = (at + 2) & last;
    return at;
  }

  set(key: number, number: number): number | undefined {
    const at = this.find(key);
    const before = this.cells[at] === 0 ? undefined : this.cells[at + 1];
    this.cells[at] = key;
    this.cells[at + 1] = number;
    if (before !== undefined) return before;
    this.#size += 1;
    if (this.#size * 8 > this.cells.length * 3) this.#grow();
    return undefined;
  }

  #grow(): void {
    const { cells } = this;
    this.cells = new Float64Array(cells.length * 2);
    for (let from = 0; from < cells.length; from += 2) {
      const key = cells[from] ?? 0;
      if (key === 0) continue;
      const at = this.find(key);
      this.cells[at] = key;
      this.cells[at + 1] = cells[from + 1] ?? 0;
    }
  }
}

/** A whole number from 1 to 2⁵³: two hashes with different factors, side by side. */
function hashOf(text: string): number {
  let [high, low] = [0xdeadbeef, 0x41c6ce57];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    high = Math.imul(high ^ code, 0x9e3779b1);
    low = Math.imul(low ^ code, 0x5f356495);
  }
  high = Math.imul(high ^ (high >>> 16), 0x85ebca6b) ^ Math.imul(low ^ (low >>> 13), 0xc2b2ae35);
  low = Math.imul(low ^ (low >>> 16), 0x85ebca6b) ^ Math.imul(high ^ (high >>> 13), 0xc2b2ae35);
  return 2 ** 32 * (high & 0x1fffff) + (low >>> 0) + 1;
}

/** How many ids are remembered; in a larger file some repetitions are not found. */
const IDS = 1_000_000;

/** Finds ids that a file contains more than once: only the last row of each counts. */
export class RepeatedIds {
  readonly #lines = new TextNumbers();

  /** Adds an accepted row. Returns the line of the one before it that has the same id, if any. */
  add(externalId: string, line: number): number | undefined {
    if (this.#lines.size < IDS) return this.#lines.set(externalId, line);
    const before = this.#lines.get(externalId);
    if (before !== undefined) this.#lines.set(externalId, line);
    return before;
  }

  /** Whether no row after this line has the id, as far as ids are remembered. */
  isLast(externalId: string, line: number): boolean {
    return (this.#lines.get(externalId) ?? line) === line;
  }
}

/** How many ids show whether all are in order. */
const TRIED = 1_000;

/**
 * Tells whether ids repeat. Those in order, up or down, are not remembered; if the order ends after
 * the first thousand, the ids must be read once more.
 */
export class Repetition {
  #isOrdered: boolean;
  #isUp: boolean | undefined;
  #last: string | undefined;
  #ids: RepeatedIds | undefined = new RepeatedIds();
  #left = TRIED;

  constructor(mayBeOrdered: boolean) {
    this.#isOrdered = mayBeOrdered;
  }

  /** Whether the next id is one of those before; undefined if they must be read once more. */
  add(id: string, line: number): boolean | undefined {
    if (this.#isOrdered) this.#isOrdered = this.#isNext(id);
    if (this.#ids === undefined) return this.#isOrdered ? false : undefined;
    const isAgain = this.#ids.add(id, line) !== undefined;
    this.#left -= 1;
    if (this.#isOrdered && this.#left === 0) this.#ids = undefined;
    return isAgain;
  }

  #isNext(id: string): boolean {
    const last = this.#last;
    this.#last = id;
    if (last === undefined) return true;
    // Numbers without zeros before them are in order too.
    const isUp = id.length === last.length ? id > last : id.length > last.length;
    this.#isUp ??= isUp;
    return isUp === this.#isUp && id !== last;
  }
}
