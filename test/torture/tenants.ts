/**
 * Two organisations in one service: nothing of the one ever reaches the other. Every row of the
 * tables of routes, of the console and of the interface, is asked with what the other one has.
 */

import assert from 'node:assert/strict';
import { ENDPOINTS } from '../../src/api/routes.ts';
import { formatId, type IdPrefix } from '../../src/core/ids.ts';
import { ROLES } from '../../src/core/users.ts';
import { getProjectPlan } from '../../src/operations/project-plans.ts';
import { listProjects } from '../../src/operations/projects.ts';
import { listTransactions } from '../../src/operations/transactions.ts';
import { finish } from '../../src/operations/turns.ts';
import type { Access } from '../../src/store/access.ts';
import { lastWriteMs, walkAudit } from '../../src/store/audit.ts';
import { walkTransactions } from '../../src/store/export.ts';
import { listKeys } from '../../src/store/keys.ts';
import { addUser, listUsers } from '../../src/store/users.ts';
import { type Furnished, furnish, NO_PASSWORD } from '../console/furnish.ts';
import { type Browser, markOf, type Office, openOffice, type Shown } from '../console/office.ts';
import { enterAs, ROUTES, type Walk, walkPages } from '../console/walk-pages.ts';
import type { Random } from '../core/random.ts';
import type { Trial } from './trial.ts';

/** No page has these words by itself. */
const OURS = 'Qamber';
const THEIRS = 'Zbirch';

/** A request of the console. */
interface Probe {
  readonly isForm: boolean;
  readonly path: string;
  readonly fields: readonly (readonly [name: string, value: string])[];
}

/** What the other organisation has, and what nobody has instead. */
interface Foreign {
  readonly access: Access;
  readonly walk: Walk;
  /** Its identifiers by their prefix. */
  readonly ids: ReadonlyMap<string, readonly string[]>;
  /** Its other secrets: a held file, a mark of a form, the stamp of an act, a cursor. */
  readonly secrets: ReadonlyMap<string, string>;
}

const ID = /\b(?:org|usr|key|prj|bln|txn|alc)_[0-9a-z]{10}\b/g;

/** A text with what nobody has in place of what the other organisation has. */
function madeUp(text: string, { ids, secrets }: Foreign): string {
  let result = text.replace(ID, (id) => {
    const [prefix = ''] = id.split('_');
    return ids.get(prefix)?.includes(id) ? `${prefix}_0zzzzzz${id.slice(-3)}` : id;
  });
  for (const [secret, instead] of secrets) result = result.replaceAll(secret, instead);
  return result;
}

async function enterTheirs(office: Office, furnished: Furnished): Promise<Foreign> {
  const { access, ownerEmail } = furnished;
  const browser = enterAs(office, access, ownerEmail);
  const file = `Date,Transaction ID,Supplier Name,Description,Money out,Money in
21/04/2026,T1,${THEIRS},Rent,1200.50,
22/04/2026,T2,Bob,${THEIRS},33.10,
`;
  const held = await browser.upload(`${THEIRS}.csv`, file);
  const heldPath = held.location ?? '';
  const transactions = finish(listTransactions(access, { limit: 3 }));
  const panels = transactions.items.map(({ id }) => `/transactions?open=${formatId('txn', id)}`);
  const walk = await walkPages(browser, [...panels, heldPath]);
  const ids = new Map<string, string[]>();
  for (const { text } of walk.pages) {
    for (const [id] of text.matchAll(ID)) {
      const [prefix = ''] = id.split('_');
      ids.set(prefix, [...new Set([...(ids.get(prefix) ?? []), id])]);
    }
  }
  // A key that was made, but not shown yet.
  const form = markOf((await browser.get('/settings/keys/new')).text);
  const draft = { name: THEIRS, scopes: 'projects:read', expires: 'never', form };
  const made = await browser.send('/settings/keys/new', draft);
  assert.equal(made.status, 303);
  const done = made.location?.split('done=')[1] ?? '';
  const fileId = heldPath.split('/').at(-1) ?? '';
  const secrets = new Map([
    [fileId, 'x'.repeat(fileId.length)],
    [form, 'x'.repeat(form.length)],
    [done, 'x'.repeat(done.length)],
    [String(lastWriteMs(access)), '1234567890123'],
    [transactions.nextCursor ?? '', 'x'.repeat(transactions.nextCursor?.length ?? 0)],
  ]);
  return { access, walk, ids, secrets };
}

/** Everything that an organisation has. */
function everythingOf(access: Access): string {
  const projects = listProjects(access, { limit: 100 }).items.map(({ id }) => {
    return getProjectPlan(access, formatId('prj', id));
  });
  return JSON.stringify([
    [...walkTransactions(access)],
    [...walkAudit(access)],
    projects.map(({ project, lines }) => [project, lines.map(({ budget: _, ...line }) => line)]),
    listKeys(access),
    listUsers(access).map(({ id, email, name, role }) => [id, email, name, role]),
  ]);
}

