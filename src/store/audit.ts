/**
 * The append-only audit log. Each entry is written in one SQLite transaction with its change, and
 * has its write stamp: each write of an organisation has a later stamp than every earlier one. The
 * history of one object is found in the log by its public identifier.
 */

import {
  type Act,
  type Actor,
  type ActorStanding,
  type AuditAction,
  type AuditDetails,
  type AuditValue,
  concerns,
  readDetails,
} from '../core/audit.ts';
import { Failure } from '../core/failures.ts';
import { formatId, type OrgId, readId } from '../core/ids.ts';
import { AUDIT_UNITS, PAGE_ITEMS } from '../core/limits.ts';
import type { Role } from '../core/users.ts';
import { atomically, consistently, type Source } from '../database/database.ts';
import { statement } from '../database/statements.ts';
import type { Access } from './access.ts';
import { findLine } from './budget-lines.ts';
import { type Found, listColumns, listPage, type Page, type Position, type Walk } from './pages.ts';
import { findTransaction } from './transactions.ts';

/** What an entry records, apart from who and when. */
interface AuditEntry {
  readonly action: AuditAction;
  /** The public identifier of the changed object; null for an act on several transactions. */
  readonly subject: string | null;
  readonly details: AuditDetails;
}

/** A stored entry. */
export interface AuditRecord extends AuditEntry {
  readonly atMs: number;
  readonly actor: string;
  readonly requestId: string | null;
}

/**
 * Begins a write, inside its `atomically`: takes the next stamp, which is the actor's time, or the
 * last stamp plus one millisecond if the clock has not advanced. Take one stamp per write, and only
 * when something is written, before that: throws `not_allowed` if the actor has signed out or lost
 * the role since it was looked up.
 */
export function beginAct({ db, organisation }: Access, actor: Actor): Act {
  const { name, requestId, nowMs, standing } = actor;
  if (standing !== undefined) requireStanding({ db }, standing);
  const found = updateLastWrite(db).get(nowMs, organisation.id);
  if (found === undefined)
    throw new Error(`there is no organisation ${organisation.id} to write to`);
  return { name, requestId, standing, stampMs: found.stampMs };
}

/**
 * Throws `not_allowed` if a session has ended, or its user has another role in the organisation:
 * between finding a session and writing, a form arrives and passwords are hashed.
 */
function requireStanding({ db }: Source, { sessionId, userId, orgId, role }: ActorStanding): void {
  const found = selectStanding(db).get(orgId, userId, role, sessionId, sessionId);
  if (found !== undefined) return;
  const message = 'You have signed out, or your role has changed, since you sent this.';
  throw new Failure('not_allowed', message);
}

const selectStanding = statement<
  [OrgId, userId: number, Role, sessionId: number | null, sessionId: number | null],
  unknown
>`select 1 from memberships m
    where m.organisation_id = ? and m.user_id = ? and m.role = ?
      and (? is null or exists
        (select 1 from sessions s where s.id = ? and s.user_id = m.user_id))`;

const updateLastWrite = statement<[nowMs: number, OrgId], { stampMs: number }>`
  update organisations set last_write_at = max(?, last_write_at + 1) where id = ?
   returning last_write_at as stampMs`;

/**
 * The stamp of the organisation's last write: while it is the same, nothing has been written.
 * Undefined once the organisation is not found.
 */
export function lastWriteMs({ db, organisation }: Access): number | undefined {
  return selectLastWrite(db).pluck().get(organisation.id);
}

const selectLastWrite = statement<[OrgId], number>`
  select last_write_at from organisations where id = ?`;

/** Appends an entry. Call it inside the same `atomically` as the change. */
export function recordAudit({ db, organisation }: Access, act: Act, entry: AuditEntry): void {
  const details = JSON.stringify(entry.details);
  const { stampMs, name, requestId } = act;
  insertEntry(db).run(
    organisation.id,
    stampMs,
    name,
    entry.action,
    entry.subject,
    requestId,
    details,
  );
}

const insertEntry = statement<
  [OrgId, number, string, string, string | null, string | null, string]
>`insert into audit_log (organisation_id, at, actor, action, subject, request_id, details)
   values (?, ?, ?, ?, ?, ?, ?)`;

