/** Reads files of other kinds as push does: what they say, and their rows. */

import { loadTables, readAnswers, readRows, type WrittenAnswer } from '../../../src/files/index.ts';
import type { FileSource, Stored } from '../../../src/files/text/text.ts';
import { chunksOf, collect, summary } from '../readings.ts';

const LAST_DAY = '2026-12-31';

/** A file with these bytes. */
export function fileOf(bytes: string | Buffer, name = 'statement.txt'): FileSource {
  const own = Buffer.from(bytes);
  return { name, stored: storedIn(own), open: () => chunksOf(own, 4096) };
}

/** Bytes as they are in a file. */
export function storedIn(bytes: Buffer): Stored {
  return {
    size: async () => bytes.length,
    read: async (start, length) => bytes.subarray(start, start + length),
  };
}

/** What an inspection finds, and the rows of the file without their columns that are empty. */
export async function opened(bytes: string | Buffer, ...written: readonly WrittenAnswer[]) {
  const source = fileOf(bytes);
  const answers = readAnswers(written);
  const { inspectFile } = await loadTables();
  const inspection = await inspectFile(source, { answers, lastDay: LAST_DAY });
  const { mapping, table, check } = inspection;
  const notes = [...(table?.warnings ?? []), ...(table?.leftOut ?? [])];
  if (mapping === undefined) return { inspection, rows: [], notes, totals: undefined };
  const reading = await readRows(source, 'csv', mapping);
  const rows = (await collect(reading)).map(summary);
  const sums = check && [check.moneyOut.sum, check.moneyIn.sum].map((sum) => Number(sum) / 1e6);
  return { inspection, rows, notes, totals: sums };
}

/** Some members of each row; a rejected row has its codes. */
export function pick(rows: readonly unknown[][], ...names: readonly string[]): unknown[] {
  return rows.map(([, row]) => {
    if (Array.isArray(row)) return row;
    const values = names.map((name) => Object(row)[name]);
    return values.length === 1 ? values[0] : values;
  });
}
