/**
 * The steps that upgrade an older database to `schema.sql`, the schema of a new file; `upgrade.ts`
 * runs them.
 *
 * To change the schema, change `schema.sql` and add a step here with the same result (a column that
 * a step adds is the last in its table). Never change a released step.
 */

import type { Db } from './driver.ts';
import { fillHashes } from './hash-filling.ts';

/** SQL, or a function for what needs more; it says how far it is. */
export type Migration = string | ((db: Db, onProgress: (message: string) => void) => void);

/** From version 1 to 2: write stamps, and the index for the history of one object. */
const STAMPS = `
  alter table organisations add column last_write_at integer not null default 0;
  update organisations as o set last_write_at = max(
    created_at,
    coalesce((select max(updated_at) from transactions where organisation_id = o.id), 0),
    coalesce((select max(updated_at) from projects where organisation_id = o.id), 0),
    coalesce((select max(updated_at) from allocations where organisation_id = o.id), 0),
    coalesce((select max(at) from audit_log where organisation_id = o.id), 0));
  create index audit_log_by_subject on audit_log (organisation_id, subject, at)
    where subject is not null;
  ${logUpgrade(1)}
`;

/**
 * From version 2 to 3: one index for all lists in date order, instead of one for each filter; and
 * a review that begins or ends leaves the dates of its allocations alone.
 */
const LISTS = `
  drop index transactions_by_date;
  drop index transactions_by_status;
  drop index transactions_by_account_code;
  drop index transactions_by_contact;
  alter table transactions add column
    id_copy integer not null generated always as (id) virtual;
  create index transactions_by_date on transactions
    (organisation_id, newest_first, id_copy, status, provider, account_code, contact);
  create index transactions_set_aside on transactions
    (organisation_id, newest_first, id_copy, status, provider, account_code, contact)
    where status in ('needs_review', 'excluded');
  drop index transactions_by_external_id;
  create unique index transactions_by_external_id
    on transactions (organisation_id, external_id, provider);
  drop trigger transactions_followed;
  create trigger transactions_moved after update of date on transactions
    when new.allocated_minor <> 0 and old.date <> new.date begin
    update allocations set date = new.date
     where organisation_id = new.organisation_id and transaction_id = new.id;
  end;
  create trigger transactions_reviewed after update of review_changed_at on transactions
    when new.allocated_minor <> 0 and
         (old.review_changed_at is null) <> (new.review_changed_at is null)
  begin
    update allocations set under_review = new.review_changed_at is not null
     where organisation_id = new.organisation_id and transaction_id = new.id;
  end;
  ${logUpgrade(2)}
`;

/** From version 3 to 4: a hash for each transaction. */
const HASHES: Migration = (db, onProgress) => {
  db.exec('alter table transactions add column row_hash integer not null default 0');
  fillHashes(db, onProgress);
  db.exec(logUpgrade(3));
};

/** From version 4 to 5: users, their roles, one-time links and sessions. */
const USERS = `
  create table users (
    id              integer primary key autoincrement,
    email           text    not null,
    email_folded    text    not null unique,
    name            text,
    password        text    not null,
    created_at      integer not null,
    last_sign_in_at integer
  ) strict;
  create table memberships (
    organisation_id integer not null references organisations,
    user_id         integer not null references users,
    role            text    not null,
    primary key (organisation_id, user_id)
  ) strict, without rowid;
  create index memberships_by_user on memberships (user_id);
  create table one_time_links (
    hash       blob    not null primary key,
    purpose    text    not null,
    user_id    integer references users on delete cascade,
    created_at integer not null,
    check ((purpose = 'set-up') = (user_id is null))
  ) strict, without rowid;
  create index one_time_links_by_user on one_time_links (user_id);
  create table sessions (
    id              integer primary key autoincrement,
    hash            blob    not null unique,
    user_id         integer not null,
    organisation_id integer not null,
    agent           text,
    created_at      integer not null,
    seen_at         integer not null,
    foreign key (organisation_id, user_id) references memberships on delete cascade
  ) strict;
  create index sessions_by_user on sessions (user_id, organisation_id);
  ${logUpgrade(4)}
`;

/** From version 5 to 6: what users chose, archived projects, and how CSV files were read. */
const CONSOLE = `
  alter table users add column locale text;
  alter table users add column shortcuts integer not null default 1;
  alter table projects add column archived_at integer;
  create table csv_mappings (
    organisation_id integer not null references organisations,
    columns         blob    not null,
    mapping         text    not null,
    saved_at        integer not null,
    primary key (organisation_id, columns)
  ) strict, without rowid;
  ${logUpgrade(5)}
`;

/** From version 6 to 7: who was invited, and what each organisation may know of a user. */
const INVITATIONS = `
  alter table users add column password_changed_by_other integer not null default 0;
  alter table memberships add column created_at integer not null default 0;
  update memberships set created_at = (select created_at from users where id = user_id);
  alter table memberships add column last_sign_in_at integer;
  -- Signing in led to the organisation with the lowest number.
  update memberships set last_sign_in_at =
    (select last_sign_in_at from users where id = memberships.user_id)
   where organisation_id =
    (select min(organisation_id) from memberships m where m.user_id = memberships.user_id);
  alter table users drop column last_sign_in_at;
  -- Nobody can say any more who made a link.
  delete from one_time_links where user_id is not null;
  alter table one_time_links add column created_by integer;
  create table invitations (
    organisation_id integer not null references organisations,
    email_folded    text    not null,
    email           text    not null,
    name            text,
    role            text    not null,
    invited_by      integer not null,
    hash            blob    not null unique,
    created_at      integer not null,
    primary key (organisation_id, email_folded)
  ) strict, without rowid;
  ${logUpgrade(6)}
`;

/** The first step upgrades version 1 to 2, and so on. */
export const MIGRATIONS: readonly Migration[] = [
  STAMPS,
  LISTS,
  HASHES,
  USERS,
  CONSOLE,
  INVITATIONS,
];

/** The schema version of `schema.sql`. */
export const SCHEMA_VERSION = MIGRATIONS.length + 1;

/** Logs a step that begins at version `from`, with a stamp of its own in each organisation. */
function logUpgrade(from: number): string {
  return `
    update organisations
       set last_write_at = max(last_write_at + 1, cast(unixepoch('subsec') * 1000 as integer));
    insert into audit_log (organisation_id, at, actor, action, details)
      select id, last_write_at, 'budgetd', 'database.upgraded',
             json_object('from', ${from}, 'to', ${from + 1}, 'changes', json_array())
        from organisations;`;
}
