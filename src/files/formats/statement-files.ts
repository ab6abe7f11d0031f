/** Files with statements of banks: the reader of each kind, and the text that it is given. */

import { isUtf8 } from 'node:buffer';
import { StringDecoder } from 'node:string_decoder';
import { isPauseDue, pause } from '../inspection/pace.ts';
import { decodeBytes, decodeWith, findMark, findUtf16 } from '../text/encodings.ts';
import { type FileKind, SIGNATURE_BYTES } from '../text/foreign-files.ts';
import type { StatementReader, Step } from './payments.ts';

type StatementKind = Exclude<FileKind, 'zip'>;

/** What makes the readers, each loaded at its first use. */
const READERS: Readonly<Record<StatementKind, () => Promise<new () => StatementReader>>> = {
  ofx: async () => (await import('./ofx.ts')).OfxReader,
  mt940: async () => (await import('./mt940.ts')).Mt940Reader,
  camt: async () => (await import('./camt.ts')).CamtReader,
};

/** A file of statements. It is read twice, because nothing of it is held. */
export class StatementFile {
  /** What read it last. */
  reader: StatementReader;
  readonly #type: new () => StatementReader;
  readonly #bytes: Buffer;

  private constructor(type: new () => StatementReader, bytes: Buffer) {
    this.#type = type;
    this.#bytes = bytes;
    this.reader = new type();
  }

  static async open(kind: StatementKind, bytes: Buffer): Promise<StatementFile> {
    return new StatementFile(await READERS[kind](), bytes);
  }

  /** All steps, from the first. Throws FileError. */
  async *read(): AsyncGenerator<Iterable<Step>> {
    const reader = new this.#type();
    this.reader = reader;
    for (const text of decodeAll(this.#bytes)) {
      reader.add(text);
      yield reader.take();
      if (isPauseDue()) await pause();
    }
    reader.end();
    yield reader.take();
  }
}

/** What is decoded at once. */
const SLICE_BYTES = 16 * 1024;
/** How much shows which code page a file is in. */
const SAMPLE_BYTES = 256 * 1024;

/**
 * The text of a whole file, whatever encoding it declares, because its bytes show it better:
 * UTF-16, or UTF-8 if all of it is that, or else one of two code pages.
 */
function* decodeAll(bytes: Buffer): Generator<string> {
  const mark = findMark(bytes);
  const own = bytes.subarray(mark?.length ?? 0);
  const encoding = mark?.encoding ?? findUtf16(own.subarray(0, SIGNATURE_BYTES)) ?? 'utf-8';
  const isUtf16 = encoding !== 'utf-8';
  const isOther = !isUtf16 && !isUtf8(own);
  const is852 = isOther && isIbm852(own.toString('latin1', 0, SAMPLE_BYTES));
  const decoder = new StringDecoder(isUtf16 ? 'utf16le' : 'utf8');
  for (let at = 0; at < own.length; at += SLICE_BYTES) {
    const slice = own.subarray(at, at + SLICE_BYTES);
    if (is852) yield decodeWith(IBM_852, slice) ?? '';
    else if (isOther) yield decodeBytes(slice, 'windows-1252') ?? slice.toString('latin1');
    else if (encoding !== 'utf-16be') yield decoder.write(slice);
    else yield decoder.write(Buffer.from(slice.subarray(0, slice.length & ~1)).swap16());
  }
  yield decoder.end();
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
