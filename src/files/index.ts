/**
 * The face of this room: every other room uses files through it. What reads and inspects files is
 * loaded at its first use, because most commands do neither.
 */

import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type * as Tables from './inspection/tables.ts';
import type { Mapping } from './mapping/mapping.ts';
import { pause } from './pace.ts';
import type { Reading } from './reading/rows.ts';
import type { FileSource } from './text/text.ts';

export { type ListStored, withoutStored } from './formats/overlaps.ts';
export type { Check } from './inspection/check.ts';
export {
  type Answer,
  AnswerError,
  type Choice,
  type Evidence,
  type Finding,
  type OtherWay,
  type Question,
  titlesOf,
} from './inspection/found.ts';
export type { Inspection } from './inspection/inspect.ts';
export { type Fact, listFacts, type Subject } from './inspection/listing.ts';
export {
  isAnswer,
  readAnswers,
  type WrittenAnswer,
  WrittenAnswerError,
  writeAnswer,
} from './inspection/written-answers.ts';
export { nameColumns } from './mapping/columns.ts';
export { columnsOf, type Mapping, OWN_NAMES, statedCurrency } from './mapping/mapping.ts';
export { readMapping } from './mapping/mapping-file.ts';
export { readMappingValue, showDelimiter, splitPair } from './mapping/mapping-values.ts';
export { paced } from './pace.ts';
export {
  type Advice,
  FileError,
  MappingError,
  ReadingError,
  type RowProblem,
} from './problems.ts';
export { FirstFew } from './reading/first-few.ts';
export {
  type ColumnProblem,
  encodeRejected,
  explainProblem,
  joinCodes,
  type RejectedStyle,
  splitProblem,
} from './reading/rejected-rows.ts';
export type { Entry, FieldNames, Reading } from './reading/rows.ts';
export { RepeatedIds } from './reading/text-numbers.ts';
export { decodeBytes, ENCODINGS, findMark } from './text/encodings.ts';
export { kindOf, SIGNATURE_BYTES } from './text/foreign-files.ts';
export type { FileSource } from './text/text.ts';
export { codesOf } from './values/currency-signs.ts';
export { RowSums, showSum, type Total, writeSum } from './values/exact-sums.ts';

/** What reads and inspects files of every kind, loaded at the first use. */
export function loadTables(): Promise<typeof Tables> {
  loaded ??= loadInParts();
  return loaded;
}

let loaded: Promise<typeof Tables> | undefined;

/** All of it at once would hold up a service for 30 ms. */
async function loadInParts(): Promise<typeof Tables> {
  for (const load of PARTS) {
    await load();
    await pause();
  }
  return import('./inspection/tables.ts');
}

const PARTS = [
  () => import('./reading/csv-rows.ts'),
  () => import('./vocabulary/column-names.ts'),
  () => import('./vocabulary/not-payments.ts'),
  () => import('./inspection/column-facts.ts'),
];

/**
 * Opens a file of rows, in small pieces if other work is to run in between; without a form it is
 * JSON or NDJSON. Rejects with FileError, or MappingError if the mapping does not fit.
 */
export async function readRows(
  source: FileSource,
  form: 'csv' | 'json' | 'ndjson' | undefined,
  mapping: Mapping,
  isPaced = false,
): Promise<Reading> {
  if (form === 'csv') return (await loadTables()).readTable(source, mapping, isPaced);
  const { readAnyJson, readJson, readNdjson } = await import('./reading/json-rows.ts');
  if (form === undefined) return readAnyJson(source.open());
  return form === 'json' ? readJson(source.open()) : readNdjson(source.open());
}

/** A file that can be read again, under its own name or another. */
export function storedFile(path: string, name = basename(path)): FileSource {
  const stored = {
    size: async () => (await stat(path)).size,
    read: async (start: number, bytes: number) => {
      // Opened for each piece: whoever stops half-way need not close it.
      const file = await open(path);
      try {
        const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(bytes), 0, bytes, start);
        return buffer.subarray(0, bytesRead);
      } finally {
        await file.close();
      }
    },
  };
  return { name, stored, open: () => createReadStream(path) };
}
