/**
 * Whether words that are not ASCII make sense. A symbol inside a word, or a capital after a small
 * letter, shows that they were decoded with the wrong encoding.
 */

import { isAscii, isUtf8 } from 'node:buffer';
import { decodeBytes, encodeText } from '../rows/encodings.ts';

/** Whether a text was converted to UTF-8 twice: `BÃ¼ro`. */
export function isTwiceEncoded(text: string): boolean {
  const inner = encodeText(text, 'windows-1252');
  return decodeBytes(inner, 'windows-1252') === text && !isAscii(inner) && isUtf8(inner);
}

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
