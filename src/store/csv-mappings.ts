/** How CSV files were read last, by the names of their columns. */

import { createHash } from 'node:crypto';
import type { OrgId } from '../core/ids.ts';
import { statement } from '../database/statements.ts';
import type { Access } from './access.ts';

/** How files with some columns are read. */
interface CsvMappingRecord {
  /** The document of a mapping file, as JSON. */
  readonly mapping: string;
  readonly savedAtMs: number;
}

/** The mapping for files with these columns; undefined if none was saved. */
export function findCsvMapping(
  { db, organisation }: Access,
  names: readonly string[],
): CsvMappingRecord | undefined {
  return selectMapping(db).get(organisation.id, hashColumns(names));
}

const selectMapping = statement<[OrgId, Buffer], CsvMappingRecord>(
  `select mapping, saved_at as savedAtMs from csv_mappings
    where organisation_id = ? and columns = ?`,
);

/** Saves the mapping for files with these columns; an earlier one is replaced. */
export function saveCsvMapping(
  { db, organisation }: Access,
  names: readonly string[],
  { mapping, savedAtMs }: CsvMappingRecord,
): void {
  upsertMapping(db).run(organisation.id, hashColumns(names), mapping, savedAtMs);
}

const upsertMapping = statement<[OrgId, Buffer, string, number]>(
  `insert into csv_mappings (organisation_id, columns, mapping, saved_at) values (?, ?, ?, ?)
   on conflict do update set mapping = excluded.mapping, saved_at = excluded.saved_at`,
);

/** Their order matters: a mapping can name columns by their numbers. */
function hashColumns(names: readonly string[]): Buffer {
  return createHash('sha256').update(JSON.stringify(names)).digest();
}
