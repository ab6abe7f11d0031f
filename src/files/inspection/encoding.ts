/**
 * Finds the encoding of a file. A byte order mark or valid UTF-8 is proof. Otherwise a known word
 * in the header shows it, or the words of the whole file, if they make sense in only one encoding.
 * If not, it is asked.
 */

import { isAscii, isUtf8 } from 'node:buffer';
import { forEachOf, paced } from '../pace.ts';
import { FileError } from '../problems.ts';
import {
  decodeBytes,
  ENCODINGS,
  type Encoding,
  findMark,
  findUtf16,
  isUtf8Line,
} from '../text/encodings.ts';
import { refuseForeign } from '../text/foreign-files.ts';
import { type FileSource, readHead, readSlices } from '../text/text.ts';
import { isAccentedName, isWesternName } from '../vocabulary/column-names.ts';
import {
  type Answers,
  ask,
  choice,
  type Decision,
  isAsked,
  proven,
  quote,
  type Seen,
  show,
  stated,
} from './found.ts';
import {
  type Bytes,
  decodeAll,
  type Language,
  languageOfName,
  WORD_BYTES,
  WordList,
  type WordReading,
} from './word-list.ts';

/** Works out the encoding. Throws FileError for a file that is not text. */
export async function inspectEncoding({
  source,
  answers,
}: {
  readonly source: FileSource;
  readonly answers: Answers;
}): Promise<Decision<Encoding>> {
  const slices = readSlices(source);
  const begun = await readHead(slices, ({ length }) => length >= HEAD_BYTES);
  await slices.return(undefined);
  const head = begun.subarray(0, HEAD_BYTES);
  refuseForeign(head);
  const mark = findMark(head);
  const begin = { line: 1, text: '' };
  if (mark !== undefined && mark.isTwice !== true) {
    return proven(mark.encoding, begin, 'the file starts with a byte order mark');
  }
  const said = answers.last.encoding;
  if (said !== undefined) return stated(said.encoding, said);
  const wide = findUtf16(head);
  if (wide !== undefined) return proven(wide, begin, 'every second byte is zero, as in UTF-16');
  return (await isPlain(source)) ? PLAIN : judge(await scan(source));
}

const PLAIN = proven<Encoding>(
  'utf-8',
  undefined,
  'the file is plain ASCII, which is the same in UTF-8',
);

/** Whether a file is plain ASCII: most are, and then nothing of their lines need be known. */
async function isPlain(source: FileSource): Promise<boolean> {
  for await (const slice of paced(readSlices(source))) {
    if (!isAscii(slice) || slice.includes(0)) return false;
  }
  return true;
}

/** How many bytes are enough to detect UTF-16 without a mark. */
const HEAD_BYTES = 4096;

interface Scan {
  readonly words: WordList;
  /** The words of the lines that are not UTF-8, and the first line that is. */
  readonly others: WordList;
  readonly good: Bytes | undefined;
  /** The first line that is not ASCII. */
  readonly first: Bytes | undefined;
  /** The first line that is not UTF-8. */
  readonly bad: Bytes | undefined;
  /** Cells of the first lines that are not ASCII. */
  readonly cells: readonly Bytes[];
  /** Whether a cell of the first lines is a column name in a Western language. */
  readonly isWestern: boolean;
  /** The first cell that is a column name of one language only, and its language. */
  readonly native: (Bytes & { readonly language: Language }) | undefined;
}

const BINARY =
  'contains zero bytes, so it is not text. Export CSV from the program that wrote the file.';

/** How many lines can contain the header, and how many of the cells of each are looked at. */
const HEADER_LINES = 200;
const HEADER_CELLS = 1_000;

async function scan(source: FileSource): Promise<Scan> {
  const [words, others] = [new WordList(), new WordList()];
  const cells: Bytes[] = [];
  let isWestern = false;
  let native: Scan['native'];
  let first: Bytes | undefined;
  let bad: Bytes | undefined;
  let good: Bytes | undefined;
  await forEachOf(listLines(source), ({ line, bytes: whole }) => {
    const bytes = line === 1 ? whole.subarray(findMark(whole)?.length ?? 0) : whole;
    for (const cell of line <= HEADER_LINES ? cutCells(bytes) : []) {
      const own = Buffer.from(cell, 'latin1');
      if (!isAscii(own) && own.length <= WORD_BYTES) cells.push({ line, bytes: own });
      if (!isWestern && isWesternName(cell)) isWestern = true;
      const language = native === undefined ? languageOfName(cell) : undefined;
      if (language !== undefined) native = { line, bytes: own, language };
    }
    if (bytes.includes(0)) throw new FileError(`line ${line} ${BINARY}`);
    if (isAscii(bytes)) return undefined;
    first ??= { line, bytes };
    if (!isUtf8(bytes)) bad ??= { line, bytes };
    words.add(bytes, line);
    if (isUtf8Line(bytes)) good ??= { line, bytes };
    else others.add(bytes, line);
    return undefined;
  });
  return { words, others, good, first, bad, cells, isWestern, native };
}

