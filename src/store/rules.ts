/** The list of rules of an organisation (contract 15), which is always saved as a whole. */

import { type Actor, type AuditState, changeOf, isChange } from '../core/audit.ts';
import { Failure } from '../core/failures.ts';
import { formatId, type OrgId } from '../core/ids.ts';
import { BY_ACCOUNT_CODE, type PlacedShare, type Rule } from '../core/rules.ts';
import { atomically } from '../database/database.ts';
import { type SqlRecord, statement } from '../database/statements.ts';
import type { Access } from './access.ts';
import { beginAct, recordAudit } from './audit.ts';

/** A share with its line and project. */
export interface ShownShare extends PlacedShare {
  readonly lineCode: string | null;
  readonly lineName: string;
  readonly projectId: number;
  readonly projectName: string;
}

/** A stored rule. */
export interface RuleRecord extends Rule<ShownShare> {
  readonly id: number;
  /** From 1. */
  readonly position: number;
  /** How many transactions have allocations of a rule with this name. */
  readonly allocated: number;
}

/** How the rules run. */
interface RuleSettings {
  /** Whether they run after each push and import. */
  readonly automatic: boolean;
  /** Whether the built-in rule is the last of these runs. */
  readonly byAccountCode: boolean;
}

/** The rules, in the order in which they are tried. */
export interface RuleList extends RuleSettings {
  readonly rules: readonly RuleRecord[];
  /** The stamp of the last change; 0 before the first. */
  readonly changedAtMs: number;
  /** How many transactions have allocations by account code. */
  readonly allocatedByCode: number;
}

/** The list, with the projects of its lines as they are now. */
export function readRules({ db, organisation }: Access): RuleList {
  const settings = selectSettings(db).get(organisation.id);
  const rules = selectRules(db).all(organisation.id);
  return {
    automatic: settings?.automatic === 1,
    byAccountCode: settings?.byAccountCode !== 0,
    changedAtMs: settings?.changedAtMs ?? 0,
    allocatedByCode: selectTotal(db).pluck().get(organisation.id, BY_ACCOUNT_CODE) ?? 0,
    rules: rules.map(({ isOn, conditions, shares, ...rule }) => ({
      ...rule,
      isOn: isOn === 1,
      conditions: JSON.parse(conditions),
      shares: (JSON.parse(shares) as StoredShare[]).map(({ isArchived, ...share }) => {
        return { ...share, isArchived: isArchived === 1 };
      }),
    })),
  };
}

type StoredShare = Omit<ShownShare, 'isArchived'> & { readonly isArchived: number };

const selectTotal = statement<[OrgId, rule: string], number>`
  select transactions from rule_totals where organisation_id = ? and rule = ?`;
const selectSettings = statement<
  [OrgId],
  { automatic: number; byAccountCode: number; changedAtMs: number }
>`select automatic, by_account_code as byAccountCode, changed_at as changedAtMs
     from rule_settings where organisation_id = ?`;
const selectRules = statement<
  [OrgId],
  Omit<RuleRecord, 'isOn' | 'conditions' | 'shares'> & {
    isOn: number;
    conditions: string;
    shares: string;
  }
>`select id, position + 1 as position, name, is_on as isOn, from_date as "from",
          until_date as until, conditions,
          (select json_group_array(json_object(
                    'budgetLineId', s.budget_line_id, 'weight', s.weight, 'lineCode', l.code,
                    'lineName', l.name, 'projectId', p.id, 'projectName', p.name,
                    'startDate', p.start_date, 'endDate', p.end_date,
                    'isArchived', p.archived_at is not null) order by s.position)
             from rule_shares s cross join budget_lines l on l.id = s.budget_line_id
            cross join projects p on p.id = s.project_id
            where s.organisation_id = rules.organisation_id and s.rule_id = rules.id) as shares,
          ifnull((select transactions from rule_totals t
                   where t.organisation_id = rules.organisation_id and t.rule = rules.name), 0)
            as allocated
     from rules where organisation_id = ? order by rules.position`;

/** A stamp that grows when the list, a project or a line changes: all that decides but data. */
export function lastPlanMs(access: Access): number {
  const { db, organisation } = access;
  const projectMs = selectPlanStamp(db).pluck().get(organisation.id) ?? 0;
  return Math.max(projectMs, selectSettings(db).get(organisation.id)?.changedAtMs ?? 0);
}

const selectPlanStamp = statement<[OrgId], number | null>`
  select max(updated_at) from projects where organisation_id = ?`;

/** A rule to save; without a number it is new, unless there is one of its name. */
export interface RuleDraft extends Rule {
  readonly id?: number | undefined;
}

