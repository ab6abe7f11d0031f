/**
 * The steps that upgrade an older database to `schema.sql`, the schema of a new file; `upgrade.ts`
 * runs and logs them.
 *
 * To change the schema after the first release, change `schema.sql` and add a step here with the
 * same result (a column that a step adds is the last in its table). Never change a released step.
 */

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
  // allocated, marks of what was recoded, the time zone of an organisation, kinds of lines,
  // second factors, and rules.
  `alter table organisations add column time_zone text not null default 'UTC';
   alter table organisations add column second_factor_required integer not null default 0;
   alter table organisations add column letterhead text not null default '';
   alter table sessions add column password_at integer not null default 0;
   create table second_factors (
  user_id      integer primary key references users on delete cascade,
  secret       blob    not null, -- encrypted
  last_step    integer not null, -- of the code that was used last: each works once
  created_at   integer not null,
  last_used_at integer not null
) strict;
   create table recovery_codes (
  user_id integer not null references second_factors on delete cascade,
  hash    blob    not null, -- HMAC-SHA-256
  primary key (user_id, hash)
) strict, without rowid;
   alter table projects add column codes text not null default '[]';
   alter table projects add column tolerance integer default 1000;
   create table statements (
  id               integer primary key,
  organisation_id  integer not null,
  project_id       integer not null,
  number           integer not null,
  issue            integer not null, -- above 1 for a statement that replaces a withdrawn one
  document         text    not null, -- JSON in one form, of which the hash is
  hash             blob    not null, -- SHA-256
  letterhead       text    not null, -- the organisation's name then, and its lines below it
  withdrawn_at     integer,
  withdrawn_by     text,
  withdrawn_reason text,
  unique (organisation_id, project_id, number, issue),
  foreign key (organisation_id, project_id) references projects (organisation_id, id)
) strict;
   create table statement_items (
  statement_id   integer not null, -- of statements, or before that of statement_stages
  transaction_id integer not null,
  budget_line_id integer not null,
  is_change      integer not null,
  amount_minor   integer not null, -- never 0; as money, so that money in is below 0
  primary key (statement_id, transaction_id, budget_line_id, is_change)
) strict, without rowid;
   create index statement_items_by_transaction on statement_items (transaction_id);
   create table statement_stages (
  statement_id    integer primary key autoincrement, -- the id that the statement is to have
  organisation_id integer not null,
  project_id      integer not null,
  is_left         integer not null -- 1 once it is only to be removed
) strict;
   create table statement_drafts (
  organisation_id integer not null,
  project_id      integer not null,
  draft           text    not null, -- JSON: last month, choice of projects, reasons, note
  primary key (organisation_id, project_id),
  foreign key (organisation_id, project_id) references projects (organisation_id, id)
) strict, without rowid;
   alter table budget_lines add column kind text not null default 'expense';
   alter table transactions add column key_id integer;
   -- What an organisation's transactions of a status add up to, so that no page counts them. Each
-- write brings it up to date, and \`budgetd check\` compares it with the transactions.
create table transaction_totals (
  organisation_id integer not null references organisations,
  status          text    not null,
  transactions    integer not null,
  zeroes          integer not null, -- how many of them are of amount 0
  out_minor       integer not null,
  in_minor        integer not null, -- not above 0
  allocated_minor integer not null,
  primary key (organisation_id, status)
) strict, without rowid;

-- The same from the transactions themselves.
create view counted_transactions as
  select organisation_id, status, count(*) as transactions, sum(amount_minor = 0) as zeroes,
         sum(max(amount_minor, 0)) as out_minor, sum(min(amount_minor, 0)) as in_minor,
         sum(allocated_minor) as allocated_minor
    from transactions group by organisation_id, status;
   insert into transaction_totals select * from counted_transactions;
   create table unallocated (
  organisation_id integer not null references organisations,
  date            text    not null,
  project_code    text    not null, -- '' for none
  transactions    integer not null,
  out_minor       integer not null,
  in_minor        integer not null, -- not below 0
  primary key (organisation_id, date, project_code)
) strict, without rowid;
   insert into unallocated
   select organisation_id, date, coalesce(project_code, ''), count(*),
          sum(max(amount_minor - allocated_minor, 0)), sum(max(allocated_minor - amount_minor, 0))
     from transactions
    where status in ('unallocated', 'partially_allocated') and amount_minor <> 0
    group by organisation_id, date, coalesce(project_code, '');
   alter table transactions add column recoded text;
   create index transactions_recoded on transactions
  (organisation_id, newest_first, id_copy, status, provider, account_code, contact, project_code)
  where recoded is not null;
   alter table allocations add column recoded integer not null default 0;
   alter table allocations add column rule text;
   create index allocations_recoded
  on allocations (organisation_id, project_id, transaction_id, amount_minor) where recoded = 1;
   create trigger transactions_recoded after update of recoded on transactions
  when new.allocated_minor <> 0 and (old.recoded is null) <> (new.recoded is null)
begin
  update allocations set recoded = new.recoded is not null
   where organisation_id = new.organisation_id and transaction_id = new.id;
end;
   -- The rules that allocate transactions, in their order (contract 15).
create table rules (
  id              integer primary key autoincrement,
  organisation_id integer not null references organisations,
  position        integer not null,
  name            text    not null,
  is_on           integer not null,
  from_date       text, -- of the transactions that it takes; null: no bound
  until_date      text, -- inclusive
  conditions      text    not null, -- JSON: core/rules RuleConditions
  unique (organisation_id, id),
  unique (organisation_id, position)
) strict;

-- What each budget line gets of what a rule takes.
create table rule_shares (
  organisation_id integer not null,
  rule_id         integer not null,
  position        integer not null,
  project_id      integer not null,
  budget_line_id  integer not null,
  weight          integer, -- in hundredths of a percent; null: the rest
  unique (organisation_id, rule_id, position),
  foreign key (organisation_id, rule_id) references rules (organisation_id, id) on delete cascade,
  foreign key (organisation_id, project_id, budget_line_id)
    references budget_lines (organisation_id, project_id, id)
) strict;
create index rule_shares_by_line on rule_shares (organisation_id, project_id, budget_line_id);

-- How the rules of an organisation run; without a record they run when someone asks.
create table rule_settings (
  organisation_id integer primary key references organisations,
  automatic       integer not null, -- whether they run after each push and import
  by_account_code integer not null, -- whether the built-in rule is part of these runs
  changed_at      integer not null  -- the stamp of the last change of the list
) strict;

-- How many transactions have allocations of a rule, by its name at that time. Kept with each write
-- of allocations, and checked like \`actuals\`.
create table rule_totals (
  organisation_id integer not null references organisations,
  rule            text    not null,
  transactions    integer not null,
  primary key (organisation_id, rule)
) strict, without rowid;

-- What rules have allocated in each quarter of an hour, as far as it is still so, because a day of
-- any time zone begins with one. Kept and checked like \`rule_totals\`.
create table ruled (
  organisation_id integer not null references organisations,
  quarter         integer not null, -- since 1970
  transactions    integer not null,
  amount_minor    integer not null,
  primary key (organisation_id, quarter)
) strict, without rowid;

-- Transactions that the rules leave alone while this is the stamp of their last change: someone
-- removed their allocations, or undid those that a rule had made.
create table left_alone (
  organisation_id integer not null,
  transaction_id  integer not null,
  stamp           integer not null,
  is_undone       integer not null, -- 1: only runs that nobody asked for leave it
  primary key (organisation_id, transaction_id),
  foreign key (organisation_id, transaction_id) references transactions (organisation_id, id)
) strict, without rowid;`,
];

/** The schema version of `schema.sql`. */
export const SCHEMA_VERSION = versionAfter(MIGRATIONS);

/** The schema version to which steps lead. */
export function versionAfter(migrations: readonly Migration[]): number {
  return migrations.length + 1;
}