/** Appends an entry about what changed nothing in the organisation, such as a sign-in. */
export function logEvent(
  access: Access,
  event: Omit<AuditEntry, 'details'> & { readonly details: Readonly<Record<string, AuditValue>> },
  actor: Actor,
): void {
  const details = { changes: [], ...event.details };
  atomically(access, () => {
    recordAudit(access, beginAct(access, actor), { ...event, details });
  });
}

/** The organisation's entries since `sinceMs`, oldest first. */
export function listAuditEntries({ db, organisation }: Access, sinceMs: number): AuditRecord[] {
  return selectEntries(db).all(organisation.id, sinceMs).map(toRecord);
}

/** Every entry of the organisation, oldest first, one by one. */
export function* walkAudit({ db, organisation }: Access): Generator<AuditRecord> {
  for (const found of selectEntries(db).iterate(organisation.id, 0)) yield toRecord(found);
}

/** The entries with this stamp: one, or one for each project of an import. Counts what it read. */
export function listEntriesAt(
  { db, organisation }: Access,
  atMs: number,
  read: { units: number } = { units: 0 },
): AuditRecord[] {
  const found = selectEntriesAt(db).all(organisation.id, atMs);
  for (const { details } of found) read.units += details.length;
  return found.map(toRecord);
}

/** Which entries to list. An absent filter matches all. */
export interface AuditFilters {
  readonly actor?: string | undefined;
  readonly actions?: readonly AuditAction[] | undefined;
  readonly sinceMs?: number | undefined;
  /** Only entries before this instant. */
  readonly beforeMs?: number | undefined;
}

/** Which page of the log to list. */
interface AuditPage {
  readonly filters: AuditFilters;
  /** Only entries about this. */
  readonly subject?: string | undefined;
  readonly after?: Position | undefined;
  readonly limit: number;
  /** Whether details have how many changes there are, as `unread`, instead of these. */
  readonly isBrief?: boolean | undefined;
}

/**
 * A page of the log, newest first. It ends early when a filter matches few entries, or after
 * AUDIT_UNITS of details. The entries about a budget line are among those of its project; a line
 * that was removed has none.
 */
export function listAuditPage(access: Access, page: AuditPage): Page<AuditRecord> {
  const { subject = '' } = page;
  const transactionId = readId('txn', subject);
  if (transactionId !== undefined) {
    return consistently(access, () => followStamps(access, { ...page, subject, transactionId }));
  }
  const lineId = readId('bln', subject);
  if (lineId === undefined) return readEntries(access, page);
  const line = findLine(access, lineId);
  if (line === undefined) return { items: [], next: undefined };
  const ofProject = { ...page, subject: formatId('prj', line.projectId) };
  return readEntries(access, ofProject, (details) => concerns(details, subject));
}

/** Reads the entries with a subject, as far as their details are wanted. */
function readEntries(
  access: Access,
  page: AuditPage,
  isWanted: (details: AuditDetails) => boolean = () => true,
): Page<AuditRecord> {
  const { db, organisation } = access;
  const { filters, subject, after, limit, isBrief = false } = page;
  const { actor, actions, sinceMs, beforeMs } = filters;
  const range = ['e.organisation_id = @orgId'];
  if (subject !== undefined) range.push('e.subject = @subject');
  const narrow: string[] = [];
  if (actor !== undefined) narrow.push('e.actor = @actor');
  if (actions !== undefined) narrow.push('e.action in (select value from json_each(@actions))');
  const asked = { subject, actor, sinceMs, beforeMs, actions: actions && JSON.stringify(actions) };
  const walk: Walk = {
    columns: HEAD.text,
    from: `audit_log e indexed by audit_log_by_${subject === undefined ? 'time' : 'subject'}`,
    key: { sort: 'e.at', id: 'e.id' },
    descending: true,
    range,
    begin: beforeMs === undefined ? undefined : 'e.at < @beforeMs',
    end: sinceMs === undefined ? undefined : 'e.at >= @sinceMs',
    narrow,
    values: { ...asked, orgId: organisation.id },
    after,
    limit,
  };
  return consistently(access, () => {
    const toHead = (found: Found) => ({ atMs: Number(found[0]), ...HEAD.toItem(found) });
    return addDetails(access, listPage(db, walk, toHead), { isWanted, isBrief });
  });
}

/** An entry without its details. */
type Head = Omit<AuditRecord, 'details'> & { readonly id: number };

const HEAD = listColumns<Omit<Head, 'id' | 'atMs'>>({
  actor: 'e.actor',
  action: 'e.action',
  subject: 'e.subject',
  requestId: 'e.request_id',
});

