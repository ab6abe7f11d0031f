/**
 * The steps that upgrade an older database to `schema.sql`, the schema of a new file. Opening a
 * database runs the missing steps in one transaction, so an upgrade either completes or changes
 * nothing. budgetd makes no copy first: back up the database before you install a newer version.
 *
 * To change the schema, change `schema.sql` and add a step here with the same result (a column that
 * a step adds is the last in its table). Never change a released step.
 */

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
  update organisations
     set last_write_at = max(last_write_at + 1, cast(unixepoch('subsec') * 1000 as integer));
  insert into audit_log (organisation_id, at, actor, action, details)
    select id, last_write_at, 'budgetd', 'database.upgraded',
           json_object('from', 1, 'to', 2, 'changes', json_array())
      from organisations;
`;

/** The first step upgrades version 1 to 2, and so on. */
export const MIGRATIONS: readonly string[] = [STAMPS];

/** The schema version of `schema.sql`. */
export const SCHEMA_VERSION = MIGRATIONS.length + 1;
