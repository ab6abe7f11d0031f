/** Every form that did something, sent again as by a double click, leads to the same page. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatId } from '../../src/core/ids.ts';
import { listTransactions } from '../../src/operations/transactions.ts';
import { fieldsOf, openDesk } from './desk.ts';
import { furnish } from './furnish.ts';
import { markOf, openOffice } from './office.ts';
import { type FoundForm, readPage } from './read-page.ts';
import { enterAs, routeFor, walkPages } from './walk-pages.ts';

/** What a person types or chooses where a page does not say, by the start of the address. */
const TYPED: readonly (readonly [path: string, fields: Readonly<Record<string, string>>])[] = [
  ['/projects/new', { name: 'New', startDate: '2026-01-01', endDate: '2026-12-31' }],
  ['/projects/prj_', { name: 'Changed' }],
  ['/settings/keys/new', { name: 'New', scopes: 'projects:read', expires: 'never' }],
  ['/settings/users/new', { email: 'new@example.org', role: 'member', how: 'link' }],
  ['/account/format', { locale: 'en-GB', keys: 'on' }],
  ['/transactions/bulk/apply', { reason: 'Twice' }],
  ['/transactions/bulk', { do: 'restore', scope: 'selected' }],
  ['/transactions/exclude', { reason: 'Twice' }],
  ['/transactions/allocate', { line: formatId('bln', 1), amount: '', do: 'save' }],
];

function filled({ action, fields }: FoundForm): (readonly [name: string, value: string])[] {
  const typed = TYPED.find(([path]) => action.startsWith(path))?.[1] ?? {};
  const others = fields.filter(([name]) => typed[name] === undefined);
  return [...others, ...Object.entries(typed)];
}

/** The rows whose forms did something. */
const DOING = [
  'POST /account/format',
  'POST /projects/new',
  'POST /projects/{id}/archive',
  'POST /projects/{id}/edit',
  'POST /projects/{id}/lines/{line}',
  'POST /review',
  'POST /settings/keys/new',
  'POST /settings/keys/revoke',
  'POST /settings/organisation',
  'POST /settings/organisation/name',
  'POST /settings/users/link',
  'POST /settings/users/new',
  'POST /transactions/allocate',
  'POST /transactions/bulk/apply',
  'POST /transactions/by-code',
  'POST /transactions/exclude',
  'POST /transactions/restore',
];

describe('a form that is sent twice', () => {
  it('does what it does once, and leads to the same page twice', async (test) => {
    const office = await openOffice(test);
    const { access, ownerEmail } = furnish(office.service, (most) => 'Twice'.slice(0, most), 'two');
    const browser = enterAs(office, access, ownerEmail);
    const panels = listTransactions(access, { limit: 10 }).items.map(({ id }) => {
      return `/transactions?open=${formatId('txn', id)}`;
    });
    const { pages } = await walkPages(browser, panels);
    const done = new Set<string>();
    // What is allocated cannot be excluded, and archived projects claim no codes.
    const early = ['/by-code', 'open='];
    const rank = (path: string) => early.findIndex((part) => path.includes(part)) + 1 || 3;
    const inOrder = [...pages].sort((one, other) => rank(one.path) - rank(other.path));
    for (const { path, page } of inOrder) {
      // The last form of the panel first: it excludes what is not allocated.
      for (const at of [...page.forms.keys()].reverse()) {
        // As it is now: another form may have changed what the page shows.
        const { text } = await browser.get(path);
        const form = text === '' ? undefined : readPage(text, path).forms[at];
        if (form === undefined || form.method !== 'POST') continue;
        const fields = filled(form);
        if (!fields.some(([name]) => name === 'form')) continue;
        const first = await browser.send(form.action, fields);
        if (first.status !== 303) continue;
        const second = await browser.send(form.action, fields);
        const route = routeFor('POST', form.action) ?? '';
        assert.equal(second.status, 303, route);
        assert.equal(second.location, first.location, route);
        if (first.location?.includes('done=')) done.add(route);
      }
    }
    assert.deepEqual([...done].sort(), DOING);
  });

  it('does so at once, too, and after what it was sent for is gone', async (test) => {
    const { browser } = await openDesk(test, 'admin');
    const line = '/projects/prj_0000000001/lines/bln_0000000002';
    const { text } = await browser.get(line);
    const look = '/transactions/bulk?do=allocate&scope=all&line=A';
    const apply = '/transactions/bulk/apply';
    const bulk = fieldsOf((await browser.get(look)).text, apply);
    for (const [action, fields] of [
      [line, { ...fieldsOf(text, line), do: 'remove' }],
      [apply, bulk],
    ] as const) {
      const send = () => browser.send(action, fields);
      const [first, ...others] = [...(await Promise.all([send(), send()])), await send()];
      assert.equal(first?.status, 303, action);
      for (const other of others) assert.equal(other.location, first?.location, action);
    }
  });

  it('is not the same when it says something else', async (test) => {
    const { browser } = await openDesk(test, 'admin');
    const dates = { startDate: '2026-01-01', endDate: '2026-12-31' };
    const { text } = await browser.get('/projects/new');
    const form = markOf(text);
    const targets = [];
    for (const name of ['One', 'Other', 'One']) {
      targets.push((await browser.send('/projects/new', { ...dates, name, form })).location);
    }
    assert.equal(targets[0], targets[2]);
    assert.notEqual(targets[0]?.split('?')[0], targets[1]?.split('?')[0]);
  });
});
