/** Texts that have broken other programs, in every field and in every parameter. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatId } from '../../src/core/ids.ts';
import { listTransactions } from '../../src/operations/transactions.ts';
import { finish } from '../../src/operations/turns.ts';
import { IS_SLOW, repetitions } from '../repetitions.ts';
import { furnish } from './furnish.ts';
import { ODD_TEXTS, REFUSED_TEXTS } from './naughty-strings.ts';
import { type Browser, type Office, openOffice } from './office.ts';
import { assertHarmless, type FoundForm, readPage, skeletonOf } from './read-page.ts';
import { enterAs, ROUTES, type Walk, type WalkedPage, walkPages } from './walk-pages.ts';

/** The first so many code points of a text. */
function cut(text: string, most: number): string {
  return [...text].slice(0, most).join('').trim();
}

/** Texts that share an organisation: the short fields take turns, the long ones have them all. */
type Group = readonly string[];

/** The texts three by three, but long ones alone. */
function groupsOf(texts: readonly string[]): Group[] {
  const short = texts.filter((text) => text.length < 100);
  const groups = texts.filter((text) => text.length >= 100).map((text) => [text]);
  for (let at = 0; at < short.length; at += 3) groups.push(short.slice(at, at + 3));
  return groups;
}

/** Walks as the owner of an organisation in whose every field the texts are. */
async function walkWith(office: Office, group: Group, tag: string) {
  let turn = 0;
  const say = (most: number) => {
    turn += 1;
    return cut(most < 100 ? (group[turn % group.length] ?? '') : group.join(' '), most);
  };
  const text = group.join(' ');
  const { access, ownerEmail } = furnish(office.service, say, tag);
  const browser = enterAs(office, access, ownerEmail);
  const panels = finish(listTransactions(access, { limit: 10 })).items.map(({ id }) => {
    return `/transactions?open=${formatId('txn', id)}`;
  });
  const walk = await walkPages(browser, [...panels, await hold(browser, text)]);
  return { browser, walk };
}

/** Holds a file with the text in its fields, and returns the path of its page. */
async function hold(browser: Browser, text: string): Promise<string> {
  const quoted = `"${cut(text, 200).replaceAll('"', '""')}"`;
  const file = `Date,Transaction ID,Supplier Name,Description,Money out,Money in
21/04/2026,T1,${quoted},Rent,1200.50,
22/04/2026,T2,Bob,${quoted},33.10,
23/04/2026,T3,,Refund,,20.00
`;
  const { status, location } = await browser.upload(`${cut(text, 40)}.csv`, file);
  assert.equal(status, 303);
  return location ?? '';
}

/** What a file proves depends on its texts. */
function withoutImports({ pages }: Walk) {
  return pages.filter(({ route }) => !route.includes('/import/'));
}

const PLAIN = 'Qwertz';

describe('odd texts in every field', () => {
  it('are shown as text wherever a plain text is, and change nothing else', async (test) => {
    const office = await openOffice(test);
    const expected = withoutImports((await walkWith(office, [PLAIN], 'plain')).walk);
    const shows = new Set(
      expected.flatMap(({ route, text }) => (text.includes(PLAIN) ? [route] : [])),
    );
    for (const route of SHOWING) assert.ok(shows.has(route), route);
    const step = repetitions(2, 1, 1);
    for (const [at, group] of groupsOf(ODD_TEXTS).entries()) {
      if (at % step !== 0) continue;
      const { walk } = await walkWith(office, group, String(at));
      for (const { page, path } of walk.pages) assertHarmless(page, `${path}: ${group}`);
      const found = withoutImports(walk);
      assert.equal(found.length, expected.length, String(group));
      for (const [index, page] of found.entries()) assertSame(page, expected[index], group);
    }
  });
});

/** Fails unless a page is the same as with a plain text, but for the texts, which are as typed. */
function assertSame(found: WalkedPage, plain: WalkedPage | undefined, group: Group): void {
  const { page, path, route } = found;
  const short = group.map((text) => cut(text, 50));
  const what = `${path} ${JSON.stringify(short)}`;
  assert.ok(plain !== undefined && route === plain.route, what);
  assert.equal(skeletonOf(page).join('\n'), skeletonOf(plain.page).join('\n'), what);
  for (const [at, shown] of page.texts.entries()) {
    if (!plain.page.texts[at]?.includes(PLAIN)) continue;
    assert.ok(
      short.some((text) => shown.includes(text)),
      `${what}: ${shown}`,
    );
  }
}

