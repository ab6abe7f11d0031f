/** The words of a file that are not ASCII, and what they show about its encoding. */

import { decodeBytes, type Encoding } from '../text/encodings.ts';
import { isSenseless, isTwiceEncoded, type Language, languagesOf } from './foreign-words.ts';
import type { Seen } from './found.ts';
import { paced } from './pace.ts';

/** A word, cell or line as bytes, with the line where it first occurs. */
export interface Bytes {
  readonly line: number;
  readonly bytes: Buffer;
}

/** How many different words are kept: more would hardly change the result. */
const WORDS = 20_000;
/** How much of a word or cell is kept, in bytes: the rest would hardly change the result. */
export const WORD_BYTES = 100;

/** The share of words that shows a script: a few names are in another one. */
const MOST = 0.95;

/** A capital with an accent between one without and a small letter. */
const ODD_CAPITAL = /\p{Lu}(?![A-Z])\p{Lu}\p{Ll}/u;

/** How many different letters show an encoding. */
const LEAST_LETTERS = 4;

/** The words of a file as an encoding reads them. */
export interface WordReading {
  readonly encoding: Encoding;
  /** The words, one on each line. */
  readonly text: string;
  /** Whether nearly all make sense, each in some language. */
  readonly isSensible: boolean;
  /** Whether they show that the encoding is right if they make sense in no other. */
  readonly isTelling: boolean;
  /** The languages that have the letters of nearly all words. */
  readonly languages: ReadonlySet<Language>;
}

/** Decodes texts at once, one on each line; undefined if the encoding does not have some bytes. */
export function decodeAll(texts: readonly Bytes[], encoding: Encoding): string | undefined {
  const lines = texts.map(({ bytes }) => bytes.toString('latin1'));
  return decodeBytes(Buffer.from(lines.join('\n'), 'latin1'), encoding);
}

/** The begin of a long word, up to a whole character of UTF-8. */
function cut(word: string): string {
  return word.length > WORD_BYTES
    ? word.slice(0, WORD_BYTES).replace(/[\xc2-\xf4][\x80-\xbf]*$/, '')
    : word;
}

/** The words of a file. */
export class WordList {
  readonly #words = new Map<string, Bytes>();

  /** Adds the words of a line that are not ASCII. */
  add(line: Buffer, number: number): void {
    for (const match of line.toString('latin1').matchAll(/([A-Za-z'\x80-\xff]+\d?)\d*/g)) {
      // Of prices such as £15 and £19 one is enough.
      const [word, start] = match.map(cut) as [string, string];
      if (!/[\x80-\xff]/.test(word) || this.#words.has(start)) continue;
      if (this.#words.size >= WORDS) return;
      this.#words.set(start, { line: number, bytes: Buffer.from(word, 'latin1') });
    }
  }

  /** All of them, in the order of the file. */
  get all(): readonly Bytes[] {
    return [...this.#words.values()];
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

  /** Whether no more words make no sense in an encoding than in each of the others. */
  async fitsBest(encoding: Encoding, others: readonly Encoding[]): Promise<boolean> {
    const own = await this.#countSenseless(encoding);
    if (own === 0) return true;
    for (const other of others) if ((await this.#countSenseless(other)) < own) return false;
    return true;
  }

  async #countSenseless(encoding: Encoding): Promise<number> {
    let count = 0;
    await this.#find((bytes) => {
      if (isSenseless(decodeBytes(bytes, encoding) ?? '\ufffd')) count += 1;
      return false;
    });
    return count;
  }

  /** Whether nearly all words of two letters or more look like this in an encoding. */
  async isMostly(encoding: Encoding, form: RegExp): Promise<boolean> {
    let [fitting, all] = [0, 0];
    await this.#find((bytes) => {
      if (!/[^\d']{2}/.test(bytes.toString('latin1'))) return false;
      all += 1;
      if (form.test(decodeBytes(bytes, encoding) ?? '')) fitting += 1;
      return false;
    });
    return all > 0 && fitting >= all * MOST;
  }

  /** The words in an encoding; undefined if fewer than half make sense. */
  async readAs(encoding: Encoding): Promise<WordReading | undefined> {
    const text = decodeAll(this.all, encoding);
    if (text === undefined) return undefined;
    const words = text.split('\n');
    const counts = new Map<Language, number>();
    const letters = new Set<string>();
    let [foreign, fitting] = [0, 0];
    for await (const word of paced(words)) {
      const languages = isSenseless(word) || ODD_CAPITAL.test(word) ? [] : languagesOf(word);
      if (languages.length > 0) fitting += 1;
      const own = word.match(/(?![a-z\u00aa\u00ba])\p{L}/giu) ?? [];
      if (own.length === 0) continue;
      foreign += 1;
      for (const letter of own) letters.add(letter);
      for (const each of languages) counts.set(each, (counts.get(each) ?? 0) + 1);
    }
    if (fitting < words.length / 2) return undefined;
    const most = [...counts].filter(([, count]) => count >= foreign * MOST);
    const ofMost = new Set(most.map(([language]) => language));
    const isSensible = fitting >= words.length * MOST;
    const isTelling = foreign === 0 || (ofMost.size > 0 && letters.size >= LEAST_LETTERS);
    return { encoding, text, isSensible, isTelling, languages: isSensible ? ofMost : new Set() };
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
  (text = '') => /[ŠšŽžŒœŸ]/i.test(text),
  // It makes sense, but is another word in an encoding with the same letters.
  (text = '', bytes) =>
    /\p{L}/u.test(text.replace(/[\0-\x7f]/g, '')) &&
    (['windows-1250', 'windows-1254'] as const).some((encoding) => {
      const other = decodeBytes(bytes, encoding) ?? text;
      return other !== text && !isSenseless(other);
    }),
];
