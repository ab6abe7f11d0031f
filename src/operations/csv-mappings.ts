/**
 * How CSV files were read last, so that a file with the same columns asks nothing twice. A mapping
 * is the document of a mapping file, which `rows` checks; here it is only kept.
 */

import type { Actor } from '../core/audit.ts';
import * as store from '../store/csv-mappings.ts';
import { type Access, atomically } from './access.ts';

/** A mapping that was saved. Read it as a mapping file: an earlier version may have saved it. */
interface SavedCsvMapping {
  readonly mapping: unknown;
  readonly savedAtMs: number;
}

/** The mapping for files with these columns; undefined if none was saved. */
export function findCsvMapping(
  access: Access,
  names: readonly string[],
): SavedCsvMapping | undefined {
  const found = store.findCsvMapping(access, toColumns(names));
  return found && { mapping: JSON.parse(found.mapping) as unknown, savedAtMs: found.savedAtMs };
}

/** Saves how files with these columns are read, in place of what was saved before. */
export function saveCsvMapping(
  access: Access,
  names: readonly string[],
  mapping: object,
  { nowMs }: Actor,
): void {
  const record = { mapping: JSON.stringify(mapping), savedAtMs: nowMs };
  atomically(access, () => store.saveCsvMapping(access, toColumns(names), record));
}

/** Some exports end the header with extra delimiters. */
function toColumns(names: readonly string[]): string[] {
  const trimmed = names.map((name) => name.trim());
  return trimmed.slice(0, trimmed.map((name) => name !== '').lastIndexOf(true) + 1);
}