/** What to change of the list; what is absent stays. */
interface RuleListChange {
  readonly automatic?: boolean | undefined;
  readonly byAccountCode?: boolean | undefined;
  readonly rules?: readonly RuleDraft[] | undefined;
  /** The `changedAtMs` of the list that the caller saw. It is refused if that has moved since. */
  readonly seenMs?: number | undefined;
}

/**
 * Changes how the rules run, or the list itself, and logs what has changed. Returns the list.
 * Refuses with `conflict` what was seen late.
 */
export function changeRules(access: Access, change: RuleListChange, actor: Actor): RuleList {
  const { db, organisation } = access;
  return atomically(access, () => {
    const before = readRules(access);
    if ((change.seenMs ?? before.changedAtMs) !== before.changedAtMs) {
      throw new Failure('conflict', 'The rules have changed since you looked at them.');
    }
    const { automatic = before.automatic, byAccountCode = before.byAccountCode } = change;
    const draft = { automatic, byAccountCode, rules: change.rules ?? before.rules };
    const stored = new Map(before.rules.map((rule, at) => [rule.id, stateOf(rule, at)]));
    const ids = new Map(before.rules.map(({ id, name }) => [name, id]));
    const rules = draft.rules.map((rule: RuleDraft) => {
      return { ...rule, id: rule.id ?? ids.get(rule.name) };
    });
    const kept = new Set(rules.map(({ id }) => id));
    const changes = [
      changeOf(formatId('org', organisation.id), settingsOf(before), settingsOf(draft)),
      ...[...stored]
        .filter(([id]) => !kept.has(id))
        .map(([id, state]) => changeOf(formatId('rul', id), state, null)),
      ...rules.flatMap(({ id = 0, ...rule }, at) =>
        id === 0 ? [] : changeOf(formatId('rul', id), stored.get(id) ?? null, stateOf(rule, at)),
      ),
    ].filter(isChange);
    if (changes.length === 0 && !kept.has(undefined)) return before;
    const act = beginAct(access, actor);
    deleteRules(db).run(organisation.id);
    for (const [at, rule] of rules.entries()) {
      const id = insert(access, rule, at);
      if (rule.id === undefined)
        changes.push(changeOf(formatId('rul', id), null, stateOf(rule, at)));
    }
    const { stampMs } = act;
    upsertSettings(db).run(organisation.id, Number(automatic), Number(byAccountCode), stampMs);
    recordAudit(access, act, { action: 'rules.changed', subject: null, details: { changes } });
    return readRules(access);
  });
}

function insert({ db, organisation }: Access, rule: RuleDraft, position: number): number {
  const { id = null, name, isOn, from, until, conditions, shares } = rule;
  const values = { orgId: organisation.id, id, position, name, isOn: Number(isOn), from, until };
  const conditionText = JSON.stringify(conditions);
  const { lastInsertRowid } = insertRule(db).run({ ...values, conditions: conditionText });
  const ruleId = Number(lastInsertRowid);
  insertShares(db).run({ orgId: organisation.id, ruleId, shares: JSON.stringify(shares) });
  return ruleId;
}

function settingsOf({ automatic, byAccountCode }: RuleSettings): AuditState {
  return { automatic, byAccountCode };
}

/** A rule as the audit log compares it. */
function stateOf({ name, isOn, from, until, conditions, shares }: Rule, at: number): AuditState {
  return {
    name,
    position: at + 1,
    on: isOn,
    from,
    until,
    // As it is stored: without members that are undefined.
    conditions: JSON.parse(JSON.stringify(conditions)),
    shares: shares.map(({ budgetLineId, weight }) => {
      return { budgetLineId: formatId('bln', budgetLineId), percent: weight && weight / 100 };
    }),
  };
}

const deleteRules = statement<[OrgId]>`delete from rules where organisation_id = ?`;
const insertRule = statement<[SqlRecord]>`insert into rules
     (id, organisation_id, position, name, is_on, from_date, until_date, conditions)
   values (@id, @orgId, @position, @name, @isOn, @from, @until, @conditions)`;
// An unknown line has no project, which the table refuses.
const insertShares = statement<[SqlRecord]>`insert into rule_shares
     (organisation_id, rule_id, position, project_id, budget_line_id, weight)
   select @orgId, @ruleId, j.key, l.project_id, j.value ->> 'budgetLineId', j.value ->> 'weight'
     from json_each(@shares) j
     left join budget_lines l on l.organisation_id = @orgId and l.id = j.value ->> 'budgetLineId'`;
const upsertSettings = statement<[OrgId, number, number, stampMs: number]>`
  insert into rule_settings (organisation_id, automatic, by_account_code, changed_at)
   values (?, ?, ?, ?)
   on conflict do update set automatic = excluded.automatic,
                             by_account_code = excluded.by_account_code,
                             changed_at = excluded.changed_at`;
