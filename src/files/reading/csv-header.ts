/**
 * Finds the header of a CSV file: the first record with every column that the mapping reads. The
 * lines above it (an address, an account number) are not rows.
 */

import { type FieldColumn, findColumns } from '../mapping/columns.ts';
import { listNamed, type Mapping } from '../mapping/mapping.ts';
import { readMappingValue } from '../mapping/mapping-values.ts';
import { FileError, MappingError } from '../problems.ts';
import { countLines } from '../text/text.ts';
import { isBlank, previewRecords } from './csv-records.ts';

/** The start of a file. */
export interface Header {
  readonly delimiter: string;
  /** The column names, trimmed; all empty if the file has no header. */
  readonly names: readonly string[];
  readonly columns: readonly FieldColumn[];
  /** The last line before the rows: the header, or the last skipped line. */
  readonly line: number;
  /** The lines before the header that are not blank. */
  readonly preamble: readonly number[];
}

/** Delimiters to try when none is set: the one with which every column is found is used. */
export const DELIMITERS = [',', ';', '\t', '|'] as const;

/** How many records are searched for the header. */
export const HEADER_RECORDS = 200;
/** The header must be within this; an open quotation mark is reported later. */
const BEGINNING_CHARACTERS = 128 * 1024;

/**
 * Reads the lines in which the header is searched, and finds it. Throws FileError for an empty
 * file, and MappingError when no record has every column.
 */
export async function readHeader(
  pieces: AsyncGenerator<string>,
  mapping: Mapping,
): Promise<{ readonly first: string; readonly header: Header }> {
  let text = '';
  let lines = 0;
  while (text.length < BEGINNING_CHARACTERS && (lines < HEADER_RECORDS || hasOpenQuote(text))) {
    const next = await pieces.next();
    if (next.done === true) break;
    text += next.value;
    lines += countLines(next.value);
  }
  if (text.trim() === '') throw new FileError('it is empty, without even a header.');
  return { first: text, header: findHeader(text, mapping) };
}

function findHeader(text: string, mapping: Mapping): Header {
  if (mapping.headerless !== undefined) return describeHeaderless(text, mapping);
  const refusals: { score: number; width: number; error: MappingError }[] = [];
  for (const delimiter of listDelimiters(text, mapping)) {
    const records = previewRecords(text, delimiter, HEADER_RECORDS).filter((record) => {
      return !isBlank(record.fields);
    });
    for (const [index, { line, fields }] of records.entries()) {
      const names = fields.map((name) => name.trim());
      try {
        const columns = findColumns(mapping, names);
        const preamble = records.slice(0, index).map((record) => record.line);
        return { delimiter, names, columns, line, preamble };
      } catch (error) {
        if (!(error instanceof MappingError)) throw error;
        const score = listNamed(mapping).filter((name) => names.includes(name)).length;
        if (index === 0 || score > 0) refusals.push({ score, width: names.length, error });
      }
    }
  }
  // Show the message for the record that is most like a header.
  refusals.sort((one, other) => other.score - one.score || other.width - one.width);
  throw refusals[0]?.error ?? new MappingError('The file has no header.');
}

/** `sep=;` in the first line, which Excel reads and writes. */
export function findSeparatorLine(text: string): string | undefined {
  return /^"?sep=([^\r\n])"?[;,]*\s*?(?:\r|\n|$)/i.exec(text)?.[1];
}

function listDelimiters(text: string, { delimiter }: Mapping): readonly string[] {
  if (delimiter !== undefined) return [readMappingValue('delimiter', delimiter)];
  const separator = findSeparatorLine(text);
  return separator === undefined ? DELIMITERS : [separator];
}

function describeHeaderless(text: string, mapping: Mapping): Header {
  const { columns: count = 1, skipLines = 0 } = mapping.headerless ?? {};
  const names = Array.from({ length: count }, () => '');
  const widths = listDelimiters(text, mapping).map((delimiter) => {
    const records = previewRecords(text, delimiter, HEADER_RECORDS);
    const record = records.find(({ line, fields }) => line > skipLines && !isBlank(fields));
    return { delimiter, width: record?.fields.length ?? 0 };
  });
  const found = widths.find(({ width }) => width === count) ?? widths[0];
  return {
    delimiter: found?.delimiter ?? ',',
    names,
    columns: findColumns(mapping, names),
    line: skipLines,
    preamble: Array.from({ length: skipLines }, (_, index) => index + 1),
  };
}

function hasOpenQuote(text: string): boolean {
  return text.split('"').length % 2 === 0;
}
