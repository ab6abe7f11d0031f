/** The words of a file that are not ASCII, and what they show about its encoding. */

import { decodeBytes, type Encoding } from '../rows/encodings.ts';
import { isSenseless, isTwiceEncoded } from '../rows/foreign-words.ts';
import type { Seen } from './found.ts';
import { paced } from './pace.ts';

/** A word as bytes, with the line where it first occurs. */
export interface ForeignWord {
  readonly line: number;
  readonly bytes: Buffer;
}

/** How many different words are kept: more would hardly change the result. */
const WORDS = 20_000;

/** The words of a file. */
export class WordList {
  readonly #words = new Map<string, ForeignWord>();

  /** Adds the words of a line that are not ASCII. */
  add(line: Buffer, number: number): void {
    for (const match of line.toString('latin1').matchAll(/[A-Za-z'\x80-\xff]+/g)) {
      const [word] = match;
      if (!/[\x80-\xff]/.test(word) || this.#words.has(word) || this.#words.size >= WORDS) continue;
      this.#words.set(word, { line: number, bytes: Buffer.from(word, 'latin1') });
    }
  }

  get first(): ForeignWord | undefined {
    for (const word of this.#words.values()) {
      if (/\p{L}{2}/u.test(decodeBytes(word.bytes, 'windows-1252') ?? '')) return word;
    }
    return this.#words.values().next().value;
  }

  /** The first word that makes no sense in an encoding. */
  findSenseless(encoding: Encoding): Promise<ForeignWord | undefined> {
    return this.#find((bytes) => {
      const text = decodeBytes(bytes, encoding);
      return text === undefined || isSenseless(text);
    });
  }

  /** The first word if all were converted to UTF-8 twice; otherwise undefined. */
  async findTwiceEncoded(): Promise<Seen | undefined> {
    const [first] = this.#words.values();
    if (first === undefined) return undefined;
    const once = await this.#find((bytes) => !isTwiceEncoded(bytes.toString('utf8')));
    return once === undefined
      ? { line: first.line, text: first.bytes.toString('utf8') }
      : undefined;
  }

  /** Whether a word has bytes that the encoding does not have. */
  async hasUndecodable(encoding: Encoding): Promise<boolean> {
    const found = await this.#find((bytes) => decodeBytes(bytes, encoding) === undefined);
    return found !== undefined;
  }

  /** The first word that makes sense in Windows-1252 but is another word in another encoding. */
  findDoubtful(): Promise<ForeignWord | undefined> {
    return this.#find((bytes) => {
      const own = decodeBytes(bytes, 'windows-1252') ?? '';
      if (!/\p{L}/u.test(own.replace(/[\0-\x7f]/g, ''))) return false;
      return RIVALS.some((encoding) => {
        const other = decodeBytes(bytes, encoding);
        return other !== undefined && other !== own && !isSenseless(other);
      });
    });
  }

  /** The first word with a letter that is rare in Windows-1252 but common in DOS encodings. */
  findRare(): Promise<ForeignWord | undefined> {
    return this.#find((bytes) => /[ŠšŽžŒœŸ]/.test(decodeBytes(bytes, 'windows-1252') ?? ''));
  }

  async #find(isFound: (bytes: Buffer) => boolean): Promise<ForeignWord | undefined> {
    for await (const word of paced(this.#words.values())) if (isFound(word.bytes)) return word;
    return undefined;
  }
}

/** Other encodings in which a file with the same letters could be. */
const RIVALS: readonly Encoding[] = ['windows-1250'];
