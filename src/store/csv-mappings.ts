/**
 * How CSV files were read last, by the names of their columns, so that a file with the same columns
 * asks nothing twice. A mapping is the document of a mapping file, which `files` checks; here it is
 * only kept.
 */

import { createHash } from 'node:crypto';
import type { Actor } from '../core/audit.ts';
import type { OrgId } from '../core/ids.ts';
import { atomically } from '../database/database.ts';
import { statement } from '../database/statements.ts';
import type { Access } from './access.ts';

/** A mapping that was saved. Read it as a mapping file: an earlier version may have saved it. */
interface SavedCsvMapping {
  readonly mapping: unknown;
  readonly savedAtMs: number;
}

/** The mapping for files with these columns; undefined if none was saved. */
export function findCsvMapping(
  { db, organisation }: Access,
  names: readonly string[],
): SavedCsvMapping | undefined {
  const found = selectMapping(db).get(organisation.id, hashColumns(names));
  return found && { ...found, mapping: JSON.parse(found.mapping) };
}

const selectMapping = statement<[OrgId, Buffer], { mapping: string; savedAtMs: number }>`
  select mapping, saved_at as savedAtMs from csv_mappings
    where organisation_id = ? and columns = ?`;

/** Saves how files with these columns are read, in place of what was saved before. */
export function saveCsvMapping(
  access: Access,
  names: readonly string[],
  mapping: object,
  { nowMs }: Actor,
): void {
  const { db, organisation } = access;
  const values = [hashColumns(names), JSON.stringify(mapping), nowMs] as const;
  atomically(access, () => upsertMapping(db).run(organisation.id, ...values));
}

const upsertMapping = statement<[OrgId, Buffer, string, number]>`
  insert into csv_mappings (organisation_id, columns, mapping, saved_at) values (?, ?, ?, ?)
   on conflict do update set mapping = excluded.mapping, saved_at = excluded.saved_at`;

/**
 * Their order matters: a mapping can name columns by their numbers. Some exports end the header
 * with extra delimiters.
 */
function hashColumns(names: readonly string[]): Buffer {
  const trimmed = names.map((name) => name.trim());
  const columns = trimmed.slice(0, trimmed.map((name) => name !== '').lastIndexOf(true) + 1);
  return createHash('sha256').update(JSON.stringify(columns)).digest();
}
