/**
 * The text of rejected rows, so that the corrected file can be read like the input: for CSV, the
 * columns of the input followed by line, code and reason; for JSON, NDJSON with a member
 * `_rejected`, which the readers remove.
 */

import type { RowProblem } from '../problems.ts';
import { decodeBytes, encodeText } from '../text/encodings.ts';
import type { Entry, FieldNames, Reading, RejectedForm } from './rows.ts';

/** The member with the line, code and reason of a rejected JSON row. */
export const REJECTED_MEMBER = '_rejected';

/** The line in the input, the codes, and the reason. */
const NAMES = ['line', 'code', 'reason'];
const PREFIX = 'rejected_';

/**
 * How many columns of a header belong to the input. The last three do not if they come from an
 * earlier file of rejected rows, unless the mapping reads one of them.
 */
export function countOwnColumns(header: readonly string[], columnsRead: readonly number[]): number {
  const start = header.length - NAMES.length;
  const [first = '', ...rest] = header.slice(Math.max(start, 0));
  const prefix = first.slice(0, -'line'.length);
  const isOurs =
    prefix.replaceAll(PREFIX, '') === '' &&
    [first, ...rest].join() === NAMES.map((name) => prefix + name).join();
  return isOurs && columnsRead.every((index) => index < start) ? start : header.length;
}

/** Names for the three columns that the input does not use. */
function nameRejectedColumns(own: readonly string[]): string[] {
  let names = NAMES;
  while (names.some((name) => own.includes(name))) names = names.map((name) => PREFIX + name);
  return names;
}

/**
 * How many values of a row without a header belong to the input: the three of a rejected row, and
 * any extra values, come after them.
 */
export function countOwnValues(fields: readonly string[], columns: number): number {
  const [line = '', code = ''] = fields.slice(columns);
  const isOurs = /^\d+$/.test(line) && /^[a-z_]+(?: [a-z_]+)*$/.test(code);
  return isOurs ? columns : fields.length;
}

/** How many values of each row belong to the input, when only the width of all rows is known. */
export function countOwnOfRows(rows: readonly (readonly string[])[], width: number): number {
  const own = width - NAMES.length;
  const isOurs = (fields: readonly string[]) => {
    const [, code = '', reason = ''] = fields.slice(own);
    return countOwnValues(fields, own) === own && CODE.test(code) && reason.includes(' ');
  };
  return own > 0 && rows.length > 0 && rows.every(isOurs) ? own : width;
}

/** A code that no bank writes in a column. */
const CODE = /_|^(?:required|blank)\b/;

/** How the rejected rows of an input are written. */
export type RejectedStyle = Pick<Reading, 'rejectedForm' | 'fieldNames'>;

/** The bytes of rejected rows; with `isFirst`, what the file begins with comes before them. */
export function encodeRejected(
  entries: readonly Entry[],
  { rejectedForm: form, fieldNames }: RejectedStyle,
  isFirst: boolean,
): Buffer {
  const texts = entries.map((each) => format(each, form, fieldNames));
  const encoding = form.kind === 'csv' ? form.encoding : 'utf-8';
  return Buffer.concat(
    [isFirst ? begin(form) : '', ...texts].map((text) => {
      const bytes = encodeText(text, encoding);
      // A line of UTF-8 between those in Windows-1252 is read as such, so no character is lost.
      const isLost = encoding === 'windows-1252' && decodeBytes(bytes, encoding) !== text;
      return isLost ? Buffer.from(text) : bytes;
    }),
  );
}

function begin(form: RejectedForm): string {
  if (form.kind !== 'csv') return '';
  const own = form.header.slice(0, form.ownColumns);
  const mark = form.byteOrderMark ? '\ufeff' : '';
  if (form.preamble !== undefined) return mark + form.preamble;
  return mark + toRecord([...own, ...nameRejectedColumns(own)], form);
}

function format(entry: Entry, form: RejectedForm, fieldNames: FieldNames): string {
  const { problems } = entry;
  const code = joinCodes(problems);
  const reason = problems.map((each) => explainProblem(each, fieldNames)).join(' ');
  if (form.kind !== 'csv') return `${toJsonLine(entry, { line: entry.line, code, reason })}\n`;
  const { fields, below = [] } =
    'fields' in entry.original ? entry.original : { fields: [], below: [] };
  const own = Array.from({ length: form.ownColumns }, (_, index) => fields[index] ?? '');
  // Values beyond the header come last, after the reason.
  const surplus = fields.slice(form.header.length);
  const row = toRecord([...own, String(entry.line), code, reason, ...surplus], form);
  return row + below.map((each) => toRecord(each, form)).join('');
}

/** What is wrong with a row, after the name of its column; null for the row as a whole. */
export interface ColumnProblem {
  readonly column: string | null;
  readonly message: string;
}

/** A problem without the field with which messages of the service begin, and its own column. */
export function splitProblem(
  { field, message }: Pick<RowProblem, 'field' | 'message'>,
  names: FieldNames,
): ColumnProblem {
  if (field === null) return { column: null, message };
  const rest = message.startsWith(`${field} `) ? message.slice(field.length + 1) : message;
  return { column: names[field] ?? field, message: rest };
}

/**
 * Describes one problem: `Paid Date (date): "31/02/2016" is not …`. Messages of the service begin
 * with the field, which is not repeated.
 */
export function explainProblem(problem: RowProblem, names: FieldNames): string {
  const { field, message } = problem;
  const { column, message: rest } = splitProblem(problem, names);
  if (field === null) return message;
  if (column !== field) return `${column} (${field}): ${rest}`;
  return rest === message ? `${field}: ${message}` : message;
}

/** The codes of a row's problems, each once. */
export function joinCodes(problems: readonly RowProblem[]): string {
  return [...new Set(problems.map(({ code }) => code))].join(' ');
}

function toRecord(
  fields: readonly string[],
  { delimiter, newline }: RejectedForm & { kind: 'csv' },
): string {
  const written = fields.map((field) => {
    const isPlain = !/[\r\n"\ufeff]|^ | $/.test(field) && !field.includes(delimiter);
    return isPlain ? field : `"${field.replaceAll('"', '""')}"`;
  });
  return written.join(delimiter) + newline;
}

function toJsonLine({ original }: Entry, facts: Readonly<Record<string, unknown>>): string {
  if ('text' in original) {
    return JSON.stringify({ [REJECTED_MEMBER]: { ...facts, text: original.text } });
  }
  // In valid JSON, line ends are white space: a string never contains them.
  const row = 'json' in original ? original.json.trim().replace(/[\r\n]\s*/g, ' ') : 'null';
  const said = JSON.stringify(facts);
  if (!row.startsWith('{')) return `{"${REJECTED_MEMBER}":${said.slice(0, -1)},"row":${row}}}`;
  const own = row.replace(SAID_BEFORE, '}').slice(0, -1).trimEnd();
  return `${own}${own === '{' ? '' : ','}"${REJECTED_MEMBER}":${said}}`;
}

/** The member that an earlier run added at the end of the row, and the closing brace. */
const SAID_BEFORE = new RegExp(
  `,?"${REJECTED_MEMBER}":\\{"line":\\d+,"code":"[a-z_ ]*","reason":"(?:[^"\\\\]|\\\\.)*"\\}\\}$`,
);
