/**
 * The steps that upgrade an older database to `schema.sql`, the schema of a new file; `upgrade.ts`
 * runs and logs them.
 *
 * To change the schema after the first release, change `schema.sql` and add a step here with the
 * same result (a column that a step adds is the last in its table). Never change a released step,
 * but to give it its own text of what it creates from `schema.sql`, once that changes there.
 */

import { PACKAGE_FOLDER, readPackageFile } from '../package-folder.ts';
import type { Db } from './driver.ts';

/** SQL, or a function for what needs more; it says how far it is. */
export type Migration = string | ((db: Db, onProgress: (message: string) => void) => void);

/** The first step upgrades version 1, the schema of release 0.1.0, to 2, and so on. */
export const MIGRATIONS: readonly Migration[] = [
  // Version 2: references, bank accounts and project codes.
  `alter table transactions add column reference text;
   alter table transactions add column bank_account text;
   alter table transactions add column project_code text;
   drop index transactions_by_date;
   create index transactions_by_date on transactions
  (organisation_id, newest_first, id_copy, status, provider, account_code, contact, project_code);
   drop index transactions_set_aside;
   create index transactions_set_aside on transactions
  (organisation_id, newest_first, id_copy, status, provider, account_code, contact, project_code)
  where status in ('needs_review', 'excluded');`,
  // Version 3: codes of projects, which key pushed a transaction, totals by status, what is not
  // allocated, marks of what was recoded, dates and amounts in the index of reviews, the time zone
  // of an organisation, kinds of lines, second factors, and rules. Reviews begin without triggers.
  (db) => {
    db.exec(`alter table organisations add column time_zone text not null default 'UTC';
   alter table organisations add column second_factor_required integer not null default 0;
   alter table organisations add column letterhead text not null default '';
   alter table sessions add column password_at integer not null default 0;
   alter table projects add column codes text not null default '[]';
   alter table projects add column tolerance integer default 1000;
   alter table budget_lines add column kind text not null default 'expense';
   alter table transactions add column key_id integer;
   alter table transactions add column recoded text;
   alter table allocations add column recoded integer not null default 0;
   alter table allocations add column rule text;
   drop index allocations_under_review;
   drop trigger transactions_reviewed;
   drop trigger reviews_begun;`);
    create(db, [
      ...['second_factors', 'recovery_codes', 'statements', 'statement_items'],
      ...['statement_items_by_transaction', 'statement_stages', 'statement_drafts'],
      ...['transaction_totals', 'counted_transactions', 'unallocated', 'transactions_recoded'],
      ...['allocations_under_review', 'allocations_recoded', 'rules', 'rule_shares'],
      ...['rule_shares_by_line', 'rule_settings', 'rule_totals', 'ruled', 'left_alone'],
      ...['transactions_reviewed', 'audit_log_irreplaceable'],
    ]);
    db.exec(`insert into transaction_totals select * from counted_transactions;
   insert into unallocated
   select organisation_id, date, coalesce(project_code, ''), count(*),
          sum(max(amount_minor - allocated_minor, 0)), sum(max(allocated_minor - amount_minor, 0))
     from transactions
    where status in ('unallocated', 'partially_allocated') and amount_minor <> 0
    group by organisation_id, date, coalesce(project_code, '');`);
  },
];

/** Creates tables, indexes, views and triggers as `schema.sql` has them, in its order. */
function create(db: Db, names: readonly string[]): void {
  for (const [text, name = ''] of readSchemaFile().matchAll(CREATION)) {
    if (names.includes(name)) db.exec(text);
  }
}

/** A statement up to its end, which nothing indented follows, nor the end of a trigger. */
const CREATION =
  /^create (?:unique )?(?:table|index|view|trigger) (\w+)[\s\S]*?;$(?!\n(?: |end))/gm;

export function readSchemaFile(): string {
  return readPackageFile(new URL('schema.sql', PACKAGE_FOLDER)).toString();
}

/** The schema version of `schema.sql`. */
export const SCHEMA_VERSION = versionAfter(MIGRATIONS);

/** The schema version to which steps lead. */
export function versionAfter(migrations: readonly Migration[]): number {
  return migrations.length + 1;
}
