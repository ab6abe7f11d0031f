/** API keys. Only the SHA-256 of a key is stored (Spec 5.3, contract 7). */

import { hash, randomBytes } from 'node:crypto';
import { type Actor, changeOf } from '../core/audit.ts';
import { formatInstant } from '../core/calendar.ts';
import { formatId, type OrgId } from '../core/ids.ts';
import { displayPartOf, formatKey, isKey, KEY_BYTES } from '../core/keys.ts';
import { API_KEYS } from '../core/limits.ts';
import type { OrganisationRecord } from '../core/organisations.ts';
import type { Scope } from '../core/plans.ts';
import { atomically, type Db, keyVersionOf, type Source } from '../database/database.ts';
import { statement } from '../database/statements.ts';
import type { Access } from './access.ts';
import { beginAct, recordAudit } from './audit.ts';
import { ORGANISATION_COLUMNS, type OrganisationColumns, toOrganisation } from './organisations.ts';

/** A key, without its secret text. */
export interface KeyRecord {
  readonly id: number;
  readonly name: string;
  readonly display: string;
  readonly scopes: readonly Scope[];
  readonly createdBy: string;
  readonly createdAtMs: number;
  readonly expiresAtMs: number | null;
  readonly lastUsedAtMs: number | null;
  readonly revokedAtMs: number | null;
}

/** A key sent with a request, and its organisation. */
export interface PresentedKey
  extends Pick<KeyRecord, 'id' | 'scopes' | 'expiresAtMs' | 'revokedAtMs'> {
  readonly organisation: OrganisationRecord;
}

/** Creates a key. Its text is returned only here and is never stored. */
export function storeNewKey(
  access: Access,
  draft: { name: string; scopes: readonly Scope[]; expiresAtMs: number | null },
  actor: Actor,
): { id: number; key: string } {
  const { db, organisation } = access;
  const key = formatKey(randomBytes(KEY_BYTES));
  return atomically(access, () => {
    const { name, scopes, expiresAtMs } = draft;
    const act = beginAct(access, actor);
    const display = displayPartOf(key);
    const { lastInsertRowid } = insertKey(db).run({
      organisation_id: organisation.id,
      name,
      hash: Buffer.from(hashOf(key), 'hex'),
      display,
      scopes: JSON.stringify(scopes),
      created_by: actor.name,
      created_at: act.stampMs,
      expires_at: expiresAtMs,
    });
    const id = Number(lastInsertRowid);
    const subject = formatId('key', id);
    const expiresAt = expiresAtMs === null ? null : formatInstant(expiresAtMs);
    const changes = [changeOf(subject, null, { name, scopes, display, expiresAt })];
    recordAudit(access, act, { action: 'key.created', subject, details: { changes } });
    return { id, key };
  });
}

const insertKey = statement<[Record<string, string | number | Buffer | null>]>`insert into api_keys
     (organisation_id, name, hash, display, scopes, created_by, created_at, expires_at)
   values
     (@organisation_id, @name, @hash, @display, @scopes, @created_by, @created_at, @expires_at)`;

/**
 * Finds a key by its text, even if it is revoked or expired; undefined when there is none. Keys
 * are remembered until a commit can have changed them, so that most requests need no query.
 */
export function findKey({ db }: Source, text: string): PresentedKey | undefined {
  const keyHash = hashOf(text);
  const { version, keys } = rememberedBy(db);
  const known = keys.get(keyHash);
  if (known !== undefined || !isKey(text)) return known;
  const key = readKey(db, keyHash);
  // Only keys that exist: anybody can make up others.
  if (key === undefined) return undefined;
  if (keys.size === API_KEYS.remembered) keys.clear();
  keys.set(keyHash, key);
  foundAt.set(key, version);
  return key;
}

/** Whether there is still this key, with its organisation, as it was found. False if unsure. */
export function hasKey({ db }: Source, key: PresentedKey): boolean {
  return foundAt.get(key) === keyVersionOf(db);
}

/** The version of the database before each key was found. */
const foundAt = new WeakMap<PresentedKey, string>();

/** The keys found in each database at one version of it, by their hash. */
const remembered = new WeakMap<Db, Remembered>();

interface Remembered {
  readonly version: string;
  readonly keys: Map<string, PresentedKey>;
}

function rememberedBy(db: Db): Remembered {
  const version = keyVersionOf(db);
  let found = remembered.get(db);
  if (found?.version !== version) {
    found = { version, keys: new Map() };
    remembered.set(db, found);
  }
  return found;
}

