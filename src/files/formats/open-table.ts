/**
 * The one place where the contents of a file say what it is, whatever its name says. A ZIP archive
 * is a workbook, or has statements, which are read together. What reads each is loaded on demand.
 */

import { pause } from '../pace.ts';
import { FileError } from '../problems.ts';
import { kindOf, SIGNATURE_BYTES } from '../text/foreign-files.ts';
import { type FileSource, readHead, readStored, type Stored } from '../text/text.ts';
import { StatementFile } from './statement-files.ts';
import type { Table, TableChoice } from './table.ts';
import type { ZipEntry } from './zip.ts';

/** Opens a file as a table; undefined if it is a text. Rejects with FileError, MappingError. */
export async function openTable(
  source: FileSource,
  choice: TableChoice,
): Promise<Table | undefined> {
  const { stored } = source;
  const kind = stored && kindOf(await stored.read(0, SIGNATURE_BYTES));
  if (stored === undefined || kind === undefined) return undefined;
  if (kind === 'zip') return openArchive(source, stored, choice);
  const { openStatements } = await import('./statements.ts');
  const file = await StatementFile.open(kind, () => readStored(stored));
  // Loading them has filled this turn.
  await pause();
  return openStatements(source, [file], choice);
}

/** What all statements of an archive may have: each is unpacked several times. */
const MOST_BYTES = 64 * 1024 * 1024;

async function openArchive(
  source: FileSource,
  stored: Stored,
  choice: TableChoice,
): Promise<Table> {
  const { listEntries } = await import('./zip.ts');
  const entries = new Map((await listEntries(stored)).map((entry) => [entry.name, entry]));
  if (entries.has('xl/workbook.xml')) {
    const { openWorkbook } = await import('./xlsx.ts');
    return openWorkbook(source, entries, choice);
  }
  refuseOther(entries);
  const own = [...entries.values()].filter((entry) => !/(?:^|\/)(?:\.|__MACOSX)/.test(entry.name));
  const { files, others } = await readAll(own);
  const omitted = others.length === 0 ? [] : [`Left out: ${others.slice(0, 5).join(', ')}.`];
  const { openStatements } = await import('./statements.ts');
  return openStatements(source, files, choice, omitted);
}

function refuseOther(entries: ReadonlyMap<string, ZipEntry>): void {
  const has = (path: string) => [...entries.keys()].some((name) => name.startsWith(path));
  const xlsx = 'Save it as an Excel workbook (.xlsx) or as CSV.';
  if (has('xl/workbook.bin')) throw new FileError(`it is a binary Excel workbook. ${xlsx}`);
  if (has('content.xml')) throw new FileError(`it is an OpenDocument file. ${xlsx}`);
  if (has('Index/')) throw new FileError(`it is a Numbers file. ${xlsx}`);
  if (has('word/')) throw new FileError('it is a Word document, not a file of payments.');
}

/** The statements in an archive, and the names of its other files. */
async function readAll(entries: readonly ZipEntry[]) {
  const { unpack } = await import('./zip.ts');
  const files: StatementFile[] = [];
  const others: string[] = [];
  let left = MOST_BYTES;
  for (const entry of entries) {
    left -= entry.size;
    if (left < 0) throw new FileError('the files of the ZIP archive are larger than 64 MiB.');
    const head = await readHead(unpack(entry), ({ length }) => length >= SIGNATURE_BYTES);
    const kind = kindOf(head);
    if (kind === 'zip') throw new FileError('it is a ZIP archive with another one inside.');
    if (kind === undefined) others.push(entry.name);
    else files.push(await StatementFile.open(kind, () => unpack(entry)));
  }
  if (files.length === 0) {
    throw new FileError('it is a ZIP archive without a workbook or a bank statement.');
  }
  return { files, others };
}
