/** Writes workbooks of Excel to new files. */

import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Failure } from '../core/failures.ts';
import { isTaken } from '../database/private-files.ts';
import { type Call, UsageError } from './command.ts';
import { hasFlag, optionText } from './options.ts';
import { printNotes } from './output.ts';

/** The new file of `--xlsx`. Refuses it beside `--csv` or `--json` with a UsageError. */
export function readXlsx(call: Call): string | undefined {
  const file = optionText(call, 'xlsx');
  if ([hasFlag(call, 'csv'), call.json, file !== undefined].filter(Boolean).length > 1) {
    throw new UsageError('Choose one: --csv, --json or --xlsx.');
  }
  return file;
}

/** Writes a new file. Refuses with `conflict` one that exists. */
export async function writeXlsx(
  { io }: Pick<Call, 'io'>,
  file: string,
  format: () => Promise<readonly Buffer[]>,
): Promise<void> {
  const path = resolve(io.cwd, file);
  const refused = new Failure('conflict', `${file} already exists. Name a new file.`);
  if (existsSync(path)) throw refused;
  const pieces = await format();
  try {
    await writeFile(path, pieces, { flag: 'wx' });
  } catch (error) {
    throw isTaken(error) ? refused : error;
  }
  printNotes(io, `Wrote ${file}.`);
}
