/** The statements of a batch: its new rows, and what it changes in the known ones. */

import type { OrgId } from '../core/ids.ts';
import { writeRecoded } from '../core/recoded.ts';
import { RARE, STORED_MEMBERS, type StoredMember, type ValidRow } from '../core/row-members.ts';
import type { Provider } from '../core/transactions.ts';
import type { Db } from '../database/database.ts';
import { statement } from '../database/statements.ts';
import type { Access } from './access.ts';
import type { KnownTransaction } from './push-known.ts';
import { changeHash, pushedChange } from './row-hashes.ts';

/** Brings what is stored up to date. */
export function writeChanges(
  { db }: Access,
  met: ReadonlyMap<string, KnownTransaction>,
  stampMs: number,
): void {
  const reviewed: number[] = [];
  const marks: (readonly [id: number, recoded: string | null])[] = [];
  for (const { id, review, recoded, before } of met.values()) {
    if (before === null) continue;
    if (before.review === null && review !== null) reviewed.push(id);
    if (before.recoded !== recoded) marks.push([id, recoded && writeRecoded(recoded)]);
  }
  if (reviewed.length > 0) beginReviews(db).run(stampMs, JSON.stringify(reviewed));
  for (const after of met.values()) if (after.before !== null) update(db, after.before, after);
  if (marks.length > 0) updateMarks(db).run(JSON.stringify(marks));
}

/**
 * Names no indexed column in vain: SQLite rewrites its entry even if the value is the same. Nor
 * the date, which has a trigger: then SQLite first saves the pages that it changes.
 */
function update(db: Db, before: KnownTransaction, after: KnownTransaction): void {
  const change = pushedChange(before, after);
  const { id, rawData, updatedAtMs, keyId, row } = after;
  const found = UPDATES.find(({ fields }) => after.changed.every((each) => fields.has(each)));
  if (found === undefined) throw new Error('a row has changed its externalId');
  const isShown = after.isNew || updatedAtMs !== before.updatedAtMs;
  if (!isShown) updateRawData(db).run(change, rawData, id);
  else {
    const values = valuesOf(row, found.members);
    found.statement(db).run(change, rawData, updatedAtMs, keyId, ...values, id);
  }
}

/** The values of a row's members, in their order. */
function valuesOf(row: ValidRow, members: readonly StoredMember[]): (string | number | null)[] {
  return members.map(({ name }) => row[name]);
}

type Created = [
  id: number,
  OrgId,
  Provider,
  createdAtMs: number,
  updatedAtMs: number,
  keyId: number | null,
  rawData: string,
  hash: number,
];

/** Stores a new row; one without rare members by a statement that does not name them. */
export function insertTransaction({ db }: Access, row: ValidRow, ...created: Created): void {
  const { members, insert } = RARE.every((name) => row[name] === null) ? COMMON_ROW : WHOLE_ROW;
  insert(db).run(...created, ...valuesOf(row, members));
}

/** Its values are arguments: the driver reads them faster than those of an array. */
function insertOf(members: readonly StoredMember[]) {
  const insert = statement<[...Created, ...row: (string | number | null)[]]>(
    `insert into transactions
       (status, allocated_minor, id, organisation_id, provider, created_at, updated_at, key_id,
        raw_data, row_hash, ${members.map(({ column }) => column).join(', ')})
     values ('unallocated', 0, ?, ?, ?, ?, ?, ?, ?, ?, ${members.map(() => '?').join(', ')})`,
  );
  return { members, insert };
}

const WHOLE_ROW = insertOf(STORED_MEMBERS);
const COMMON_ROW = insertOf(
  STORED_MEMBERS.filter(({ name }) => !RARE.some((rare) => rare === name)),
);

const updateRawData = statement<[hashChange: number, rawData: string | null, id: number]>(
  `update transactions set ${changeHash('?')}, raw_data = ? where id = ?`,
);

/** The updates of a row, from the cheapest: each writes some members, the others being equal. */
const COSTS = [undefined, 'seldom', 'index', 'trigger'] as const;
const UPDATES = [1, 3, 4]
  .map((known) => COSTS.slice(0, known))
  .map((moves) => {
    const written = ({ field, moves: move }: StoredMember) =>
      field !== 'externalId' && moves.includes(move);
    const members = STORED_MEMBERS.filter(written);
    const set = members.map(({ column }) => `${column} = ?`).join(', ');
    return {
      members,
      fields: new Set(members.map(({ field }) => field)),
      statement: statement<
        [
          hashChange: number,
          rawData: string | null,
          updatedAtMs: number,
          keyId: number | null,
          ...row: (string | number | null)[],
        ]
      >(
        `update transactions set ${changeHash('?')}, raw_data = ?, updated_at = ?, key_id = ?,
         ${set} where id = ?`,
      ),
    };
  });

// A push changes a status in no other way. The update of each row then adds this to its hash too.
// Before the amounts change; and all at once, because of the triggers: SQLite saves the pages that
// each statement changes.
const beginReviews = statement<[changedAtMs: number, ids: string]>(
  `update transactions
      set status = 'needs_review', review_previous_minor = amount_minor, review_changed_at = ?
    where id in (select value from json_each(?))`,
);

// The update of each row adds its mark to the hash.
const updateMarks = statement<[marks: string]>(
  `update transactions set recoded = j.value ->> 1 from json_each(?) j
    where transactions.id = j.value ->> 0`,
);
