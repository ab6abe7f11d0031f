/**
 * The rules that hold for the records of a database: each finds those that break it, in statements
 * that read a whole table, or in steps that read as many records as fit in a few milliseconds.
 */

import { type AuditDetails, concerns, readDetails } from '../core/audit.ts';
import { formatId, type OrgId } from '../core/ids.ts';
import { readRawData } from '../core/raw-data.ts';
import type { ValidRow } from '../core/row-members.ts';
import { ROLES } from '../core/users.ts';
import type { Db } from '../database/database.ts';
import { isDamage } from '../database/sqlite-errors.ts';
import { namedColumns } from '../database/statements.ts';
import { listOrganisations } from '../store/organisations.ts';
import { HASHED_COLUMNS, rowHash } from '../store/row-hashes.ts';
import { ROW_COLUMNS } from '../store/transactions.ts';
import { compareSchema } from './schema-rules.ts';
import { listReissued, listUnequal } from './statement-rules.ts';

/** The rule about hashes; its examples are public identifiers. */
export const UNCHANGED = 'each transaction is as it was stored';

/** A record that breaks a rule, as text. */
interface Broken {
  readonly example: string;
}

/** Finds the records that break a rule: a step at a time, each on a snapshot of its own. */
type Steps = Generator<readonly Broken[], void>;

interface Rule {
  readonly find: (db: Db) => Steps;
  /** Whether it holds for a file of any version. */
  readonly isOfFile?: true;
  /** Whether SQLite answers it at once, however long that takes. */
  readonly isAtOnce?: true;
  /** Whether what breaks it is only said: an older budgetd wrote to the file. */
  readonly isTolerated?: true;
}

/** Finds those whose numbers are in a range. */
type Range = (from: number, to: number) => readonly Broken[];

const ROLE_TEXTS = ROLES.map((role) => `'${role}'`).join();

