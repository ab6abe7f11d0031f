/**
 * Splits a `multipart/form-data` body into its parts (RFC 7578), as it arrives. Refuses what no
 * browser sends instead of skipping it (decision 0008). Does not use streams.
 */

import { isUtf8 } from 'node:buffer';
import { Failure } from '../core/failures.ts';
import { UPLOADS } from '../core/limits.ts';
import { tooManyFields } from './form.ts';

/** What takes the bytes of a part. */
export interface Part {
  add(bytes: Buffer): void;
  end?(): void;
}

const CRLF = '\r\n';
const CLOSE = '--';
const HEADER_END = Buffer.from('\r\n\r\n');
/** `Name: value`. Control characters are refused: other programs could read them as line ends. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are refused.
const HEADER_LINE = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([^\x00-\x08\x0a-\x1f\x7f]*)$/;
const DISPOSITION = /^form-data((?:[ \t]*;[ \t]*(?:file)?name="(?:[^"\\]|\\.)*")+)[ \t]*$/i;
const PARAMETER = /(name|filename)="((?:[^"\\]|\\.)*)"/gi;

/** Begins a part: `headerBytes` stay in memory with its name. */
type BeginPart = (name: string, fileName: string | undefined, headerBytes: number) => Part;

/** Splits one body. */
export class PartReader {
  readonly #delimiter: Buffer;
  /** Bytes not yet passed on. The first boundary has no line end before it. */
  #rest: Buffer = Buffer.from(CRLF);
  #state: 'start' | 'boundary' | 'header' | 'content' | 'over' = 'start';
  #parts = 0;
  readonly #begin: BeginPart;
  /** The current part. */
  #part: Part | undefined;

  /** `begin` is called at the beginning of each part. */
  constructor(boundary: string, begin: BeginPart) {
    this.#delimiter = Buffer.from(`${CRLF}--${boundary}`);
    this.#begin = begin;
  }

  /** Reads the next bytes. Throws `bad_request`, `payload_too_large` or `invalid_encoding`. */
  push(bytes: Buffer): void {
    this.#rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    for (;;) {
      switch (this.#state) {
        case 'start':
          if (!this.#readStart()) return;
          break;
        case 'boundary':
          if (!this.#readBoundaryEnd()) return;
          break;
        case 'header':
          if (!this.#readHeader()) return;
          break;
        case 'content':
          if (!this.#readContent()) return;
          break;
        case 'over':
          this.#consume(this.#rest.length);
          return;
      }
    }
  }

  /** Call after the last byte. Throws `bad_request` if something is missing. */
  finish(): void {
    if (this.#state !== 'over') throw malformed('it ends before its last boundary');
  }

  #readStart(): boolean {
    const { length } = this.#delimiter;
    const begun = this.#rest.subarray(0, length);
    if (!begun.equals(this.#delimiter.subarray(0, begun.length))) {
      throw malformed('it does not begin with the boundary that its Content-Type names');
    }
    if (begun.length < length) return false;
    this.#consume(length);
    this.#state = 'boundary';
    return true;
  }

  /** After a boundary comes a line end, or two dashes after the last one. */
  #readBoundaryEnd(): boolean {
    if (this.#rest.length < CRLF.length) return false;
    const end = this.#rest.toString('latin1', 0, CRLF.length);
    if (end !== CRLF && end !== CLOSE) throw malformed('something follows a boundary on its line');
    this.#consume(CRLF.length);
    this.#state = end === CLOSE ? 'over' : 'header';
    return true;
  }

  #readHeader(): boolean {
    const end = this.#rest.indexOf(HEADER_END);
    if (end > UPLOADS.headerBytes || (end < 0 && this.#rest.length > UPLOADS.headerBytes)) {
      throw malformed(`the header of a part is longer than ${UPLOADS.headerBytes} bytes`);
    }
    if (end < 0) return false;
    this.#parts += 1;
    if (this.#parts > UPLOADS.parts) throw tooManyFields(UPLOADS.parts);
    const header = this.#rest.subarray(0, end);
    if (!isUtf8(header)) throw new Failure('invalid_encoding', 'A name in the form is not UTF-8.');
    const { name, fileName } = readNames(header.toString());
    this.#part = this.#begin(name, fileName, end);
    this.#consume(end + HEADER_END.length);
    this.#state = 'content';
    return true;
  }

  #readContent(): boolean {
    const end = this.#rest.indexOf(this.#delimiter);
    // A boundary may have begun in the last bytes.
    const until = end < 0 ? this.#rest.length - this.#delimiter.length + 1 : end;
    if (until > 0) this.#part?.add(this.#rest.subarray(0, until));
    if (end < 0) {
      this.#consume(Math.max(until, 0));
      return false;
    }
    this.#part?.end?.();
    this.#consume(end + this.#delimiter.length);
    this.#state = 'boundary';
    return true;
  }

  #consume(count: number): void {
    this.#rest = this.#rest.subarray(count);
  }
}

function readNames(header: string): { name: string; fileName: string | undefined } {
  let disposition: string | undefined;
  for (const line of header.split(CRLF)) {
    const [, name, value = ''] = HEADER_LINE.exec(line) ?? [];
    if (name === undefined) throw malformed('the header of a part is not well-formed');
    const field = name.toLowerCase();
    if (field === 'content-disposition') {
      if (disposition !== undefined) throw malformed('a part has more than one name');
      disposition = value;
    }
    if (field === 'content-transfer-encoding' && !/^(?:7bit|8bit|binary)$/i.test(value.trim())) {
      throw malformed('a part has a Content-Transfer-Encoding');
    }
  }
  if (disposition === undefined) throw malformed('a part has no Content-Disposition');
  const parameters = DISPOSITION.exec(disposition)?.[1] ?? '';
  const found = [...parameters.matchAll(PARAMETER)].map(
    ([, key = '', value = '']) => [key.toLowerCase(), unescapeName(value)] as const,
  );
  const { name, filename: fileName } = Object.fromEntries(found) as Record<string, string>;
  const isClear = new Set(found.map(([key]) => key)).size === found.length;
  if (name === undefined || !isClear) {
    throw malformed('a Content-Disposition is not form-data with one name, and a filename if any');
  }
  return { name, fileName: fileName && lastSegment(fileName) };
}

/** Browsers send quotes and line ends as percent escapes, older clients quotes with a backslash. */
function unescapeName(value: string): string {
  return value
    .replace(/\\"|%22/g, '"')
    .replaceAll('%0D', '\r')
    .replaceAll('%0A', '\n');
}

/** Some clients send the whole path. Empty for `.` and `..`, which are folders. */
function lastSegment(fileName: string): string {
  const last = fileName.slice(Math.max(fileName.lastIndexOf('/'), fileName.lastIndexOf('\\')) + 1);
  return last === '.' || last === '..' ? '' : last;
}

function malformed(what: string): Failure {
  return new Failure('bad_request', `The body is not well-formed multipart/form-data: ${what}.`);
}
