/**
 * Splits XML, and the SGML of OFX, into tags and texts, piece by piece. It knows the five entities
 * of XML and numbers, and no others: a document type that could define more is refused.
 */

import { FileError } from '../problems.ts';

/** What takes the parts of a document, in their order. */
export interface MarkupReader {
  /** A tag begins an element; its name is without a prefix, `attributes` as they are written. */
  open(name: string, attributes: string): void;
  /** An element ends, also one without content. */
  close?(name: string): void;
  /** Text between two tags, in one or several parts. */
  text?(text: string): void;
}

/** Longer values are cut: nobody reads them, and they would take long. */
export const VALUE_CHARACTERS = 32 * 1024;

/** A longer tag is not one: it also limits what is kept between two pieces. */
const TAG_CHARACTERS = 64 * 1024;
/** Longer names are cut, and deeper tags refused: both are in the path of each value. */
const [NAME_CHARACTERS, DEEPEST] = [64, 64];

/** Splits a document that arrives in pieces. */
export class Markup {
  readonly #reader: MarkupReader;
  #rest = '';
  #depth = 0;
  /** The line of the part that is read now, from 1; counted only if asked for. */
  line = 1;
  readonly #isCounting: boolean;
  readonly #isSgml: boolean;

  constructor(
    reader: MarkupReader,
    { isCounting = false, isSgml = false }: { isCounting?: boolean; isSgml?: boolean } = {},
  ) {
    this.#reader = reader;
    this.#isCounting = isCounting;
    this.#isSgml = isSgml;
  }

  /** Reads the next piece. Throws FileError. */
  add(piece: string): void {
    const text = this.#rest + piece;
    const end = this.#read(text);
    this.#rest = text.slice(end);
    if (this.#rest.length > TAG_CHARACTERS) throw this.#broken('a tag or a text has no end');
  }

  /** The document has ended. Throws FileError if it is cut off inside of a tag. */
  end(): void {
    if (/^<[\w/!?]/.test(this.#rest)) throw this.#broken('it is cut off inside a tag');
    // SGML need not close what it opens.
    if (!this.#isSgml && this.#depth > 0) throw this.#broken('it is cut off');
    this.#say(this.#rest, false);
    this.#rest = '';
  }

  /** Returns where the part begins that has not ended yet. */
  #read(text: string): number {
    let at = 0;
    for (;;) {
      let start = text.indexOf('<', at);
      while (start >= 0 && start + 1 < text.length && !isTagStart(text.charCodeAt(start + 1))) {
        start = text.indexOf('<', start + 1);
      }
      if (start < 0 || start + 1 >= text.length) {
        // An entity may be cut in two.
        const safe = start < 0 ? text.length : start;
        if (safe - at < TAG_CHARACTERS / 2) return at;
        this.#say(text.slice(at, safe - 16), true);
        return safe - 16;
      }
      const end = this.#endOf(text, start);
      if (end < 0) {
        this.#say(text.slice(at, start), true);
        return start;
      }
      this.#say(text.slice(at, start), true);
      this.#tag(text.slice(start, end));
      at = end;
    }
  }

  /** Where the tag ends that begins here; -1 if not in this text. */
  #endOf(text: string, start: number): number {
    const found = (end: string, from: number) => {
      const place = text.indexOf(end, from);
      return place < 0 ? -1 : place + end.length;
    };
    const second = text.charCodeAt(start + 1);
    if (second === BANG) {
      if (text.startsWith('<!--', start)) return found('-->', start + 4);
      if (text.startsWith('<![CDATA[', start)) return found(']]>', start + 9);
      if (text.length - start < 9) return -1;
      throw this.#broken('it has a document type definition, which budgetd does not read');
    }
    if (second === QUERY) return found('?>', start + 2);
    let end = text.indexOf('>', start);
    // A sign inside of quotation marks ends no tag.
    for (let from = start; end >= 0 && second !== SLASH; end = text.indexOf('>', end + 1)) {
      const quote = openQuote(text, from, end);
      if (quote === '') break;
      const close = text.indexOf(quote, end);
      if (close < 0) return -1;
      from = close + 1;
      end = close;
    }
    return end < 0 ? -1 : end + 1;
  }

  #tag(tag: string): void {
    const second = tag.charCodeAt(1);
    if (second === BANG) {
      if (tag.startsWith('<![')) this.#reader.text?.(tag.slice(9, -3));
    } else if (second === SLASH) {
      this.#depth -= 1;
      this.#reader.close?.(nameOf(tag.slice(2, -1).trim()));
    } else if (second !== QUERY) {
      const isEmpty = tag.charCodeAt(tag.length - 2) === SLASH;
      const inner = tag.slice(1, isEmpty ? -2 : -1);
      const space = inner.search(/\s/);
      const name = nameOf(space < 0 ? inner : inner.slice(0, space));
      if (!isEmpty) this.#depth += 1;
      // SGML has tags that are never closed, so only XML is counted.
      if (!this.#isSgml && this.#depth > DEEPEST)
        throw this.#broken('its tags are nested too deep');
      this.#reader.open(name, space < 0 ? '' : inner.slice(space));
      if (isEmpty) this.#reader.close?.(name);
    }
    this.#count(tag);
  }

  #say(text: string, isBeforeTag: boolean): void {
    if (text === '') return;
    if (isBeforeTag || text.trim() !== '') this.#reader.text?.(decodeEntities(text));
    this.#count(text);
  }

  #count(text: string): void {
    if (!this.#isCounting) return;
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) this.line += 1;
  }

