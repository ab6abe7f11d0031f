-- The current schema, for new files. Tables are STRICT. Money is INTEGER minor units, instants are
-- INTEGER milliseconds since 1970, calendar dates are TEXT YYYY-MM-DD. The organisation is the
-- first column of every unique index and part of the composite foreign keys, so no record can refer
-- to another organisation's data. Public identifiers are built from the rowid (core/ids).

create table organisations (
  id            integer primary key autoincrement,
  name          text    not null,
  currency      text    not null,
  plan          text    not null,
  created_at    integer not null,
  last_write_at integer not null default 0, -- the latest stamp; each write takes a later one
  time_zone     text    not null default 'UTC', -- its IANA name
  second_factor_required integer not null default 0, -- of everyone who signs in
  letterhead    text    not null default '' -- lines below the name at the head of statements
) strict;

-- People who sign in. A user belongs to organisations through memberships, and is removed with the
-- last of them.
create table users (
  id              integer primary key autoincrement,
  email           text    not null,        -- as it was typed
  email_folded    text    not null unique, -- core/users foldEmail: case does not matter
  name            text,
  password        text    not null,        -- its scrypt hash: operations/passwords
  created_at      integer not null,
  locale          text,                       -- of numbers and dates; null: as the browser asks
  shortcuts       integer not null default 1, -- whether lists of the console listen to keys
  password_changed_by_other integer not null default 0 -- someone else chose it: to be changed
) strict;

create table memberships (
  organisation_id integer not null references organisations,
  user_id         integer not null references users,
  role            text    not null,
  created_at      integer not null default 0,
  last_sign_in_at integer, -- when the user last signed in to this organisation, or changed to it
  sessions_from   integer not null default 0, -- a session that began earlier cannot change to it
  primary key (organisation_id, user_id)
) strict, without rowid;
create index memberships_by_user on memberships (user_id);

-- Who may join an organisation, whether the address is a user's or not. The link that does it is
-- short-lived and works while its maker is an owner; the invitation stays until someone ends it.
create table invitations (
  organisation_id integer not null references organisations,
  email_folded    text    not null, -- core/users foldEmail
  email           text    not null, -- as it was typed
  name            text,
  role            text    not null,
  invited_by      integer not null, -- the number of a user, who may be gone
  hash            blob    not null unique, -- SHA-256 of the link's token, which is never stored
  created_at      integer not null,
  primary key (organisation_id, email_folded)
) strict, without rowid;

-- Links that work once and for a short time: they belong to a user, or set up the first one.
create table one_time_links (
  hash       blob    not null primary key, -- SHA-256 of the token, which is never stored
  purpose    text    not null,
  user_id    integer references users on delete cascade,
  created_at integer not null,
  created_by integer, -- the number of the user who made it; null: whoever runs the service
  check ((purpose = 'set-up') = (user_id is null))
) strict, without rowid;
create index one_time_links_by_user on one_time_links (user_id);

-- Second factors. The key under which they are encrypted and hashed is in a file of its own
-- (operations/second-factors).
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

-- Browsers in which a user is signed in.
create table sessions (
  id              integer primary key autoincrement,
  hash            blob    not null unique, -- SHA-256 of the token, which is never stored
  user_id         integer not null,
  organisation_id integer not null,        -- whose pages are shown
  agent           text,                    -- what the browser says it is
  created_at      integer not null,
  seen_at         integer not null,        -- written at most once a minute
  password_at     integer not null default 0, -- when the password was given last
  foreign key (organisation_id, user_id) references memberships on delete cascade
) strict;
create index sessions_by_user on sessions (user_id, organisation_id);

create table api_keys (
  id              integer primary key autoincrement,
  organisation_id integer not null references organisations,
  name            text    not null,
  hash            blob    not null unique, -- SHA-256 of the whole key, which is never stored
  display         text    not null,        -- the first 6 of its 48 characters
  scopes          text    not null,        -- a JSON array
  created_by      text    not null,        -- the actor, such as usr_… or command line
  created_at      integer not null,
  expires_at      integer,
  last_used_at    integer,
  revoked_at      integer
) strict;
create index api_keys_by_organisation on api_keys (organisation_id);

