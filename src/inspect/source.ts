/** The file to inspect: it is read several times, each time as a stream. */

import { createReadStream, statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { type CsvRecord, isBlank, readRecords } from '../rows/csv-records.ts';
import type { Encoding } from '../rows/encodings.ts';
import { adviseByName } from '../rows/foreign-files.ts';
import { noFacts, readLines } from '../rows/text.ts';
import { AnswerError } from './found.ts';

/** A file whose bytes can be read again from the start. */
export interface CsvSource {
  readonly name: string;
  read(): AsyncIterable<Buffer>;
}

/** Opens a file by its path. Throws AnswerError when it cannot be read twice. */
export function openSource(path: string, cwd: string): CsvSource {
  const full = resolve(cwd, path);
  const advice = adviseByName(path);
  if (advice !== undefined) throw new AnswerError(`Cannot read ${path}: use CSV. ${advice}`);
  if (!statSync(full).isFile()) {
    throw new AnswerError(`${path} is not a file. csv inspect reads it several times.`);
  }
  return { name: basename(path), read: () => createReadStream(full) };
}

/** What is needed to split a file into records. */
export interface Cut {
  readonly encoding: Encoding;
  readonly delimiter: string;
}

/** The records that are not blank, with their lines. Throws FileError. */
export async function* listRecords(source: CsvSource, cut: Cut): AsyncGenerator<CsvRecord> {
  const lines = readLines(source.read(), noFacts(), cut.encoding);
  for await (const record of readRecords(lines, cut.delimiter)) {
    if (!isBlank(record.fields)) yield record;
  }
}