  #broken(what: string): FileError {
    return new FileError(this.#isCounting ? `line ${this.line}: ${what}.` : `${what}.`);
  }
}

const [BANG, QUERY, SLASH] = [0x21, 0x3f, 0x2f];

function isTagStart(code: number): boolean {
  const letter = code | 0x20;
  const isLetter = (letter >= 0x61 && letter <= 0x7a) || code === 0x5f || code > 0x7f;
  return isLetter || code === SLASH || code === BANG || code === QUERY;
}

/** The quotation mark that is open at the end of this part of a tag, or an empty text. */
function openQuote(text: string, start: number, end: number): '"' | "'" | '' {
  let open: '"' | "'" | '' = '';
  for (let at = start; at < end; at += 1) {
    const code = text.charCodeAt(at);
    if (code !== 0x22 && code !== 0x27) continue;
    const mark = code === 0x22 ? '"' : "'";
    if (open === '') open = mark;
    else if (open === mark) open = '';
  }
  return open;
}

function nameOf(text: string): string {
  const start = text.indexOf(':') + 1;
  return text.slice(start, start + NAME_CHARACTERS);
}

const ENTITIES = new Map(
  Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }),
);

/** A text with characters in place of entities; others stay, as in `Smith & Co`. */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,4}));/gi, (whole, ...parts) => {
    const [decimal, hexadecimal, name] = parts as (string | undefined)[];
    if (name !== undefined) return ENTITIES.get(name.toLowerCase()) ?? whole;
    const code = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal);
    const isCharacter = code > 0 && code < 0x110000 && (code < 0xd800 || code > 0xdfff);
    return isCharacter ? String.fromCodePoint(code) : '\ufffd';
  });
}

const VALUE = /\s*=\s*(?:"([^"]*)"|'([^']*)')/y;

/** The value of an attribute; undefined without it. */
export function attributeOf(attributes: string, name: string): string | undefined {
  for (let at = attributes.indexOf(name); at >= 0; at = attributes.indexOf(name, at + 1)) {
    const before = attributes.charCodeAt(at - 1);
    if (at > 0 && before > 0x20 && before !== 0x3a) continue;
    VALUE.lastIndex = at + name.length;
    const found = VALUE.exec(attributes);
    if (found !== null) return decodeEntities(found[1] ?? found[2] ?? '');
  }
  return undefined;
}