create table projects (
  id                integer primary key autoincrement,
  organisation_id   integer not null references organisations,
  name              text    not null,
  description       text,
  start_date        text    not null,
  end_date          text    not null, -- inclusive
  budget_mode       text    not null,
  parent_project_id integer,
  funder_name       text,
  funder_reference  text,
  created_at        integer not null,
  updated_at        integer not null,
  archived_at       integer, -- null: not archived
  codes             text    not null default '[]', -- a JSON array: what finance systems call it
  -- How far a line may be off before a statement asks why: in hundredths of a percent; null: never.
  tolerance         integer default 1000,
  unique (organisation_id, id),
  foreign key (organisation_id, parent_project_id) references projects (organisation_id, id)
) strict;
create unique index projects_by_name on projects (organisation_id, name);
create index projects_by_parent on projects (organisation_id, parent_project_id, name);

-- What a funder or a board got, frozen when it was issued.
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

-- What a statement reported of a transaction and a line: of its period, or as a change since the
-- statements before it.
create table statement_items (
  statement_id   integer not null, -- of statements, or before that of statement_stages
  transaction_id integer not null,
  budget_line_id integer not null,
  is_change      integer not null,
  amount_minor   integer not null, -- never 0; as money, so that money in is below 0
  primary key (statement_id, transaction_id, budget_line_id, is_change)
) strict, without rowid;
create index statement_items_by_transaction on statement_items (transaction_id);

-- Statements that are being issued: their items are stored in steps. What a crash leaves of one is
-- removed when the next one of its project is issued.
create table statement_stages (
  statement_id    integer primary key autoincrement, -- the id that the statement is to have
  organisation_id integer not null,
  project_id      integer not null,
  is_left         integer not null -- 1 once it is only to be removed
) strict;

-- The next statement of a project, as far as someone has written it.
create table statement_drafts (
  organisation_id integer not null,
  project_id      integer not null,
  draft           text    not null, -- JSON: last month, choice of projects, reasons, note
  primary key (organisation_id, project_id),
  foreign key (organisation_id, project_id) references projects (organisation_id, id)
) strict, without rowid;

-- How CSV files with these columns were read last, to ask no question twice.
create table csv_mappings (
  organisation_id integer not null references organisations,
  columns         blob    not null, -- SHA-256 of the names of the columns
  mapping         text    not null, -- JSON, as in a mapping file
  saved_at        integer not null,
  primary key (organisation_id, columns)
) strict, without rowid;

create table budget_lines (
  id              integer primary key autoincrement,
  organisation_id integer not null,
  project_id      integer not null,
  code            text,
  name            text    not null,
  category        text,
  position        integer not null,
  total_minor     integer, -- the budget in budget_mode total, otherwise null; income is below 0
  kind            text    not null default 'expense', -- or income
  unique (organisation_id, project_id, code),
  unique (organisation_id, project_id, id),
  foreign key (organisation_id, project_id) references projects (organisation_id, id)
) strict;

-- The budget of a line in budget_mode monthly.
create table budget_amounts (
  organisation_id integer not null,
  project_id      integer not null,
  budget_line_id  integer not null,
  month           text    not null, -- YYYY-MM
  amount_minor    integer not null,
  primary key (organisation_id, project_id, budget_line_id, month),
  foreign key (organisation_id, project_id, budget_line_id)
    references budget_lines (organisation_id, project_id, id) on delete cascade
) strict, without rowid;

-- The account codes that a budget line claims.
create table budget_line_account_codes (
  organisation_id integer not null,
  account_code    text    not null,
  project_id      integer not null,
  budget_line_id  integer not null,
  position        integer not null,
  primary key (organisation_id, project_id, budget_line_id, account_code),
  foreign key (organisation_id, project_id, budget_line_id)
    references budget_lines (organisation_id, project_id, id) on delete cascade
) strict, without rowid;
create index account_codes_by_code on budget_line_account_codes (organisation_id, account_code);

