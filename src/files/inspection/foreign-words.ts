/**
 * Whether words that are not ASCII make sense. A symbol inside a word, or a capital after a small
 * letter, shows that they were decoded with the wrong encoding.
 */

import { isAscii, isUtf8 } from 'node:buffer';
import { decodeBytes, encodeText } from '../text/encodings.ts';
import { plainWords, readWords } from '../vocabulary/words.ts';

/** Whether a text was converted to UTF-8 twice: `BÃ¼ro`. */
export function isTwiceEncoded(text: string): boolean {
  const inner = encodeText(text, 'windows-1252');
  return decodeBytes(inner, 'windows-1252') === text && !isAscii(inner) && isUtf8(inner);
}

/** Whether no language has such a word. */
export function isSenseless(text: string): boolean {
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
export function languagesOf(word: string): readonly Language[] {
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