/** The rules by what they say. */
export const RULES: Record<string, Rule> = {
  'the file is intact': whole(
    `select integrity_check as example from pragma_integrity_check where integrity_check <> 'ok'`,
    { isOfFile: true },
  ),
  'every reference points to a record': whole(
    `select "table" || ' ' || coalesce(rowid, '') as example from pragma_foreign_key_check`,
    { isOfFile: true },
  ),
  'the file has the tables of this version': {
    *find(db) {
      yield compareSchema(db).missing.map((example) => ({ example }));
    },
  },
  [UNCHANGED]: walk('transactions', listChanged),
  'kept totals equal the sums of transactions': whole(
    `with kept as (select * from transaction_totals where transactions <> 0),
          wrong as (select * from (select * from kept except select * from counted_transactions)
                    union
                    select * from (select * from counted_transactions except select * from kept))
     select distinct 'organisation ' || organisation_id || ', ' || status as example from wrong`,
  ),
  'the transactions of each rule are counted': whole(
    `with sums as (
       select organisation_id, rule as what, transactions, 0 as amount_minor from rule_totals
       union all
       select organisation_id, rule, -count(distinct transaction_id), 0
         from allocations where rule is not null group by organisation_id, rule
       union all
       select organisation_id, quarter, transactions, amount_minor from ruled
       union all
       select organisation_id, created_at / 900000, -count(distinct transaction_id),
              -sum(amount_minor)
         from allocations where rule is not null group by organisation_id, created_at / 900000)
     select 'organisation ' || organisation_id || ', ' || what as example
       from sums group by organisation_id, what
     having sum(transactions) <> 0 or sum(amount_minor) <> 0`,
  ),
  'each allocated total equals the sum of its allocations': select(
    'transactions',
    `select 'transaction ' || t.id as example from transactions t
      where t.id between ? and ?
        and t.allocated_minor <> (
          select coalesce(sum(a.amount_minor), 0) from allocations a
           where a.organisation_id = t.organisation_id and a.transaction_id = t.id)`,
  ),
  'each status matches its transaction': select(
    'transactions',
    `select 'transaction ' || id as example from transactions
      where id between ? and ? and status <> case
        when excluded_at is not null then 'excluded'
        when review_changed_at is not null then 'needs_review'
        when allocated_minor = 0 then 'unallocated'
        when allocated_minor = amount_minor then 'allocated'
        else 'partially_allocated' end`,
  ),
  'no allocation exceeds its transaction, except under review': select(
    'transactions',
    `select 'transaction ' || id as example from transactions
      where id between ? and ? and review_changed_at is null
        and (abs(allocated_minor) > abs(amount_minor)
             or (allocated_minor <> 0 and (allocated_minor > 0) <> (amount_minor > 0)))`,
  ),
  'allocations match their transactions': select(
    'allocations',
    `select 'allocation ' || a.id as example
       from allocations a join transactions t on t.id = a.transaction_id
      where a.id between ? and ?
        and (a.date <> t.date or a.under_review <> (t.review_changed_at is not null)
             or a.recoded <> (t.recoded is not null)
             or a.organisation_id <> t.organisation_id or a.updated_at > t.updated_at)`,
  ),
  'report totals equal the sums of allocations': select(
    'budget_lines',
    `with lines as (select * from budget_lines where id between ? and ?)
     select 'budget line ' || budget_line_id || ' ' || month as example
       from (select s.budget_line_id, s.month, s.inside_minor, s.outside_minor
               from lines l join actuals s
                 on s.organisation_id = l.organisation_id and s.project_id = l.project_id
                and s.budget_line_id = l.id
             union all
             select w.budget_line_id, w.month, -w.inside_minor, -w.outside_minor
               from lines l join allocation_weights w
                 on w.organisation_id = l.organisation_id and w.project_id = l.project_id
                and w.budget_line_id = l.id)
      group by budget_line_id, month
     having sum(inside_minor) <> 0 or sum(outside_minor) <> 0`,
  ),
  'review totals equal the sums of allocations under review': select(
    'projects',
    `with some as (select * from projects where id between ? and ?)
     select 'project ' || project_id as example
       from (select r.project_id, r.transactions, r.amount_minor
               from some p join reviews r
                 on r.organisation_id = p.organisation_id and r.project_id = p.id
             union all
             select a.project_id, -count(distinct a.transaction_id), -sum(a.amount_minor)
               from some p join allocations a
                 on a.organisation_id = p.organisation_id and a.project_id = p.id
              where a.under_review = 1 group by a.project_id)
      group by project_id
     having sum(transactions) <> 0 or sum(amount_minor) <> 0`,
  ),
  'what is not allocated is the sum of the transactions of each day': { find: walkUnallocated },
  'the figures of each statement are the sums of its items': walk('statements', listUnequal),
  'each issued statement is as it was issued': walk('statements', listReissued),
  'the last write is the latest change': select(
    'organisations',
    `select 'organisation ' || o.id as example
       from organisations o
      where o.id between ? and ? and o.last_write_at < (
        select max(stamp) from (
          select max(updated_at) as stamp from transactions where organisation_id = o.id
          union all select max(updated_at) from projects where organisation_id = o.id
          union all select max(at) from audit_log where organisation_id = o.id))`,
  ),
  'each user has a role in an organisation': select(
    'users',
    `select 'user ' || u.id as example from users u left join memberships m on m.user_id = u.id
      where u.id between ? and ?
      group by u.id having not min(ifnull(m.role, '') in (${ROLE_TEXTS}))`,
  ),
  'the audit log records the last change of each transaction': { find: walkUnrecorded },
  'each entry of the audit log can be read': {
    ...select(
      'audit_log',
      `select 'entry ' || id || ', ' || action as example from audit_log
        where id between ? and ? and case when json_valid(details)
          then ifnull(json_type(details, '$.changes'), '') <> 'array' else 1 end`,
    ),
    isTolerated: true,
  },
  'raw data is JSON, or a layout that fits its transaction': walk('transactions', listUnreadable),
};

