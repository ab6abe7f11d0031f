import { type AuditChange, type AuditValue, recodedState, reviewState } from '../core/audit.ts';
import { formatInstant } from '../core/calendar.ts';
import { formatId, type OrgId } from '../core/ids.ts';
import type { StoredRow } from '../core/push.ts';
import { readRecoded, writeRecoded } from '../core/recoded.ts';
import {
  type ChangeableField,
  RARE,
  rowName,
  STORED_MEMBERS,
  type StoredMember,
  type ValidRow,
  valuesOf,
} from '../core/row-members.ts';
import type { Provider, Recoded, Status } from '../core/transactions.ts';
import type { Db } from '../database/database.ts';
import { namedColumns, statement, valueAt } from '../database/statements.ts';
import type { Access } from './access.ts';
import {
  addHash,
  addHashes,
  changeHash,
  hashChange,
  hashDifference,
  seedOf,
  valueHash,
} from './row-hashes.ts';
import { markReviewed } from './shares.ts';
import { KeptChange } from './totals.ts';
import { ROW_COLUMNS, toReview } from './transactions.ts';

/** A stored transaction while a batch is written. */
export interface KnownTransaction extends StoredRow {
  readonly row: ValidRow;
  readonly id: number;
  readonly recoded: Recoded | null;
  readonly status: Status;
  readonly rawData: string | null;
  readonly updatedAtMs: number;
  /** The key that created or changed it last; null for one that is not known, or without a key. */
  readonly keyId: number | null;
  /** Whether this batch created it: then a dry run must not return its id. */
  readonly isNew: boolean;
  /** What is stored of it, if the batch has changed it since. */
  readonly before: KnownTransaction | null;
  /** The members that it has changed. */
  readonly changed: readonly ChangeableField[];
}

/** Finds what rows with these externalIds meet in a batch of this provider. */
export function findMet(
  { db, organisation }: Access,
  provider: Provider,
  externalIds: readonly string[],
) {
  const known = new Map<string, KnownTransaction>();
  const elsewhere = new Map<string, Provider>();
  const select = selectKnown(db).raw();
  for (const record of select.all(provider, JSON.stringify(externalIds), organisation.id)) {
    const externalId = valueAt(record, ROW.at.externalId);
    const other = valueAt(record, KNOWN.at.otherProvider);
    if (other === null) known.set(externalId, toKnown(record, externalId));
    else elsewhere.set(externalId, other);
  }
  return { known, elsewhere };
}

/** What is read of each transaction that has an externalId of the batch, besides its row. */
interface Known {
  /** Null if it is the provider of the batch. */
  readonly otherProvider: Provider | null;
  readonly id: number;
  readonly allocatedMinor: number;
  /** Its review, its mark and its rare members as JSON: each column costs time for every row. */
  readonly rare: string | null;
  readonly status: Status;
  readonly updatedAtMs: number;
  readonly rawData: string | null;
  readonly keyId: number | null;
}

const RARE_COLUMNS = RARE.map((name) => ROW_COLUMNS[name]).join(', ');
const KNOWN = namedColumns<Known>({
  otherProvider: 'nullif(t.provider, ?)',
  id: 't.id',
  allocatedMinor: 't.allocated_minor',
  rare:
    `iif(coalesce(${RARE_COLUMNS}, t.review_changed_at, t.recoded) is null, null, ` +
    `json_array(${RARE_COLUMNS}, t.review_previous_minor, t.review_changed_at, t.recoded))`,
  status: 't.status',
  updatedAtMs: 't.updated_at',
  rawData: 't.raw_data',
  keyId: 't.key_id',
});
type CommonRow = Omit<ValidRow, (typeof RARE)[number]>;
const COMMON_COLUMNS = Object.fromEntries(
  Object.entries(ROW_COLUMNS).filter(([name]) => !RARE.some((rare) => rare === name)),
) as Record<keyof CommonRow, string>;
const ROW = namedColumns<CommonRow>(COMMON_COLUMNS, KNOWN.count);

// The cross join makes SQLite seek each row of the batch, whatever table sizes it assumes.
const selectKnown = statement<
  [provider: Provider, wanted: string, orgId: OrgId],
  readonly unknown[]
>`select ${KNOWN.text}, ${ROW.text}
     from json_each(?) j cross join transactions t
       on t.organisation_id = ? and t.external_id = j.value`;