function readKey(db: Db, keyHash: string): PresentedKey | undefined {
  const found = selectKeyByHash(db).get(Buffer.from(keyHash, 'hex'));
  if (found === undefined) return undefined;
  const { keyId: id, scopes, expiresAtMs, revokedAtMs, ...organisation } = found;
  const key = { id, scopes: JSON.parse(scopes), expiresAtMs, revokedAtMs };
  return { ...key, organisation: toOrganisation(organisation) };
}

const selectKeyByHash = statement<
  [Buffer],
  OrganisationColumns &
    Pick<StoredKey, 'scopes' | 'expiresAtMs' | 'revokedAtMs'> & { readonly keyId: number }
>`select k.id as keyId, k.scopes, k.expires_at as expiresAtMs, k.revoked_at as revokedAtMs,
          ${ORGANISATION_COLUMNS}
     from api_keys k join organisations o on o.id = k.organisation_id
    where k.hash = ?`;

/** The organisation's keys, oldest first. */
export function listKeys({ db, organisation }: Access): KeyRecord[] {
  return selectKeys(db).all(organisation.id).map(toKey);
}

/** Some of the keys, and how many there are: the valid ones first, each time the newest first. */
export function listNewestKeys(
  { db, organisation }: Access,
  { nowMs, limit }: { readonly nowMs: number; readonly limit: number },
): { readonly keys: KeyRecord[]; readonly count: number } {
  return {
    keys: selectNewestKeys(db)
      .all(organisation.id, organisation.id, nowMs, limit, nowMs)
      .map(toKey),
    count: countKeys(db).pluck().get(organisation.id) ?? 0,
  };
}

/** One of them; undefined if it has none with this number. */
export function findKeyByNumber({ db, organisation }: Access, id: number): KeyRecord | undefined {
  const found = selectKeyById(db).get(organisation.id, id);
  return found && toKey(found);
}

type StoredKey = Omit<KeyRecord, 'scopes'> & { readonly scopes: string };

function toKey(stored: StoredKey): KeyRecord {
  return { ...stored, scopes: JSON.parse(stored.scopes) };
}

const KEYS = `
  select id, name, display, scopes, created_by as createdBy, created_at as createdAtMs,
         expires_at as expiresAtMs, last_used_at as lastUsedAtMs, revoked_at as revokedAtMs
    from api_keys where organisation_id = ?`;

const selectKeys = statement<[OrgId], StoredKey>`${KEYS} order by id`;
const selectKeyById = statement<[OrgId, number], StoredKey>`${KEYS} and id = ?`;
const NEWEST =
  'order by revoked_at is null and (expires_at is null or expires_at > ?) desc, id desc';
// The numbers alone are sorted first: with all columns of thousands of keys it takes twice as long.
const selectNewestKeys = statement<
  [OrgId, OrgId, nowMs: number, limit: number, nowMs: number],
  StoredKey
>`${KEYS} and id in
    (select id from api_keys where organisation_id = ? ${NEWEST} limit ?) ${NEWEST}`;
const countKeys = statement<[OrgId], number>`
  select count(*) from api_keys where organisation_id = ?`;

/**
 * Revokes a key and returns when, in milliseconds; undefined when there is no such key. Revoking it
 * again changes nothing.
 */
export function storeRevocation(access: Access, keyId: number, actor: Actor): number | undefined {
  const { db, organisation } = access;
  return atomically(access, () => {
    const found = selectKeyById(db).get(organisation.id, keyId);
    if (found === undefined) return undefined;
    if (found.revokedAtMs !== null) return found.revokedAtMs;
    const act = beginAct(access, actor);
    updateRevokedAt(db).run(act.stampMs, organisation.id, keyId);
    const subject = formatId('key', keyId);
    const after = { revokedAt: formatInstant(act.stampMs) };
    const changes = [changeOf(subject, { revokedAt: null }, after)];
    recordAudit(access, act, { action: 'key.revoked', subject, details: { changes } });
    return act.stampMs;
  });
}

const updateRevokedAt = statement<[number, OrgId, number]>`
  update api_keys set revoked_at = ? where organisation_id = ? and id = ?`;

/** Stores when keys were last used, in one write; `uses` maps key numbers to milliseconds. */
export function recordUses({ db }: Source, uses: ReadonlyMap<number, number>): void {
  const write = () => {
    for (const [keyId, usedAtMs] of uses) updateLastUsed(db).run(usedAtMs, keyId);
  };
  atomically({ db }, write, { changesKeys: false });
}

// No organisation needed: the number comes from a key sent with a request, never from a caller.
const updateLastUsed = statement<[number, number]>`
  update api_keys set last_used_at = ? where id = ?`;

/** The SHA-256 of a key, in hexadecimal. */
function hashOf(key: string): string {
  return hash('sha256', key);
}