/** After a longer step the next one reads half as many records, after a short one twice as many. */
const LONG_MS = 4;
const SHORT_MS = 2;
const FIRST_RECORDS = 64;
/** Each can lead to another entry of the log, which has all the changes of a batch. */
const LOGGED_RECORDS = 16;
const MOST_RECORDS = 4096;
/** How many unreadable records end the reading of a table: a part of the file is lost. */
const UNREADABLE = 100;

/** Not a `statement`: these read whole tables on purpose and are prepared only when checked. */
function whole(text: string, more: Pick<Rule, 'isOfFile'> = {}): Rule {
  return {
    *find(db) {
      yield db.prepare<[], Broken>(text).all();
    },
    isAtOnce: true,
    ...more,
  };
}

/** A rule for the records of a table: `text` selects those that break it. */
function select(table: string, text: string): Rule {
  return walk(table, (db) => {
    const statement = db.prepare<[number, number], Broken>(text);
    return (from, to) => statement.all(from, to);
  });
}

/** Reads the records of a table by their numbers, as many at a time as a step allows. */
function walk(table: string, prepare: (db: Db) => Range): Rule {
  const find = function* (db: Db): Steps {
    const list = prepare(db);
    const last = db.prepare<[], number | null>(`select max(id) from ${table}`).pluck().get() ?? 0;
    const selectNext = db
      .prepare<[number], number | null>(`select min(id) from ${table} where id >= ?`)
      .pluck();
    let [records, unreadable] = [FIRST_RECORDS, 0];
    const note = (error: unknown) => {
      unreadable += 1;
      if (!isDamage(error) || unreadable > UNREADABLE) throw error;
    };
    // A damaged number can leave a gap of billions.
    const skipGap = (id: number) => orElse(() => selectNext.get(id) ?? Infinity, note, id);
    for (let from = skipGap(1); from <= last; ) {
      const to = Math.min(last, from + records - 1);
      const beganMs = performance.now();
      const broken = listReadable(list, [from, to], note);
      from = skipGap(to + 1);
      const tookMs = performance.now() - beganMs;
      yield broken;
      if (tookMs > LONG_MS) records = Math.max(1, records >> 1);
      else if (tookMs < SHORT_MS) records = Math.min(MOST_RECORDS, records * 2);
    }
  };
  return { find };
}

function orElse<Result>(read: () => Result, onError: (error: unknown) => void, fallback: Result) {
  try {
    return read();
  } catch (error) {
    onError(error);
    return fallback;
  }
}

/** Finds the unreadable records of a range by halving it, so that the others are still checked. */
function listReadable(
  list: Range,
  [from, to]: readonly [number, number],
  onUnreadable: (error: unknown) => void,
): readonly Broken[] {
  try {
    return list(from, to);
  } catch (error) {
    if (from === to || !isDamage(error)) {
      onUnreadable(error);
      return [{ example: `record ${from} cannot be read` }];
    }
    const middle = Math.floor((from + to) / 2);
    const first = listReadable(list, [from, middle], onUnreadable);
    return [...first, ...listReadable(list, [middle + 1, to], onUnreadable)];
  }
}

/** The transactions that do not fit their hash. */
function listChanged(db: Db): Range {
  const rows = db
    .prepare<[number, number], readonly unknown[]>(
      `select ${HASHED_COLUMNS.join(', ')}, row_hash from transactions where id between ? and ?`,
    )
    .raw();
  return (from, to) => {
    const broken: Broken[] = [];
    for (const row of rows.iterate(from, to)) {
      if (row.at(-1) === rowHash(row)) continue;
      const [id, orgId] = row.map((value) => (Number.isSafeInteger(value) ? Number(value) : 0));
      broken.push({ example: `${formatId('txn', id ?? 0)} of ${formatId('org', orgId ?? 0)}` });
    }
    return broken;
  };
}

