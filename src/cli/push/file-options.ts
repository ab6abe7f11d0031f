/** The options that `push` and `import` share: the file and how to read it. */

import { lstatSync, statSync } from 'node:fs';
import { basename, dirname, extname, resolve } from 'node:path';
import { Failure } from '../../core/failures.ts';
import { codesOf, type Mapping, OWN_NAMES } from '../../files/index.ts';
import { readNamed } from '../bounded.ts';
import { type Call, UsageError } from '../command.ts';
import { readMappingOptions, splitMaps } from '../mapping-options.ts';
import { hasFlag, optionText } from '../options.ts';
import { printNotes } from '../output.ts';
import { findRemembered } from '../remembered-mappings.ts';
import { formOf, type RowFile, rowFile, rowStream } from './row-files.ts';

const CSV_OPTIONS = ['map', 'decimal', 'delimiter', 'maps', 'sheet', 'account'];

/** The mapping to read a file with, by its absolute path; rejects if that leaves questions. */
type Guard = (io: Call['io'], path: string, mapping: Mapping) => Promise<Mapping>;

/**
 * Opens a file, or standard input for `-`, as the options say, after `guard` for CSV. Rejects with
 * UsageError.
 */
export async function openRows(call: Call, path: string, guard: Guard): Promise<RowFile> {
  const { io } = call;
  if (path === '-') {
    refuseCsvOptions(call);
    return rowStream(io.stdin);
  }
  const isCsv = formOf(resolve(io.cwd, path)) === 'csv';
  if (!isCsv) refuseCsvOptions(call);
  if (!isCsv) return rowFile(path, { cwd: io.cwd });
  const mappingOf = await readCsvMapping(call, guard);
  return rowFile(path, { cwd: io.cwd, mapping: await mappingOf(resolve(io.cwd, path)) });
}

/**
 * The mapping from `--map`, `--decimal` and `--delimiter`, or the one in `--maps` that was made for
 * the columns of a file; `guard` looks at each file with its mapping. Rejects with UsageError.
 */
export async function readCsvMapping(call: Call, guard: Guard) {
  const folder = optionText(call, 'maps');
  if (folder === undefined) {
    const mapping = withChoice(call, await readOneMapping(call));
    return (path: string) => guard(call.io, path, mapping);
  }
  const other = CSV_OPTIONS.slice(0, 3).find((name) => call.values[name] !== undefined);
  if (other !== undefined) throw new UsageError(`Use either --maps or --${other}, not both.`);
  const { cwd } = call.io;
  return async (path: string) => {
    const found = await findRemembered(path, { cwd, folder });
    const mapping = withChoice(call, found?.mapping ?? OWN_NAMES);
    const settled = await guard(call.io, path, mapping);
    if (found !== undefined && !hasFlag(call, 'quiet')) {
      printNotes(call.io, `${basename(path)}: read by ${found.path}.`);
    }
    return settled;
  };
}

/** The mapping with what the options choose. */
function withChoice({ values }: Call, mapping: Mapping): Mapping {
  const chosen = [values['account'] ?? []].flat().map(String);
  return {
    ...mapping,
    ...(values['sheet'] !== undefined && { sheet: String(values['sheet']) }),
    ...(chosen.length > 0 && { bankAccounts: chosen }),
  };
}

async function readOneMapping(call: Call): Promise<Mapping> {
  const { pairs, file: name } = splitMaps(call);
  const text = name === undefined ? '' : readNamed(resolve(call.io.cwd, name), '--map').toString();
  return readMappingOptions({
    pairs,
    file: name === undefined ? undefined : { name, text },
    decimal: optionText(call, 'decimal'),
    delimiter: optionText(call, 'delimiter'),
  });
}

/**
 * Refuses rows in another currency than `owner` uses. budgetd does not convert: later nothing could
 * tell euros from pounds. Throws UsageError for a mapping, and Failure for what a statement states.
 */
export function refuseOtherCurrency(
  { currency: stated, isStatement }: Pick<RowFile, 'currency' | 'isStatement'>,
  code: string,
  owner: string,
): void {
  if (stated === undefined || codesOf(stated).includes(code)) return;
  const message =
    `The amounts are in ${stated}, but ${owner} uses ${code}. ` +
    'budgetd does not convert: use a file in the right currency, or another database.';
  throw isStatement === true ? new Failure('conflict', message) : new UsageError(message);
}

function refuseCsvOptions({ values }: Call): void {
  const given = CSV_OPTIONS.find((name) => values[name] !== undefined);
  if (given === undefined) return;
  const json = 'JSON rows, also on standard input, already use the field names';
  throw new UsageError(`--${given} is only for CSV files and statements: ${json}.`);
}

/**
 * The file for rejected rows: `--rejected`, or one next to the input. A dry run writes one only if
 * `--rejected` names it. Throws UsageError.
 */
export function chooseRejectedPath(call: Call, path: string): string | undefined {
  const { cwd } = call.io;
  const isCsv = path !== '-' && formOf(resolve(cwd, path)) === 'csv';
  const stated = optionText(call, 'rejected');
  if (stated === undefined) {
    if (path === '-' || hasFlag(call, 'dry-run')) return undefined;
    const ending = isCsv ? '.csv' : '.ndjson';
    return resolve(cwd, `${path.slice(0, -extname(path).length)}.rejected${ending}`);
  }
  const full = resolve(cwd, stated);
  if (path !== '-' && isSameFile(full, resolve(cwd, path))) {
    throw new UsageError('--rejected must not name the input file.');
  }
  const found = lstatSync(full, { throwIfNoEntry: false });
  if (found !== undefined && !found.isFile()) {
    throw new UsageError(`--rejected: ${full} is not a regular file. Name a new file.`);
  }
  // Check this now: at the first rejected row the push would already be running.
  if (statSync(dirname(full), { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new UsageError(`--rejected: there is no folder ${dirname(full)}.`);
  }
  if (isCsv !== (extname(full).toLowerCase() === '.csv') && extname(full) !== '') {
    const form = isCsv ? 'CSV: end its name in .csv' : 'NDJSON: end its name in .ndjson';
    throw new UsageError(`The rejected rows of ${basename(path)} are written as ${form}.`);
  }
  return full;
}

/** Whether both are one file, also through a link: it would be overwritten while it is read. */
function isSameFile(one: string, other: string): boolean {
  const [first, second] = [one, other].map((path) => {
    return statSync(path, { bigint: true, throwIfNoEntry: false });
  });
  if (first === undefined || second === undefined) return one === other;
  return first.ino === second.ino && first.dev === second.dev;
}
