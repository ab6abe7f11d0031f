/**
 * The steps that bring an older database to `schema.sql`, the schema of a new file. Opening a
 * database runs the steps it lacks in one transaction, so it has its old version or today's. No
 * copy is made first: make a backup before you install a newer budgetd.
 *
 * To change the schema, change `schema.sql` and add a step here that leads to the same result (a
 * column that a step adds comes last in its table). Never change a step that has been released.
 */

/** From version 1 to 2: write stamps, and what one thing's history is found by. */
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

/** The step that leaves version 1 first, and so on. */
export const MIGRATIONS: readonly string[] = [STAMPS];

/** The version of `schema.sql`. */
export const SCHEMA_VERSION = MIGRATIONS.length + 1;
