/**
 * Text as a terminal shows it: how many columns it needs, and how to cut it. Data from outside is
 * cleaned first, since a terminal obeys control characters.
 */

/** Control characters, and characters that change the text direction or start a new line. */
const UNSAFE = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/gu;

/** The text without anything that a terminal obeys: an escape becomes `␛`, for example. */
export function cleanText(text: string): string {
  return text.replace(UNSAFE, (character) => {
    const code = character.codePointAt(0) ?? 0;
    if (code === 9 || code === 10 || code === 13) return ' ';
    if (code < 0x20) return String.fromCodePoint(0x2400 + code);
    return code === 0x7f ? '␡' : '\ufffd';
  });
}

/** The columns that a clean text needs. */
export function widthOf(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let width = 0;
  for (const character of charactersOf(text)) width += widthOfCharacter(character);
  return width;
}

/** More of a text than any column shows, in UTF-16 units: a family of emoji has 11 in two. */
const COLUMN_UNITS = 32;

/** The text in at most `width` columns, with an ellipsis if it was cut. */
export function cutText(text: string, width: number): string {
  const start = text.slice(0, COLUMN_UNITS * (width + 1));
  if (text.length <= width && PLAIN.test(text)) return text;
  let kept = '';
  let columns = 0;
  for (const character of charactersOf(start)) {
    columns += widthOfCharacter(character);
    if (columns > width) break;
    if (columns < width) kept += character;
  }
  if (columns <= width && start.length === text.length) return text;
  return width < 1 ? '' : `${kept.trimEnd()}…`;
}

/** The text in lines of at most `width` columns, broken at spaces. */
export function wrapText(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && widthOf(longer) > width) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return [...lines, line];
}

/** Created on first use: that takes longer than loading the rest of a command. */
let segmenter: Intl.Segmenter | undefined;

/** The characters of a text, as people see them. */
function* charactersOf(text: string): Generator<string> {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  for (const { segment } of segmenter.segment(text)) yield segment;
}

const PLAIN = /^[\x20-\x7e]*$/;
const EMOJI = /\p{Emoji_Presentation}|\ufe0f/u;
/** Combining marks, format characters, and the later parts of a Korean syllable. */
const NO_WIDTH = /[\p{Mn}\p{Me}\u1160-\u11ff]|(?!\u00ad)\p{Cf}/u;

/** East Asian Wide and Fullwidth (Unicode annex 11); emoji have their own property. */
const WIDE_RANGES: readonly (readonly [first: number, last: number])[] = [
  [0x1100, 0x115f],
  [0x2329, 0x232a],
  [0x2e80, 0x303e],
  [0x3041, 0x4dbf],
  [0x4e00, 0xa4cf],
  [0xa960, 0xa97c],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe10, 0xfe19],
  [0xfe30, 0xfe6f],
  [0xff01, 0xff60],
  [0xffe0, 0xffe6],
  [0x16fe0, 0x18dff],
  [0x1aff0, 0x1b2ff],
  [0x1f200, 0x1f265],
  [0x20000, 0x3fffd],
];

/** The columns of one visible character. */
function widthOfCharacter(character: string): number {
  if (EMOJI.test(character)) return 2;
  let width = 0;
  for (const part of character) {
    if (NO_WIDTH.test(part)) continue;
    const code = part.codePointAt(0) ?? 0;
    width += WIDE_RANGES.some(([first, last]) => code >= first && code <= last) ? 2 : 1;
  }
  return width;
}