/** Written out: with a loop over the members, a push of known rows took a sixth longer. */
function toKnown(record: readonly unknown[], externalId: string): KnownTransaction {
  const { at } = KNOWN;
  const text = valueAt(record, at.rare);
  const rare = text === null ? NOTHING : JSON.parse(text);
  const [reference, bankAccount, projectCode, previousMinor, changedAtMs, recoded] = rare;
  return {
    id: valueAt(record, at.id),
    row: {
      externalId,
      date: valueAt(record, ROW.at.date),
      description: valueAt(record, ROW.at.description),
      contact: valueAt(record, ROW.at.contact),
      amountMinor: valueAt(record, ROW.at.amountMinor),
      accountCode: valueAt(record, ROW.at.accountCode),
      reference,
      bankAccount,
      projectCode,
    },
    allocatedMinor: valueAt(record, at.allocatedMinor),
    review: toReview(previousMinor, changedAtMs),
    recoded: readRecoded(recoded),
    status: valueAt(record, at.status),
    rawData: valueAt(record, at.rawData),
    updatedAtMs: valueAt(record, at.updatedAtMs),
    keyId: valueAt(record, at.keyId),
    isNew: false,
    before: null,
    changed: NO_CHANGE,
  };
}

const NOTHING: readonly null[] = [...RARE, 'minor', 'at', 'recoded'].map(() => null);
/** One for all: each of its own took time for every row. */
export const NO_CHANGE: KnownTransaction['changed'] = [];

/** Brings what is stored up to date, and returns what the audit log has of it. */
export function writeChanges(
  access: Access,
  met: ReadonlyMap<string, KnownTransaction>,
  stampMs: number,
): AuditChange[] {
  const { db } = access;
  const reviewed: number[] = [];
  const marks: (readonly [id: number, recoded: string | null])[] = [];
  const kept = new KeptChange();
  const changes: AuditChange[] = [];
  for (const after of met.values()) {
    const { id, review, recoded, before } = after;
    if (before !== null || after.isNew) kept.add(keptOf(after), 1);
    if (before === null) continue;
    if (!before.isNew) kept.add(keptOf(before), -1);
    if (before.review === null && review !== null) reviewed.push(id);
    if (before.recoded !== recoded) marks.push([id, recoded && writeRecoded(recoded)]);
    // Without a new stamp it was created by this batch, or differs in its raw data only.
    if (before.updatedAtMs !== after.updatedAtMs) changes.push(logOf(before, after));
  }
  if (reviewed.length > 0) {
    beginReviews(db).run(stampMs, JSON.stringify(reviewed));
    markReviewed(access, reviewed);
  }
  for (const after of met.values()) if (after.before !== null) update(db, after.before, after);
  if (marks.length > 0) updateMarks(db).run(JSON.stringify(marks));
  kept.write(access);
  return changes;
}

/** What the audit log has of a change, written from what differs alone, once for each row. */
function logOf(before: KnownTransaction, after: KnownTransaction): AuditChange {
  const old: Record<string, AuditValue> = {};
  const next: Record<string, AuditValue> = {};
  for (const field of after.changed) {
    const name = rowName(field);
    if (before.row[name] === after.row[name]) continue;
    old[name] = before.row[name];
    next[name] = after.row[name];
  }
  if (before.review !== after.review) {
    if (before.status !== after.status) {
      old['status'] = before.status;
      next['status'] = after.status;
    }
    old['review'] = reviewState(before.review);
    next['review'] = reviewState(after.review);
  }
  if (before.recoded !== after.recoded) {
    old['recoded'] = recodedState(before.recoded);
    next['recoded'] = recodedState(after.recoded);
  }
  const previousAt = formatInstant(before.updatedAtMs);
  return { subject: formatId('txn', after.id), previousAt, before: old, after: next };
}

function keptOf({ status, allocatedMinor, row }: KnownTransaction) {
  const { date, projectCode, amountMinor } = row;
  return { date, projectCode, status, amountMinor, allocatedMinor };
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
    const values = found.members.map(({ name }) => row[name]);
    found.statement(db).run(change, rawData, updatedAtMs, keyId, ...values, id);
  }
}

/** Looked up once: by name in each row, they took time for every change. */
const SEEDS = {
  rawData: seedOf('raw_data'),
  updatedAt: seedOf('updated_at'),
  keyId: seedOf('key_id'),
};
const CHANGED = Object.fromEntries(
  STORED_MEMBERS.map(({ field, name, column }) => [field, { name, seed: seedOf(column) }]),
) as Record<ChangeableField, { readonly name: keyof ValidRow; readonly seed: number }>;

