/**
 * Every row of the table of pages is asked by every role. A form arrives in pieces: whoever signs
 * out, is removed or gets another role between its head and its end changes nothing with it.
 */

import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { PAGES } from '../../src/console/routes.ts';
import { explainNoUndo } from '../../src/core/audit.ts';
import { formatId } from '../../src/core/ids.ts';
import { type Permission, ROLES, type Role } from '../../src/core/users.ts';
import { listAudit } from '../../src/operations/audit.ts';
import { changeOrganisation, endSession } from '../../src/operations/sessions.ts';
import { changeRole, removeUser } from '../../src/operations/users.ts';
import type { Access } from '../../src/store/access.ts';
import { setSecondFactor } from '../../src/store/second-factors.ts';
import { findSession } from '../../src/store/sessions.ts';
import { addUser, storePassword } from '../../src/store/users.ts';
import { furnish, NO_PASSWORD } from '../console/furnish.ts';
import { type Browser, type Office, openOffice } from '../console/office.ts';
import { DOING, type FilledForm, useForms } from '../console/walk-forms.ts';
import { enterAs, routeFor } from '../console/walk-pages.ts';
import { CHEAP, PASSWORD } from '../operations/users.ts';
import { dump, folderFor } from '../store/workshop.ts';
import type { Trial } from './trial.ts';

const HERE = {
  email: 'late@example.org',
  name: null,
  role: 'owner',
  password: CHEAP,
} as const;

/** Someone whose form is on its way. */
interface Sender {
  readonly userId: number;
  readonly token: string;
  readonly access: Access;
  readonly other: Access;
  readonly office: Office;
}

function sessionOf({ office, token }: Sender) {
  const { source } = office.service;
  return findSession(source, token, office.clock.nowMs) ?? assert.fail();
}

/** What can happen before the form arrives, and what the form is answered then. */
const EVENTS: Readonly<Record<string, (sender: Sender) => RegExp>> = {
  'signed out': (sender) => {
    endSession(sender.access, sessionOf(sender));
    return /^303 \/sign-in/;
  },
  removed: ({ access, office }) => {
    removeUser(access, HERE.email, office.service.actor());
    return /^303 \/sign-in/;
  },
  'another role': ({ access, office }) => {
    changeRole(access, { email: HERE.email, role: 'member' }, office.service.actor());
    return /^303 \/sign-in/;
  },
  'a new password': ({ access, userId, office }) => {
    storePassword(access, userId, { password: NO_PASSWORD }, office.service.actor());
    return /^303 \/sign-in/;
  },
  'another organisation': (sender) => {
    const to = formatId('org', sender.other.organisation.id);
    changeOrganisation(sessionOf(sender), to, sender.office.service.actor());
    return /^40[39] /;
  },
};

/** All that is stored, but for the entries that say who was refused, and their stamps. */
function stored({ db }: Access): string {
  const { file } = db.prepare<[], { file: string }>('pragma database_list').get() ?? assert.fail();
  const files = [`${file}-uploads`, `${file}-backups`].flatMap((folder) => {
    return existsSync(folder) ? readdirSync(folder).filter((name) => /held|\.db$/.test(name)) : [];
  });
  const { audit_log: log = [], organisations = [], sqlite_sequence: _, ...rest } = dump(db);
  const entries = log.map(Object).filter(({ action }) => !action.startsWith('session.'));
  const unstamped = organisations.map((each) => ({ ...Object(each), last_write_at: 0 }));
  return JSON.stringify({ ...rest, entries, unstamped, files });
}

/** Sends the head of a form and a few bytes, waits for `between`, and sends the rest. */
function sendSlowly(
  { office, token }: Sender,
  { action, fields, route }: FilledForm,
  between: () => void,
): Promise<string> {
  const isUpload = route === 'POST /import';
  const body = isUpload ? uploadOf(fields) : new URLSearchParams(fields.map(([...pair]) => pair));
  const text = body.toString();
  const type = isUpload ? 'multipart/form-data; boundary=x' : 'application/x-www-form-urlencoded';
  return new Promise((resolve, reject) => {
    const sent = request(`${office.url}${action}`, {
      method: 'POST',
      headers: {
        accept: 'text/html',
        cookie: `budgetd=${token}`,
        'content-type': type,
        'content-length': text.length,
        'sec-fetch-site': 'same-origin',
        // The service asks for the body after it has looked up the session.
        expect: '100-continue',
      },
    });
    sent.on('continue', () => {
      sent.write(text.slice(0, 5));
      between();
      sent.end(text.slice(5));
    });
    sent.on('response', (answer) => {
      const { statusCode, headers } = answer;
      answer.resume().on('end', () => resolve(`${statusCode} ${headers.location ?? ''}`));
    });
    sent.on('error', reject);
    sent.flushHeaders();
  });
}

