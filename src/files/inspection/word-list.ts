/**
 * The words of a file that are not ASCII, and what they show about its encoding: a symbol inside a
 * word, or a capital after a small letter, shows that they were decoded with the wrong one.
 */

import { isAscii, isUtf8 } from 'node:buffer';
import { paced } from '../pace.ts';
import { decodeBytes, type Encoding, encodeText } from '../text/encodings.ts';
import { plainWords, readWords } from '../vocabulary/words.ts';
import type { Seen } from './found.ts';

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

/** Whether a text was converted to UTF-8 twice: `BÃ¼ro`. */
function isTwiceEncoded(text: string): boolean {
  const inner = encodeText(text, 'windows-1252');
  return decodeBytes(inner, 'windows-1252') === text && !isAscii(inner) && isUtf8(inner);
}

/** Whether no language has such a word. */
function isSenseless(text: string): boolean {
  if (NEVER.test(text) || AFTER_LETTER.test(text) || BEFORE_LETTER.test(text)) return true;
  // `M\u0178ller`, `Caf\u017d`: capitals follow small letters only in names such as McX.
  if (/\p{Ll}(?![A-Z])\p{Lu}/u.test(text)) return true;
  // Where pounds and euros are in other encodings: `\u01535k` is `\u00a35k`.
  if (/^[\u0153\u015b\u00fa\u00fb]\d/iu.test(text)) return true;
  const plain = text
    .replace(/^(\p{L}{1,2}|\p{L}*qu)\u2019(?=\p{L})/iu, "$1'")
    .replace(/(\p{L})\u2019(?=(?:s|t|d|m|ll|re|ve)$)/iu, "$1'");
  // Symbols are next to words, not in them; raised digits follow only a metre.
  if (SYMBOL_INSIDE.test(plain)) return true;
  return /\p{L}[\u00b2\u00b3\u00b9]/u.test(plain.replace(/^[cdkm]?m[\u00b2\u00b3]$/u, ''));
}

/** Controls, the lines and blocks of DOS, and the sign for any currency. */
const NEVER = /[\x80-\x9f\ufffd\u2500-\u259f\xa4]/;
/** Signs that never touch a letter on this side. */
const AFTER_LETTER =
  /\p{L}[\u201a\u201e\u2021\u2030\u0192\u02c6\xa1\xa2\xa6\xa8\xac\xaf\xb6\xbc-\xbe]/u;
const BEFORE_LETTER = /[\xa2\xa5-\xa9\xac\xaf\xb1-\xb3\xb6\xb8\xb9\xbc-\xbe][\xa1-\xbf]?\p{L}/u;
const SYMBOL_INSIDE = /\p{L}[^\p{L}\p{Mn}'\-\u2013\u2014\u00ad\u00b4\u00b7\u30fb\u30fc]+\p{L}/u;

/** The letters beside A to Z of languages that are written with one byte for each letter. */
const LETTERS = {
  Catalan: 'àçèéíïòóúü',
  Croatian: 'čćđšž',
  Czech: 'áčďéěíňóřšťúůýž',
  Danish: 'æøåäöéèêòóôü',
  Dutch: 'äèéêëïöü',
  Estonian: 'äõöüšž',
  French: 'àâæçéèêëîïôœùûüÿ',
  German: 'äöüß',
  Hungarian: 'áéíóöőúüű',
  Icelandic: 'áéíóúýþæöð',
  Italian: 'àèéìíîòóùú',
  Latvian: 'āčēģīķļņšūž',
  Lithuanian: 'ąčęėįšųūž',
  Polish: 'ąćęłńóśźż',
  Portuguese: 'áâãàçéêíóôõúü',
  Romanian: 'ăâîşţ',
  Slovak: 'áäčďéíĺľňóôŕšťúýž',
  Spanish: 'áéíñóúü',
  Swedish: 'åäöéüàšž',
  Turkish: 'çğıİöşüâîû',
};
export type Language = keyof typeof LETTERS;
const ALPHABETS = Object.entries(LETTERS).map(([language, letters]) => {
  const alphabet = new RegExp(`^[\\P{L}a-z\u00aa\u00ba${letters}]*$`, 'iu');
  return [language as Language, alphabet] as const;
});

/** The languages that have all letters of a word. */
function languagesOf(word: string): readonly Language[] {
  return ALPHABETS.flatMap(([language, alphabet]) => (alphabet.test(word) ? [language] : []));
}

/** ASCII words in the names of columns that only one language has. */
const NATIVE = new Map(
  Object.entries({
    Croatian: 'iznos',
    Estonian: 'selgitus',
    Hungarian: 'egyenleg|osszeg|kozlemeny|terheles|jovairas',
    Icelandic: 'dagsetning',
    Latvian: 'datums|atlikums',
    Lithuanian: 'paskirtis|likutis',
    Romanian: 'descriere',
  }).flatMap(([language, words]) =>
    [...readWords(words)].map((word) => [word, language as Language]),
  ),
);

/** The language of a column name, if its words show it. */
export function languageOfName(cell: string): Language | undefined {
  const words = plainWords(cell).split(' ');
  return words.map((word) => NATIVE.get(word)).find((language) => language !== undefined);
}
