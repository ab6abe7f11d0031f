/** Reads rows as push and import do, but from strings instead of files. */

import { readMapping } from '../../src/files/mapping/mapping-file.ts';
import { readCsv } from '../../src/files/reading/csv-rows.ts';
import type { Entry, Reading } from '../../src/files/reading/rows.ts';

/** A file in small chunks, which split values and characters; a large one as from a disk. */
export async function* chunksOf(
  text: string | Buffer,
  size = text.length > 100_000 ? 65_536 : 7,
): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** Every row of a file. */
export async function collect(reading: Reading): Promise<Entry[]> {
  const entries: Entry[] = [];
  for await (const entry of reading.entries) entries.push(entry);
  return entries;
}

/** The line of a row, and the row or the codes of its problems. */
export function summary({ line, row, problems }: Entry) {
  return problems.length === 0 ? [line, row] : [line, problems.map(({ code }) => code)];
}

/** A mapping from its document. */
export async function mappingOf(document: unknown) {
  return readMapping(JSON.parse(JSON.stringify(document)));
}

/** Reads a CSV with the document of a mapping. */
export async function readMapped(text: string | Buffer, document: unknown) {
  const reading: Reading = await readCsv(chunksOf(text), await mappingOf(document));
  return { entries: await collect(reading), reading };
}

/** Amounts, or codes of what is wrong with a row. */
export function amountsOf(entries: readonly Entry[]): unknown[] {
  return entries.map(({ row, problems }) =>
    problems.length > 0
      ? problems.map(({ code }) => code).join()
      : Reflect.get(Object(row), 'amount'),
  );
}

/** A mapping of every field but the amount. */
export const TEXTS = { externalId: 'i', date: 'd', description: 't' };
