/** The one place where the contents of a file say what it is, whatever its name says. */

import { isPauseDue, paced, pause } from '../inspection/pace.ts';
import { FileError } from '../problems.ts';
import { kindOf, SIGNATURE_BYTES } from '../text/foreign-files.ts';
import type { Source } from '../text/text.ts';
import { StatementFile } from './statement-files.ts';
import type { Table, TableChoice } from './table.ts';

/** Whole files are held, so larger ones are refused. */
const FILE_BYTES = 64 * 1024 * 1024;

/** Opens a file as a table; undefined if it is a text. Rejects with FileError, MappingError. */
export async function openTable(source: Source, choice: TableChoice): Promise<Table | undefined> {
  const bytes = await readWhole(source);
  const kind = bytes && kindOf(bytes);
  if (bytes === undefined || kind === undefined) return undefined;
  if (kind === 'zip') {
    return (await import('./archive.ts')).openArchive(source, bytes, choice);
  }
  const { openStatements } = await import('./statements.ts');
  const file = await StatementFile.open(kind, bytes);
  // Loading them has filled this turn.
  await pause();
  return openStatements(source, [file], choice);
}

/** All bytes of a file that is not text; undefined for a text. */
async function readWhole(source: Source): Promise<Buffer | undefined> {
  const pieces: Buffer[] = [];
  let [size, isKnown] = [0, false];
  for await (const piece of source.open()) {
    pieces.push(piece);
    size += piece.length;
    if (!isKnown && size >= SIGNATURE_BYTES) {
      if (kindOf(Buffer.concat(pieces)) === undefined) return undefined;
      isKnown = true;
    }
    if (size > FILE_BYTES) throw new FileError('it is larger than 64 MiB. Save it as CSV.');
    if (isPauseDue()) await pause();
  }
  // Bit by bit: Buffer.concat() would take 15 ms for 20 MB.
  const whole = Buffer.allocUnsafe(size);
  let at = 0;
  for await (const piece of paced(pieces)) at += piece.copy(whole, at);
  // The next step reads all bytes at once.
  await pause();
  return whole;
}
