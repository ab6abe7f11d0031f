/** Organisations, found by number or through a key. */

import { type Actor, changeOf } from '../core/audit.ts';
import { Failure } from '../core/failures.ts';
import { formatId, type OrgId } from '../core/ids.ts';
import type { Organisation } from '../core/organisations.ts';
import type { Plan } from '../core/plans.ts';
import { atomically, type Db } from '../database/database.ts';
import { statement } from '../database/statements.ts';
import type { Access, Source } from './access.ts';
import { beginAct, recordAudit } from './audit.ts';
import {
  ORGANISATION_COLUMNS,
  type OrganisationRecord,
  toOrganisation,
} from './organisation-records.ts';

/**
 * Creates an organisation; the draft has been validated. With `onlyFirst`, refuses with `conflict`
 * if the database already has one, even when another process has just created it.
 */
export function createOrganisation(
  { db }: Source,
  draft: { name: string; currency: string; plan: Plan; onlyFirst?: boolean },
  actor: Actor,
): Organisation {
  return atomically({ db }, () => {
    const { name, currency, plan, onlyFirst = false } = draft;
    if (onlyFirst) refuseSecond(db);
    const { lastInsertRowid } = insertOrganisation(db).run(name, currency, plan, actor.nowMs);
    const id = Number(lastInsertRowid) as OrgId;
    const organisation = toOrganisation({ id, name, currency, plan, created_at: actor.nowMs });
    const access = { db, organisation };
    const subject = formatId('org', id);
    const changes = [changeOf(subject, null, { name, baseCurrency: currency, plan })];
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

const insertOrganisation = statement<[string, string, string, number]>(
  'insert into organisations (name, currency, plan, created_at) values (?, ?, ?, ?)',
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

/** Sets the organisation's plan, which applies from the next request of its keys. */
export function setPlan(access: Access, plan: Plan, actor: Actor): void {
  const { db, organisation } = access;
  atomically({ db }, () => {
    const before = findOrganisation(access, organisation.id)?.plan;
    if (before === plan) return;
    updatePlan(db).run(plan, organisation.id);
    const subject = formatId('org', organisation.id);
    const changes = [changeOf(subject, { plan: before ?? null }, { plan })];
    const act = beginAct(access, actor);
    recordAudit(access, act, { action: 'plan.changed', subject, details: { changes } });
  });
}

const updatePlan = statement<[string, OrgId]>('update organisations set plan = ? where id = ?');

/** A new name, and the one that the caller saw. */
export interface Renaming {
  readonly name: string;
  readonly seenName: string;
}

/** Sets the organisation's name. Throws `conflict` when it is no longer the one that was seen. */
export function setName(access: Access, { name, seenName }: Renaming, actor: Actor): void {
  const { db, organisation } = access;
  atomically({ db }, () => {
    const before = accessOf(access, organisation.id).organisation.name;
    if (before === name) return;
    if (before !== seenName) {
      const message = `Someone else has just changed the name to "${before}".`;
      throw new Failure('conflict', message);
    }
    updateName(db).run(name, organisation.id);
    const subject = formatId('org', organisation.id);
    const changes = [changeOf(subject, { name: before }, { name })];
    const act = beginAct(access, actor);
    recordAudit(access, act, { action: 'organisation.renamed', subject, details: { changes } });
  });
}

const updateName = statement<[string, OrgId]>('update organisations set name = ? where id = ?');
