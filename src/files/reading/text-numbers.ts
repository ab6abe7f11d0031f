/**
 * A whole number from 0 to 2³² - 1 for each of very many texts, in at most 32 bytes for each. Only
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
    return part.keys[at] === key ? part.numbers[at] : undefined;
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

/** A hash table with open addressing; the key 0 is a free place. */
class Part {
  keys = new Float64Array(16);
  numbers = new Uint32Array(16);
  #size = 0;

  /** The place of a key, or the free one for it. */
  find(key: number): number {
    const last = this.keys.length - 1;
    let at = Math.floor(key / 256) & last;
    while (this.keys[at] !== 0 && this.keys[at] !== key) at = (at + 1) & last;
    return at;
  }

  set(key: number, number: number): number | undefined {
    const at = this.find(key);
    const before = this.keys[at] === 0 ? undefined : this.numbers[at];
    this.keys[at] = key;
    this.numbers[at] = number;
    if (before === undefined) this.#size += 1;
    if (this.#size * 4 > this.keys.length * 3) this.#grow();
    return before;
  }

  #grow(): void {
    const { keys, numbers } = this;
    this.keys = new Float64Array(keys.length * 2);
    this.numbers = new Uint32Array(keys.length * 2);
    for (const [from, key] of keys.entries()) {
      if (key === 0) continue;
      const at = this.find(key);
      this.keys[at] = key;
      this.numbers[at] = numbers[from] ?? 0;
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
