/** Looks at what is in the database: its records, its stamps and its keys. */

import { count, nameSome } from '../../core/counts.ts';
import { formatId } from '../../core/ids.ts';
import { keyState } from '../../core/keys.ts';
import { nameLine } from '../../core/projects.ts';
import { daysOf, hides } from '../../core/rules.ts';
import type { Source } from '../../operations/access.ts';
import { listAll } from '../../operations/pages.ts';
import { getReport, listProjects } from '../../operations/projects.ts';
import { findLostSecrets } from '../../operations/second-factors.ts';
import type { Service } from '../../service.ts';
import type { Access } from '../../store/access.ts';
import { lastWriteMs } from '../../store/audit.ts';
import { type KeyRecord, listKeys } from '../../store/keys.ts';
import type { ProjectRecord } from '../../store/projects.ts';
import { readRules } from '../../store/rules.ts';
import { listUsers, type UserRecord } from '../../store/users.ts';
import { type CheckResult, describeBroken } from '../../upkeep/check.ts';
import { compareSchema } from '../../upkeep/schema-rules.ts';
import { showDay, showInstant } from '../instants.ts';
import { quoted } from '../quoted.ts';
import { type DoctorFinding, finding } from './finding.ts';

const DAY_MS = 24 * 60 * 60_000;
/** Clocks of two machines may differ by this. */
const CLOCK_MS = 2 * 60_000;
const EXPIRES_MS = 14 * DAY_MS;
const UNUSED_MS = 30 * DAY_MS;

/** What the fixes need, and whether people reach the service from other machines. */
interface Place {
  /** Such as ` --db FILE`. */
  readonly options: string;
  /** The newest nightly backup, if there is one. */
  readonly backup: string | undefined;
  readonly isReached: boolean;
}

/** Looks at everything in a database, as far as it can be read. */
export function examineRecords(service: Service, place: Place): DoctorFinding[] {
  const { source } = service;
  const damage = examineChecks(service.check(), place);
  // What is damaged may be unreadable.
  const isSound = damage.every(({ level }) => level !== 'serious');
  return [
    ...damage,
    ...(isSound ? examineOrganisations(service, place) : []),
    ...(isSound ? examineSecondFactors(source, place.options) : []),
    ...examineSchema(source),
  ];
}

/** The findings of `check`. */
function examineChecks(results: readonly CheckResult[], { options, backup = 'FILE' }: Place) {
  const notes = results.filter(({ ok, found }) => ok && found > 0);
  const broken = describeBroken(results);
  if (broken === '')
    return notes.map(({ name, examples }) => {
      const message = `A check failed: ${name} (${nameSome(examples)}). It affects no figure.`;
      return finding('foreign_entry', message, `budgetd check${options}`);
    });
  const message = `The database is damaged. Failed checks: ${broken}.`;
  const fix = `Stop the service, then: budgetd restore-backup ${backup}${options}`;
  return [finding('damaged_records', message, fix)];
}

/** Tables, columns and triggers in the file that budgetd did not make. */
function examineSchema({ db }: Source): DoctorFinding[] {
  const { strangers } = compareSchema(db);
  if (strangers.length === 0) return [];
  const message = `Another program changed the database: it has ${nameSome(strangers)}.`;
  const fix = 'Keep other data in a separate file. The next upgrade may refuse this one.';
  return [finding('foreign_tables', message, fix)];
}

/** Users whose codes cannot be checked. */
function examineSecondFactors(source: Source, options: string): DoctorFinding[] {
  const { file, userIds } = findLostSecrets(source);
  if (userIds.length === 0) return [];
  const what = `${count(userIds.length, 'user')} with a second factor cannot sign in`;
  const message = `${file} is missing, cannot be read or has another key: ${what}.`;
  const fix = `Restore the file, or: budgetd users reset-second-factor EMAIL${options}`;
  return [finding('second_factor_key_missing', message, fix)];
}

/** One organisation at a time: of several, a fix needs ` --org ID`. */
function examineOrganisations(service: Service, { options, isReached }: Place): DoctorFinding[] {
  const all = service.organisations.list();
  return all.flatMap(({ id }) => {
    const own = all.length === 1 ? options : `${options} --org ${id}`;
    const findings = examineOrganisation(service.access(id), service.actor().nowMs, own);
    return isReached ? [...findPasswordAlone(service.access(id)), ...findings] : findings;
  });
}

function examineOrganisation(access: Access, nowMs: number, options: string): DoctorFinding[] {
  return [
    ...findClock(access, nowMs),
    ...listKeys(access).flatMap((key) => findKey(key, nowMs, options)),
    ...findOwner(access, options),
    ...listUsers(access).flatMap((user) => findUser(user, nowMs, options)),
    ...listAll((page) => listProjects(access, page)).flatMap((project) =>
      findIncome(access, project, options),
    ),
    ...findRules(access, nowMs, options),
  ];
}

/** No write has an earlier stamp than the one before, so a clock that was ahead shows. */
function findClock(access: Access, nowMs: number): DoctorFinding[] {
  const lastMs = lastWriteMs(access) ?? 0;
  if (lastMs <= nowMs + CLOCK_MS) return [];
  const [last, now] = [lastMs, nowMs].map(showInstant);
  const message =
    `The clock says ${now} UTC, but the last change of ${access.organisation.name} is from ` +
    `${last} UTC: the clock is wrong now, or was wrong then.`;
  const fix = 'Correct the clock if it is wrong: timedatectl set-ntp true';
  return [finding('clock_behind', message, fix)];
}