-- Transactions are never deleted, so a rowid is never reused.
create table transactions (
  id                    integer primary key,
  organisation_id       integer not null references organisations,
  provider              text    not null,
  external_id           text,
  date                  text    not null,
  newest_first          integer not null -- sorts later dates first: -20260131
    generated always as (-cast(replace(date, '-', '') as integer)) virtual,
  description           text    not null,
  contact               text,
  account_code          text,
  amount_minor          integer not null,
  status                text    not null, -- core/transactions statusOf, stored for its index
  allocated_minor       integer not null, -- the sum of its allocations
  review_previous_minor integer,
  review_changed_at     integer,          -- not null while under review
  created_at            integer not null,
  updated_at            integer not null,
  excluded_at           integer,
  excluded_by           text,
  excluded_reason       text,
  raw_data              text,             -- the last accepted row: JSON, or see core/raw-data
  id_copy               integer not null  -- SQLite seeks a column of an index, but not the id in it
    generated always as (id) virtual,
  row_hash              integer not null default 0, -- of all the others, see store/row-hashes
  reference             text,
  bank_account          text,
  project_code          text,
  key_id                integer, -- the key that created or changed it last, if known
  recoded               text,             -- the mark as JSON, see core/recoded
  unique (organisation_id, id),
  check ((review_previous_minor is null) = (review_changed_at is null)),
  check (excluded_at is null or allocated_minor = 0)
) strict;
-- In this order, a push finds those of every provider at once.
create unique index transactions_by_external_id
  on transactions (organisation_id, external_id, provider);
-- Lists in date order answer their filters from the columns of this index, and read the table only
-- for what matches. The statuses that people look for are rare, so they have a small index as well.
create index transactions_by_date on transactions
  (organisation_id, newest_first, id_copy, status, provider, account_code, contact, project_code);
create index transactions_set_aside on transactions
  (organisation_id, newest_first, id_copy, status, provider, account_code, contact, project_code)
  where status in ('needs_review', 'excluded');
create index transactions_recoded on transactions
  (organisation_id, newest_first, id_copy, status, provider, account_code, contact, project_code)
  where recoded is not null;
create index transactions_by_update on transactions (organisation_id, updated_at);

-- What an organisation's transactions of a status add up to, so that no page counts them. Each
-- write brings it up to date, and `budgetd check` compares it with the transactions.
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

create table allocations (
  id              integer primary key autoincrement,
  organisation_id integer not null,
  project_id      integer not null,
  budget_line_id  integer not null,
  transaction_id  integer not null,
  date            text    not null, -- the transaction's date, kept by a trigger below
  newest_first    integer not null
    generated always as (-cast(replace(date, '-', '') as integer)) virtual,
  under_review    integer not null, -- 1 while the transaction is, see transactions_reviewed
  amount_minor    integer not null check (amount_minor <> 0),
  note            text,
  created_at      integer not null,
  updated_at      integer not null,
  recoded         integer not null default 0, -- 1 while the transaction is, kept by a trigger
  rule            text, -- what made it, such as 'By account code'; null: a person
  foreign key (organisation_id, project_id, budget_line_id)
    references budget_lines (organisation_id, project_id, id),
  foreign key (organisation_id, transaction_id) references transactions (organisation_id, id)
) strict;
create index allocations_by_project on allocations (organisation_id, project_id, newest_first);
-- The transactions of a project, in list order.
create index allocations_by_project_transaction
  on allocations (organisation_id, project_id, newest_first, transaction_id);
create index allocations_by_line
  on allocations (organisation_id, project_id, budget_line_id, newest_first);
create index allocations_by_transaction
  on allocations (organisation_id, transaction_id, newest_first);
-- What is marked in some months is counted and added up from these alone.
create index allocations_under_review
  on allocations (organisation_id, project_id, transaction_id, date, amount_minor)
  where under_review = 1;
create index allocations_recoded
  on allocations (organisation_id, project_id, transaction_id, date, amount_minor)
  where recoded = 1;