function uploadOf(fields: FilledForm['fields']): string {
  const part = (name: string, more: string, value: string) =>
    `--x\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;
  const texts = fields
    .filter(([name]) => name !== 'file')
    .map(([name, value]) => part(name, '', value));
  return `${texts.join('')}${part('file', '; filename="a.csv"', nextCsv())}--x--\r\n`;
}

let files = 0;
/** A file whose row no other has. */
function nextCsv(): string {
  files += 1;
  return `Date,Description,Amount\n2026-01-25,Rent ${files},-12.50\n`;
}

/** The form, about a file that its sender is importing if it is about one. */
async function withFile(form: FilledForm, browser: Browser): Promise<FilledForm> {
  if (!form.action.startsWith(IMPORTING)) return form;
  const { location } = await browser.upload('a.csv', nextCsv());
  if (form.action !== IMPORTING) await browser.send(location ?? '', {});
  return { ...form, action: form.action.replace(IMPORTING, location ?? '') };
}

const IMPORTING = '/import/x';

/** Forms that the pages of the walk do not have: of several organisations, users or steps. */
function othersOf(access: Access, other: Access): readonly FilledForm[] {
  const target = { ...HERE, email: 'target@example.org' };
  const actor = { name: 'test', requestId: null, nowMs: 0 };
  const { id: userId } = addUser(access, target, actor).user;
  const sealed = { secret: Buffer.alloc(1), step: 0 };
  setSecondFactor(access, { userId, sealed, codes: [] }, actor);
  const id = formatId('usr', userId);
  const acts = listAudit(access, {}).filter(({ action }) => explainNoUndo(action) === undefined);
  const fields: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    '/account/organisation': { organisation: formatId('org', other.organisation.id) },
    '/account/sessions': { id: 'others', confirmed: PASSWORD },
    '/import': {},
    [IMPORTING]: {},
    '/rules/run': { rule: 'code~1' },
    '/settings/backups': {},
    '/settings/backups/download': { file: 'x', password: PASSWORD },
    '/settings/users/link': { id },
    '/settings/users/role': { id, was: 'owner', [`role-${id}`]: 'member' },
    '/settings/users/sessions': { id },
    '/settings/users/second-factor': { id },
    '/settings/users/remove': { id },
    '/undo': { act: String(acts.at(-1)?.atMs), to: '/' },
  };
  return Object.entries(fields).map(([action, typed]) => {
    return { route: routeFor('POST', action) ?? '', action, fields: Object.entries(typed) };
  });
}

/** The rows that do something here: no backup is sent with several organisations. */
const DOING_ELSEWHERE = [
  'POST /account/organisation',
  'POST /account/sessions',
  'POST /import',
  'POST /import/{id}',
  'POST /settings/backups',
  'POST /settings/users/link',
  'POST /settings/users/remove',
  'POST /settings/users/role',
  'POST /settings/users/second-factor',
  'POST /settings/users/sessions',
];

export async function roles(trial: Trial): Promise<void> {
  await askEverything(trial);
  await sendLate(trial);
}

/** What each role may do, as the contract has it: not taken from the code. */
const MATRIX: Readonly<Record<Role, readonly Permission[]>> = {
  owner: ['users', 'organisation', 'plan'],
  admin: ['import', 'projects', 'rules', 'keys', 'backups', 'activity'],
  member: ['read', 'allocate', 'review', 'exclude'],
};

/** Every page and form by every role: what it may not do is refused, and nothing is stored. */
async function askEverything(trial: Trial): Promise<void> {
  const office = await openOffice(trial);
  const { access } = furnish(office.service, (most) => 'Matrix'.slice(0, most), 'matrix');
  const actor = office.service.actor();
  for (const role of ROLES) {
    const email = `${role}-matrix@example.org`;
    addUser(access, { email, name: null, role, password: NO_PASSWORD }, actor);
    const allowed = ROLES.slice(ROLES.indexOf(role)).flatMap((each) => MATRIX[each]);
    for (const { method, path, may } of PAGES) {
      if (path === '/sign-out') continue;
      const browser = enterAs(office, access, email);
      const target = path.replaceAll('{id}', formatId('prj', 1)).replaceAll('{line}', 'x');
      const before = stored(access);
      const { status, text } =
        method === 'GET' ? await browser.get(target) : await browser.send(target, {});
      const isRefused = status === 403 && text.includes('Your role does not allow this');
      const what = `${role}: ${method} ${path} (${may}) is answered ${status}`;
      trial.hold(status < 500, what);
      trial.count('rows of the table asked by a role');
      if (allowed.includes(may)) trial.hold(!isRefused, what);
      else trial.hold(isRefused && stored(access) === before, what);
    }
  }
}

async function sendLate(trial: Trial): Promise<void> {
  const database = join(folderFor(trial), 'late.db');
  const backups = { folder: `${database}-backups`, at: '02:00', keep: 3 };
  const office = await openOffice(trial, { database, create: true, exclusive: true, backups });
  const { service } = office;
  const other = service.access(office.org);
  const done = new Set<string>();
  const tried = new Set<string>();
  const counts = new Map<string, number>();

  const tryAll = async (found: FilledForm, access: Access) => {
    // As on the pages of someone who belongs to both.
    const of = ['of-organisation', formatId('org', access.organisation.id)] as const;
    const sought = { ...found, fields: [...found.fields, of] };
    for (const [event, happen] of Object.entries(EVENTS)) {
      const what = `${found.route} by someone with ${event}`;
      addUser(access, HERE, service.actor());
      const browser = enterAs(office, access, HERE.email);
      const form = await withFile(sought, browser);
      const token = browser.cookies.get('budgetd') ?? '';
      const there = { ...HERE, role: 'member' } as const;
      addUser({ db: access.db, organisation: other.organisation }, there, service.actor());
      const session = findSession(access, token, office.clock.nowMs) ?? assert.fail();
      assert.equal(session.access.organisation.id, access.organisation.id);
      const sender = { userId: session.userId, token, access, other, office };
      let wanted = /^$/;
      let before = '';
      const answer = await sendSlowly(sender, form, () => {
        wanted = happen(sender);
        before = stored(access);
      });
      trial.count('forms whose sender lost the right to them');
      trial.hold(wanted.test(answer), `${what}: ${answer}`);
      trial.hold(stored(access) === before, `${what}: something was stored`);
      for (const each of [access, other]) {
        if (each === access && event === 'removed') continue;
        removeUser(each, HERE.email, service.actor());
      }
    }
    tried.add(found.route);
  };

  const worlds = new Set<Access>();
  await useForms(office, async (form, browser, { access }) => {
    worlds.add(access);
    const count = counts.get(form.route) ?? 0;
    counts.set(form.route, count + 1);
    if (count < 2) await tryAll(form, access);
    // Not signing out, after which no form is left.
    if (!form.fields.some(([name]) => name === 'form')) return;
    const { location } = await browser.send(form.action, form.fields);
    if (location?.includes('done=') === true) done.add(form.route);
  });
  for (const access of worlds) {
    for (const form of othersOf(access, other)) {
      await tryAll(form, access);
      addUser(access, HERE, service.actor());
      const browser = enterAs(office, access, HERE.email);
      addUser(
        { db: access.db, organisation: other.organisation },
        { ...HERE, role: 'member' },
        service.actor(),
      );
      const { action, fields } = await withFile(form, browser);
      const before = stored(access);
      const isUpload = form.action === '/import';
      const typed = Object.fromEntries(fields);
      await (isUpload ? browser.upload('a.csv', nextCsv(), typed) : browser.send(action, fields));
      if (stored(access) !== before) done.add(form.route);
      for (const each of [access, other]) removeUser(each, HERE.email, service.actor());
    }
  }
  const posts = PAGES.filter(({ method }) => method === 'POST').map(({ path }) => `POST ${path}`);
  assert.deepEqual([...tried].sort(), posts.sort());
  // Those who have the right do something with the same forms.
  assert.deepEqual([...done].sort(), [...DOING, ...DOING_ELSEWHERE].sort());
}