/** A longer line, or a file with other line ends, is read in pieces of this size. */
const LINE_BYTES = 64 * 1024;

/**
 * Lines as bytes, in pieces: in these encodings a line end is never part of a character. Below the
 * header, plain ASCII is skipped, because it shows nothing.
 */
async function* listLines(source: FileSource): AsyncGenerator<Bytes[]> {
  let line = 0;
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of readSlices(source)) {
    const whole = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const isTelling = line < HEADER_LINES || !isAscii(whole) || whole.includes(0);
    const lines: Bytes[] = [];
    let start = 0;
    for (let end = whole.indexOf(10); end >= 0; end = whole.indexOf(10, start)) {
      line += 1;
      if (isTelling) lines.push({ line, bytes: whole.subarray(start, end) });
      start = end + 1;
    }
    yield lines;
    rest = whole.subarray(start);
    if (rest.length > LINE_BYTES) {
      // Behind an ASCII character, so that no other one is cut in half.
      let end = rest.length;
      while (end > 0 && (rest[end - 1] ?? 0) >= 0x80) end -= 1;
      yield [{ line: line + 1, bytes: rest.subarray(0, end || rest.length) }];
      rest = end === 0 ? Buffer.alloc(0) : rest.subarray(end);
    }
  }
  if (rest.length > 0) yield [{ line: line + 1, bytes: rest }];
}

/** In Shift_JIS the byte of a bar can be half of a character, so it counts only if it is alone. */
function cutCells(bytes: Buffer): string[] {
  const text = bytes.toString('latin1');
  const cells = text.split(/[,;\t]/.test(text) ? /[,;\t]/ : '|', HEADER_CELLS);
  return cells.map((cell) => cell.trim().replace(/^"|"$/g, '').trim());
}

async function judge(found: Scan): Promise<Decision<Encoding>> {
  const { first, bad, words } = found;
  if (first === undefined) return PLAIN;
  if (bad === undefined) {
    const twice = await words.findTwiceEncoded();
    if (twice !== undefined) return askTwice(twice);
    const control = await words.findControl();
    const text = control?.text ?? first.bytes.toString('utf8');
    const word = /(?<!\S)\S*[^\0-\x7f]\S*/.exec(text)?.[0] ?? '';
    const seen = { line: control?.line ?? first.line, text: word };
    const how = control === undefined ? '' : ', with a character of Windows-1252';
    return proven('utf-8', { ...seen, text }, `every line is valid UTF-8; ${show(seen)}${how}`);
  }
  return (
    (await findMixed(found, bad)) ??
    (await findByHeader(found)) ??
    (await findScript(found)) ??
    (await judgeWords(found, bad))
  );
}

/** Windows-1252 with lines in UTF-8, if the words of the other lines leave no doubt. */
async function findMixed(found: Scan, bad: Bytes): Promise<Decision<Encoding> | undefined> {
  const { good, others } = found;
  if (good === undefined) return undefined;
  const rest = await judgeWords({ ...found, words: others }, bad);
  if (isAsked(rest) || rest.value !== 'windows-1252') return undefined;
  const seen = { line: good.line, text: good.bytes.toString('utf8') };
  const lines = `line ${good.line} is UTF-8 and line ${bad.line} is not`;
  const because = `${lines}: each is read as what it is`;
  return proven('windows-1252', seen, because);
}

/** Letters that another program has damaged: no encoding can restore them. */
function askTwice(word: Seen) {
  const how = 'as if it had been converted to UTF-8 twice';
  const text = `L${show(word).slice(1)}, ${how}. Is it correct?`;
  const meaning = `yes: use it as it is, with ${quote(word.text)}`;
  const own = choice({ kind: 'encoding', encoding: 'utf-8' }, meaning);
  return ask('encoding', text, [own], 'export as UTF-8');
}

