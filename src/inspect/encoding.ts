/**
 * Finds the encoding of a file. A byte order mark or valid UTF-8 is proof. Otherwise it is
 * Windows-1252 if every word makes sense in it and in no other encoding that banks use, or if the
 * header has a known word. If not, it is asked.
 */

import { isAscii, isUtf8 } from 'node:buffer';
import { decodeBytes, ENCODINGS, type Encoding, findMark } from '../rows/encodings.ts';
import { explainBytes } from '../rows/foreign-files.ts';
import { FileError } from '../rows/problems.ts';
import type { Answers } from './answers.ts';
import { type ForeignWord, isSenseless, WordList } from './foreign-words.ts';
import { type Answer, type Choice, type Question, quote, stated } from './found.ts';
import { isAccentedName, isCentralEuropean, isWesternName } from './header-words.ts';
import type { CsvSource } from './source.ts';

/** Works out the encoding. Throws FileError for a file that is not text. */
export async function inspectEncoding(
  source: CsvSource,
  answers: Answers,
): Promise<Answer<Encoding>> {
  const head = await readHead(source);
  const mark = findMark(head);
  if (mark !== undefined) {
    const because = 'the file starts with a byte order mark';
    return { value: mark.encoding, evidence: { line: 1, text: '', because } };
  }
  if (answers.encoding !== undefined) {
    return stated(answers.encoding, `--encoding ${answers.encoding}`);
  }
  const wide = findUtf16(head);
  if (wide !== undefined) {
    const because = 'every second byte is zero, as in UTF-16';
    return { value: wide, evidence: { line: 1, text: '', because } };
  }
  return judge(await scan(source));
}

/** How many bytes are enough to detect UTF-16 without a mark. */
const HEAD_BYTES = 4096;

async function readHead(source: CsvSource): Promise<Buffer> {
  let head: Buffer = Buffer.alloc(0);
  for await (const chunk of source.read()) {
    head = Buffer.concat([head, chunk]);
    if (head.length >= HEAD_BYTES) break;
  }
  return head.subarray(0, HEAD_BYTES);
}

/** The share of zero bytes; low, because letters such as Greek ones have no zero byte. */
const UTF16_SHARE = 0.1;

function findUtf16(head: Buffer): Encoding | undefined {
  const zeros = [0, 0];
  for (const [at, byte] of head.entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  const most = head.length * UTF16_SHARE;
  if (odd > most && even === 0) return 'utf-16le';
  return even > most && odd === 0 ? 'utf-16be' : undefined;
}

interface Scan {
  readonly words: WordList;
  /** The first line that is not ASCII, and whether every line is UTF-8. */
  readonly first: { readonly line: number; readonly bytes: Buffer } | undefined;
  readonly isUtf8: boolean;
  /** The first line that is not UTF-8. */
  readonly bad: { readonly line: number; readonly bytes: Buffer } | undefined;
  /** Cells of the first lines. */
  readonly cells: readonly { readonly line: number; readonly bytes: Buffer }[];
}

const BINARY = 'contains zero bytes, so it is not text. Save a spreadsheet as CSV first.';

/** How many lines can contain the header. */
const HEADER_LINES = 200;

async function scan(source: CsvSource): Promise<Scan> {
  const words = new WordList();
  const cells: { line: number; bytes: Buffer }[] = [];
  let first: Scan['first'];
  let bad: Scan['bad'];
  for await (const { line, bytes } of listLines(source)) {
    const foreign = line === 1 ? explainBytes(bytes) : undefined;
    if (foreign !== undefined) throw new FileError(foreign);
    if (line <= HEADER_LINES) for (const cell of cutCells(bytes)) cells.push({ line, bytes: cell });
    if (bytes.includes(0)) throw new FileError(`line ${line} ${BINARY}`);
    if (isAscii(bytes)) continue;
    first ??= { line, bytes };
    if (!isUtf8(bytes)) bad ??= { line, bytes };
    words.add(bytes, line);
  }
  return { words, first, bad, isUtf8: bad === undefined, cells };
}

/** A file with other line ends is read in pieces of this size. */
const LINE_BYTES = 1024 * 1024;

/** Lines as bytes: in these encodings a line end is never part of a character. */
async function* listLines(source: CsvSource): AsyncGenerator<{ line: number; bytes: Buffer }> {
  let line = 0;
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of source.read()) {
    const whole = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let start = 0;
    for (let end = whole.indexOf(10); end >= 0; end = whole.indexOf(10, start)) {
      line += 1;
      yield { line, bytes: whole.subarray(start, end) };
      start = end + 1;
    }
    rest = whole.subarray(start);
    if (rest.length > LINE_BYTES) {
      yield { line: line + 1, bytes: rest };
      rest = Buffer.alloc(0);
    }
  }
  if (rest.length > 0) yield { line: line + 1, bytes: rest };
}

/** Comma, semicolon, tab. */
const COMMON = [0x2c, 0x3b, 0x09];
const BAR = 0x7c;

