/** The words of a file that are not ASCII, and what they show about its encoding. */

import { decodeBytes, type Encoding } from '../rows/encodings.ts';
import { isSenseless, isTwiceEncoded } from './foreign-words.ts';
import type { Seen } from './found.ts';
import { paced } from './pace.ts';

/** A word, cell or line as bytes, with the line where it first occurs. */
export interface Bytes {
  readonly line: number;
  readonly bytes: Buffer;
}

/** How many different words are kept: more would hardly change the result. */
const WORDS = 20_000;

/** The share of words that shows a script: a few names are in another one. */
const MOST = 0.95;

/** The words of a file. */
export class WordList {
  readonly #words = new Map<string, Bytes>();

  /** Adds the words of a line that are not ASCII. */
  add(line: Buffer, number: number): void {
    for (const match of line.toString('latin1').matchAll(/[A-Za-z'\x80-\xff]+/g)) {
      const [word] = match;
      if (!/[\x80-\xff]/.test(word) || this.#words.has(word) || this.#words.size >= WORDS) continue;
      this.#words.set(word, { line: number, bytes: Buffer.from(word, 'latin1') });
    }
  }

  get first(): Bytes | undefined {
    for (const word of this.#words.values()) {
      if (/\p{L}{2}/u.test(decodeBytes(word.bytes, 'windows-1252') ?? '')) return word;
    }
    return this.#words.values().next().value;
  }

  /** The first word that shows that Windows-1252 is wrong, or may be: the surest sign counts. */
  async findDoubt(isWestern: boolean): Promise<Bytes | undefined> {
    for (const isSign of isWestern ? SIGNS.slice(0, -1) : SIGNS) {
      const found = await this.#find((bytes) => isSign(decodeBytes(bytes, 'windows-1252'), bytes));
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** The first word if all were converted to UTF-8 twice; otherwise undefined. */
  async findTwiceEncoded(): Promise<Seen | undefined> {
    const [first] = this.#words.values();
    if (first === undefined) return undefined;
    const once = await this.#find((bytes) => !isTwiceEncoded(decodeBytes(bytes, 'utf-8') ?? ''));
    return once === undefined
      ? { line: first.line, text: first.bytes.toString('utf8') }
      : undefined;
  }

  /** The first word with a character of Windows-1252 that was taken for a control. */
  async findControl(): Promise<Seen | undefined> {
    const read = (bytes: Buffer) => decodeBytes(bytes, 'utf-8') ?? '';
    const found = await this.#find((bytes) => read(bytes) !== bytes.toString('utf8'));
    return found && { line: found.line, text: read(found.bytes) };
  }

  /** Whether a word has bytes that the encoding does not have. */
  async hasUndecodable(encoding: Encoding): Promise<boolean> {
    const found = await this.#find((bytes) => decodeBytes(bytes, encoding) === undefined);
    return found !== undefined;
  }

  /** Whether nearly all words of two letters or more look like this in an encoding. */
  async isMostly(encoding: Encoding, form: RegExp): Promise<boolean> {
    let [fitting, all] = [0, 0];
    await this.#find((bytes) => {
      if (bytes.length < 2) return false;
      all += 1;
      if (form.test(decodeBytes(bytes, encoding) ?? '')) fitting += 1;
      return false;
    });
    return all > 0 && fitting >= all * MOST;
  }

  async #find(isFound: (bytes: Buffer) => boolean): Promise<Bytes | undefined> {
    for await (const word of paced(this.#words.values())) if (isFound(word.bytes)) return word;
    return undefined;
  }
}

/** Signs that a word is not in Windows-1252, the surest one first. */
const SIGNS: readonly ((text: string | undefined, bytes: Buffer) => boolean)[] = [
  (text) => text === undefined || isSenseless(text),
  // A letter that is rare in Windows-1252 but common in DOS encodings.
  (text = '') => /[ŠšŽžŒœŸ]/.test(text),
  // It makes sense, but is another word in an encoding with the same letters.
  (text = '', bytes) => {
    const other = decodeBytes(bytes, 'windows-1250');
    const isWord = /\p{L}/u.test(text.replace(/[\0-\x7f]/g, ''));
    return isWord && other !== undefined && other !== text && !isSenseless(other);
  },
];
