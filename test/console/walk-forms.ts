/** Finds the forms of every page, and fills them in as far as that needs no person. */

import { formatId } from '../../src/core/ids.ts';
import { listTransactions } from '../../src/operations/transactions.ts';
import { finish } from '../../src/operations/turns.ts';
import { setSecondFactor } from '../../src/store/second-factors.ts';
import { listUsers } from '../../src/store/users.ts';
import { type Furnished, furnish } from './furnish.ts';
import type { Browser, Office } from './office.ts';
import { type FoundForm, readPage } from './read-page.ts';
import { enterAs, routeFor, walkPages } from './walk-pages.ts';

/** What a person types or chooses where a page does not say, by the start of the address. */
const TYPED: readonly (readonly [path: string, fields: Readonly<Record<string, string>>])[] = [
  ['/projects/new', { name: 'New', startDate: '2026-01-01', endDate: '2026-12-31' }],
  ['/projects/prj_', { name: 'Changed' }],
  [
    '/rules/rul_',
    {
      ...{ name: 'Changed', contact: 'Twice', 'contact-how': 'contains' },
      ...{ line: formatId('bln', 1), amount: '', do: 'save' },
    },
  ],
  ['/settings/keys/new', { name: 'New', scopes: 'projects:read', expires: 'never' }],
  ['/settings/users/new', { email: 'new@example.org', role: 'member', how: 'link' }],
  ['/settings/organisation/time-zone', { zone: 'Europe/London' }],
  ['/settings/organisation/letterhead', { letterhead: '4 Quay Street' }],
  ['/account/format', { locale: 'en-GB', keys: 'on' }],
  ['/review/recoded', { do: 'keep' }],
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

/** The rows whose forms do something when they are sent as they are found. */
export const DOING = [
  'POST /account/format',
  'POST /projects/new',
  'POST /projects/{id}/archive',
  'POST /projects/{id}/edit',
  'POST /projects/{id}/lines/{line}',
  'POST /projects/{id}/statements/{number}',
  'POST /review',
  'POST /review/recoded',
  'POST /rules',
  'POST /rules/run',
  'POST /rules/{id}',
  'POST /settings/keys/new',
  'POST /settings/keys/revoke',
  'POST /settings/organisation',
  'POST /settings/organisation/letterhead',
  'POST /settings/organisation/name',
  'POST /settings/organisation/second-factor',
  'POST /settings/organisation/time-zone',
  'POST /settings/users/new',
  'POST /transactions/allocate',
  'POST /transactions/bulk',
  'POST /transactions/bulk/apply',
  'POST /transactions/exclude',
  'POST /transactions/restore',
  'POST /undo',
];

/** A form that is filled in, and its row of the route table. */
export interface FilledForm {
  readonly route: string;
  readonly action: string;
  readonly fields: readonly (readonly [name: string, value: string])[];
}

/** Opens every page of an organisation as its owner, and passes each form to `use`. */
export async function useForms(
  office: Office,
  use: (form: FilledForm, browser: Browser, world: Furnished) => Promise<void>,
): Promise<void> {
  const furnished = furnish(office.service, (most) => 'Twice'.slice(0, most), 'two');
  const { access, ownerEmail } = furnished;
  // Only who has a second factor can require one of everyone.
  const userId = listUsers(access).find(({ email }) => email === ownerEmail)?.id ?? 0;
  const factor = { userId, sealed: { secret: Buffer.alloc(1), step: 0 }, codes: [] };
  setSecondFactor(access, factor, office.service.actor());
  const browser = enterAs(office, access, ownerEmail);
  const panels = finish(listTransactions(access, { limit: 10 })).items.map(({ id }) => {
    return `/transactions?open=${formatId('txn', id)}`;
  });
  const look = '/transactions/bulk?do=exclude&scope=all';
  const { pages } = await walkPages(browser, [...panels, look]);
  // What is allocated cannot be excluded, archived projects claim no codes, allocating settles, and
  // a rule can be removed.
  const early = ['/rules/run', '/recoded', 'open=', '/rul_'];
  const rank = (path: string) => early.findIndex((part) => path.includes(part)) + 1 || 5;
  const inOrder = [...pages].sort((one, other) => rank(one.path) - rank(other.path));
  for (const { path, page } of inOrder) {
    // The last form of the panel first: it excludes what is not allocated.
    for (const at of [...page.forms.keys()].reverse()) {
      // As it is now: another form may have changed what the page shows.
      const { text } = await browser.get(path);
      const form = text === '' ? undefined : readPage(text, path).forms[at];
      if (form === undefined || form.method !== 'POST') continue;
      const { action } = form;
      const route = routeFor('POST', action) ?? '';
      await use({ route, action, fields: filled(form) }, browser, furnished);
    }
  }
}