/** Encodings in which every letter of a word is above ASCII, with the script of the letters. */
const SCRIPTS: ReadonlyMap<Encoding, string> = new Map([
  ['windows-1251', 'Cyrillic'],
  ['koi8-r', 'Cyrillic'],
  ['ibm866', 'Cyrillic'],
  ['windows-1253', 'Greek'],
  ['windows-1255', 'Hebrew'],
  ['windows-1256', 'Arabic'],
  ['windows-874', 'Thai'],
]);
/** The encodings that are not Unicode. */
const OTHERS = ENCODINGS.filter((encoding) => !encoding.startsWith('utf'));
/** Encodings in which no other name of a column is known than in Windows-1252. */
const SIMILAR: readonly Encoding[] = ['iso-8859-15', 'windows-1254', 'windows-1257'];
const TRIED = OTHERS.filter((encoding) => !SIMILAR.includes(encoding));
/** Letters of Polish, Czech and Hungarian. */
const CENTRAL_EUROPEAN = /[ąćęłńśźżčďěňřšťůžőű]/i;
/** Encodings in which a character can be several bytes, of which the second can be ASCII. */
const WIDE_ENCODINGS: readonly Encoding[] = ['shift_jis', 'gb18030', 'big5', 'euc-kr', 'euc-jp'];

/** Encodings of the Latin script. */
const LATIN = OTHERS.filter((each) => !SCRIPTS.has(each) && !WIDE_ENCODINGS.includes(each));

/** Finds a known column name with letters that only one encoding produces. */
async function findByHeader({
  cells,
  words,
  native,
}: Scan): Promise<Decision<Encoding> | undefined> {
  // Of a language that is known, the letters of all words are better proof.
  const tried = native === undefined ? TRIED : TRIED.filter((each) => !LATIN.includes(each));
  for (const encoding of tried) {
    for await (const { line, bytes } of paced(cells)) {
      const text = decodeBytes(bytes, encoding);
      if (text === undefined || !isAccentedName(text)) continue;
      // Only letters that Windows-1252 lacks, such as Polish ones, prove Windows-1250.
      if (encoding === 'windows-1250' && !CENTRAL_EUROPEAN.test(text)) continue;
      if (await hasUndecodable({ cells, words }, encoding)) continue;
      // The name is the same in several encodings, of which another one can fit better.
      const isAlike = (other: Encoding) => decodeBytes(bytes, other) === text;
      if (!(await words.fitsBest(encoding, LATIN.filter(isAlike)))) break;
      return proven(encoding, { line, text }, `line ${line} names the column ${quote(text)}`);
    }
  }
  return undefined;
}

/**
 * Usually the first letter of a word, or all, are capitals. Two letters hardly occur in Greek, some
 * only end a word in Greek and Hebrew, and files have no vowel signs in Hebrew.
 */
const ODD_LETTERS =
  '\\p{Ll}\\p{Lu}|\\p{Lu}{2}\\p{Ll}|[\u0390\u03b0]|[\u03c2\u05da\u05dd\u05df\u05e3\u05e5]\\p{L}' +
  '|[\u0591-\u05c7]|[\u0e40-\u0e44](?![\u0e01-\u0e2e])|^[\\p{Mn}\xb7\xbf\u061f]';
/** Encodings whose letters, at random, hardly make words. */
const SURE: readonly Encoding[] = ['windows-1251', 'koi8-r', 'ibm866', 'windows-1253'];
const OTHER_SCRIPTS: readonly Encoding[] = ['windows-1255', 'windows-1256', 'windows-874'];

/** A script if nearly every word is in it: in Latin most letters of a word are ASCII. */
async function findScript({ words, cells }: Scan): Promise<Decision<Encoding> | undefined> {
  const { first } = words;
  const fits = (encoding: Encoding) => {
    const form = `^(?!.*(?:${ODD_LETTERS}))[\\p{Script=${SCRIPTS.get(encoding)}}'\\p{P}№\\d]+$`;
    return words.isMostly(encoding, new RegExp(form, 'u'));
  };
  const found = await listFitting(SURE, fits);
  const wide =
    found.length > 0 ? [] : await listFitting(WIDE_ENCODINGS, (each) => isWide(each, cells));
  // Hebrew is Cyrillic in small letters, or in capitals.
  const others = found.length > 0 ? OTHER_SCRIPTS.slice(0, 1) : OTHER_SCRIPTS;
  if (found.length !== 1) found.push(...(await listFitting(others, fits)));
  const [only] = found;
  if (wide.length > 0) return askBetween([...found, ...wide], cells);
  if (found.length > 1) return askBetween(found, words.all);
  if (first === undefined || only === undefined) return undefined;
  const { line } = first;
  const text = decodeBytes(first.bytes, only) ?? '';
  const because = `as in line ${line}, ${quote(text)}, its words are ${SCRIPTS.get(only)}`;
  return proven(only, { line, text }, because);
}

/** Words are split for encodings with one byte per character, so others are tested on cells. */
async function hasUndecodable({ cells, words }: Pick<Scan, 'cells' | 'words'>, encoding: Encoding) {
  if (!WIDE_ENCODINGS.includes(encoding)) return words.hasUndecodable(encoding);
  for await (const { bytes } of paced(cells)) {
    if (decodeBytes(bytes, encoding) === undefined) return true;
  }
  return false;
}

