/** Walks through the pages of the console as the route table and the links on them say. */

import { PAGES } from '../../src/console/routes.ts';
import { createSession } from '../../src/operations/sessions.ts';
import type { Access } from '../../src/store/access.ts';
import { listUsers } from '../../src/store/users.ts';
import { Browser, type Office } from './office.ts';
import { type FoundForm, type ReadPage, readPage } from './read-page.ts';

/** A browser in which a user of an organisation has a session, without a password. */
export function enterAs(office: Office, access: Access, email: string): Browser {
  const user = listUsers(access).find((each) => each.email === email);
  if (user === undefined) throw new Error(`no user ${email}`);
  const who = { userId: user.id, agent: null };
  const browser = new Browser(office);
  const token = createSession(office.service.source, who, office.clock.nowMs);
  browser.cookies.set('budgetd', token ?? '');
  return browser;
}

/** A page with its address and its row of the route table. */
export interface WalkedPage {
  readonly path: string;
  readonly route: string;
  readonly text: string;
  readonly page: ReadPage;
}

/** What a walk found. */
export interface Walk {
  readonly pages: readonly WalkedPage[];
  /** The forms by the row of the route table to which they are sent. */
  readonly forms: ReadonlyMap<string, readonly FoundForm[]>;
}

/** The rows of the route table, such as `GET /projects/{id}`. */
export const ROUTES = [{ method: 'GET', path: '/' } as const, ...PAGES].map(
  ({ method, path }) => `${method} ${path}`,
);

const MATCHERS = ROUTES.map((route) => {
  const [method = '', path = ''] = route.split(' ');
  // A fixed path goes before one with an identifier.
  return { route, method, weight: path.split('{').length, pattern: matcherOf(path) };
}).sort((one, two) => one.weight - two.weight);

function matcherOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
}

/** The row of the route table for a path; undefined if none of the console has it. */
export function routeFor(method: string, target: string): string | undefined {
  const [path = ''] = target.split('?', 1);
  return MATCHERS.find((each) => each.method === method && each.pattern.test(path))?.route;
}

/** Paths that need no identifier. */
const FIXED = ROUTES.filter((route) => route.startsWith('GET ') && !route.includes('{')).map(
  (route) => route.slice('GET '.length),
);

/**
 * Opens every page that needs no identifier and those of `starts`, then those to which their links
 * lead: one of each kind, which is its row and the names in its query, and a few kinds of each row.
 */
export async function walkPages(browser: Browser, starts: readonly string[] = []): Promise<Walk> {
  const first = new Set([...FIXED, ...starts]);
  const queue = [...first];
  const seen = new Set<string>();
  const counts = new Map<string, number>();
  const pages: WalkedPage[] = [];
  const forms = new Map<string, FoundForm[]>();
  for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
    const route = routeFor('GET', path);
    const kind = `${route} ${kindOf(path)}`;
    const count = counts.get(route ?? '') ?? 0;
    const isKnown = seen.has(kind) || count >= PAGES_EACH;
    if (route === undefined || (isKnown && !first.delete(path))) continue;
    first.delete(path);
    seen.add(kind);
    counts.set(route, count + 1);
    const { status, text, location, headers } = await browser.get(path);
    if (status >= 500) throw new Error(`${path}: ${status}`);
    if (status === 303 && location !== null) queue.push(location);
    if (!(headers.get('content-type') ?? '').startsWith('text/html')) continue;
    if (text === '') continue;
    const page = readPage(text, path);
    pages.push({ path, route, text, page });
    queue.push(...page.links);
    // Buttons that save a project, and then lead to a page below it.
    for (const { name, attributes } of page.elements) {
      if (name !== 'button' || attributes.get('name') !== 'next') continue;
      queue.push(path.replace(/edit(?:\?.*)?$/, attributes.get('value') ?? ''));
    }
    for (const form of page.forms) {
      const target = routeFor(form.method, form.action);
      if (target === undefined) continue;
      const list = forms.get(target);
      if (list === undefined) forms.set(target, [form]);
      else if (list.length < FORMS) list.push(form);
    }
  }
  return { pages, forms };
}

/** Pages that are opened, and forms that are kept, for each row. */
const PAGES_EACH = 6;
const FORMS = 5;

function kindOf(path: string): string {
  const [, query = ''] = path.split('?', 2);
  const names = [...new URLSearchParams(query)].map(([name, value]) => {
    return name === 'tab' || name === 'do' ? `${name}=${value}` : name;
  });
  // What is new has the address of what there is.
  return [String(path.includes('/new')), ...new Set(names)].sort().join('&');
}
