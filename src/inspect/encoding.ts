/**
 * Finds the encoding of a file. A byte order mark or valid UTF-8 is proof. Otherwise it is
 * Windows-1252 if every word makes sense in it and in no other encoding that banks use, or if the
 * header has a known word. If not, it is asked.
 */

import { isAscii, isUtf8 } from 'node:buffer';
import {
  decodeBytes,
  ENCODINGS,
  type Encoding,
  findMark,
  findUtf16,
  WIDE_ENCODINGS,
} from '../rows/encodings.ts';
import { refuseForeign } from '../rows/foreign-files.ts';
import { FileError } from '../rows/problems.ts';
import { readHead } from '../rows/text.ts';
import type { Answers } from './answers.ts';
import { isSenseless } from './foreign-words.ts';
import { ask, choice, type Decision, proven, quote, type Seen, show, stated } from './found.ts';
import { paced } from './pace.ts';
import { readSlices, type Source } from './source.ts';
import { isAccentedName, isCentralEuropean, isWesternName } from './vocabulary/column-names.ts';
import { type Bytes, WordList } from './word-list.ts';

/** Works out the encoding. Throws FileError for a file that is not text. */
export async function inspectEncoding(
  source: Source,
  answers: Answers,
): Promise<Decision<Encoding>> {
  const slices = readSlices(source);
  const begun = await readHead(slices, ({ length }) => length >= HEAD_BYTES);
  await slices.return(undefined);
  const head = begun.subarray(0, HEAD_BYTES);
  const mark = findMark(head);
  const begin = { line: 1, text: '' };
  if (mark !== undefined && mark.isTwice !== true) {
    return proven(mark.encoding, begin, 'the file starts with a byte order mark');
  }
  const said = answers.last.encoding;
  if (said !== undefined) return stated(said.encoding, said);
  const wide = findUtf16(head);
  if (wide !== undefined) return proven(wide, begin, 'every second byte is zero, as in UTF-16');
  return judge(await scan(source));
}

/** How many bytes are enough to detect UTF-16 without a mark. */
const HEAD_BYTES = 4096;

interface Scan {
  readonly words: WordList;
  /** The first line that is not ASCII. */
  readonly first: Bytes | undefined;
  /** The first line that is not UTF-8. */
  readonly bad: Bytes | undefined;
  /** Cells of the first lines that are not ASCII. */
  readonly cells: readonly Bytes[];
  /** Whether a cell of the first lines is a column name in a Western language. */
  readonly isWestern: boolean;
}

const BINARY = 'contains zero bytes, so it is not text. Save a spreadsheet as CSV first.';

/** How many lines can contain the header, and how many of the cells of each are looked at. */
const HEADER_LINES = 200;
const HEADER_CELLS = 1_000;

async function scan(source: Source): Promise<Scan> {
  const words = new WordList();
  const cells: Bytes[] = [];
  let isWestern = false;
  let first: Bytes | undefined;
  let bad: Bytes | undefined;
  for await (const { line, bytes: whole } of paced(listLines(source))) {
    if (line === 1) refuseForeign(whole);
    const bytes = line === 1 ? whole.subarray(findMark(whole)?.length ?? 0) : whole;
    for (const cell of line <= HEADER_LINES ? cutCells(bytes) : []) {
      const own = Buffer.from(cell, 'latin1');
      if (!isAscii(own)) cells.push({ line, bytes: own });
      if (!isWestern && isWesternName(cell)) isWestern = true;
    }
    if (bytes.includes(0)) throw new FileError(`line ${line} ${BINARY}`);
    if (isAscii(bytes)) continue;
    first ??= { line, bytes };
    if (!isUtf8(bytes)) bad ??= { line, bytes };
    words.add(bytes, line);
  }
  return { words, first, bad, cells, isWestern };
}

/** A longer line, or a file with other line ends, is read in pieces of this size. */
const LINE_BYTES = 64 * 1024;