/** Rules that are on and take nothing: for their days, for a project, or for an earlier rule. */
function findRules(access: Access, nowMs: number, options: string): DoctorFinding[] {
  const { rules } = readRules(access);
  const first = `budgetd rules list --json${options} > rules.json`;
  const fix = `${first}; correct the file; budgetd rules import rules.json${options}`;
  return rules.flatMap((rule): DoctorFinding[] => {
    if (!rule.isOn) return [];
    const shown = `Rule ${rule.position}, ${quoted(rule.name)},`;
    const ended = rule.shares.find(({ isArchived, endDate }) => {
      return isArchived || endDate < showDay(nowMs);
    });
    if (ended !== undefined) {
      const { projectName, isArchived } = ended;
      const what = `${quoted(projectName)}, which ${isArchived ? 'is archived' : 'has ended'}`;
      return [finding('rule_project_ended', `${shown} has a line of ${what}.`, fix)];
    }
    if (daysOf(rule) === undefined) {
      const why = 'it and the projects of its lines have no day in common';
      return [finding('rule_never_fits', `${shown} never fits: ${why}.`, fix)];
    }
    const earlier = rules.find((each) => each.position < rule.position && hides(each, rule));
    if (earlier === undefined) return [];
    const other = `rule ${earlier.position}, ${quoted(earlier.name)}, takes its transactions first`;
    return [finding('rule_hidden', `${shown} takes nothing: ${other}.`, fix)];
  });
}

function findKey(key: KeyRecord, nowMs: number, options: string): DoctorFinding[] {
  const { name, expiresAtMs, lastUsedAtMs, createdAtMs } = key;
  if (keyState(key, nowMs) !== 'live') return [];
  const shown = `The key ${name} (${formatId('key', key.id)})`;
  if (lastUsedAtMs === null && nowMs - createdAtMs >= UNUSED_MS) {
    const days = count(Math.floor((nowMs - createdAtMs) / DAY_MS), 'day');
    const fix = `budgetd keys revoke ${formatId('key', key.id)}${options}`;
    return [finding('key_unused', `${shown} was created ${days} ago and never used.`, fix)];
  }
  if (expiresAtMs !== null && expiresAtMs - nowMs < EXPIRES_MS) {
    // A key that is valid through a day ends at the start of the next.
    const message = `${shown} can be used until ${showDay(expiresAtMs - 1)}.`;
    const scopes = key.scopes.map((scope) => ` --scope ${scope}`).join('');
    const fix = `budgetd keys create --name ${quoted(name)}${scopes}${options}`;
    return [finding('key_expires', message, fix)];
  }
  return [];
}

/** Only an owner manages users in the console. */
function findOwner(access: Access, options: string): DoctorFinding[] {
  const users = listUsers(access);
  if (users.some(({ role }) => role === 'owner')) return [];
  const { name } = access.organisation;
  const [first] = users;
  if (first === undefined) {
    const fix = `budgetd users create --role owner --email you@example.org${options}`;
    return [finding('no_owner', `${name} has no user: nobody can sign in.`, fix)];
  }
  const fix = `budgetd users role ${quoted(first.email)} owner${options}`;
  return [finding('no_owner', `${name} has users but no owner.`, fix)];
}

/** Owners and admins whose password alone opens everything. */
function findPasswordAlone(access: Access): DoctorFinding[] {
  const users = listUsers(access).filter(({ role, secondFactor }) => {
    return role !== 'member' && secondFactor === 0;
  });
  if (users.length === 0) return [];
  const names = users.map(({ email }) => email).join(', ');
  const message = `A password alone opens ${access.organisation.name} for: ${names}.`;
  const fix = 'Set up a second factor under "Your account"; an owner can require it for everyone.';
  return [finding('no_second_factor', message, fix)];
}

function findUser(user: UserRecord, nowMs: number, options: string): DoctorFinding[] {
  const { email, role, createdAtMs, lastSignInAtMs } = user;
  if (lastSignInAtMs !== null || nowMs - createdAtMs < UNUSED_MS) return [];
  const days = count(Math.floor((nowMs - createdAtMs) / DAY_MS), 'day');
  const message = `${email} (${role}) was added ${days} ago and never signed in.`;
  // The last owner cannot be removed: a new link lets an owner sign in.
  const command = role === 'owner' ? 'reset-password' : 'remove';
  return [finding('user_unused', message, `budgetd users ${command} ${quoted(email)}${options}`)];
}

/** Projects from before lines had kinds: a grant was a negative budget. */
function findIncome(access: Access, { id, name }: ProjectRecord, options: string): DoctorFinding[] {
  const lines = getReport(access, formatId('prj', id)).rows.filter(({ line, total }) => {
    return line.kind === 'expense' && total.budgeted < 0;
  });
  if (lines.length === 0) return [];
  const names = lines.map(({ line }) => nameLine(line));
  const message = `${name} budgets money in on expense lines: ${nameSome(names)}.`;
  const file = 'with "kind": "income" and amounts without a minus';
  const fix =
    'Choose Income on the page of each line, or import its project file ' +
    `${file}: budgetd projects import FILE.json${options}`;
  return [finding('income_as_expense', message, fix)];
}
