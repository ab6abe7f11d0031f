/** Allocates whole transactions to the budget line that claims their codes (contract 5, 17). */

import type { Act } from '../core/audit.ts';
import { calendarDateOf, type Days } from '../core/calendar.ts';
import { type ClaimingProject, type ClaimResult, claimingOf, findClaim } from '../core/claims.ts';
import type { OrgId } from '../core/ids.ts';
import { COUNTED } from '../core/limits.ts';
import type { Coded } from '../core/transactions.ts';
import { type SqlRecord, statement } from '../database/statements.ts';
import type { Access } from './access.ts';
import { lastWriteMs } from './audit.ts';
import type { LineChoice } from './line-list.ts';
import { type Position, sumStretch } from './pages.ts';
import { prepareWalk } from './transaction-walks.ts';
import type { TransactionRecord } from './transactions.ts';

/** What is looked at: a transaction of amount 0 waits for nobody. */
export const WAITING = { statuses: ['unallocated'], isAllocatable: true } as const;

/** The claims on some transactions, whatever their status. */
export function listClaims(
  access: Access,
  transactions: readonly TransactionRecord[],
): ({ readonly transaction: TransactionRecord } & ClaimResult)[] {
  const known = new KnownClaims();
  known.refresh(access, transactions);
  return transactions.map((each) => ({ transaction: each, ...known.claimOf(access, each) }));
}

/** Unallocated transactions with one account code that would go to one line, or stay. */
export interface ClaimGroup extends ClaimResult {
  readonly accountCode: string | null;
  /** Null while it is not looked at, and for claimed ones, which can have several. */
  readonly projectCode: string | null;
  /** The number of one of them. */
  readonly transactionId: number;
  readonly count: number;
  /** What they add up to, and those of money in alone. */
  readonly sumMinor: number;
  readonly inMinor: number;
  /** Their first and their last day. */
  readonly from: string;
  readonly to: string;
}

/** Without those that the rules leave alone. */
const NOT_CLEARED = { ...WAITING, isCleared: false } as const;

/** Sums whose lines are looked up in one step: many projects can have lines with one code. */
const SUMS_AT_ONCE = 100;

/**
 * Adds up what would be allocated by account code, or by one of them, in steps, without reading
 * each transaction.
 */
export function* sumClaims(
  access: Access,
  accountCode?: string,
): Generator<undefined, ClaimGroup[], undefined> {
  const { db, organisation } = access;
  const known = new KnownClaims();
  const groups = new Map<string, ClaimGroup>();
  const sums = 'sum(t.amount_minor), sum(min(t.amount_minor, 0))';
  const days = 'min(t.newest_first), max(t.newest_first)';
  const columns = `count(*), ${sums}, min(t.id_copy), ${days}`;
  for (const { from, to } of selectPeriods(db).all(organisation.id, organisation.id)) {
    const bounds = { from: from === '' ? undefined : from, to: to ?? undefined };
    const filters = { ...NOT_CLEARED, ...bounds, accountCode };
    let after: Position | undefined;
    do {
      const walk = { ...prepareWalk(access, filters, 'date'), columns, after };
      const stretch = { ...walk, limit: COUNTED.atOnce };
      const { sums, next } = sumStretch<CodeSum>(db, stretch, 't.account_code, t.project_code');
      for (const [at, sum] of sums.entries()) {
        if (at % SUMS_AT_ONCE === 0) {
          yield;
          const step = sums.slice(at, at + SUMS_AT_ONCE).map(([accountCode]) => ({ accountCode }));
          known.refresh(access, step);
        }
        const [accountCode, code, count, sumMinor, inMinor, transactionId, last, first] = sum;
        const [firstDay, lastDay] = [calendarDateOf(first), calendarDateOf(last)];
        const found = known.claimOf(access, { accountCode, projectCode: code, date: from });
        const projectCode = found.kind === 'claimed' ? null : known.projectCodeOf(code);
        const key = JSON.stringify([accountCode, projectCode, found.projectIds]);
        const before = groups.get(key);
        groups.set(key, {
          transactionId,
          ...before,
          ...found,
          accountCode,
          projectCode,
          count: (before?.count ?? 0) + count,
          sumMinor: (before?.sumMinor ?? 0) + sumMinor,
          inMinor: (before?.inMinor ?? 0) + inMinor,
          from: before !== undefined && before.from < firstDay ? before.from : firstDay,
          to: before !== undefined && before.to > lastDay ? before.to : lastDay,
        });
      }
      after = next;
      yield;
    } while (after !== undefined);
  }
  return [...groups.values()];
}

