/**
 * One-time links: to set up the first user, to set a new password, or to sign in. Only the SHA-256
 * of a link's token is stored. A link is deleted when it is used, or when a newer one takes its
 * place.
 */

import type { Actor } from '../core/audit.ts';
import { Failure } from '../core/failures.ts';
import { readId } from '../core/ids.ts';
import { LINK_MINUTES } from '../core/limits.ts';
import { atomically, type Source } from '../database/database.ts';
import { statement } from '../database/statements.ts';
import { createToken, hashToken } from './tokens.ts';

/** What a link does for a user. */
type LinkPurpose = 'reset' | 'sign-in';

const LINK_MS = LINK_MINUTES * 60_000;

/**
 * Creates a link for a user, to reset the password by default, or for the first one (null). Returns
 * its token only here.
 */
export function createLink(
  source: Source,
  userId: number | null,
  { name, nowMs }: Pick<Actor, 'name' | 'nowMs'>,
  purpose: LinkPurpose = 'reset',
): string {
  const token = createToken();
  const createdBy = readId('usr', name) ?? null;
  const replace = () => {
    deleteLinks(source, userId);
    const kind = userId === null ? 'set-up' : purpose;
    insertLink(source.db).run(hashToken(token), kind, userId, nowMs, createdBy);
  };
  atomically(source, replace, { usesReserve: true });
  return token;
}

const insertLink = statement<[Buffer, string, number | null, number, number | null]>`
  insert into one_time_links (hash, purpose, user_id, created_at, created_by)
   values (?, ?, ?, ?, ?)`;

/** Ends the links of a user, or those for the first one (null). */
export function deleteLinks({ db }: Source, userId: number | null): void {
  deleteByUser(db).run(userId);
}

const deleteByUser = statement<[number | null]>`delete from one_time_links where user_id is ?`;

/**
 * A link that works; throws `not_found` if it was used or replaced or is too old. It also ends when
 * the clock goes back to before it was made, or it could work for longer than it should; and when
 * whoever made it no longer owns every organisation of the user. A link without a user sets up the
 * first.
 */
export function requireLink({ db }: Source, token: string, nowMs: number) {
  const link = selectLink(db).get(hashToken(token), nowMs - LINK_MS, nowMs);
  if (link === undefined) {
    const problem = 'The link was used or replaced, or is too old.';
    throw new Failure('not_found', `${problem} Ask for a new one.`);
  }
  return link;
}

const selectLink = statement<
  [hash: Buffer, after: number, now: number],
  { purpose: 'set-up' | LinkPurpose; userId: number | null }
>`
  select purpose, user_id as userId from one_time_links
    where hash = ? and created_at > ? and created_at <= ?
      and (user_id is not null or not exists (select 1 from users))
      and (created_by is null or not exists (
        select 1 from memberships m
         where m.user_id = one_time_links.user_id and not exists (
           select 1 from memberships o
            where o.organisation_id = m.organisation_id and o.user_id = created_by
              and o.role = 'owner')))`;
