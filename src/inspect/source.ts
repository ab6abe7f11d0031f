/** The file to inspect: it is read several times, each time as a stream. */

import { type CsvRecord, isBlank, readRecords } from '../rows/csv-records.ts';
import type { Encoding } from '../rows/encodings.ts';
import { FileError } from '../rows/problems.ts';
import { openText } from '../rows/text.ts';
import { isPauseDue, pause } from './pace.ts';

/** Bytes that can be read again from the start, such as a file or an upload. */
export interface Source {
  readonly name: string;
  open(): AsyncIterable<Buffer>;
}

/** What is needed to split a file into records. */
export interface Cut {
  readonly encoding: Encoding;
  readonly delimiter: string;
}

/** What is decoded and split in one step: about a millisecond of work. */
const SLICE_BYTES = 16 * 1024;
/** The longest line and record: a longer one could not be split within a turn. */
const LONGEST = 256 * 1024;

/** The bytes in small pieces, whatever the pieces of the source. Throws FileError. */
export async function* readSlices(source: Source): AsyncGenerator<Buffer> {
  let length = 0;
  for await (const bytes of source.open()) {
    for (let at = 0; at < bytes.length; at += SLICE_BYTES) {
      const slice = bytes.subarray(at, at + SLICE_BYTES);
      const end = Math.max(slice.lastIndexOf(10), slice.lastIndexOf(13));
      length = end < 0 ? length + slice.length : slice.length - end;
      if (length > LONGEST) {
        throw new FileError('it has a line of more than 256 KiB. Is this the right file?');
      }
      yield slice;
    }
  }
}

/** The lines of a file in pieces. Throws FileError. */
export async function* readText(source: Source, encoding: Encoding) {
  yield* (await openText(readSlices(source), encoding)).lines;
}

/** Calls a function for each record that is not blank. Throws FileError. */
export async function forEachRecord(
  source: Source,
  cut: Cut,
  call: (record: CsvRecord) => Promise<void> | undefined,
): Promise<void> {
  const lines = readText(source, cut.encoding);
  for await (const records of readRecords(lines, cut.delimiter, LONGEST)) {
    for (const record of records) {
      if (isPauseDue()) await pause();
      const more = isBlank(record.fields) ? undefined : call(record);
      if (more !== undefined) await more;
    }
  }
}
