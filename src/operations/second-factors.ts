/**
 * The second factor of a user (contract 16, docs/security.md#second-factor): a code after the
 * password. Secrets and recovery codes are of no use without a key, which is in a file beside the
 * database, in no backup and in no export.
 */

import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import type { Actor } from '../core/audit.ts';
import { Failure } from '../core/failures.ts';
import { SECOND_FACTOR } from '../core/limits.ts';
import { createKeyFile, keyFileOf, readKey } from '../database/key-file.ts';
import type { Access } from '../store/access.ts';
import { storeOrganisationChange } from '../store/organisations.ts';
import * as store from '../store/second-factors.ts';
import type { Session } from '../store/sessions.ts';
import { refuseShared, requireUser, type UserRecord } from '../store/users.ts';
import { atomically, type Source } from './access.ts';
import { createRecoveryCodes, findStep, readRecoveryCode } from './one-time-codes.ts';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const CIPHER = 'aes-256-gcm';

/** Whether so few recovery codes are left that the user should make new ones. */
export function isFew(codesLeft: number): boolean {
  return codesLeft <= SECOND_FACTOR.fewCodes;
}

/**
 * Uses the code of a user, who has a second factor. Returns false if it is wrong, was used, or is
 * too old. Refuses with `unavailable` if the key is missing.
 */
export function useCode(
  source: Source,
  userId: number,
  { code, isRecovery = false }: { readonly code: string; readonly isRecovery?: boolean },
  { nowMs }: Pick<Actor, 'nowMs'>,
): boolean {
  const factor = store.findSecondFactor(source, userId);
  if (factor === undefined) return false;
  const key = keyOf(source);
  const secret = key && unseal(key, userId, factor.secret);
  if (key === undefined || secret === undefined) throw withoutKey();
  if (isRecovery) return store.useRecoveryCode(source, userId, hashUnder(key, userId, code), nowMs);
  const step = findStep(secret, code, { nowMs, lastStep: factor.lastStep });
  return step !== undefined && store.useStep(source, userId, step, nowMs);
}

/**
 * Sets up the second factor of the user of a session, in place of one that there may be; the other
 * sessions end. Returns the recovery codes, only here; undefined if the code does not prove that
 * the secret is in an authenticator. Refuses like `refuseLostKey`.
 */
export function setUpSecondFactor(
  session: Session,
  { secret, code }: { readonly secret: Buffer; readonly code: string },
  actor: Actor,
): string[] | undefined {
  const step = findStep(secret, code, { nowMs: actor.nowMs, lastStep: 0 });
  return step === undefined ? undefined : renewRecoveryCodes(session, actor, { secret, step });
}

/**
 * New recovery codes in place of those before, also for a new secret, with the step of the code
 * that proved it. They are returned only here; the other sessions end.
 */
export function renewRecoveryCodes(
  { id: keptSessionId, userId, access }: Session,
  actor: Actor,
  proven?: { readonly secret: Buffer; readonly step: number },
): string[] {
  const codes = createRecoveryCodes();
  const key = requireKey(access);
  const sealed = proven && { ...proven, secret: seal(key, userId, proven.secret) };
  const hashes = codes.map((each) => hashUnder(key, userId, each));
  store.setSecondFactor(access, { userId, keptSessionId, codes: hashes, sealed }, actor);
  return codes;
}

/**
 * Removes the second factor of the user of a session; the other sessions end. Refuses with
 * `conflict` while an organisation of the user requires one.
 */
export function removeSecondFactor(
  { id: keptSessionId, userId, access }: Session,
  actor: Actor,
): void {
  atomically(access, () => {
    const requiring = store.findRequiring(access, userId);
    if (requiring !== undefined) {
      throw new Failure('conflict', `${requiring} requires a second factor of everyone.`);
    }
    const change = { userId, keptSessionId };
    store.deleteSecondFactor(access, change, 'user.second_factor_removed', actor);
  });
}

