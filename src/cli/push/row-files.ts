/** Chooses the reader: by the first bytes of a file, and for a text by the ending of its name. */

import { closeSync, createReadStream, existsSync, openSync, readSync, statSync } from 'node:fs';
import { basename, extname, resolve } from 'node:path';
import {
  type FileSource,
  kindOf,
  type Mapping,
  OWN_NAMES,
  type Reading,
  readRows,
  SIGNATURE_BYTES,
  statedCurrency,
  storedFile,
} from '../../files/index.ts';
import { UsageError } from '../command.ts';

type RowForm = 'csv' | 'json' | 'ndjson';

const FORMS: Readonly<Record<string, RowForm>> = {
  '.csv': 'csv',
  '.json': 'json',
  '.ndjson': 'ndjson',
  '.jsonl': 'ndjson',
  '.tsv': 'csv',
  '.tab': 'csv',
};

/** The form of a file; undefined for a text with another ending. */
export function findForm(path: string): RowForm | undefined {
  return isTable(path) ? 'csv' : FORMS[extname(path).toLowerCase()];
}

/** The form of a file: a text with another ending is CSV. Throws UsageError if it is missing. */
export function formOf(path: string): RowForm {
  const form = findForm(path);
  if (form !== undefined || existsSync(path)) return form ?? 'csv';
  throw new UsageError(`The file ${path} does not exist.`);
}

/** Whether a file is another kind of file than a text, which is read as CSV is. */
function isTable(path: string): boolean {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return false;
  const head = Buffer.alloc(SIGNATURE_BYTES);
  const file = openSync(path, 'r');
  try {
    return kindOf(head.subarray(0, readSync(file, head))) !== undefined;
  } finally {
    closeSync(file);
  }
}

/** A file of rows, or standard input. */
export interface RowFile {
  /** The name, for messages. */
  readonly name: string;
  /** Whether it can be read twice: it is then read completely before the first row is sent. */
  readonly isRepeatable: boolean;
  /** Permissions for the file of rejected rows: those of the input, but not executable. */
  readonly mode: number;
  /** The currency code of its rows, if the mapping states one. */
  readonly currency?: string | undefined;
  /** Whether the file states it, and not a mapping that someone made. */
  readonly isStatement?: boolean;
  /** Starts reading. Throws {@link FileError}, or {@link MappingError} if that does not fit. */
  open(): Promise<Reading>;
  /** Stops reading. */
  close(): void;
}

/**
 * A file of rows, which is not opened yet. A relative path starts from `cwd`; `mapping` is for CSV,
 * whose columns have the names of the fields by default. Throws UsageError for a folder.
 */
export function rowFile(
  path: string,
  { cwd = '.', mapping = OWN_NAMES }: { cwd?: string; mapping?: Mapping } = {},
): RowFile {
  const full = resolve(cwd, path);
  const found = statSync(full);
  if (found.isDirectory()) throw new UsageError(`"${path}" is a folder. Name a file in it.`);
  if (found.isCharacterDevice() || found.isBlockDevice()) {
    throw new UsageError(`"${path}" is a device. Name a file, or - for standard input.`);
  }
  const form = formOf(full);
  const isRepeatable = found.isFile();
  let stream: ReturnType<typeof createReadStream> | undefined;
  const source: FileSource = {
    ...(isRepeatable ? storedFile(full) : { name: basename(path) }),
    open: () => {
      stream?.destroy();
      stream = createReadStream(full);
      return stream;
    },
  };
  return {
    name: source.name,
    isRepeatable,
    // If the input is read-only, the file of rejected rows must still be writable.
    mode: (found.mode & 0o666) | 0o600,
    currency: form === 'csv' ? statedCurrency(mapping) : undefined,
    isStatement: mapping.isAssumed === true,
    open: async () => {
      const reading = await readRows(source, form, mapping);
      if (form === 'csv' && !isRepeatable) refuseNotRows(mapping);
      return reading;
    },
    close: () => stream?.destroy(),
  };
}

/** Skipped records must be reported before rows are sent, which a pipe does not allow. */
function refuseNotRows({ notRows = [] }: Mapping): void {
  if (notRows.length === 0) return;
  throw new UsageError('A mapping with notRows needs a file, not a pipe: the file is read twice.');
}

/** Standard input, in JSON or NDJSON. */
export function rowStream(stream: NodeJS.ReadableStream): RowFile {
  const name = 'standard input';
  return {
    name,
    isRepeatable: false,
    mode: 0o600,
    open: () => readRows({ name, open: () => toBuffers(stream) }, undefined, OWN_NAMES),
    close: () => {
      if ('destroy' in stream && typeof stream.destroy === 'function') stream.destroy();
    },
  };
}

async function* toBuffers(stream: NodeJS.ReadableStream): AsyncGenerator<Buffer> {
  for await (const chunk of stream) yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
}