function cutCells(bytes: Buffer): Buffer[] {
  const cells: Buffer[] = [];
  // In Shift_JIS the byte of a bar can be half of a character.
  const delimiters = COMMON.some((byte) => bytes.includes(byte)) ? COMMON : [BAR];
  let start = 0;
  for (let at = 0; at <= bytes.length; at += 1) {
    const byte = bytes[at];
    if (at < bytes.length && byte !== undefined && !delimiters.includes(byte)) continue;
    cells.push(bytes.subarray(start, at));
    start = at + 1;
  }
  return cells.map((cell) => {
    const text = cell.toString('latin1');
    return Buffer.from(text.trim().replace(/^"|"$/g, '').trim(), 'latin1');
  });
}

function judge(found: Scan): Answer<Encoding> {
  const { first, bad } = found;
  if (first === undefined) {
    const because = 'the file is plain ASCII, which is the same in UTF-8';
    return { value: 'utf-8', evidence: { line: null, text: '', because } };
  }
  if (bad === undefined) {
    const twice = found.words.findTwiceEncoded();
    if (twice !== undefined) return { question: askTwice(twice) };
    const text = first.bytes.toString('utf8');
    const word = /\S*[^\0-\x7f]\S*/.exec(text)?.[0] ?? '';
    const because = `every line is valid UTF-8; line ${first.line} has ${quote(word)}`;
    return { value: 'utf-8', evidence: { line: first.line, text, because } };
  }
  return findByHeader(found) ?? findByWords(found) ?? ask(found);
}

/** Letters that another program has damaged: no encoding can restore them. */
function askTwice({ line, text }: { readonly line: number; readonly text: string }): Question {
  const own = `Line ${line} has ${quote(text)}, as if it had been converted to UTF-8 twice`;
  const choices: Choice[] = [
    { option: ['encoding', 'utf-8'], meaning: `yes: use it as it is, with ${quote(text)}` },
  ];
  const other = 'export the file again, as UTF-8';
  return { id: 'encoding', text: `${own}. Is it correct?`, choices, other };
}

/** Encodings besides Windows-1252 that are tried on the header. */
const OTHERS: readonly Encoding[] = ['windows-1250', 'macintosh', 'ibm850', 'shift_jis'];

/** Finds a known column name with letters that only one encoding produces. */
function findByHeader({ cells, words }: Scan): Answer<Encoding> | undefined {
  for (const encoding of ['windows-1252', ...OTHERS] as const) {
    for (const { line, bytes } of cells) {
      const text = decodeBytes(bytes, encoding);
      if (text === undefined || !isAccentedName(text)) continue;
      // Only letters that Windows-1252 lacks, such as Polish ones, prove Windows-1250.
      if (encoding === 'windows-1250' && !isCentralEuropean(text)) continue;
      const isWide = encoding === 'shift_jis';
      if (isWide ? !isWhole(cells, encoding) : words.hasUndecodable(encoding)) continue;
      const because = `line ${line} names the column ${quote(text)}`;
      return { value: encoding, evidence: { line, text, because } };
    }
  }
  return undefined;
}

function isWhole(cells: Scan['cells'], encoding: Encoding): boolean {
  return cells.every(({ bytes }) => decodeBytes(bytes, encoding) !== undefined);
}

/** Windows-1252 if all words make sense in it and no other encoding gives other words. */
function findByWords({ words, bad, cells }: Scan): Answer<Encoding> | undefined {
  if (words.findSenseless('windows-1252') !== undefined) return undefined;
  const isWestern = cells.some(({ bytes }) => isWesternName(bytes.toString('latin1')));
  if (words.findRare() !== undefined) return undefined;
  if (words.findDoubtful() !== undefined && !isWestern) return undefined;
  const shown = words.first;
  if (shown === undefined || bad === undefined) return undefined;
  const text = decodeBytes(shown.bytes, 'windows-1252') ?? '';
  const has = `line ${shown.line} has ${quote(text)}`;
  const because = `line ${bad.line} is not UTF-8; as Windows-1252 ${has}`;
  return { value: 'windows-1252', evidence: { line: shown.line, text, because } };
}

/** The encodings that are not Unicode. */
const CHOICES = ENCODINGS.filter((encoding) => !encoding.startsWith('utf'));

function ask({ words, bad }: Scan): Answer<Encoding> {
  const word =
    words.findSenseless('windows-1252') ?? words.findRare() ?? words.findDoubtful() ?? words.first;
  const lineOfBytes = word?.line ?? bad?.line ?? 1;
  const seen = new Set<string>();
  const choices = CHOICES.flatMap((encoding): Choice[] => {
    const text = readWord(word, encoding);
    if (text === undefined || seen.has(text) || hasNoSuch(words, encoding)) return [];
    seen.add(text);
    return [{ option: ['encoding', encoding], meaning: quote(text) }];
  });
  const begin = 'The file is not UTF-8, and its words do not show the encoding';
  const text = `${begin}. Which text is right in line ${lineOfBytes}?`;
  return { question: { id: 'encoding', text, choices, other: '--encoding NAME' } };
}

/** Words are split for encodings with one byte per character, so Shift_JIS is not tested. */
function hasNoSuch(words: WordList, encoding: Encoding): boolean {
  return encoding !== 'shift_jis' && words.hasUndecodable(encoding);
}

function readWord(word: ForeignWord | undefined, encoding: Encoding): string | undefined {
  const text = word === undefined ? undefined : decodeBytes(word.bytes, encoding);
  if (text === undefined || isSenseless(text)) return undefined;
  // A word is never half Latin and half Japanese.
  return encoding === 'shift_jis' && /[a-z]/i.test(text) ? undefined : text;
}
