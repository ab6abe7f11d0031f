/** Files with statements of banks: the reader of each kind, and the text that it is given. */

import { isPauseDue, paced, pause } from '../pace.ts';
import { decodeWith, findMark, findUtf16 } from '../text/encodings.ts';
import { type FileKind, SIGNATURE_BYTES } from '../text/foreign-files.ts';
import { cutLines, decodeLine, piecesOf } from '../text/text.ts';
import type { StatementReader, Step } from './payments.ts';

type StatementKind = Exclude<FileKind, 'zip'>;

/** What makes the readers, each loaded at its first use. */
const READERS: Readonly<Record<StatementKind, () => Promise<new () => StatementReader>>> = {
  ofx: async () => (await import('./ofx.ts')).OfxReader,
  mt940: async () => (await import('./mt940.ts')).Mt940Reader,
  camt: async () => (await import('./camt.ts')).CamtReader,
};

type Open = () => AsyncIterable<Buffer>;

/** A file of statements. It is read several times, because nothing of it is held. */
export class StatementFile {
  /** What read it last. */
  reader: StatementReader;
  readonly #type: new () => StatementReader;
  readonly #open: Open;
  readonly #encoding: StatementEncoding;

  private constructor(type: new () => StatementReader, open: Open, encoding: StatementEncoding) {
    this.#type = type;
    this.#open = open;
    this.#encoding = encoding;
    this.reader = new type();
  }

  static async open(kind: StatementKind, open: Open): Promise<StatementFile> {
    return new StatementFile(await READERS[kind](), open, await findEncoding(open));
  }

  /** All steps, from the first. Throws FileError. */
  async *read(): AsyncGenerator<Iterable<Step>> {
    const reader = new this.#type();
    this.reader = reader;
    const decode = decoderOf(this.#encoding);
    for await (const bytes of cutAtLines(this.#open())) {
      reader.add(decode(bytes));
      yield reader.take();
      if (isPauseDue()) await pause();
    }
    reader.end();
    yield reader.take();
  }
}

type StatementEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252' | 'ibm852';

/** How much shows which code page a file is in. */
const SAMPLE_CHARACTERS = 256 * 1024;

/**
 * The encoding of a whole file, whatever it declares, because its bytes show it better: UTF-16, or
 * UTF-8 if all of it is that, or else one of two code pages.
 */
async function findEncoding(open: Open): Promise<StatementEncoding> {
  const goesOn = utf8Test();
  let [sample, isUtf8] = ['', true];
  for await (const bytes of paced(open())) {
    if (sample === '') {
      const found = findMark(bytes)?.encoding ?? findUtf16(bytes.subarray(0, SIGNATURE_BYTES));
      if (found === 'utf-16le' || found === 'utf-16be') return found;
    }
    if (sample.length < SAMPLE_CHARACTERS) sample += bytes.toString('latin1');
    else if (!isUtf8) break;
    isUtf8 &&= goesOn(bytes);
  }
  if (isUtf8 && goesOn()) return 'utf-8';
  return isIbm852(sample) ? 'ibm852' : 'windows-1252';
}

/** Whether the next bytes are UTF-8, or whether it ends as that. */
function utf8Test(): (bytes?: Buffer) => boolean {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  return (bytes) => {
    try {
      decoder.decode(bytes, { stream: bytes !== undefined });
      return true;
    } catch {
      return false;
    }
  };
}

/** What is read at once: a reader that has just been loaded takes 8 ms for 64 KiB. */
const PIECE_BYTES = 16 * 1024;

/** Cuts bytes into pieces of whole lines; only a line that is longer than a piece is cut. */
async function* cutAtLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    for (const piece of piecesOf(chunk, PIECE_BYTES)) {
      const end = piece.lastIndexOf(10) + 1 || piece.length;
      yield Buffer.concat([rest, piece.subarray(0, end)]);
      rest = piece.subarray(end);
    }
  }
  yield rest;
}

/** Decodes the pieces of a file. */
function decoderOf(encoding: StatementEncoding): (bytes: Buffer) => string {
  if (encoding === 'ibm852') return (bytes) => decodeWith(IBM_852, bytes) ?? '';
  if (encoding === 'windows-1252') {
    // Some of its lines can be in UTF-8.
    const decode = (line: Buffer) => decodeLine(line, encoding) ?? line.toString('latin1');
    return (bytes) => cutLines(bytes).map(decode).join('');
  }
  const decoder = new TextDecoder(encoding);
  return (bytes) => decoder.decode(bytes, { stream: true });
}

/** The code page of old programs of banks in Poland, Hungary and Czechia, from 0x80 on. */
const IBM_852 =
  'ÇüéâäůćçłëŐőîŹÄĆÉĹĺôöĽľŚśÖÜŤťŁ×č' +
  'áíóúĄąŽžĘę¬źČş«»░▒▓│┤ÁÂĚŞ╣║╗╝Żż┐' +
  '└┴┬├─┼Ăă╚╔╩╦╠═╬¤đĐĎËďŇÍÎě┘┌█▄ŢŮ▀' +
  'ÓßÔŃńňŠšŔÚŕŰýÝţ´\u00ad˝˛ˇ˘§÷¸°¨˙űŘř■\u00a0';
/** Between two letters, bytes that are letters in only one of the code pages. */
const ONLY_852 = /[a-z][\x81-\x89\x8b\x8d\x8f\x90\x98\x9b\x9d\xa1-\xa9\xab\xac\xbd\xbe](?=[a-z])/gi;
const ONLY_1252 = /[a-z][\xc0-\xc5\xc8-\xcf\xd9-\xdc\xdf\xef\xf1-\xf6\xf8-\xfa](?=[a-z])/gi;

function isIbm852(sample: string): boolean {
  const [own = [], other = []] = [ONLY_852, ONLY_1252].map((each) => sample.match(each) ?? []);
  return own.length > other.length;
}