/** The entries of a page, up to the one whose details end its work. */
function addDetails(
  { db, organisation }: Access,
  heads: Page<Head>,
  { isWanted, isBrief }: { isWanted: (details: AuditDetails) => boolean; isBrief: boolean },
): Page<AuditRecord> {
  const items: AuditRecord[] = [];
  let units = 0;
  let last: Position | undefined;
  const byId = new Map(heads.items.map(({ id, ...head }) => [id, head]));
  const ids = JSON.stringify([...byId.keys()]);
  // One by one: the details of a page can be long.
  const select = isBrief ? selectBriefDetails : selectDetails;
  for (const [id, text, length] of select(db).raw().iterate(ids, organisation.id)) {
    if (last !== undefined && units >= AUDIT_UNITS) return { items, next: last };
    const head = byId.get(id);
    if (head === undefined) continue;
    units += length;
    last = { sort: head.atMs, id };
    const details = readDetails(text);
    if (isWanted(details)) items.push({ ...head, details });
  }
  return { items, next: heads.next };
}

type FoundEntry = Omit<AuditRecord, 'details'> & { details: string };

function toRecord({ details, ...record }: FoundEntry): AuditRecord {
  return { ...record, details: readDetails(details) };
}

const COLUMNS = 'at as atMs, actor, action, subject, request_id as requestId, details';

const selectEntries = statement<[OrgId, number], FoundEntry>`
  select ${COLUMNS} from audit_log where organisation_id = ? and at >= ? order by at, id`;
const selectEntriesAt = statement<[OrgId, number], FoundEntry>`
  select ${COLUMNS} from audit_log where organisation_id = ? and at = ? order by id`;
/** How long its details are as they are stored. */
type FoundDetails = readonly [id: number, details: string, length: number];
const selectDetails = statement<[ids: string, OrgId], FoundDetails>`
  select e.id, e.details, length(e.details) from json_each(?) j
    cross join audit_log e on e.id = j.value and +e.organisation_id = ?`;
const selectBriefDetails = statement<[ids: string, OrgId], FoundDetails>`
  select e.id, iif(substr(e.details, -13) <> '"changes":[]}' and json_valid(e.details),
                   json_set(json_remove(e.details, '$.changes'), '$.changes', json('[]'),
                            '$.unread', json_array_length(e.details, '$.changes')),
                   e.details), length(e.details)
    from json_each(?) j
    cross join audit_log e on e.id = j.value and +e.organisation_id = ?`;

/** The whole history of one object, oldest first. */
export function listHistory(access: Access, subject: string): AuditRecord[] {
  const found: AuditRecord[] = [];
  let after: Position | undefined;
  do {
    const page = { subject, filters: {}, after, limit: PAGE_ITEMS };
    const { items, next } = listAuditPage(access, page);
    found.push(...items);
    after = next;
  } while (after !== undefined);
  return found.reverse();
}

/**
 * A page of a transaction's history. Its `updatedAt` is the stamp of the entry that last changed
 * it, and each change has the stamp of the previous one. So a push needs no index entry per row.
 */
function followStamps(
  access: Access,
  page: AuditPage & { readonly subject: string; readonly transactionId: number },
): Page<AuditRecord> {
  const { transactionId, subject, filters, after, limit } = page;
  const { sinceMs = 0 } = filters;
  const items: AuditRecord[] = [];
  const read = { units: 0 };
  let at = after?.sort ?? findTransaction(access, transactionId)?.updatedAtMs;
  while (at !== undefined && Number(at) >= sinceMs) {
    const atMs = Number(at);
    const isFull = items.length >= limit || read.units >= AUDIT_UNITS;
    if (isFull) return { items, next: { sort: atMs, id: 0 } };
    at = undefined;
    for (const entry of listEntriesAt(access, atMs, read).reverse()) {
      if (!concerns(entry.details, subject)) continue;
      if (matches(entry, filters)) items.push(entry);
      const change = entry.details.changes.find((each) => each.subject === subject);
      if (change?.previousAt !== undefined) at = Date.parse(change.previousAt);
    }
  }
  return { items, next: undefined };
}

function matches(entry: AuditRecord, { actor, actions, beforeMs }: AuditFilters): boolean {
  return (
    (actor === undefined || entry.actor === actor) &&
    (actions === undefined || actions.includes(entry.action)) &&
    (beforeMs === undefined || entry.atMs < beforeMs)
  );
}