/**
 * Removes the second factor of another user, who then signs in with the password alone; sessions of
 * the user end. Again does nothing. Refuses with `not_found`, and like `createResetLink`.
 */
export function resetSecondFactor(access: Access, email: string, actor: Actor): UserRecord {
  return atomically(access, () => {
    const user = requireUser(access, email);
    refuseShared(access, user, actor, 'second factor is removed under "Your account"');
    const change = { userId: user.id };
    store.deleteSecondFactor(access, change, 'user.second_factor_reset', actor);
    return requireUser(access, email);
  });
}

/**
 * Requires a second factor of everyone in the organisation, or leaves that to each user. Refuses
 * with `conflict` an owner who has none.
 */
export function requireSecondFactor(
  { access, hasSecondFactor }: Session,
  isRequired: boolean,
  actor: Actor,
): void {
  if (isRequired && !hasSecondFactor) {
    throw new Failure('conflict', 'Set up your own second factor first.');
  }
  storeOrganisationChange(access, { member: 'requiresSecondFactor', value: isRequired }, actor);
}

/**
 * The numbers of the users whose codes cannot be checked, because the file of the key is missing,
 * cannot be read or has another key, and the name of that file.
 */
export function findLostSecrets(source: Source): { file: string; userIds: number[] } {
  const { lost } = tryKey(source);
  return { file: keyFileOf(source.db), userIds: lost.map(({ userId }) => userId) };
}

/**
 * Refuses with `unavailable` if users have a second factor and the key of all of them is lost: one
 * that is set up under another key would be lost in turn when theirs is put back.
 */
export function refuseLostKey(source: Source): void {
  const { stored, lost } = tryKey(source);
  if (lost.length > 0 && lost.length === stored.length) throw withoutKey();
}

function tryKey(source: Source) {
  const key = keyOf(source);
  const stored = store.listSecrets(source);
  const lost = stored.filter(({ userId, secret }) => {
    return key === undefined || unseal(key, userId, secret) === undefined;
  });
  return { stored, lost };
}

/** The keys that are made of the one in the file. */
interface Key {
  readonly secrets: Buffer;
  readonly codes: Buffer;
}

function keyOf({ db }: Source): Key | undefined {
  const key = readKey(db);
  return key && deriveKeys(key);
}

function requireKey(source: Source): Key {
  refuseLostKey(source);
  return deriveKeys(readKey(source.db) ?? createKeyFile(source.db));
}

function deriveKeys(key: Buffer): Key {
  const derive = (use: string) => Buffer.from(hkdfSync('sha256', key, '', use, key.length));
  return { secrets: derive('secrets'), codes: derive('recovery codes') };
}

function withoutKey(): Failure {
  // People who sign in need not know where the file is; `doctor` tells whoever runs the service.
  const problem =
    'Codes cannot be checked: the file of their key is missing, cannot be read or has another key.';
  const help = 'The person who runs the service can restore the file, or reset the second factors.';
  return new Failure('unavailable', `${problem} ${help}`);
}

function seal({ secrets }: Key, userId: number, secret: Buffer): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, secrets, nonce).setAAD(Buffer.from(String(userId)));
  const sealed = Buffer.concat([cipher.update(secret), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
}

/** Undefined if it was sealed under another key, or for another user. */
function unseal({ secrets }: Key, userId: number, sealed: Buffer): Buffer | undefined {
  const start = NONCE_BYTES + TAG_BYTES;
  try {
    const decipher = createDecipheriv(CIPHER, secrets, sealed.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(Buffer.from(String(userId)));
    decipher.setAuthTag(sealed.subarray(NONCE_BYTES, start));
    return Buffer.concat([decipher.update(sealed.subarray(start)), decipher.final()]);
  } catch {
    return undefined;
  }
}

/** Of 40 bits: a plain hash would be found in minutes. */
function hashUnder({ codes }: Key, userId: number, code: string): Buffer {
  return createHmac('sha256', codes)
    .update(`${userId} ${readRecoveryCode(code)}`)
    .digest();
}
