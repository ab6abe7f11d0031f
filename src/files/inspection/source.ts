/** The file to inspect: it is read several times, each time as a stream. */

import { type CsvRecord, isBlank, readRecords } from '../reading/csv-records.ts';
import type { Encoding } from '../text/encodings.ts';
import { LONGEST_RECORD, openText, readSlices, type Source } from '../text/text.ts';
import { isPauseDue, pause } from './pace.ts';

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
  call: (record: CsvRecord) => Promise<void> | undefined,
): Promise<void> {
  const lines = readText(source, cut.encoding);
  for await (const records of readRecords(lines, cut.delimiter, LONGEST_RECORD)) {
    for (const record of records) {
      if (isPauseDue()) await pause();
      const more = isBlank(record.fields) ? undefined : call(record);
      if (more !== undefined) await more;
    }
  }
}
