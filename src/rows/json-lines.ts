/** Finds the line and the text of each row in a JSON document, which `JSON.parse` loses. */

/** One element of a list, as written in the file. */
export interface Element {
  /** The line on which it begins. */
  readonly line: number;
  readonly text: string;
}

/**
 * Yields the elements of the document, if it is a list, or of its member `rows` (the last one if it
 * is repeated). The text must be valid JSON.
 */
export function* findElements(text: string): Generator<Element, void> {
  const scan = new Scan(text);
  let list: Place | undefined;
  if (scan.peek() === '[') list = scan.place;
  else {
    for (let sign = scan.next(); sign !== '' && sign !== '}'; sign = scan.next()) {
      // After `{` or `,` comes a name, then its value.
      const name = scan.readName();
      if (name === undefined) break;
      if (name === 'rows' && scan.peek() === '[') list = scan.place;
      scan.skipValue();
    }
  }
  if (list !== undefined) yield* scan.readElements(list);
}

interface Place {
  readonly at: number;
  readonly line: number;
}

/** Scans valid JSON and counts lines. */
class Scan {
  readonly #text: string;
  #at = 0;
  #line = 1;

  constructor(text: string) {
    this.#text = text;
  }

  /** The next character that is not white space; does not consume it. */
  peek(): string {
    for (; this.#at < this.#text.length; this.#at += 1) {
      const code = this.#text.charCodeAt(this.#at);
      if (code === 10) this.#line += 1;
      else if (code !== 32 && code !== 9 && code !== 13) break;
    }
    return this.#text.charAt(this.#at);
  }

  next(): string {
    const sign = this.peek();
    this.#at += 1;
    return sign;
  }

  get place(): Place {
    return { at: this.#at, line: this.#line };
  }

  /** The elements of the list at this place. */
  *readElements(list: Place): Generator<Element, void> {
    this.#at = list.at + 1;
    this.#line = list.line;
    if (this.peek() === ']') return;
    do {
      this.peek();
      const { at, line } = this.place;
      this.skipValue();
      yield { line, text: this.#text.slice(at, this.#at) };
    } while (this.next() === ',');
  }

  /** The name of a member, and its colon; undefined at the end of an object. */
  readName(): string | undefined {
    if (this.peek() !== '"') return undefined;
    const start = this.#at;
    this.#skipString();
    const name: unknown = JSON.parse(this.#text.slice(start, this.#at));
    this.next();
    return String(name);
  }

  skipValue(): void {
    let depth = 0;
    do {
      const sign = this.peek();
      if (sign === '') return;
      if (sign === '"') this.#skipString();
      else {
        this.#at += 1;
        if (sign === '{' || sign === '[') depth += 1;
        else if (sign === '}' || sign === ']') depth -= 1;
        else if (depth === 0) this.#skipScalar();
      }
    } while (depth > 0);
  }

  /** A number, true, false or null; its first character is already consumed. */
  #skipScalar(): void {
    while (/[\w.+-]/.test(this.#text.charAt(this.#at))) this.#at += 1;
  }

  #skipString(): void {
    for (this.#at += 1; this.#text.charAt(this.#at) !== '"'; this.#at += 1) {
      if (this.#text.charAt(this.#at) === '\\') this.#at += 1;
    }
    this.#at += 1;
  }
}