-- The total allocated to a line in a month, so that a report does not add up allocations. The
-- triggers below keep it up to date, and `budgetd check` compares it with the allocations.
create table actuals (
  organisation_id integer not null,
  project_id      integer not null,
  budget_line_id  integer not null,
  month           text    not null, -- YYYY-MM
  inside_minor    integer not null, -- dated within the project
  outside_minor   integer not null, -- dated outside it
  primary key (organisation_id, project_id, budget_line_id, month),
  foreign key (organisation_id, project_id, budget_line_id)
    references budget_lines (organisation_id, project_id, id) on delete cascade
) strict, without rowid;

-- What an allocation adds to `actuals`. A view, shared by the triggers and the check.
create view allocation_weights as
  select a.id, a.organisation_id, a.project_id, a.budget_line_id, substr(a.date, 1, 7) as month,
         iif(a.date between p.start_date and p.end_date, a.amount_minor, 0) as inside_minor,
         iif(a.date between p.start_date and p.end_date, 0, a.amount_minor) as outside_minor
    from allocations a join projects p on p.id = a.project_id;

create trigger allocations_added after insert on allocations begin
  insert into actuals
    select organisation_id, project_id, budget_line_id, month, inside_minor, outside_minor
      from allocation_weights where id = new.id
    on conflict do update set inside_minor = inside_minor + excluded.inside_minor,
                              outside_minor = outside_minor + excluded.outside_minor;
end;

create trigger allocations_removed before delete on allocations begin
  update actuals set inside_minor = actuals.inside_minor - w.inside_minor,
                     outside_minor = actuals.outside_minor - w.outside_minor
    from allocation_weights w
   where w.id = old.id
     and actuals.organisation_id = w.organisation_id and actuals.project_id = w.project_id
     and actuals.budget_line_id = w.budget_line_id and actuals.month = w.month;
end;

create trigger allocations_leaving before update of date, amount_minor on allocations
  when old.date <> new.date or old.amount_minor <> new.amount_minor begin
  update actuals set inside_minor = actuals.inside_minor - w.inside_minor,
                     outside_minor = actuals.outside_minor - w.outside_minor
    from allocation_weights w
   where w.id = old.id
     and actuals.organisation_id = w.organisation_id and actuals.project_id = w.project_id
     and actuals.budget_line_id = w.budget_line_id and actuals.month = w.month;
end;

create trigger allocations_arriving after update of date, amount_minor on allocations
  when old.date <> new.date or old.amount_minor <> new.amount_minor begin
  insert into actuals
    select organisation_id, project_id, budget_line_id, month, inside_minor, outside_minor
      from allocation_weights where id = new.id
    on conflict do update set inside_minor = inside_minor + excluded.inside_minor,
                              outside_minor = outside_minor + excluded.outside_minor;
end;

create trigger projects_moved after update of start_date, end_date on projects
  when old.start_date <> new.start_date or old.end_date <> new.end_date begin
  delete from actuals where organisation_id = new.organisation_id and project_id = new.id;
  insert into actuals
    select organisation_id, project_id, budget_line_id, month,
           sum(inside_minor), sum(outside_minor)
      from allocation_weights
     where organisation_id = new.organisation_id and project_id = new.id
     group by budget_line_id, month;
end;

-- Two triggers, because naming the date of an allocation rewrites all of its indexes.
create trigger transactions_moved after update of date on transactions
  when new.allocated_minor <> 0 and old.date <> new.date begin
  update allocations set date = new.date
   where organisation_id = new.organisation_id and transaction_id = new.id;
end;

-- When a review ends. Those of a push begin together: store/shares marks their allocations.
create trigger transactions_reviewed after update of review_changed_at on transactions
  when new.allocated_minor <> 0 and
       old.review_changed_at is not null and new.review_changed_at is null
begin
  update allocations set under_review = 0
   where organisation_id = new.organisation_id and transaction_id = new.id;
end;

create trigger transactions_recoded after update of recoded on transactions
  when new.allocated_minor <> 0 and (old.recoded is null) <> (new.recoded is null)
