/** The text of a whole file of a bank, whatever encoding it declares: its bytes show it better. */

import { isUtf8 } from 'node:buffer';
import { StringDecoder } from 'node:string_decoder';
import { decodeBytes, findMark } from '../text/encodings.ts';

/** What is decoded at once. */
const SLICE_BYTES = 16 * 1024;

/** Decodes as a byte order mark says, or else as UTF-8 if all of it is that, or as Windows-1252. */
export function* decodeAll(bytes: Buffer): Generator<string> {
  const mark = findMark(bytes);
  const own = bytes.subarray(mark?.length ?? 0);
  const isUtf16 = mark !== undefined && mark.encoding !== 'utf-8';
  const isOther = !isUtf16 && !isUtf8(own);
  const decoder = new StringDecoder(isUtf16 ? 'utf16le' : 'utf8');
  for (let at = 0; at < own.length; at += SLICE_BYTES) {
    const slice = own.subarray(at, at + SLICE_BYTES);
    if (isOther) yield decodeBytes(slice, 'windows-1252') ?? slice.toString('latin1');
    else if (mark?.encoding !== 'utf-16be') yield decoder.write(slice);
    else yield decoder.write(Buffer.from(slice.subarray(0, slice.length & ~1)).swap16());
  }
  yield decoder.end();
}