/** What a form or an address of an organisation sends, by row of the route table. */
function requestsOf({ pages, forms }: Walk): ReadonlyMap<string, readonly Probe[]> {
  const found = new Map<string, Probe[]>(ROUTES.map((route) => [route, []]));
  for (const { route, path } of pages) {
    const [own = '', query] = path.split('?', 2);
    const fields = [...new URLSearchParams(query)];
    found.get(route)?.push({ isForm: false, path: own, fields });
  }
  for (const [route, list] of forms) {
    for (const { method, action, fields } of list) {
      found.get(route)?.push({ isForm: method === 'POST', path: action, fields });
    }
  }
  return found;
}

/** Makes probes: requests of either organisation, with what the other one has in them. */
class Prober {
  readonly #random: Random;
  readonly #foreign: Foreign;
  readonly #requests: readonly ReadonlyMap<string, readonly Probe[]>[];
  readonly #extras: readonly (readonly [name: string, value: string])[];

  constructor(random: Random, own: Walk, foreign: Foreign) {
    this.#random = random;
    this.#foreign = foreign;
    this.#requests = [requestsOf(own), requestsOf(foreign.walk)];
    const names = { prj: ['project', 'parent'], bln: ['line'], txn: ['open', 'id'] };
    const others = [...foreign.secrets.keys()].flatMap((secret) => {
      return ['done', 'act', 'cursor'].map((name) => [name, secret] as const);
    });
    this.#extras = [
      ...Object.entries(names).flatMap(([prefix, list]) => {
        const ids = foreign.ids.get(prefix) ?? [];
        return ids.flatMap((id) => list.map((name) => [name, id] as const));
      }),
      ...others,
    ];
  }

  /** A request to a row of the route table. */
  probe(route: string): Probe {
    const known = this.#random.pick(this.#requests).get(route) ?? [];
    const [method = '', path = ''] = route.split(' ');
    const made = { isForm: method === 'POST', path, fields: [] };
    const { isForm, path: own, fields } = known.length === 0 ? made : this.#random.pick(known);
    const extras = this.#random.once(2)
      ? [this.#random.pick(this.#extras), this.#random.pick(this.#extras)]
      : [];
    return {
      isForm,
      path: this.#foreignIn(own.replaceAll(/\{\w+\}/g, () => this.#anyId('prj'))),
      fields: [...extras, ...fields].map(([name, value]) => {
        return [this.#foreignIn(name), this.#foreignIn(value)] as const;
      }),
    };
  }

  /** Puts the other organisation's identifiers into a text, but not its words. */
  #foreignIn(text: string): string {
    return text.replaceAll(THEIRS, OURS).replace(ID, (id) => {
      const prefix = id.slice(0, 3) as IdPrefix;
      const isKnown = this.#foreign.ids.get(prefix)?.includes(id);
      // Own users would lose their sessions.
      return isKnown || (prefix !== 'usr' && this.#random.once(3)) ? id : this.#anyId(prefix);
    });
  }

  #anyId(prefix: IdPrefix): string {
    const ids = this.#foreign.ids.get(prefix) ?? [];
    return ids.length === 0 ? formatId(prefix, 99) : this.#random.pick(ids);
  }
}

function send(browser: Browser, { isForm, path, fields }: Probe): Promise<Shown> {
  if (isForm) return browser.send(path, fields);
  const pairs = fields.map(([name, value]): [string, string] => [name, value]);
  return browser.get(pairs.length === 0 ? path : `${path}?${new URLSearchParams(pairs)}`);
}

/**
 * A page without what is always new: the marks of its forms, the identifier of its request, the
 * secret of a second factor, and how old that is.
 */
function unmarked(text: string): string {
  const fault = /(?:This code is not right|Too much time has passed|Enter the code)\.[^<]*/g;
  const known = text
    .replaceAll(fault, '')
    .replaceAll(/<path d="[^"]+"|id="secret">[A-Z2-7 ]+/g, '');
  return known.replaceAll(/name="form" value="[\w-]{16}"|\breq_\w+/g, '');
}

export async function tenants(trial: Trial): Promise<void> {
  const office = await openOffice(trial, { rateLimit: false });
  const own = furnish(office.service, (most) => OURS.slice(0, most), 'ours');
  // The stamps of the two never meet.
  office.clock.nowMs += 3_600_000;
  const theirs = furnish(office.service, (most) => THEIRS.slice(0, most), 'theirs');
  const foreign = await enterTheirs(office, theirs);
  // Nor do those of what is logged of the probes.
  office.clock.nowMs += 3_600_000;
  const before = everythingOf(theirs.access);
  trial.hold(before.includes(THEIRS) && !before.includes(OURS), 'the two are not told apart');
  await probeConsole(trial, { office, own, foreign });
  await probeInterface(trial, { office, own, foreign });
  trial.hold(everythingOf(theirs.access) === before, 'the other organisation was changed');
}

