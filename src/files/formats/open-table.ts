/** The one place where the contents of a file say what it is, whatever its name says. */

import { pause } from '../inspection/pace.ts';
import { kindOf, SIGNATURE_BYTES } from '../text/foreign-files.ts';
import { readStored, type Source } from '../text/text.ts';
import { StatementFile } from './statement-files.ts';
import type { Table, TableChoice } from './table.ts';

/** Opens a file as a table; undefined if it is a text. Rejects with FileError, MappingError. */
export async function openTable(source: Source, choice: TableChoice): Promise<Table | undefined> {
  const { stored } = source;
  const kind = stored && kindOf(await stored.read(0, SIGNATURE_BYTES));
  if (stored === undefined || kind === undefined) return undefined;
  if (kind === 'zip') return (await import('./archive.ts')).openArchive(source, stored, choice);
  const { openStatements } = await import('./statements.ts');
  const file = await StatementFile.open(kind, () => readStored(stored));
  // Loading them has filled this turn.
  await pause();
  return openStatements(source, [file], choice);
}
