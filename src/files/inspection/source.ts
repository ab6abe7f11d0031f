/** The file to inspect: it is read several times, each time as a stream. */

import { type CsvRecord, isBlank, readRecords } from '../reading/csv-records.ts';
import type { Encoding } from '../text/encodings.ts';
import { LONGEST_RECORD, openText, readSlices, type Source } from '../text/text.ts';
import { forEachOf } from './pace.ts';

/** What is needed to split a file into records. */
export interface Cut {
  readonly encoding: Encoding;
  readonly delimiter: string;
}

/** The lines of a file in pieces. Throws FileError. */
export async function* readText(source: Source, encoding: Encoding) {
  yield* (await openText(readSlices(source), encoding)).lines;
}

/** Calls a function for each record that is not blank. Throws FileError. */
export async function forEachRecord(
  source: Source,
  cut: Cut,
  call: (record: CsvRecord) => Promise<unknown> | undefined,
): Promise<void> {
  const lines = readText(source, cut.encoding);
  await forEachOf(readRecords(lines, cut.delimiter, LONGEST_RECORD), (record) =>
    isBlank(record.fields) ? undefined : call(record),
  );
}