/** What the matching transactions of one account code and project code add up to. */
type CodeSum = readonly [
  accountCode: string | null,
  projectCode: string | null,
  count: number,
  sumMinor: number,
  inMinor: number,
  /** The number of one of them. */
  id: number,
  /** Their last and their first day, as `newestFirst` numbers. */
  last: number,
  first: number,
];

/**
 * The days from which on a code may be claimed otherwise, as a project begins or has ended: each
 * with the last day before the next one. The first is empty and means all days before.
 */
const selectPeriods = statement<[OrgId, OrgId], { from: string; to: string | null }>`
  select day as "from", date(lead(day) over (order by day), '-1 day') as "to"
     from (select '' as day
            union
           select start_date from projects where organisation_id = ? and archived_at is null
            union
           select date(end_date, '+1 day') from projects
            where organisation_id = ? and archived_at is null)
    where day is not null
    order by day`;

/** Account codes after which those of the steps before are forgotten. */
const KNOWN_CODES = 10_000;

/**
 * The lines that claim each account code, so that steps one after the other look them up once. They
 * are looked up again after any write of the organisation that is not such a step, as it may have
 * changed a plan.
 */
export class KnownClaims {
  readonly #projects = new Map<string, ClaimingProject[]>();
  /** The codes of each project that has some, archived ones too. */
  readonly #codes = new Map<number, ReadonlySet<string>>();
  /** What was found for an account code, by the projects. */
  readonly #found = new Map<string, ClaimResult>();
  #stampMs: number | undefined;

