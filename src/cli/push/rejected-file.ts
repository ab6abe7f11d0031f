/**
 * Writes rejected rows so that the corrected file can be pushed unchanged: for CSV, the columns of
 * the input followed by line, code and reason; for JSON, NDJSON with a member `_rejected`, which
 * the readers remove.
 */

import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { extname } from 'node:path';
import Papa from 'papaparse';
import { encodeText } from '../../rows/encodings.ts';
import type { RowProblem } from '../../rows/problems.ts';
import { nameRejectedColumns, REJECTED_MEMBER } from '../../rows/rejected-columns.ts';
import type { Entry, RejectedForm } from '../../rows/rows.ts';
import { explainSystemCode } from '../errors.ts';

/** A row that was rejected, by the service or before it was sent. */
export interface Rejection {
  readonly entry: Entry;
  readonly problems: readonly RowProblem[];
}

/** The column of each field, for messages. */
export type FieldNames = Readonly<Partial<Record<string, string>>>;

/** The file cannot be written, so all rejected rows are shown instead. */
export class UnwrittenError extends Error {
  override readonly name = 'UnwrittenError';

  constructor(path: string, cause: unknown) {
    const reason = explainSystemCode(cause) ?? String(cause);
    super(`Cannot write the rejected rows to ${path} (${reason}). They are shown above.`);
    this.cause = cause;
  }
}

/** Where rejected rows go. */
export interface RejectedPlace {
  /** The name to try first. */
  readonly path: string;
  /** The permissions of the new file: the same people can read it as the input. */
  readonly mode: number;
}

/**
 * A file that is created for the first rejected row. It is always a new file: an earlier one may
 * have rows that someone is correcting, and a link can lead anywhere.
 */
export class RejectedFile {
  readonly #mode: number;
  readonly #form: RejectedForm;
  readonly #fieldNames: FieldNames;
  #path: string;
  #handle: FileHandle | undefined;

  constructor({ path, mode }: RejectedPlace, form: RejectedForm, fieldNames: FieldNames) {
    this.#path = path;
    this.#mode = mode;
    this.#form = form;
    this.#fieldNames = fieldNames;
  }

  /** The name of the file; final once a row is written. */
  get path(): string {
    return this.#path;
  }

  /** Adds rows, in order. Rejects with {@link UnwrittenError}. */
  async write(rejections: readonly Rejection[]): Promise<void> {
    try {
      await this.#append(rejections);
    } catch (error) {
      throw new UnwrittenError(this.#path, error);
    }
  }

  async #append(rejections: readonly Rejection[]): Promise<void> {
    if (rejections.length === 0) return;
    let text = rejections.map((each) => this.#format(each)).join('');
    if (this.#handle === undefined) {
      [this.#path, this.#handle] = await createNew(this.#path, this.#mode);
      text = this.#beginning() + text;
    }
    const form = this.#form;
    const encoding = form.kind === 'csv' ? form.encoding : 'utf-8';
    await this.#handle.appendFile(encodeText(text, encoding));
  }

  async close(): Promise<void> {
    await this.#handle?.close();
    this.#handle = undefined;
  }

  #beginning(): string {
    const form = this.#form;
    if (form.kind !== 'csv') return '';
    const own = form.header.slice(0, form.ownColumns);
    const mark = form.byteOrderMark ? '\ufeff' : '';
    if (form.preamble !== undefined) return mark + form.preamble;
    return mark + toRecord([...own, ...nameRejectedColumns(own)], form);
  }

  #format({ entry, problems }: Rejection): string {
    const form = this.#form;
    const code = joinCodes(problems);
    const reason = problems.map((each) => explainProblem(each, this.#fieldNames)).join(' ');
    if (form.kind !== 'csv') return `${toJsonLine(entry, { line: entry.line, code, reason })}\n`;
    const fields = 'fields' in entry.original ? entry.original.fields : [];
    const own = Array.from({ length: form.ownColumns }, (_, index) => fields[index] ?? '');
    // Values beyond the header come last, after the reason.
    const surplus = fields.slice(form.header.length);
    return toRecord([...own, String(entry.line), code, reason, ...surplus], form);
  }
}

/**
 * Describes one problem: `Paid Date (date): "31/02/2016" is not …`. Messages of the service begin
 * with the field, which is not repeated.
 */
export function explainProblem({ field, message }: RowProblem, names: FieldNames): string {
  if (field === null) return message;
  const own = names[field];
  const rest = message.startsWith(`${field} `) ? message.slice(field.length + 1) : message;
  if (own !== undefined && own !== field) return `${own} (${field}): ${rest}`;
  return rest === message ? `${field}: ${message}` : message;
}

/** Fails if the name is taken, even by a symbolic link. */
const NEW_FILE =
  constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);

/** Creates `a.csv`, or `a-2.csv`, `a-3.csv` and so on when the name is taken. */
async function createNew(path: string, mode: number): Promise<[path: string, handle: FileHandle]> {
  const ending = extname(path);
  const stem = path.slice(0, path.length - ending.length);
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? path : `${stem}-${number}${ending}`;
    try {
      return [name, await open(name, NEW_FILE, mode)];
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
  }
}

/** The codes of a row's problems, each once. */
export function joinCodes(problems: readonly RowProblem[]): string {
  return [...new Set(problems.map(({ code }) => code))].join(' ');
}

function toRecord(
  fields: readonly string[],
  { delimiter, newline }: RejectedForm & { kind: 'csv' },
): string {
  return Papa.unparse([[...fields]], { delimiter, newline }) + newline;
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
