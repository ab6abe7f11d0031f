/**
 * Words that are not ASCII, and whether they make sense in an encoding. A symbol inside a word, or
 * a capital after a small letter, shows that the encoding is wrong.
 */

import { isAscii, isUtf8 } from 'node:buffer';
import { decodeBytes, type Encoding, encodeText } from '../rows/encodings.ts';

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
  findSenseless(encoding: Encoding): ForeignWord | undefined {
    return this.#find((bytes) => {
      const text = decodeBytes(bytes, encoding);
      return text === undefined || isSenseless(text);
    });
  }

  /** The first word if all were converted to UTF-8 twice: `BÃ¼ro`; otherwise undefined. */
  findTwiceEncoded(): { readonly line: number; readonly text: string } | undefined {
    const isOnce = ({ bytes }: ForeignWord) => !isTwiceEncoded(bytes.toString('utf8'));
    const [first, ...others] = this.#words.values();
    if (first === undefined || isOnce(first) || others.some(isOnce)) return undefined;
    return { line: first.line, text: first.bytes.toString('utf8') };
  }

  /** Whether a word has bytes that the encoding does not have. */
  hasUndecodable(encoding: Encoding): boolean {
    return this.#find((bytes) => decodeBytes(bytes, encoding) === undefined) !== undefined;
  }

  /** The first word that makes sense in Windows-1252 but is another word in another encoding. */
  findDoubtful(): ForeignWord | undefined {
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
  findRare(): ForeignWord | undefined {
    return this.#find((bytes) => /[ŠšŽžŒœŸ]/.test(decodeBytes(bytes, 'windows-1252') ?? ''));
  }

  #find(isFound: (bytes: Buffer) => boolean): ForeignWord | undefined {
    for (const word of this.#words.values()) if (isFound(word.bytes)) return word;
    return undefined;
  }
}

function isTwiceEncoded(text: string): boolean {
  const inner = encodeText(text, 'windows-1252');
  return decodeBytes(inner, 'windows-1252') === text && !isAscii(inner) && isUtf8(inner);
}

/** Other encodings in which a file with the same letters could be. */
const RIVALS: readonly Encoding[] = ['windows-1250'];

/** Whether no language has such a word. */
export function isSenseless(text: string): boolean {
  if (/[\x80-\x9f\ufffd]/.test(text)) return true;
  // `M\u0178ller`, `Caf\u017d`: capitals follow small letters only in names such as McX.
  if (/\p{Ll}[\u00c0-\u00de\u0160\u0152\u017d\u0178]/u.test(text)) return true;
  const plain = text
    .replace(/^(\p{L}{1,2}|\p{L}*qu)\u2019(?=\p{L})/iu, "$1'")
    .replace(/(\p{L})\u2019(?=(?:s|t|d|m|ll|re|ve)$)/iu, "$1'");
  // Symbols are next to words, not in them; raised digits follow only a metre.
  if (/\p{L}[^\p{L}\p{Mn}'\-\u2013\u2014\u00ad\u00b7\u30fb\u30fc]+\p{L}/u.test(plain)) return true;
  return /\p{L}[\u00b2\u00b3\u00b9]/u.test(plain.replace(/^[cdkm]?m[\u00b2\u00b3]$/u, ''));
}
