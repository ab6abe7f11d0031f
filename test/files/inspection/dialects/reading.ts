/** Inspects a sample, and reads it with the resulting mapping. */

import { type Inspection, inspectCsv } from '../../../../src/files/inspection/inspect.ts';
import { readAnswers } from '../../../../src/files/inspection/written-answers.ts';
import { readMapping } from '../../../../src/files/mapping/mapping-file.ts';
import { readCsv } from '../../../../src/files/reading/csv-rows.ts';
import type { Entry } from '../../../../src/files/reading/rows.ts';

/** A date after all dates in the samples. */
export const LAST_DAY = '2018-12-31';

/** Inspects bytes with command-line options. */
export function inspectBytes(bytes: Buffer, options: readonly string[]): Promise<Inspection> {
  const written = options.flatMap((option, at) =>
    at % 2 === 0 ? [{ name: option.slice(2), value: options[at + 1] ?? '' }] : [],
  );
  const source = { name: 'sample.csv', open: () => chunksOf(bytes) };
  return inspectCsv(source, { answers: readAnswers(written), lastDay: LAST_DAY });
}

/** The mapping file of an inspection without open questions. */
export function documentOf({ mapping }: Inspection): Record<string, unknown> {
  if (mapping === undefined) throw new Error('a question is open');
  return JSON.parse(JSON.stringify(mapping));
}

/** What push reads with the mapping file of an inspection. */
export async function readWith(
  bytes: Buffer,
  inspection: Inspection,
): Promise<{ entries: Entry[]; remarks: readonly string[] }> {
  const text = JSON.stringify(documentOf(inspection));
  const reading = await readCsv(chunksOf(bytes), await readMapping(JSON.parse(text)));
  const entries: Entry[] = [];
  for await (const entry of reading.entries) entries.push(entry);
  return { entries, remarks: reading.remarks };
}

/** Small chunks split values and characters; those of a large file are larger, so not many more. */
async function* chunksOf(bytes: Buffer): AsyncGenerator<Buffer> {
  const size = Math.max(97, Math.ceil(bytes.length / 40));
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