begin
  update allocations set recoded = new.recoded is not null
   where organisation_id = new.organisation_id and transaction_id = new.id;
end;

-- How much of a project is under review, so that a report does not count it. Checked like
-- `actuals`: store/shares adds what begins, and the triggers below keep the rest. A new allocation
-- is never under review: only a later change of its transaction can start one.
create table reviews (
  organisation_id integer not null,
  project_id      integer not null,
  transactions    integer not null, -- with an allocation under review in the project
  amount_minor    integer not null,
  primary key (organisation_id, project_id),
  foreign key (organisation_id, project_id) references projects (organisation_id, id)
    on delete cascade
) strict, without rowid;

-- Whether an allocation is the only one of its transaction under review in its project.
create view allocation_reviews as
  select a.id, a.organisation_id, a.project_id, a.amount_minor,
         not exists (select 1 from allocations b indexed by allocations_under_review
                      where b.organisation_id = a.organisation_id and b.project_id = a.project_id
                        and b.transaction_id = a.transaction_id and b.under_review = 1
                        and b.id <> a.id) as is_only
    from allocations a;

create trigger reviews_ended after update of under_review on allocations
  when new.under_review < old.under_review begin
  update reviews set transactions = transactions - r.is_only,
                     amount_minor = reviews.amount_minor - old.amount_minor
    from allocation_reviews r
   where r.id = new.id
     and reviews.organisation_id = r.organisation_id and reviews.project_id = r.project_id;
end;

create trigger reviews_rescaled after update of amount_minor on allocations
  when old.under_review = 1 and new.under_review = 1 begin
  update reviews set amount_minor = amount_minor + new.amount_minor - old.amount_minor
   where organisation_id = new.organisation_id and project_id = new.project_id;
end;

create trigger reviews_removed before delete on allocations when old.under_review = 1 begin
  update reviews set transactions = transactions - r.is_only,
                     amount_minor = reviews.amount_minor - r.amount_minor
    from allocation_reviews r
   where r.id = old.id
     and reviews.organisation_id = r.organisation_id and reviews.project_id = r.project_id;
end;

-- What of the transactions of each day is not allocated, so that a report does not add up
-- transactions. Checked like `actuals`, but kept by store/totals with each write: a trigger
-- would cost every row of a push.
create table unallocated (
  organisation_id integer not null references organisations,
  date            text    not null,
  project_code    text    not null, -- '' for none
  transactions    integer not null,
  out_minor       integer not null,
  in_minor        integer not null, -- not below 0
  primary key (organisation_id, date, project_code)
) strict, without rowid;

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
-- of allocations, and checked like `actuals`.
create table rule_totals (
  organisation_id integer not null references organisations,
  rule            text    not null,
  transactions    integer not null,
  primary key (organisation_id, rule)
) strict, without rowid;

-- What rules have allocated in each quarter of an hour, as far as it is still so, because a day of
-- any time zone begins with one. Kept and checked like `rule_totals`.
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
) strict, without rowid;

-- Who did what, when (contract 5). Append-only; written in the same SQLite transaction as the
-- change. `at` is the stamp of the write, so updated_at of a transaction leads to its last entry.
create table audit_log (
  id              integer primary key autoincrement,
  organisation_id integer not null references organisations,
  at              integer not null,
  actor           text    not null,
  action          text    not null,
  subject         text,
  request_id      text,
  details         text    not null -- a JSON object
) strict;
create index audit_log_by_time on audit_log (organisation_id, at);
create index audit_log_by_subject on audit_log (organisation_id, subject, at)
  where subject is not null;

create trigger audit_log_unchangeable before update on audit_log begin
  select raise(abort, 'the audit log is append-only');
end;
create trigger audit_log_undeletable before delete on audit_log begin
  select raise(abort, 'the audit log is append-only');
end;
-- `insert or replace` deletes without the trigger above.
create trigger audit_log_irreplaceable before insert on audit_log
  when exists (select 1 from audit_log where id = new.id) begin
  select raise(abort, 'the audit log is append-only');
end;