/** The transactions whose last change is not in the audit log. */
function* walkUnrecorded(db: Db): Steps {
  const entries = db
    .prepare<[number, number], string>(
      'select details from audit_log where organisation_id = ? and at = ?',
    )
    .pluck();
  // In the order of their stamps, so that each entry is read once.
  const transactions = db.prepare<number[], { id: number; orgId: number; stampMs: number }>(
    `select id, organisation_id as orgId, updated_at as stampMs from transactions
      where (organisation_id, updated_at, id) > (?, ?, ?)
      order by organisation_id, updated_at, id limit ${LOGGED_RECORDS}`,
  );
  let last = { id: 0, orgId: 0, stampMs: 0 };
  let details: AuditDetails[] = [];
  for (;;) {
    const page = transactions.all(last.orgId, last.stampMs, last.id);
    if (page.length === 0) return;
    const broken: Broken[] = [];
    for (const transaction of page) {
      const { id, orgId, stampMs } = transaction;
      if (orgId !== last.orgId || stampMs !== last.stampMs) {
        details = entries.all(orgId, stampMs).map(readDetails);
      }
      last = transaction;
      const subject = formatId('txn', id);
      if (!details.some((each) => concerns(each, subject))) {
        broken.push({ example: `transaction ${id}` });
      }
    }
    yield broken;
  }
}

/** The days on which what is not allocated is another sum than that of the transactions. */
function* walkUnallocated(db: Db): Steps {
  const days = db
    .prepare<[{ orgId: number; last: string }], string | null>(
      `select min(date) from (
         select date from (select date from transactions
           where organisation_id = @orgId
             and newest_first < -cast(replace(@last, '-', '') as integer)
           order by newest_first desc limit 1)
         union all
         select min(date) from unallocated where organisation_id = @orgId and date > @last)`,
    )
    .pluck();
  const broken = db.prepare<[{ orgId: number; date: string }], Broken>(
    `select 'organisation ' || @orgId || ' ' || @date as example
       from (select coalesce(project_code, '') as code, 1 as number,
                    max(amount_minor - allocated_minor, 0) as paid,
                    max(allocated_minor - amount_minor, 0) as received
               from transactions
              where organisation_id = @orgId and amount_minor <> 0
                and newest_first = -cast(replace(@date, '-', '') as integer)
                and status in ('unallocated', 'partially_allocated')
             union all
             select project_code, -transactions, -out_minor, -in_minor
               from unallocated where organisation_id = @orgId and date = @date)
      group by code having sum(number) <> 0 or sum(paid) <> 0 or sum(received) <> 0`,
  );
  for (const { id: orgId } of listOrganisations({ db })) {
    for (let date = days.get({ orgId, last: '0000-00-00' }); date; ) {
      yield broken.all({ orgId, date });
      date = days.get({ orgId, last: date });
    }
  }
}

const ROW = namedColumns<ValidRow>(ROW_COLUMNS, 3);

function listUnreadable(db: Db): Range {
  const places = new Map(
    listOrganisations({ db }).map(({ id, currency }) => [id, currency.places]),
  );
  const rows = db
    .prepare<[number, number], [id: number, OrgId, rawData: unknown, ...row: unknown[]]>(
      `select t.id, t.organisation_id, t.raw_data, ${ROW.text}
         from transactions t where t.id between ? and ? and t.raw_data not glob '{*'`,
    )
    .raw();
  return (from, to) => {
    const broken: Broken[] = [];
    for (const found of rows.iterate(from, to)) {
      const [id, orgId, rawData] = found;
      const row = ROW.toObject(found);
      // A damaged value can be of any type.
      const isReadable = typeof rawData === 'string' && Number.isSafeInteger(row.amountMinor);
      const json = isReadable ? readRawData(rawData, row, places.get(orgId) ?? 0) : undefined;
      if (json === undefined) broken.push({ example: `transaction ${id}` });
    }
    return broken;
  };
}
