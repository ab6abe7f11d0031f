/** Organisations, found by number or through a key. */

import { type Actor, type AuditAction, changeOf } from '../core/audit.ts';
import { findCurrency } from '../core/currencies.ts';
import { Failure } from '../core/failures.ts';
import { formatId, type OrgId } from '../core/ids.ts';
import type { OrganisationRecord } from '../core/organisations.ts';
import type { Plan } from '../core/plans.ts';
import { atomically, type Db, type Source } from '../database/database.ts';
import { statement } from '../database/statements.ts';
import type { Access } from './access.ts';
import { beginAct, recordAudit } from './audit.ts';

export interface OrganisationColumns
  extends Omit<OrganisationRecord, 'currency' | 'requiresSecondFactor'> {
  readonly currency: string;
  readonly requiresSecondFactor: 0 | 1;
}

/** The columns of an organisation `o`. */
export const ORGANISATION_COLUMNS = `o.id, o.name, o.currency, o.plan, o.created_at as createdAtMs,
          o.time_zone as timeZone, o.second_factor_required as requiresSecondFactor, o.letterhead`;

/** Converts its columns to an organisation. */
export function toOrganisation(columns: OrganisationColumns): OrganisationRecord {
  const currency = findCurrency(columns.currency);
  if (currency === undefined) throw new Error(`unknown currency ${columns.currency}`);
  return { ...columns, currency, requiresSecondFactor: columns.requiresSecondFactor === 1 };
}

/**
 * Creates an organisation; the draft has been validated. With `onlyFirst`, refuses with `conflict`
 * if the database already has one, even when another process has just created it.
 */
export function storeNewOrganisation(
  { db }: Source,
  draft: { name: string; currency: string; plan: Plan; timeZone: string; onlyFirst?: boolean },
  actor: Actor,
): OrganisationRecord {
  return atomically({ db }, () => {
    const { name, currency, plan, timeZone, onlyFirst = false } = draft;
    if (onlyFirst) refuseSecond(db);
    const values = [name, currency, plan, actor.nowMs, timeZone] as const;
    const { lastInsertRowid } = insertOrganisation(db).run(...values);
    const id = Number(lastInsertRowid) as OrgId;
    const access = accessOf({ db }, id);
    const subject = formatId('org', id);
    const changes = [changeOf(subject, null, { name, baseCurrency: currency, plan, timeZone })];
    const entry = { action: 'organisation.created', subject, details: { changes } } as const;
    recordAudit(access, beginAct(access, actor), entry);
    return access.organisation;
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

const insertOrganisation = statement<[string, string, string, number, string]>`
  insert into organisations (name, currency, plan, created_at, time_zone)
   values (?, ?, ?, ?, ?)`;

/** All organisations, oldest first. */
export function listOrganisations({ db }: Source): OrganisationRecord[] {
  return selectOrganisations(db).all().map(toOrganisation);
}

const selectOrganisations = statement<[], OrganisationColumns>`
  select ${ORGANISATION_COLUMNS} from organisations o order by o.id`;

export function findOrganisation({ db }: Source, orgId: number): OrganisationRecord | undefined {
  const found = selectOrganisation(db).get(orgId);
  return found && toOrganisation(found);
}

/** The data of an organisation that must exist. */
export function accessOf({ db }: Source, orgId: OrgId): Access {
  const organisation = findOrganisation({ db }, orgId);
  if (organisation === undefined) throw new Error(`organisation ${orgId} is missing`);
  return { db, organisation };
}

const selectOrganisation = statement<[number], OrganisationColumns>`
  select ${ORGANISATION_COLUMNS} from organisations o where o.id = ?`;

/** What of an organisation can be changed, what the audit log calls it, and the change. */
const MEMBERS = {
  name: memberOf('name', 'name', 'organisation.renamed'),
  plan: memberOf('plan', 'plan', 'plan.changed'),
  timeZone: memberOf('time_zone', 'timeZone', 'organisation.time_zone_changed'),
  letterhead: memberOf('letterhead', 'letterhead', 'organisation.letterhead_changed'),
  requiresSecondFactor: memberOf(
    'second_factor_required',
    'secondFactorRequired',
    'organisation.second_factor_required',
  ),
};

function memberOf(column: string, logged: string, action: AuditAction) {
  const update = statement<[string | number, OrgId]>`
  update organisations set ${column} = ? where id = ?`;
  return { logged, action, update };
}

/** A new value, and the one that the caller saw. */
export interface OrganisationChange {
  readonly member: 'name' | 'plan' | 'timeZone' | 'letterhead';
  readonly value: string;
  readonly seen?: string;
}

/** Whether everyone in the organisation must have a second factor, or each user decides. */
interface FactorChange {
  readonly member: 'requiresSecondFactor';
  readonly value: boolean;
  readonly seen?: undefined;
}

/**
 * Sets the name, the plan, which applies from the next request of its keys, the time zone, the head
 * of statements, or whether second factors are required. Throws `conflict` if the stored value is
 * not `seen`, where that is given.
 */
export function storeOrganisationChange(
  access: Access,
  { member, value, seen }: OrganisationChange | FactorChange,
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
    const { logged, action, update } = MEMBERS[member];
    update(db).run(typeof value === 'string' ? value : Number(value), organisation.id);
    const subject = formatId('org', organisation.id);
    const changes = [changeOf(subject, { [logged]: before }, { [logged]: value })];
    recordAudit(access, beginAct(access, actor), { action, subject, details: { changes } });
  });
}