/** Whether every cell is Chinese, Japanese or Korean: others have ASCII letters in a word. */
async function isWide(encoding: Encoding, cells: readonly Bytes[]): Promise<boolean> {
  const form = encoding === 'euc-kr' ? KOREAN_CELL : WIDE_CELL;
  let isWord = false;
  for await (const { bytes } of paced(cells)) {
    const text = decodeBytes(bytes, encoding) ?? '';
    if (!form.test(text) || HALF_WIDE_WORD.test(text)) return false;
    isWord ||= WIDE_WORD.test(text);
  }
  return isWord;
}

async function listFitting(
  encodings: readonly Encoding[],
  fits: (encoding: Encoding) => Promise<boolean>,
): Promise<Encoding[]> {
  const found: Encoding[] = [];
  for (const encoding of encodings) if (await fits(encoding)) found.push(encoding);
  return found;
}

const WIDE = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}';
const WIDE_CELL = new RegExp(`^[\\0-\\x7f${WIDE}\\u3000-\\u30ff\\uff00-\\uffef]+$`, 'u');
/** Chinese, read as Korean, is a mixture of both. */
const KOREAN_CELL = /^[\0-\x7f\p{Script=Hangul}]+$/u;
const WIDE_WORD = new RegExp(`[${WIDE}]{2}`, 'u');
const HALF_WIDE_WORD = new RegExp(`[a-z][${WIDE}]|[${WIDE}][a-z]`, 'iu');

/** The encoding in which the words make sense; Windows-1252 if they are the same in the others. */
async function judgeWords(
  { words, isWestern, native }: Scan,
  bad: Bytes,
): Promise<Decision<Encoding>> {
  const { first, all } = words;
  const doubt = await words.findDoubt(isWestern);
  if (first !== undefined && doubt === undefined) {
    const { line } = first;
    const text = decodeBytes(first.bytes, 'windows-1252') ?? '';
    const because = `line ${bad.line} is not UTF-8; as Windows-1252 ${show({ line, text })}`;
    return proven('windows-1252', { line, text }, because);
  }
  const readings: WordReading[] = [];
  for (const encoding of LATIN) {
    const found = await words.readAs(encoding);
    if (found && readings.every(({ text }) => text !== found.text)) readings.push(found);
  }
  const ofNative = readings.filter(({ languages }) => native && languages.has(native.language));
  const [own, second] = ofNative;
  if (native !== undefined && own !== undefined && second === undefined) {
    const { line, language } = native;
    const text = decodeBytes(native.bytes, own.encoding) ?? '';
    const because = `line ${line} has ${quote(text)}, and the words are ${language}`;
    return proven(own.encoding, { line, text }, because);
  }
  const [only, other] = readings.filter(({ isSensible }) => isSensible);
  if (doubt === undefined || other !== undefined || only?.isTelling !== true) {
    readings.sort((one, two) => Number(two.isSensible) - Number(one.isSensible));
    const encodings = readings.map(({ encoding }) => encoding);
    return askBetween(encodings, all);
  }
  const { line } = doubt;
  const text = decodeBytes(doubt.bytes, only.encoding) ?? '';
  const because = `line ${line} has ${quote(text)}; the words make sense in no other encoding`;
  return proven(only.encoding, { line, text }, because);
}

/** Asks which text is right; each choice shows two words that differ between the choices. */
async function askBetween(encodings: readonly Encoding[], words: readonly Bytes[]) {
  const readings = encodings.map((each) => decodeAll(words, each)?.split('\n') ?? []);
  const countTexts = (...places: readonly number[]) =>
    new Set(readings.map((texts) => places.map((at) => texts[at]).join('\n'))).size;
  const shown: number[] = [];
  while (shown.length < Math.min(2, words.length)) {
    let [best, most] = [0, -1];
    for await (const at of paced(words.keys())) {
      const texts = countTexts(...shown, at) + countTexts(at);
      if (texts > most && !shown.includes(at)) [best, most] = [at, texts];
    }
    shown.push(best);
  }
  const choices = encodings.map((encoding, choice) => {
    const show = (at: number) => `line ${words[at]?.line}: ${quote(readings[choice]?.[at] ?? '')}`;
    return { answers: [{ kind: 'encoding' as const, encoding }], examples: shown.map(show) };
  });
  const start = `Line ${words[0]?.line} is not UTF-8`;
  const few = [`${start}, and its words make no sense.`, `${start}. Is this text right?`];
  const many = 'Some letters can be read in several ways. Which text is right?';
  const text = few[choices.length] ?? many;
  return ask('encoding', text, choices, 'any encoding', 'export as UTF-8');
}
