/** Checks a database: SQLite's own integrity check, and the rules for totals and statuses. */

import { type AuditDetails, concerns } from '../core/audit.ts';
import { formatId, type OrgId } from '../core/ids.ts';
import type { ValidRow } from '../core/push.ts';
import { readRawData } from '../core/raw-data.ts';
import { type Db, isDamage } from './database.ts';
import { listOrganisations } from './organisations.ts';

/** The result of one rule. */
export interface CheckResult {
  readonly name: string;
  readonly ok: boolean;
  /** How many records broke the rule. */
  readonly found: number;
  /** The first few of them. */
  readonly examples: readonly string[];
}

const EXAMPLES = 5;

/** Each rule selects the records that break it, as one text column. */
const RULES: Record<string, Rule> = {
  'the file is intact': rule(
    `select integrity_check as example from pragma_integrity_check where integrity_check <> 'ok'`,
  ),
  'every reference points to a record': rule(
    `select "table" || ' ' || coalesce(rowid, '') as example from pragma_foreign_key_check`,
  ),
  'each allocated total equals the sum of its allocations': rule(
    `select 'transaction ' || t.id as example
       from transactions t
       left join (select transaction_id, sum(amount_minor) as sum from allocations
                   group by transaction_id) a on a.transaction_id = t.id
      where t.allocated_minor <> coalesce(a.sum, 0)`,
  ),
  'each status matches its transaction': rule(
    `select 'transaction ' || id as example from transactions
      where status <> case
        when excluded_at is not null then 'excluded'
        when review_changed_at is not null then 'needs_review'
        when allocated_minor = 0 then 'unallocated'
        when allocated_minor = amount_minor then 'allocated'
        else 'partially_allocated' end`,
  ),
  'no allocation exceeds its transaction, except under review': rule(
    `select 'transaction ' || id as example from transactions
      where review_changed_at is null
        and (abs(allocated_minor) > abs(amount_minor)
             or (allocated_minor <> 0 and (allocated_minor > 0) <> (amount_minor > 0)))`,
  ),
  'allocations match their transactions': rule(
    `select 'allocation ' || a.id as example
       from allocations a join transactions t on t.id = a.transaction_id
      where a.date <> t.date or a.under_review <> (t.review_changed_at is not null)
         or a.organisation_id <> t.organisation_id`,
  ),
  'report totals equal the sums of allocations': rule(
    `select 'budget line ' || budget_line_id || ' ' || month as example
       from (select budget_line_id, month, inside_minor, outside_minor from actuals
             union all
             select budget_line_id, month, -inside_minor, -outside_minor
               from allocation_weights)
      group by budget_line_id, month
     having sum(inside_minor) <> 0 or sum(outside_minor) <> 0`,
  ),
  'review totals equal the sums of allocations under review': rule(
    `select 'project ' || project_id as example
       from (select project_id, transactions, amount_minor from reviews
             union all
             select project_id, -count(distinct transaction_id), -sum(amount_minor)
               from allocations where under_review = 1 group by project_id)
      group by project_id
     having sum(transactions) <> 0 or sum(amount_minor) <> 0`,
  ),
  'no stamp is later than the last write': rule(
    `select 'organisation ' || o.id as example
       from organisations o
      where o.last_write_at < (
        select max(stamp) from (
          select max(updated_at) as stamp from transactions where organisation_id = o.id
          union all select max(updated_at) from projects where organisation_id = o.id
          union all select max(updated_at) from allocations where organisation_id = o.id
          union all select max(at) from audit_log where organisation_id = o.id))`,
  ),
  'the audit log records the last change of each transaction': listUnrecorded,
  'raw data is JSON, or a layout that fits its transaction': listUnreadable,
};

type Rule = (db: Db) => { example: string }[];

/**
 * The transactions whose last change is not in the audit log. A database upgraded from schema
 * version 1 logs changes since the upgrade.
 */
function listUnrecorded(db: Db): { example: string }[] {
  const entries = db
    .prepare<[number, number], string>(
      'select details from audit_log where organisation_id = ? and at = ?',
    )
    .pluck();
  const transactions = db.prepare<[], { id: number; orgId: number; stampMs: number }>(
    `with upgrades as materialized (
       select organisation_id, max(at) as at from audit_log
        where action = 'database.upgraded' and details ->> 'from' = 1
        group by organisation_id)
     select t.id, t.organisation_id as orgId, t.updated_at as stampMs
       from transactions t left join upgrades u on u.organisation_id = t.organisation_id
      where t.updated_at > coalesce(u.at, -1)
      order by t.organisation_id, t.updated_at`,
  );
  const found: { example: string }[] = [];
  let last = { orgId: 0, stampMs: 0 };
  let details: AuditDetails[] = [];
  for (const transaction of transactions.iterate()) {
    const { id, orgId, stampMs } = transaction;
    if (orgId !== last.orgId || stampMs !== last.stampMs) {
      details = entries.all(orgId, stampMs).map((text) => JSON.parse(text));
      last = transaction;
    }
    const subject = formatId('txn', id);
    if (!details.some((each) => concerns(each, subject))) {
      found.push({ example: `transaction ${id}` });
    }
  }
  return found;
}

function listUnreadable(db: Db): { example: string }[] {
  const places = new Map(listOrganisations(db).map(({ id, currency }) => [id, currency.places]));
  const transactions = db.prepare<[], ValidRow & { id: number; orgId: OrgId; rawData: string }>(
    `select id, organisation_id as orgId, raw_data as rawData,
            ifnull(external_id, '') as externalId, date, description, contact,
            account_code as accountCode, amount_minor as amountMinor
       from transactions where raw_data not glob '{*'`,
  );
  const found: { example: string }[] = [];
  for (const { id, orgId, rawData, ...row } of transactions.iterate()) {
    const json = readRawData(rawData, row, places.get(orgId) ?? 0);
    if (json === undefined) found.push({ example: `transaction ${id}` });
  }
  return found;
}

/** Checks every rule, and calls `onRule` with each result. */
export function checkDatabase(
  db: Db,
  onRule: (result: CheckResult) => void = () => {},
): CheckResult[] {
  return Object.entries(RULES).map(([name, listBroken]) => {
    const broken = listOrDamage(() => listBroken(db));
    const examples = broken.slice(0, EXAMPLES).map(({ example }) => example);
    const result = { name, ok: broken.length === 0, found: broken.length, examples };
    onRule(result);
    return result;
  });
}

/** A file too damaged to read breaks the rule. The other rules are still checked. */
function listOrDamage(list: () => { example: string }[]): { example: string }[] {
  try {
    return list();
  } catch (error) {
    if (!isDamage(error)) throw error;
    return [{ example: `this part of the file cannot be read: ${error.message}` }];
  }
}

/** Not a `statement`: these read whole tables on purpose and are prepared only when checked. */
function rule(text: string): Rule {
  return (db) => db.prepare<[], { example: string }>(text).all();
}
