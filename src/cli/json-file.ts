/** Reads the JSON file of an import. */

import { resolve } from 'node:path';
import { count } from '../core/counts.ts';
import { Failure } from '../core/failures.ts';
import { cleanText } from '../core/text-width.ts';
import { readAll, readBounded } from './bounded.ts';
import type { Call } from './command.ts';
import { readPositionals } from './options.ts';
import { printNotes } from './output.ts';

/** More than any file of projects or rules. */
const DOCUMENT_BYTES = 64_000_000;

export async function importFile<Result>(
  call: Call,
  work: (document: unknown) => Result,
): Promise<Result> {
  const [file] = readPositionals(call, 'FILE.json');
  const name = file === '-' ? 'standard input' : file;
  const document = parseJson(name, await readInput(call, file));
  return importDocument(call, name, () => work(document));
}

async function readInput({ io }: Call, file: string): Promise<string> {
  const bytes =
    file === '-'
      ? await readAll(io.stdin, 'Standard input', DOCUMENT_BYTES)
      : readBounded(resolve(io.cwd, file), DOCUMENT_BYTES);
  return bytes.toString();
}

function parseJson(file: string, text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    throw new Failure('invalid_input', `${file} is not valid JSON: ${problem}.`);
  }
}

/** Prints every problem of a file before the error itself. */
function importDocument<Result>({ io }: Call, file: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const { code, details, message } = error;
    if (details.length < 2) throw new Failure(code, `${file}: ${message}`);
    for (const { field, message: problem } of details) {
      printNotes(io, `${file}: ${cleanText(`${field ?? 'the file'}: ${problem}`)}`);
    }
    const problems = count(details.length, 'problem');
    throw new Failure(code, `Nothing was imported: fix the ${problems} in ${file} above.`);
  }
}