interface World {
  readonly office: Office;
  readonly own: Furnished;
  readonly foreign: Foreign;
}

async function probeConsole(trial: Trial, { office, own, foreign }: World): Promise<void> {
  const browsers = ROLES.map((role) => {
    const email = `${role}-ours@example.org`;
    const user = { email, name: OURS, role, password: NO_PASSWORD };
    addUser(own.access, user, office.service.actor());
    return enterAs(office, own.access, email);
  });
  const panels = finish(listTransactions(own.access, { limit: 10 })).items.map(({ id }) => {
    return `/transactions?open=${formatId('txn', id)}`;
  });
  const walk = await walkPages(enterAs(office, own.access, own.ownerEmail), panels);
  const prober = new Prober(trial.random, walk, foreign);
  const routes = ROUTES.filter((route) => route !== 'POST /sign-out');
  const probes = trial.times(1_000, 10_000, 45_000);
  let same = 0;
  for (let count = 0; count < probes; count += 1) {
    // Each row by turns, so that every row is asked.
    const probe = prober.probe(routes[count % routes.length] ?? '');
    const browser = trial.random.pick(browsers);
    try {
      if (await isAlike(browser, probe, foreign)) same += 1;
    } catch (error) {
      trial.problem(error instanceof Error ? error.message : String(error));
    }
  }
  trial.count('probes of the console', probes);
  trial.count('of which were compared with the same about nothing', same);
  trial.hold(same > probes / 2, `only ${same} probes were compared`);
}

/** Each endpoint, with the identifiers and secrets of the other organisation in each parameter. */
async function probeInterface(trial: Trial, { office, own, foreign }: World): Promise<void> {
  const { service, url } = office;
  const org = formatId('org', own.access.organisation.id);
  const scopes = [...new Set(ENDPOINTS.map(({ scope }) => scope))];
  const { key } = service.keys.create(org, { name: OURS, scopes });
  const ask = async (method: string, target: string, rows: readonly object[]) => {
    const answer = await fetch(url + target, {
      method,
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      ...(method === 'POST' && { body: JSON.stringify({ rows }) }),
    });
    return `${answer.status} ${(await answer.text()).replaceAll(/\breq_\w+/g, '')}`;
  };
  const ids = [...foreign.ids.values()].flat();
  const known = [...ids, ...foreign.secrets.keys(), THEIRS];
  const probes = trial.times(200, 2_000, 5_000);
  const stamp = lastWriteMs(foreign.access);
  for (let count = 0; count < probes; count += 1) {
    const { method, path, parameters } = ENDPOINTS[count % ENDPOINTS.length] ?? assert.fail();
    const target = path.replaceAll(/\{\w+\}/g, () => {
      return trial.random.pick(foreign.ids.get('prj') ?? []);
    });
    const names = Object.keys(parameters).filter(() => trial.random.once(3));
    const query = names.map((name): [string, string] => [name, trial.random.pick(known)]);
    const externalId = trial.random.pick(known);
    const rows = [{ externalId, date: '2026-01-15', description: OURS, amount: 1 }];
    const whole = names.length === 0 ? target : `${target}?${new URLSearchParams(query)}`;
    const shown = await ask(method, whole, rows);
    const isTheirs = shown.includes(THEIRS) && !whole.includes(THEIRS) && externalId !== THEIRS;
    trial.hold(!isTheirs, `${method} ${whole} shows ${THEIRS}`);
    if (method === 'GET') {
      const unknown = await ask(method, madeUp(whole, foreign), rows);
      const isSame = madeUp(shown, foreign) === unknown;
      trial.hold(isSame, `${method} ${whole}: ${shown.slice(0, 300)}; nothing: ${unknown}`);
    }
  }
  trial.hold(lastWriteMs(foreign.access) === stamp, 'the interface wrote to the other one');
  trial.count('probes of the interface', probes);
}

/** Sends a probe. Whether its answer was compared with that for something that nobody has. */
async function isAlike(browser: Browser, probe: Probe, foreign: Foreign): Promise<boolean> {
  const stamp = lastWriteMs(foreign.access);
  const what = JSON.stringify(probe);
  const instead = (text: string) => madeUp(text, foreign);
  const fields = probe.fields.map(([name, value]) => [instead(name), instead(value)] as const);
  const unknown = await send(browser, { ...probe, path: instead(probe.path), fields });
  const answer = await send(browser, probe);
  const { status, location, text } = answer;
  assert.ok(status < 500, `${status}: ${what}`);
  assert.ok(!location?.startsWith('/sign-in'), what);
  const next = status === 303 && location !== null ? (await browser.get(location)).text : '';
  assert.ok(![text, next, location ?? ''].some((each) => each.includes(THEIRS)), what);
  assert.equal(lastWriteMs(foreign.access), stamp, what);
  // One that did something of its own cannot do it twice.
  if (unknown.status === 303) return false;
  assert.equal(status, unknown.status, what);
  assert.equal(unmarked(instead(text)), unmarked(unknown.text), what);
  return true;
}
