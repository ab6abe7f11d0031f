/** Rows out of files, as push and import read them, without a file. */

import { readCsv } from '../../src/cli/push/csv-rows.ts';
import { readMapping } from '../../src/cli/push/mapping.ts';
import type { Entry, Reading } from '../../src/cli/push/rows.ts';

/** A file as it comes: in pieces that cut values and characters apart. */
export async function* chunksOf(text: string | Buffer, size = 7): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** Every row of a file. */
export async function collect(reading: Reading): Promise<Entry[]> {
  const entries: Entry[] = [];
  for await (const entry of reading.entries) entries.push(entry);
  return entries;
}

/** Where a row stands, and the row or the codes of what is wrong with it. */
export function summary({ line, row, problems }: Entry) {
  return problems.length === 0 ? [line, row] : [line, problems.map(({ code }) => code)];
}

/** A mapping out of its document. */
export function mappingOf(document: unknown) {
  return readMapping({ pairs: [], file: { name: 'm.json', text: JSON.stringify(document) } });
}

/** What a CSV says under a mapping's document. */
export async function readMapped(text: string | Buffer, document: unknown) {
  const reading = await readCsv(chunksOf(text), mappingOf(document));
  return { entries: await collect(reading), reading };
}
