/** The line and the text of each row in a JSON document, which `JSON.parse` does not tell. */

/** One element of a list, as it is written. */
export interface Element {
  /** The line on which it begins. */
  readonly line: number;
  readonly text: string;
}

/**
 * The elements of the list that the document is or that its member `rows` is (the last one, where
 * there are several). The text must be valid JSON.
 */
export function findElements(text: string): Element[] {
  const scan = new Scan(text);
  const first = scan.next();
  if (first === '[') return scan.readElements();
  let elements: Element[] = [];
  for (let sign = first; sign !== '' && sign !== '}'; sign = scan.next()) {
    // Behind `{` or `,`: a name, then its value.
    const name = scan.readName();
    if (name === undefined) break;
    if (name === 'rows' && scan.peek() === '[') {
      scan.next();
      elements = scan.readElements();
    } else scan.skipValue();
  }
  return elements;
}

/** Walks over valid JSON and counts lines. */
class Scan {
  readonly #text: string;
  #at = 0;
  #line = 1;

  constructor(text: string) {
    this.#text = text;
  }

  /** The next sign that is not white space, without taking it. */
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

  /** Behind `[`: each element, up to and with `]`. */
  readElements(): Element[] {
    const elements: Element[] = [];
    if (this.peek() === ']') {
      this.next();
      return elements;
    }
    do {
      this.peek();
      const [line, start] = [this.#line, this.#at];
      this.skipValue();
      elements.push({ line, text: this.#text.slice(start, this.#at) });
    } while (this.next() === ',');
    return elements;
  }

  /** A member's name and its colon; undefined where an object ends. */
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

  /** A number, true, false or null, of which the first sign is taken. */
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
