/**
 * Second factors: the secret that a user shares with an authenticator, encrypted, and recovery
 * codes, hashed, both under a key that is not in the database (operations/second-factors).
 */

import type { Actor } from '../core/audit.ts';
import { atomically, type Source } from '../database/database.ts';
import { statement } from '../database/statements.ts';
import { deleteSessions } from './sessions.ts';
import { recordEverywhere } from './users.ts';

/** The second factor of a user. */
interface SecondFactor {
  /** Encrypted. */
  readonly secret: Buffer;
  /** The step of the code that was used last. */
  readonly lastStep: number;
  readonly createdAtMs: number;
  /** When a code, also a recovery code, was used last. */
  readonly lastUsedAtMs: number;
  readonly codesLeft: number;
}

export function findSecondFactor({ db }: Source, userId: number): SecondFactor | undefined {
  return selectFactor(db).get(userId, userId);
}

const selectFactor = statement<[number, number], SecondFactor>`
  select secret, last_step as lastStep, created_at as createdAtMs, last_used_at as lastUsedAtMs,
          (select count(*) from recovery_codes where user_id = ?) as codesLeft
     from second_factors where user_id = ?`;

/** The secret of every user who has one. */
export function listSecrets({ db }: Source) {
  return selectSecrets(db).all();
}

const selectSecrets = statement<[], { userId: number; secret: Buffer }>`
  select user_id as userId, secret from second_factors order by user_id`;

/** The name of an organisation of a user that requires a second factor; undefined without one. */
export function findRequiring({ db }: Source, userId: number): string | undefined {
  return selectRequiring(db).pluck().get(userId);
}

const selectRequiring = statement<[number], string>`
  select o.name from memberships m join organisations o on o.id = m.organisation_id
    where m.user_id = ? and o.second_factor_required = 1 order by o.id`;

/** A change of a user's second factor, in a session that does not end. */
interface Change {
  readonly userId: number;
  readonly keptSessionId?: number | undefined;
}

/** Hashes of new recovery codes, and a new secret with the step of the code that proved it. */
interface NewFactor extends Change {
  readonly codes: readonly Buffer[];
  /** Undefined: the secret stays. */
  readonly sealed: { readonly secret: Buffer; readonly step: number } | undefined;
}

/** Stores a second factor, or only its codes, in place of those before; other sessions end. */
export function setSecondFactor(source: Source, change: NewFactor, actor: Actor): void {
  const { db } = source;
  const { userId, keptSessionId, codes, sealed } = change;
  atomically(source, () => {
    if (sealed !== undefined) {
      replaceFactor(db).run(userId, sealed.secret, sealed.step, actor.nowMs, actor.nowMs);
    }
    deleteCodes(db).run(userId);
    for (const code of codes) insertCode(db).run(userId, code);
    deleteSessions(source, userId, keptSessionId);
    recordEverywhere(source, userId, 'user.second_factor_set', actor);
  });
}

const replaceFactor = statement<[number, Buffer, number, number, number]>`
  insert or replace into second_factors (user_id, secret, last_step, created_at, last_used_at)
   values (?, ?, ?, ?, ?)`;

const deleteCodes = statement<[number]>`delete from recovery_codes where user_id = ?`;
const insertCode = statement<[number, Buffer]>`
  insert into recovery_codes (user_id, hash) values (?, ?)`;

/** Uses the code of a step. Returns false if one of this step or a later one was used before. */
export function useStep({ db }: Source, userId: number, step: number, nowMs: number): boolean {
  const use = () => updateStep(db).run(step, nowMs, userId, step).changes === 1;
  return atomically({ db }, use, { usesReserve: true });
}

const updateStep = statement<[number, number, number, number]>`
  update second_factors set last_step = ?, last_used_at = ?
    where user_id = ? and last_step < ?`;

/** Uses a recovery code, by its hash. Returns false if the user does not have it, or no more. */
export function useRecoveryCode({ db }: Source, userId: number, hash: Buffer, nowMs: number) {
  const use = () => {
    if (deleteCode(db).run(userId, hash).changes === 0) return false;
    updateUsed(db).run(nowMs, userId);
    return true;
  };
  return atomically({ db }, use, { usesReserve: true });
}

const deleteCode = statement<[number, Buffer]>`
  delete from recovery_codes where user_id = ? and hash = ?`;
const updateUsed = statement<[number, number]>`
  update second_factors set last_used_at = ? where user_id = ?`;

/** Removes the second factor of a user, if the user has one; other sessions end. */
export function deleteSecondFactor(
  source: Source,
  { userId, keptSessionId }: Change,
  action: 'user.second_factor_removed' | 'user.second_factor_reset',
  actor: Actor,
): void {
  atomically(source, () => {
    if (deleteFactor(source.db).run(userId).changes === 0) return;
    deleteSessions(source, userId, keptSessionId);
    recordEverywhere(source, userId, action, actor);
  });
}

const deleteFactor = statement<[number]>`delete from second_factors where user_id = ?`;
