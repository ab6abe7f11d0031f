/**
 * The face of this room: every other room uses files through it. What reads and inspects files is
 * loaded at its first use, because most commands do neither.
 */

import type * as Inspect from './inspection/inspect.ts';
import type * as Remembered from './inspection/remembered.ts';
import type { Mapping } from './mapping/mapping.ts';
import type * as Rows from './reading/csv-rows.ts';
import type { Reading } from './reading/rows.ts';

export type { Answer } from './inspection/answers.ts';
export type { Check } from './inspection/check.ts';
export {
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
export { paced } from './inspection/pace.ts';
export {
  isAnswer,
  readAnswers,
  type WrittenAnswer,
  WrittenAnswerError,
  writeAnswer,
} from './inspection/written-answers.ts';
export { splitDateColumn, splitPair } from './mapping/column-pairs.ts';
export { nameColumns } from './mapping/columns.ts';
export { columnsOf, type Mapping, OWN_NAMES, statedCurrency } from './mapping/mapping.ts';
export { readMapping } from './mapping/mapping-file.ts';
export { readMappingValue, showDelimiter } from './mapping/mapping-values.ts';
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
export { RepeatedIds } from './reading/repeated-ids.ts';
export type { Entry, FieldNames, Reading } from './reading/rows.ts';
export { decodeBytes, ENCODINGS, findMark } from './text/encodings.ts';
export { adviseByName } from './text/foreign-files.ts';
export { joinHead, readHead, readSlices, type Source } from './text/text.ts';
export { codesOf } from './values/currency-signs.ts';
export { showSum, writeSum } from './values/exact-sums.ts';
export { type Total, Totals } from './values/totals.ts';

/** Inspects a CSV file. Rejects with FileError, and with AnswerError for a contradicted answer. */
export const inspectCsv: typeof Inspect.inspectCsv = async (...given) =>
  (await import('./inspection/inspect.ts')).inspectCsv(...given);

/** What a mapping does with a file; undefined if it was made for another kind of file. */
export const inspectWith: typeof Remembered.inspectWith = async (...given) =>
  (await import('./inspection/remembered.ts')).inspectWith(...given);

/** Whether a file contradicts what its mapping rests on; one that cannot be read does not. */
export const isContradicted: typeof Remembered.isContradicted = async (...given) =>
  (await import('./inspection/remembered.ts')).isContradicted(...given);

/** The names of a file's columns; undefined if it has none, or if a question comes before them. */
export const readNames: typeof Remembered.readNames = async (source) =>
  (await import('./inspection/remembered.ts')).readNames(source);

/** Whether CSV bytes, or its rejected rows, have the columns of the file a mapping was made for. */
export const hasHeaderOf: typeof Rows.hasHeaderOf = async (...given) =>
  (await import('./reading/csv-rows.ts')).hasHeaderOf(...given);

/** Opens a file of rows. Rejects with FileError, or MappingError if the mapping does not fit. */
export async function readRows(
  bytes: AsyncIterable<Buffer>,
  form: 'csv' | 'json' | 'ndjson',
  mapping: Mapping,
): Promise<Reading> {
  if (form === 'csv') return (await import('./reading/csv-rows.ts')).readCsv(bytes, mapping);
  const { readJson, readNdjson } = await import('./reading/json-rows.ts');
  return form === 'json' ? readJson(bytes) : readNdjson(bytes);
}
