/** Write stamps: each write of an organisation has a later stamp than every earlier one. */

import type { Act, Actor } from '../core/audit.ts';
import type { OrgId } from '../core/ids.ts';
import type { Db } from './database.ts';
import { statement } from './statements.ts';

/**
 * Begins a write, inside its `atomically`: takes the next stamp, which is the actor's time, or the
 * last stamp plus one millisecond if the clock has not advanced. Take one stamp per write, and only
 * when something is written.
 */
export function beginAct(db: Db, orgId: OrgId, actor: Actor): Act {
  const { name, requestId, nowMs } = actor;
  const found = updateLastWrite(db).get(nowMs, orgId);
  if (found === undefined) throw new Error(`there is no organisation ${orgId} to write to`);
  return { name, requestId, stampMs: found.stampMs };
}

const updateLastWrite = statement<[nowMs: number, OrgId], { stampMs: number }>(
  `update organisations set last_write_at = max(?, last_write_at + 1) where id = ?
   returning last_write_at as stampMs`,
);