/** Lines as bytes: in these encodings a line end is never part of a character. */
async function* listLines(source: Source): AsyncGenerator<Bytes> {
  let line = 0;
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of readSlices(source)) {
    const whole = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let start = 0;
    for (let end = whole.indexOf(10); end >= 0; end = whole.indexOf(10, start)) {
      line += 1;
      yield { line, bytes: whole.subarray(start, end) };
      start = end + 1;
    }
    rest = whole.subarray(start);
    if (rest.length > LINE_BYTES) {
      // Behind an ASCII character, so that no other one is cut in half.
      let end = rest.length;
      while (end > 0 && (rest[end - 1] ?? 0) >= 0x80) end -= 1;
      yield { line: line + 1, bytes: rest.subarray(0, end || rest.length) };
      rest = end === 0 ? Buffer.alloc(0) : rest.subarray(end);
    }
  }
  if (rest.length > 0) yield { line: line + 1, bytes: rest };
}

/** In Shift_JIS the byte of a bar can be half of a character, so it counts only if it is alone. */
function cutCells(bytes: Buffer): string[] {
  const text = bytes.toString('latin1');
  const cells = text.split(/[,;\t]/.test(text) ? /[,;\t]/ : '|', HEADER_CELLS);
  return cells.map((cell) => cell.trim().replace(/^"|"$/g, '').trim());
}

async function judge(found: Scan): Promise<Decision<Encoding>> {
  const { first, bad, words } = found;
  if (first === undefined) {
    const because = 'the file is plain ASCII, which is the same in UTF-8';
    return proven('utf-8', undefined, because);
  }
  if (bad === undefined) {
    const twice = await words.findTwiceEncoded();
    if (twice !== undefined) return askTwice(twice);
    const control = await words.findControl();
    const text = control?.text ?? first.bytes.toString('utf8');
    const word = /\S*[^\0-\x7f]\S*/.exec(text)?.[0] ?? '';
    const seen = { line: control?.line ?? first.line, text: word };
    const how = control === undefined ? '' : ', with a character of Windows-1252';
    return proven('utf-8', { ...seen, text }, `every line is valid UTF-8; ${show(seen)}${how}`);
  }
  return (
    (await findByHeader(found)) ??
    (await findCyrillic(words)) ??
    (await askWide(found.cells)) ??
    (await judgeWords(found, bad))
  );
}

/** Letters that another program has damaged: no encoding can restore them. */
function askTwice(word: Seen) {
  const how = 'as if it had been converted to UTF-8 twice';
  const text = `L${show(word).slice(1)}, ${how}. Is it correct?`;
  const meaning = `yes: use it as it is, with ${quote(word.text)}`;
  const own = choice({ kind: 'encoding', encoding: 'utf-8' }, meaning);
  return ask('encoding', text, [own], 'export as UTF-8');
}

const CYRILLIC: readonly Encoding[] = ['windows-1251', 'koi8-r'];
/** The encodings that are not Unicode. */
const OTHERS = ENCODINGS.filter((encoding) => !encoding.startsWith('utf'));
/** Those that are tried on the header: ISO-8859-15 has nearly the letters of Windows-1252. */
const TRIED = OTHERS.filter((encoding) => encoding !== 'iso-8859-15');
/** Those of Western and Central Europe. */
const LATIN = OTHERS.filter((each) => ![...CYRILLIC, ...WIDE_ENCODINGS].includes(each));

/** Finds a known column name with letters that only one encoding produces. */
async function findByHeader({ cells, words }: Scan): Promise<Decision<Encoding> | undefined> {
  for (const encoding of TRIED) {
    for await (const { line, bytes } of paced(cells)) {
      const text = decodeBytes(bytes, encoding);
      if (text === undefined || !isAccentedName(text)) continue;
      // Only letters that Windows-1252 lacks, such as Polish ones, prove Windows-1250.
      if (encoding === 'windows-1250' && !isCentralEuropean(text)) continue;
      if (await hasUndecodable({ cells, words }, encoding)) continue;
      return proven(encoding, { line, text }, `line ${line} names the column ${quote(text)}`);
    }
  }
  return undefined;
}