  /**
   * Forgets what may have changed, and says whether. Then looks up the account codes of a step
   * together, which `claimOf` does one by one. Call it first in each step.
   */
  refresh(access: Access, coded: readonly Pick<Coded, 'accountCode'>[] = []): boolean {
    const stampMs = lastWriteMs(access);
    const isStale = stampMs !== this.#stampMs;
    if (isStale) {
      for (const each of [this.#projects, this.#codes, this.#found]) each.clear();
      for (const { id, codes } of selectCoded(access.db).all(access.organisation.id)) {
        this.#codes.set(id, new Set(JSON.parse(codes)));
      }
      this.#stampMs = stampMs;
    }
    this.#lookUp(access, coded);
    return isStale;
  }

  /** Takes note of a write that changed no plan: the one after the last `refresh`. */
  follow({ stampMs }: Act): void {
    this.#stampMs = stampMs;
  }

  /** A project code as far as it is looked at: null while no project has codes. */
  projectCodeOf(projectCode: string | null): string | null {
    return this.#codes.size > 0 ? projectCode : null;
  }

  /** The projects that have a code, archived ones too; undefined while no project has any. */
  ownersOf(projectCode: string | null): ReadonlySet<number> | undefined {
    if (this.#codes.size === 0) return undefined;
    const owners = [...this.#codes].filter(([, codes]) => projectCode && codes.has(projectCode));
    return new Set(owners.map(([id]) => id));
  }

  /** The lines that claim a transaction. Archived projects claim nothing. */
  claimOf(access: Access, { accountCode, projectCode, date }: Coded): ClaimResult {
    const code = accountCode ?? '';
    if (!this.#projects.has(code)) this.#lookUp(access, [{ accountCode }]);
    const projects = this.#projects.get(code) ?? [];
    const claiming = claimingOf({ date, projectCode: this.projectCodeOf(projectCode) }, projects);
    const ids = claiming.map(({ id }) => id);
    const key = ids.length === 0 ? '' : JSON.stringify([accountCode, ...ids]);
    const found = this.#found.get(key) ?? findClaim(claiming);
    this.#found.set(key, found);
    return found;
  }

  #lookUp({ db, organisation }: Access, coded: readonly Pick<Coded, 'accountCode'>[]): void {
    const wanted = coded.map(({ accountCode }) => accountCode);
    const unknown = new Set(wanted.filter((code) => !this.#projects.has(code ?? '')));
    unknown.delete(null);
    if (unknown.size === 0) return;
    // There can be any number of codes that nobody claims.
    if (this.#projects.size > KNOWN_CODES) this.#projects.clear();
    const found = selectProjects(db).all(JSON.stringify([...unknown]), organisation.id);
    for (const code of unknown) this.#projects.set(code ?? '', []);
    for (const { accountCode, budgetLineIds, ...project } of found) {
      const codes = this.#codes.get(project.id) ?? NO_CODES;
      const claiming = { ...project, codes, budgetLineIds: JSON.parse(budgetLineIds) };
      this.#projects.get(accountCode)?.push(claiming);
    }
  }
}

const NO_CODES: ReadonlySet<string> = new Set();

const selectProjects = statement<
  [accountCodes: string, OrgId],
  Omit<ClaimingProject, 'codes' | 'budgetLineIds'> & { accountCode: string; budgetLineIds: string }
>`select c.account_code as accountCode, p.id, p.start_date as startDate, p.end_date as endDate,
          json_group_array(c.budget_line_id) as budgetLineIds
     from json_each(?) j
    cross join budget_line_account_codes c indexed by account_codes_by_code
       on c.organisation_id = ? and c.account_code = j.value
    cross join projects p on p.id = c.project_id
    where p.archived_at is null
    group by c.account_code, p.id`;

/** Why nothing claims a transaction: the line that claims its code on other days. */
export interface OtherClaim extends Pick<LineChoice, 'code' | 'name' | 'projectName'>, Days {
  /** 1 if its project is archived, or 0. */
  readonly isArchived: number;
  /** How many lines do, with this one. */
  readonly lines: number;
}

/**
 * For each of these codes a line that claims it on some day: of a project with the project code, if
 * there is one, and of an archived project only if all are. By the place in the list.
 */
export function mapOtherClaims(
  { db, organisation }: Access,
  codes: readonly Pick<Coded, 'accountCode' | 'projectCode'>[],
): ReadonlyMap<number, OtherClaim> {
  const wanted = JSON.stringify(codes.map((each) => [each.accountCode, each.projectCode]));
  const found = selectOtherClaims(db).all(wanted, organisation.id);
  return new Map(found.map(({ place, ...claim }) => [place, claim]));
}

const selectOtherClaims = statement<[codes: string, OrgId], OtherClaim & { place: number }>`
  select * from (
     select j.key as place, l.code, l.name, p.name as projectName, p.start_date as startDate,
            p.end_date as endDate, p.archived_at is not null as isArchived,
            count(*) over (partition by j.key) as lines,
            row_number() over (
              partition by j.key order by p.archived_at is not null, p.id, l.id) as number
       from json_each(?) j
      cross join budget_line_account_codes c indexed by account_codes_by_code
         on c.organisation_id = ? and c.account_code = j.value ->> 0
      cross join projects p on p.id = c.project_id
      cross join budget_lines l on l.id = c.budget_line_id
      where j.value ->> 1 is null or j.value ->> 1 in (select value from json_each(p.codes)))
    where number = 1`;

const selectCoded = statement<[OrgId], { id: number; codes: string }>`
  select id, codes from projects where organisation_id = ? and codes <> '[]'`;

/** Every code of a project, archived ones too. */
export function listProjectCodes({ db, organisation }: Access): ReadonlySet<string> {
  const coded = selectCoded(db).all(organisation.id);
  return new Set(coded.flatMap(({ codes }): string[] => JSON.parse(codes)));
}

/** Two projects with lines that claim the same account codes on the same days. */
interface SharedCodes {
  readonly projects: readonly [string, string];
  readonly accountCodes: readonly string[];
  /** The project codes that both have: none if one of them has no codes. */
  readonly projectCodes: readonly string[];
}

/**
 * Every such pair with at least one of these projects, unless their own codes tell them apart: both
 * have some, and share none. Archived projects claim nothing.
 */
export function listSharedCodes(
  { db, organisation }: Access,
  projectIds: readonly number[],
): SharedCodes[] {
  const found = selectShared(db).all({ orgId: organisation.id, ids: JSON.stringify(projectIds) });
  return found.map(({ one, two, codes, both }) => ({
    projects: [one, two],
    accountCodes: JSON.parse(codes),
    projectCodes: JSON.parse(both),
  }));
}

const selectShared = statement<
  [SqlRecord],
  Readonly<Record<'one' | 'two' | 'codes' | 'both', string>>
>`
  with claimed as materialized (
     select distinct account_code, project_id
       from budget_line_account_codes where organisation_id = @orgId)
   select min(p.name, q.name) as one, max(p.name, q.name) as two,
          json_group_array(c.account_code) as codes,
          (select json_group_array(value) from json_each(p.codes)
            where value in (select value from json_each(q.codes))) as both
     from claimed c
     join claimed d on d.account_code = c.account_code and d.project_id <> c.project_id
     join projects p on p.id = c.project_id
     join projects q on q.id = d.project_id
    where c.project_id in (select value from json_each(@ids))
      and (c.project_id < d.project_id or
           d.project_id not in (select value from json_each(@ids)))
      and p.archived_at is null and q.archived_at is null
      and p.start_date <= q.end_date and q.start_date <= p.end_date
      and (p.codes = '[]' or q.codes = '[]' or exists (
            select 1 from json_each(p.codes) where value in (select value from json_each(q.codes))))
    group by p.id, q.id
    order by one, two`;