/** What a push that changes a transaction adds to its hash, with the review that it begins. */
function pushedChange(before: KnownTransaction, after: KnownTransaction): number {
  let sum = hashDifference(SEEDS.rawData, before.rawData, after.rawData);
  for (const field of after.changed) {
    const { name, seed } = CHANGED[field];
    sum = addHash(sum, hashDifference(seed, before.row[name], after.row[name]));
  }
  sum = addHash(sum, hashDifference(SEEDS.updatedAt, before.updatedAtMs, after.updatedAtMs));
  sum = addHash(sum, hashDifference(SEEDS.keyId, before.keyId, after.keyId));
  if (before.recoded !== after.recoded) {
    const [was, is] = [before, after].map(({ recoded }) => recoded && writeRecoded(recoded));
    sum = addHash(sum, hashChange('recoded', was, is));
  }
  if (before.review !== null || after.review === null) return sum;
  sum = addHash(sum, hashChange('status', before.status, after.status));
  sum = addHash(sum, valueHash('review_previous_minor', after.review.previousMinor));
  return addHash(sum, valueHash('review_changed_at', after.review.changedAtMs));
}

/** The new transactions of a batch. */
export class NewRows {
  /** The numbers of the first and the last of them; 0 without any. */
  first = 0;
  last = 0;
  readonly #db: Db;
  readonly #common: readonly [OrgId, Provider, stampMs: number, stampMs: number, number | null];
  /** What their hashes have in common. */
  readonly #hash: number;

  /** `keyId` is the key that pushes; null if no key does. */
  constructor(
    { db, organisation: { id: orgId } }: Access,
    provider: Provider,
    stampMs: number,
    keyId: number | null,
  ) {
    this.#db = db;
    this.#common = [orgId, provider, stampMs, stampMs, keyId];
    this.#hash = [
      valueHash('organisation_id', orgId),
      valueHash('provider', provider),
      valueHash('key_id', keyId),
      valueHash('status', 'unallocated'),
      valueHash('allocated_minor', 0),
      valueHash('created_at', stampMs),
      valueHash('updated_at', stampMs),
    ].reduce(addHash);
  }

  /** Stores a row, and returns its number: the one that SQLite would choose too, for the hash. */
  insert(row: ValidRow, rawData: string): number {
    this.last ||= selectLastId(this.#db).pluck().get() ?? 0;
    this.last += 1;
    this.first ||= this.last;
    const id = this.last;
    // Without any rare member they are neither named nor hashed: null adds nothing to a hash.
    const values = [id, rawData, ...valuesOf(row)];
    const insert = values.length < INSERTED_SEEDS.length ? insertCommonRow : insertRow;
    const hash = addHashes(this.#hash, INSERTED_SEEDS, values);
    insert(this.#db).run(...this.#common, hash, ...values);
    return id;
  }
}

const selectLastId = statement<[], number | null>`select max(id) from transactions`;

const INSERTED = ['id', 'raw_data', ...STORED_MEMBERS.map(({ column }) => column)] as const;
const INSERTED_SEEDS = INSERTED.map(seedOf);

/** Inserts a row. The values are arguments: the driver reads them faster than those of an array. */
function insertOf(columns: readonly string[]) {
  return statement<(string | number | null)[]>`insert into transactions
     (status, allocated_minor, organisation_id, provider, created_at, updated_at, key_id,
      row_hash, ${columns.join(', ')})
   values ('unallocated', 0, ?, ?, ?, ?, ?, ?, ${columns.map(() => '?').join(', ')})`;
}

const insertRow = insertOf(INSERTED);
const insertCommonRow = insertOf(INSERTED.slice(0, -RARE.length));

const updateRawData = statement<[hashChange: number, rawData: string | null, id: number]>`
  update transactions set ${changeHash('?')}, raw_data = ? where id = ?`;

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
      >`update transactions set ${changeHash('?')}, raw_data = ?, updated_at = ?, key_id = ?,
         ${set} where id = ?`,
    };
  });

// A push changes a status in no other way. The update of each row then adds this to its hash too.
// Before the amounts change; and all at once, because of the triggers: SQLite saves the pages that
// each statement changes.
const beginReviews = statement<[changedAtMs: number, ids: string]>`update transactions
      set status = 'needs_review', review_previous_minor = amount_minor, review_changed_at = ?
    where id in (select value from json_each(?))`;

// The update of each row adds its mark to the hash.
const updateMarks = statement<[marks: string]>`
  update transactions set recoded = j.value ->> 1 from json_each(?) j
    where transactions.id = j.value ->> 0`;
