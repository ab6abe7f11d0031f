/** Organisations, found by number or through a key. */

import { type Actor, changeOf } from '../core/audit.ts';
import { findCurrency } from '../core/currencies.ts';
import { Failure } from '../core/failures.ts';
import { formatId, type OrgId } from '../core/ids.ts';
import type { Organisation } from '../core/organisations.ts';
import type { Plan } from '../core/plans.ts';
import { atomically, type Db } from '../database/database.ts';
import { statement } from '../database/statements.ts';
import type { Access, Source } from './access.ts';
import { beginAct, recordAudit } from './audit.ts';

/** A stored organisation. */
export interface OrganisationRecord {
  id: OrgId;
  name: string;
  currency: string;
  plan: Plan;
  created_at: number;
  time_zone: string;
  second_factor_required: 0 | 1;
}

/** The columns of an OrganisationRecord. */
export const ORGANISATION_COLUMNS =
  'o.id, o.name, o.currency, o.plan, o.created_at, o.time_zone, o.second_factor_required';

/** Converts a record to an organisation. */
export function toOrganisation(record: OrganisationRecord): Organisation {
  const currency = findCurrency(record.currency);
  if (currency === undefined) throw new Error(`unknown currency ${record.currency}`);
  const { id, name, plan, time_zone: timeZone, created_at: createdAtMs } = record;
  const requiresSecondFactor = record.second_factor_required === 1;
  return { id, name, currency, plan, timeZone, createdAtMs, requiresSecondFactor };
}

/**
 * Creates an organisation; the draft has been validated. With `onlyFirst`, refuses with `conflict`
 * if the database already has one, even when another process has just created it.
 */
export function createOrganisation(
  { db }: Source,
  draft: { name: string; currency: string; plan: Plan; timeZone: string; onlyFirst?: boolean },
  actor: Actor,
): Organisation {
  return atomically({ db }, () => {
    const { name, currency, plan, timeZone, onlyFirst = false } = draft;
    if (onlyFirst) refuseSecond(db);
    const values = [name, currency, plan, actor.nowMs, timeZone] as const;
    const { lastInsertRowid } = insertOrganisation(db).run(...values);
    const id = Number(lastInsertRowid) as OrgId;
    const { organisation } = accessOf({ db }, id);
    const access = { db, organisation };
    const subject = formatId('org', id);
    const created = { name, baseCurrency: currency, plan, timeZone };
    const changes = [changeOf(subject, null, created)];
    const entry = { action: 'organisation.created', subject, details: { changes } } as const;
    recordAudit(access, beginAct(access, actor), entry);
    return organisation;
  });
}

function refuseSecond(db: Db): void {
  const existing = listOrganisations({ db });
  const [first] = existing;
  if (first === undefined) return;
  const others = existing.length === 1 ? '' : ` and ${existing.length - 1} more`;
  const shown = `${first.name} (${formatId('org', first.id)}, ${first.currency.code})${others}`;
  throw new Failure('conflict', `The database already has ${shown}.`);
}

const insertOrganisation = statement<[string, string, string, number, string]>(
  `insert into organisations (name, currency, plan, created_at, time_zone)
   values (?, ?, ?, ?, ?)`,
);

/** All organisations, oldest first. */
export function listOrganisations({ db }: Source): Organisation[] {
  return selectOrganisations(db).all().map(toOrganisation);
}

const selectOrganisations = statement<[], OrganisationRecord>(
  `select ${ORGANISATION_COLUMNS} from organisations o order by o.id`,
);

/** One organisation, or undefined. */
export function findOrganisation({ db }: Source, orgId: number): Organisation | undefined {
  const record = selectOrganisation(db).get(orgId);
  return record === undefined ? undefined : toOrganisation(record);
}

/** The data of an organisation that must exist. */
export function accessOf({ db }: Source, orgId: OrgId): Access {
  const organisation = findOrganisation({ db }, orgId);
  if (organisation === undefined) throw new Error(`organisation ${orgId} is missing`);
  return { db, organisation };
}

const selectOrganisation = statement<[number], OrganisationRecord>(
  `select ${ORGANISATION_COLUMNS} from organisations o where o.id = ?`,
);

/** What of an organisation can be changed: its column, and what the audit log calls the change. */
const MEMBERS = {
  name: { column: 'name', action: 'organisation.renamed' },
  plan: { column: 'plan', action: 'plan.changed' },
  timeZone: { column: 'time_zone', action: 'organisation.time_zone_changed' },
} as const;

/**
 * Sets the name, the plan, which applies from the next request of its keys, or the time zone.
 * Throws `conflict` if the stored value is not `seen`, where that is given.
 */
export function setOrganisation(
  access: Access,
  { member, value, seen }: OrganisationChange,
  actor: Actor,
): void {
  const { db, organisation } = access;
  atomically({ db }, () => {
    const before = accessOf(access, organisation.id).organisation[member];
    if (before === value) return;
    if (seen !== undefined && before !== seen) {
      const message = `Someone else has just changed the ${member} to "${before}".`;
      throw new Failure('conflict', message);
    }
    updates[member](db).run(value, organisation.id);
    const subject = formatId('org', organisation.id);
    const changes = [changeOf(subject, { [member]: before }, { [member]: value })];
    const act = beginAct(access, actor);
    recordAudit(access, act, { action: MEMBERS[member].action, subject, details: { changes } });
  });
}

/** A new value, and the one that the caller saw. */
export interface OrganisationChange {
  readonly member: keyof typeof MEMBERS;
  readonly value: string;
  readonly seen?: string;
}

const updates = {
  name: updateOf('name'),
  plan: updateOf('plan'),
  timeZone: updateOf('timeZone'),
};

function updateOf(member: keyof typeof MEMBERS) {
  return statement<[string, OrgId]>(
    `update organisations set ${MEMBERS[member].column} = ? where id = ?`,
  );
}

/** Requires a second factor of everyone in the organisation, or leaves that to each user. */
export function requireSecondFactor(access: Access, isRequired: boolean, actor: Actor): void {
  const { db, organisation } = access;
  atomically({ db }, () => {
    const before = accessOf(access, organisation.id).organisation.requiresSecondFactor;
    if (before === isRequired) return;
    updateRequired(db).run(isRequired ? 1 : 0, organisation.id);
    const subject = formatId('org', organisation.id);
    const [was, is] = [{ secondFactorRequired: before }, { secondFactorRequired: isRequired }];
    const details = { changes: [changeOf(subject, was, is)] };
    const action = 'organisation.second_factor_required';
    recordAudit(access, beginAct(access, actor), { action, subject, details });
  });
}

const updateRequired = statement<[0 | 1, OrgId]>(
  'update organisations set second_factor_required = ? where id = ?',
);
