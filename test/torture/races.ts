/**
 * Races: the same done at the same time through two services on one file, each in a process of its
 * own. One of them wins, the others hear of it, and nothing is done twice.
 */

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { formatId } from '../../src/core/ids.ts';
import type { Role } from '../../src/core/users.ts';
import { listAudit } from '../../src/operations/audit.ts';
import { getTransaction } from '../../src/operations/transactions.ts';
import { removeUser } from '../../src/operations/users.ts';
import { addUser, listUsers } from '../../src/store/users.ts';
import { fieldsOf } from '../console/desk.ts';
import { NO_PASSWORD } from '../console/furnish.ts';
import { Browser, openOffice, type Shown } from '../console/office.ts';
import { enterAs } from '../console/walk-pages.ts';
import type { Trial } from './trial.ts';

const SECOND = fileURLToPath(new URL('races/second.js', import.meta.url));
const TOGETHER = 6;

export async function races(trial: Trial): Promise<void> {
  const yard = await openYard(trial);
  const kinds = [pushSame, allocateSame, undoTwice, revokeKey, resign];
  const rounds = trial.times(4, 40, 200);
  for (let round = 0; round < rounds; round += 1) {
    for (const race of kinds) {
      await race(trial, yard, round);
      trial.count('races');
    }
  }
  for (const { name, ok } of yard.office.service.check()) trial.hold(ok, `does not hold: ${name}`);
}

/** What a push is answered that is accepted. */
interface Pushed {
  readonly meta: { readonly created: number };
  readonly data: readonly { readonly id: string }[];
}

type Yard = Awaited<ReturnType<typeof openYard>>;

/** Two services on one file, and someone who is signed in to both. */
async function openYard(trial: Trial) {
  const folder = mkdtempSync(join(tmpdir(), 'budgetd-races-'));
  trial.after(() => rmSync(folder, { recursive: true }));
  const database = join(folder, 'races.db');
  const clock = () => new Date();
  const options = { database, create: true, rateLimit: false, busyTimeoutMs: 5_000 } as const;
  const office = await openOffice(trial, { ...options, clock });
  const child = fork(SECOND, [database]);
  trial.after(() => child.kill('SIGKILL'));
  const [{ url }] = (await once(child, 'message')) as [{ url: string }];
  const { service, org } = office;
  service.projects.import(org, {
    ...{ name: 'P', startDate: '2026-01-01', endDate: '2026-12-31' },
    budgetLines: [{ code: 'A', name: 'Rent' }],
  });
  const access = service.access(org);
  const owner = { email: 'owner@example.org', name: null, role: 'owner' } as const;
  addUser(access, { ...owner, password: NO_PASSWORD }, service.actor());
  const urls = [office.url, url];
  const enter = (email: string): Browser[] => {
    const { cookies } = enterAs({ ...office, clock: { nowMs: Date.now() } }, access, email);
    return urls.map((each) => {
      const browser = new Browser({ url: each });
      for (const [name, value] of cookies) browser.cookies.set(name, value);
      return browser;
    });
  };
  const push = async (at: number, key: string, rows: readonly object[]) => {
    const answer = await fetch(`${urls[at % 2]}/api/v1/transactions`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ rows }),
    });
    return { status: answer.status, document: (await answer.json()) as Pushed };
  };
  const makeKey = (name: string) =>
    service.keys.create(org, { name, scopes: ['transactions:write'] });
  return { office, access, enter, push, makeKey, browsers: enter(owner.email) };
}

const rowOf = (externalId: string, amount: number) => {
  return { externalId, date: '2026-01-15', description: 'Rent', amount };
};

/** Several programs push one row: one of them creates it. */
async function pushSame(trial: Trial, { push, makeKey }: Yard, round: number): Promise<void> {
  const { key } = makeKey(`same ${round}`);
  const answers = await Promise.all(
    Array.from({ length: TOGETHER }, (_, at) => push(at, key, [rowOf(`SAME-${round}`, at + 1)])),
  );
  const done = answers.filter(({ status }) => status === 200);
  const created = done.filter(({ document }) => document.meta.created === 1);
  const others = answers.filter(({ status }) => status !== 200 && status !== 503);
  trial.hold(created.length === 1, `${created.length} of ${TOGETHER} pushes created a row`);
  trial.hold(others.length === 0, `pushes were answered ${others.map(({ status }) => status)}`);
  const ids = new Set(done.map(({ document }) => document.data[0]?.id));
  trial.hold(ids.size === 1, `one externalId has ${ids.size} transactions`);
}

async function pushOne(yard: Yard, externalId: string): Promise<string> {
  const { service, org } = yard.office;
  const [result] = service.transactions.push(org, [rowOf(externalId, 100)]).data;
  return result !== undefined && result.status !== 'rejected' ? (result.id ?? '') : '';
}

