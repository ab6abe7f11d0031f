/**
 * The face of this room: every other room uses files through it. What reads and inspects files is
 * loaded at its first use, because most commands do neither.
 */

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
export { storedFile } from './stored-file.ts';
export { decodeBytes, ENCODINGS, findMark } from './text/encodings.ts';
export { kindOf, SIGNATURE_BYTES } from './text/foreign-files.ts';
export type { FileSource } from './text/text.ts';
export { codesOf } from './values/currency-signs.ts';
export { RowSums, showSum, type Total, writeSum } from './values/exact-sums.ts';

let loaded: Promise<typeof Tables> | undefined;
const tables = () => (loaded ??= loadTables());

/** Loads what reads files in parts: all of it at once would hold up a service for 30 ms. */
async function loadTables(): Promise<typeof Tables> {
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

/** Inspects a file. Rejects with FileError, and with AnswerError for a contradicted answer. */
export const inspectFile: typeof Tables.inspectFile = async (...given) =>
  (await tables()).inspectFile(...given);

/** What a mapping does with a file; undefined if it was made for another kind of file. */
export const inspectWith: typeof Tables.inspectWith = async (...given) =>
  (await tables()).inspectWith(...given);

/** Whether a file contradicts what its mapping rests on; one that cannot be read does not. */
export const isContradicted: typeof Tables.isContradicted = async (...given) =>
  (await tables()).isContradicted(...given);

/** The names of a file's columns; undefined if it has none, or if a question comes before them. */
export const readNames: typeof Tables.readNames = async (source) =>
  (await tables()).readNames(source);

/** Whether a file, or its rejected rows, has the columns of the file a mapping was made for. */
export const hasHeaderOf: typeof Tables.hasHeaderOf = async (...given) =>
  (await tables()).hasHeaderOf(...given);

/** The mapping of a file that is not text: also what the file states, or questions. */
export const completeMapping: typeof Tables.completeMapping = async (...given) =>
  (await tables()).completeMapping(...given);

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
  if (form === 'csv') return (await tables()).readTable(source, mapping, isPaced);
  const { readAnyJson, readJson, readNdjson } = await import('./reading/json-rows.ts');
  if (form === undefined) return readAnyJson(source.open());
  return form === 'json' ? readJson(source.open()) : readNdjson(source.open());
}
