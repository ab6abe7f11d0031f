/**
 * A map of very many texts. One large map doubles its table in a single step, which takes 50 ms for
 * a million texts and would hold up a service; many small ones do not.
 */
export class WideMap<Value> {
  readonly #parts = Array.from({ length: 256 }, () => new Map<string, Value>());
  size = 0;

  /** The value of a text. */
  get(text: string): Value | undefined {
    return this.#partOf(text).get(text);
  }

  /** Sets the value of a text. */
  set(text: string, value: Value): void {
    const part = this.#partOf(text);
    const before = part.size;
    part.set(text, value);
    this.size += part.size - before;
  }

  /** The ends of texts differ more than their beginnings. */
  #partOf(text: string): Map<string, Value> {
    let key = 0;
    for (let at = Math.max(0, text.length - 6); at < text.length; at += 1) {
      key = key * 31 + text.charCodeAt(at);
    }
    return this.#parts[key % 256] as Map<string, Value>;
  }
}