/** How many forms did something: those that lead to a page which says so. */
function countDone(answers: readonly Shown[]): number {
  return answers.filter(({ status, location }) => status === 303 && location?.includes('done='))
    .length;
}

const ALLOCATE = '/transactions/allocate';

/** Several windows, each opened before, send one allocation: one saves, the others see it. */
async function allocateSame(trial: Trial, yard: Yard, round: number): Promise<void> {
  const id = await pushOne(yard, `ALLOCATE-${round}`);
  const windows = await Promise.all(
    Array.from({ length: TOGETHER }, async (_, at) => {
      const browser = yard.browsers[at % 2] as Browser;
      const { text } = await browser.get(`/transactions?open=${id}`);
      const typed = { line: formatId('bln', 1), amount: String(at + 1), do: 'save' };
      return () => browser.send(ALLOCATE, { ...fieldsOf(text, ALLOCATE), ...typed });
    }),
  );
  const answers = await Promise.all(windows.map((save) => save()));
  const done = countDone(answers);
  trial.hold(done === 1, `${done} of ${TOGETHER} windows saved: ${answers.map((e) => e.status)}`);
  const { allocatedMinor } = getTransaction(yard.access, id);
  const isOne = allocatedMinor > 0 && allocatedMinor <= TOGETHER * 100;
  trial.hold(isOne, `${allocatedMinor} is allocated`);
}

/** An act that is undone from two windows at once. */
async function undoTwice(trial: Trial, yard: Yard, round: number): Promise<void> {
  const { service, org } = yard.office;
  const id = await pushOne(yard, `UNDO-${round}`);
  service.transactions.allocate(org, id, [{ budgetLineId: formatId('bln', 1) }]);
  const { updatedAtMs } = getTransaction(yard.access, id);
  const acts = () =>
    listAudit(yard.access, {}).filter(({ action }) => /^trans|^changes/.test(action));
  const before = acts().length;
  const answers = await Promise.all(
    yard.browsers.map((browser) => browser.send('/undo', { act: String(updatedAtMs), to: '/' })),
  );
  const wrong = answers.filter(({ status }) => status >= 500 && status !== 503);
  trial.hold(wrong.length === 0, `undo is answered ${wrong.map(({ status }) => status)}`);
  trial.hold(getTransaction(yard.access, id).allocatedMinor === 0, 'it was not undone');
  const more = acts().length - before;
  trial.hold(more === 1, `one act was undone ${more} times`);
}

/** A key that is revoked while a program pushes: what it begins later is refused. */
async function revokeKey(trial: Trial, yard: Yard, round: number): Promise<void> {
  const { service, org } = yard.office;
  const { id, key } = yard.makeKey(`revoked ${round}`);
  const early = Array.from({ length: TOGETHER }, (_, at) => {
    return yard.push(at, key, [rowOf(`REVOKED-${round}-${at}`, 1)]);
  });
  service.keys.revoke(org, id);
  const late = Array.from({ length: TOGETHER }, (_, at) => {
    return yard.push(at, key, [rowOf(`LATE-${round}-${at}`, 1)]);
  });
  const statuses = (await Promise.all(late)).map(({ status }) => status);
  trial.hold(
    statuses.every((status) => status === 401),
    `a revoked key is answered ${statuses}`,
  );
  const others = (await Promise.all(early)).filter(
    ({ status }) => ![200, 401, 503].includes(status),
  );
  trial.hold(others.length === 0, `a key is answered ${others.map(({ status }) => status)}`);
}

/** Two owners who make themselves members: one of them stays an owner. */
async function resign(trial: Trial, yard: Yard, round: number): Promise<void> {
  const { access, office } = yard;
  const emails = [1, 2].map((number) => `owner-${round}-${number}@example.org`);
  const before = listUsers(access).filter(({ role }) => role === 'owner');
  const made = emails.map((email) => {
    const user = { email, name: null, role: 'owner', password: NO_PASSWORD } as const;
    return addUser(access, user, office.service.actor()).user;
  });
  // The others cannot be the last owner.
  for (const { id } of before) setRole(yard, id, 'admin');
  const answers = await Promise.all(
    emails.map((email, at) => {
      const browser = yard.enter(email)[at] as Browser;
      const id = formatId('usr', made[at]?.id ?? 0);
      const typed = { id, was: 'owner', [`role-${id}`]: 'member' };
      return browser.send('/settings/users/role', typed);
    }),
  );
  const left = listUsers(access).filter(({ role }) => role === 'owner');
  const statuses = answers.map(({ status }) => status);
  trial.hold(left.length === 1, `${left.length} owners are left, answered ${statuses}`);
  for (const { id } of before) setRole(yard, id, 'owner');
  for (const email of emails) removeUser(access, email, office.service.actor());
}

/** Sets a role without the rules for it. */
function setRole({ access }: Yard, userId: number, role: Role): void {
  access.db
    .prepare('update memberships set role = ? where user_id = ? and organisation_id = ?')
    .run(role, userId, access.organisation.id);
}