/** Pages that show texts of people: all but forms for something new. */
const SHOWING = [
  'GET /',
  'GET /transactions',
  'GET /review',
  'GET /projects',
  'GET /projects/{id}',
  'GET /projects/{id}/edit',
  'GET /projects/{id}/lines/{line}',
  'GET /projects/{id}/paste',
  'GET /settings/keys',
  'GET /settings/users',
  'GET /settings/organisation',
  'GET /activity',
];

/** The names of fields and members of queries, of all pages, by row of the route table. */
function namesOf({ pages, forms }: Walk): ReadonlyMap<string, ReadonlySet<string>> {
  const names = new Map(ROUTES.map((route) => [route, new Set<string>(ALWAYS)] as const));
  for (const { path, route } of pages) {
    const query = new URLSearchParams(path.split('?')[1]);
    for (const name of query.keys()) names.get(route)?.add(name);
  }
  for (const [route, list] of forms) {
    for (const [name] of list.flatMap(({ fields }) => fields)) names.get(route)?.add(name);
  }
  return names;
}

/** Members of addresses that no link of the walk need have. */
const ALWAYS = ['done', 'open', 'cursor', 'start', 'back', 'id', 'form', 'seen', 'to', 'filters'];

const CODES = new Set([200, 303, 400, 403, 404, 409, 413, 415, 422, 429, 431]);

/** Sends a text in a field, or in all fields, of a row of the route table. */
async function probe(
  browser: Browser,
  route: string,
  form: Pick<FoundForm, 'action' | 'fields'>,
): Promise<void> {
  const query = new URLSearchParams(
    form.fields.map(([name, value]): [string, string] => [name, value]),
  );
  const isForm = route.startsWith('POST ');
  const path = form.action.split('?', 1)[0] ?? '';
  const { status, text, headers } = isForm
    ? await browser.send(path, form.fields)
    : await browser.get(`${path}?${query}`);
  const what = `${route} ${JSON.stringify(form.fields).slice(0, 500)}`;
  assert.ok(CODES.has(status), `${status}: ${what}`);
  const isPage = (headers.get('content-type') ?? '').startsWith('text/html');
  if (text !== '' && isPage) assertHarmless(readPage(text, what), what);
}

describe('odd texts in every parameter and field', () => {
  it('are answered with a page that shows them as text', async (test) => {
    const office = await openOffice(test);
    const { browser, walk } = await walkWith(office, [PLAIN], 'plain');
    const names = namesOf(walk);
    const texts = [...ODD_TEXTS, ...REFUSED_TEXTS];
    let turn = 0;
    const routes = ROUTES.filter((each) => each !== 'POST /sign-out');
    for (const [at, route] of routes.entries()) {
      const known = [...(names.get(route) ?? [])];
      const forms = formsFor(walk, route);
      for (const text of texts) {
        turn += 1;
        if (!IS_SLOW && turn % 3 !== 0) continue;
        // With all turns: both kinds of each form and field, and each text in both kinds.
        const pick = IS_SLOW ? Math.floor(turn / 2) : turn;
        const { action = '', fields = [] } = forms[pick % forms.length] ?? {};
        // All fields, or one with the rest as the page has it, by turns.
        const odd = known[pick % known.length] ?? '';
        const others = fields.filter(([name]) => name !== odd);
        const all = known.map((name) => [name, text] as const);
        const isAll = (IS_SLOW ? turn + at : turn) % 2 === 0;
        const chosen = isAll ? all : [...others, [odd, text] as const];
        await probe(browser, route, { action, fields: chosen });
      }
    }
  });
});

/** The forms of a row, or its addresses; at least a made-up one. */
function formsFor({ pages, forms }: Walk, route: string): readonly Omit<FoundForm, 'method'>[] {
  const found = forms.get(route) ?? [];
  const visited = pages
    .filter((page) => page.route === route)
    .map(({ path }) => {
      return { action: path, fields: [...new URLSearchParams(path.split('?')[1])] };
    });
  const made = route.replace(/^\w+ /, '').replaceAll(/\{\w+\}/g, formatId('prj', 1));
  const all = [...found, ...visited];
  return all.length > 0 ? all : [{ action: made, fields: [] }];
}