/** Cyrillic if nearly every word is: in Western languages most letters of a word are ASCII. */
async function findCyrillic(words: WordList): Promise<Decision<Encoding> | undefined> {
  const { first } = words;
  if (first === undefined) return undefined;
  const found: Encoding[] = [];
  for (const encoding of CYRILLIC) {
    if (await words.isMostly(encoding, CYRILLIC_WORD)) found.push(encoding);
  }
  const [only, other] = found;
  if (only === undefined) return undefined;
  if (other !== undefined) return askBetween(found, first);
  const { line } = first;
  const text = decodeBytes(first.bytes, only) ?? '';
  const because = `as in line ${line}, ${quote(text)}, its words are Cyrillic`;
  return proven(only, { line, text }, because);
}

/** Letters of which only the first, or all, are capitals: otherwise the encoding is wrong. */
const CYRILLIC_WORD = /^(?!.*\p{Ll}\p{Lu})[\p{Script=Cyrillic}'\p{P}№]+$/u;

/** Words are split for encodings with one byte per character, so others are tested on cells. */
async function hasUndecodable(
  { cells, words }: Pick<Scan, 'cells' | 'words'>,
  encoding: Encoding,
): Promise<boolean> {
  if (!WIDE_ENCODINGS.includes(encoding)) return words.hasUndecodable(encoding);
  for await (const { bytes } of paced(cells)) {
    if (decodeBytes(bytes, encoding) === undefined) return true;
  }
  return false;
}

/** Asks if every cell is Chinese or Japanese: other languages have ASCII letters in a word. */
async function askWide(cells: readonly Bytes[]) {
  const [first] = cells;
  if (first === undefined) return undefined;
  const isWide = async (encoding: Encoding) => {
    let isWord = false;
    for await (const { bytes } of paced(cells)) {
      const text = decodeBytes(bytes, encoding) ?? '';
      if (!WIDE_CELL.test(text) || HALF_WIDE_WORD.test(text)) return false;
      isWord ||= WIDE_WORD.test(text);
    }
    return isWord;
  };
  const found: Encoding[] = [];
  for (const encoding of WIDE_ENCODINGS) if (await isWide(encoding)) found.push(encoding);
  return found.length === 0 ? undefined : askBetween(found, first);
}

const WIDE = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}';
const WIDE_CELL = new RegExp(`^[\\0-\\x7f${WIDE}\\u3000-\\u30ff\\uff00-\\uffef]+$`, 'u');
const WIDE_WORD = new RegExp(`[${WIDE}]{2}`, 'u');
const HALF_WIDE_WORD = new RegExp(`[a-z][${WIDE}]|[${WIDE}][a-z]`, 'iu');

/** Windows-1252 if all words make sense in it and no other encoding gives other words. */
async function judgeWords({ words, isWestern }: Scan, bad: Bytes): Promise<Decision<Encoding>> {
  const { first } = words;
  const doubt = await words.findDoubt(isWestern);
  if (first === undefined || doubt !== undefined) return askAny(words, doubt ?? first, bad);
  const { line } = first;
  const text = decodeBytes(first.bytes, 'windows-1252') ?? '';
  const because = `line ${bad.line} is not UTF-8; as Windows-1252 line ${line} has ${quote(text)}`;
  return proven('windows-1252', { line, text }, because);
}

async function askAny(words: WordList, word: Bytes | undefined, bad: Bytes) {
  const texts = new Map<string, Encoding>();
  for (const encoding of LATIN) {
    const text = word && decodeBytes(word.bytes, encoding);
    if (text === undefined || isSenseless(text) || texts.has(text)) continue;
    if (!(await words.hasUndecodable(encoding))) texts.set(text, encoding);
  }
  return askBetween([...texts.values()], word ?? bad);
}

/** Asks which text is right. */
function askBetween(encodings: readonly Encoding[], { line, bytes }: Bytes) {
  const choices = encodings.map((encoding) => {
    return choice({ kind: 'encoding', encoding }, quote(decodeBytes(bytes, encoding) ?? ''));
  });
  const text = `Which text is right in line ${line}? The file does not show its encoding.`;
  return ask('encoding', text, choices, 'any encoding');
}
