/** API keys: the list, making one, seeing it once, testing it, and revoking one. */

import { formatInstant } from '../../core/calendar.ts';
import { Failure } from '../../core/failures.ts';
import { formatId } from '../../core/ids.ts';
import { KEY_PREFIX, keyState } from '../../core/keys.ts';
import { explainNoAccess, SCOPES, type Scope } from '../../core/plans.ts';
import { boundsOfDay } from '../../core/time-zones.ts';
import { type Html, type HtmlValue, html } from '../../http/html.ts';
import type { Reply } from '../../http/message.ts';
import { baseOf } from '../../http/origin.ts';
import { readChoice, readName } from '../../operations/input.ts';
import { createKey, findKeyById, revokeKey } from '../../operations/keys.ts';
import { PACKAGE_FOLDER, readPackageFile } from '../../package-folder.ts';
import { findKey, type KeyRecord, listNewestKeys } from '../../store/keys.ts';
import { listUsers } from '../../store/users.ts';
import {
  type Column,
  copyButton,
  emptyPart,
  nameFirst,
  secretBox,
  sectionPart,
  stackTable,
  typed,
  unseen,
} from '../components/elements.ts';
import {
  askOnce,
  type Field,
  fieldList,
  fieldOf,
  narrowForm,
  oneAmong,
  postForm,
  type Sent,
  takeForm,
  UNSENT,
} from '../components/forms.ts';
import type { Reader } from '../session/reader.ts';
import type { Visit } from '../session/visit.ts';
import { belowReply, tabReply } from './settings.ts';

const TAB = '/settings/keys';
const MADE = '/settings/keys/made';
const NEW = '/settings/keys/new';
const TEST = '/settings/keys/test';

/** What each scope lets a program do. */
const SCOPE_WORDS: Readonly<Record<Scope, string>> = {
  'projects:read': 'Read projects, budget lines and budgets',
  'reports:read': 'Read reports: budget and actual of each line',
  'allocations:read': 'Read which amounts are allocated to which lines',
  'transactions:read': 'Read transactions and their status',
  'transactions:write': 'Push new transactions, and update the ones it pushed',
};

/** How long a key can be valid, in days. */
const LASTING = { quarter: 90, year: 365, never: undefined } as const;

const DAY_MS = 86_400_000;

const TESTED: Field = {
  label: 'Key',
  hint: 'Type a key to see which one it is, and whether its requests are accepted.',
  autocomplete: 'off',
};

export function showKeys(visit: Visit, { faults }: Sent = UNSENT): Reply {
  const noAccess = explainNoAccess(visit.access.organisation.plan) !== undefined;
  const test = narrowForm(TEST, fieldOf('key', TESTED, { faults }), { button: 'Test the key' });
  const content = html`${
    noAccess &&
    html`<p class="note warn">Requests are refused for now: the ${
      visit.access.organisation.plan
    } plan does not include API access. ${
      visit.may('organisation')
        ? html`<a href="/settings/organisation#plan">Change the plan</a>`
        : 'An owner can change the plan.'
    }</p>\n`
  }${listedKeys(visit)}
${sectionPart('test', 'Test a key', test)}`;
  return tabReply(visit, TAB, {
    title: 'API keys',
    lead: 'A program sends its key with each request. Give each program a key of its own.',
    actions: html`<a class="button primary" href="${NEW}">Make a key</a>`,
    content,
    faults,
  });
}

/** Keys on the page, the live ones first: the command lists all of them. */
const SHOWN = 100;

function listedKeys(visit: Visit): Html {
  const { access, nowMs, reader } = visit;
  const { keys, count } = listNewestKeys(access, { nowMs, limit: SHOWN });
  if (keys.length === 0) {
    const about = 'A program needs a key to push transactions, or to read projects and reports.';
    return emptyPart('No keys yet', about);
  }
  const emails = new Map(listUsers(access).map(({ id, email }) => [formatId('usr', id), email]));
  const columns: readonly Column<KeyRecord>[] = [
    [
      'Name',
      'whole',
      ({ name, display }) => html`${typed(name)}
<span class="sub"><code>${KEY_PREFIX}${display}…</code></span>`,
    ],
    ['Scopes', 'whole', ({ scopes }) => scopeList(reader, scopes)],
    [
      'Made',
      'whole',
      ({ createdAtMs, createdBy }) => html`${reader.dayAt(createdAtMs)}
<span class="sub">${typed(emails.get(createdBy) ?? createdBy)}</span>`,
      'Made',
    ],
    ['Expires', 'whole', (key) => sayExpiry(reader, key), 'Expires'],
    ['Last used', 'whole', ({ lastUsedAtMs }) => visit.moment(lastUsedAtMs), 'Last used'],
    ['State', '', (key) => stateTag(visit, key)],
    [unseen('Revoke'), 'num', (key) => keyState(key, nowMs) === 'live' && revokeForm(key)],
  ];
  const more = count - keys.length;
  return html`${stackTable(columns, keys, { label: 'API keys', idOf: idOfKey })}${
    more > 0 &&
    html`<p class="soft">And ${reader.count(more)} more: <code>budgetd keys list</code> shows
all.</p>`
  }`;
}

function idOfKey({ id }: Pick<KeyRecord, 'id'>): string {
  return formatId('key', id);
}

function revokeForm(key: KeyRecord): Html {
  const question = html`<b>${typed(key.name)}</b> stops working with the next request. You cannot
undo this.`;
  const words = { open: 'Revoke', on: key.name, question, button: 'Revoke the key' };
  return askOnce(words, '/settings/keys/revoke', { id: idOfKey(key) });
}

function scopeList(reader: Reader, scopes: readonly Scope[]): HtmlValue {
  return nameFirst(reader, scopes, scopes.length, (scope) => html`<code>${scope}</code>`);
}

function stateTag({ nowMs, reader }: Visit, key: KeyRecord): Html {
  if (keyState(key, nowMs) === 'live') return html`<span class="tag live">Live</span>`;
  const { revokedAtMs } = key;
  if (revokedAtMs === null) return html`<span class="tag ended">Expired</span>`;
  return html`<span class="tag ended"><span>Revoked
${reader.dayAt(revokedAtMs)}</span></span>`;
}

/** A key that is valid through a day ends at the start of the next. */
function sayExpiry(reader: Reader, { expiresAtMs }: KeyRecord): HtmlValue {
  return expiresAtMs === null ? 'never' : reader.dayAt(expiresAtMs - 1);
}

function newKeyFields({ nowMs, reader }: Visit) {
  const sayEnd = (days: number) => {
    return html`Valid until the end of ${reader.dayAt(nowMs + days * DAY_MS)}.`;
  };
  return {
    name: {
      label: 'Name',
      hint: 'Such as the program that uses the key.',
      read: (text: string) => readName('The name', text),
    },
    scopes: {
      label: 'What the program may do',
      hint: 'Only what the program needs.',
      type: 'checkbox',
      options: SCOPES.map((each) => [each, SCOPE_WORDS[each], html`<code>${each}</code>`] as const),
      read: (_: string, texts: readonly string[]) => {
        if (texts.length === 0) {
          throw new Failure('invalid_input', 'Select at least one permission.');
        }
        return texts.map((scope) => readChoice('A scope', scope, SCOPES));
      },
    },
    expires: {
      label: 'Expires',
      type: 'radio',
      value: 'year',
      options: [
        ['quarter', 'After 90 days', sayEnd(LASTING.quarter)],
        ['year', 'After a year', sayEnd(LASTING.year)],
        ['never', 'Never', 'Until someone revokes it.'],
      ],
      read: oneAmong(['quarter', 'year', 'never'], 'Choose when the key expires.'),
    },
  } as const;
}

/** When the day ends, in the organisation's time zone, that is some days from now. */
function endOfDay({ nowMs, reader }: Visit, days: number): number {
  return boundsOfDay(reader.timeZone, reader.dayOf(nowMs + days * DAY_MS))[1];
}

export function showNewKey(visit: Visit, sent: Sent = UNSENT): Reply {
  const fields = fieldList(newKeyFields(visit), sent);
  const content = narrowForm(NEW, fields, { button: 'Make the key', cancel: TAB });
  const lead = 'The next page shows the key. It is not shown again.';
  return belowReply(visit, TAB, { title: 'Make a key', lead, content, ...sent });
}

export function takeKey(visit: Visit): Promise<Reply> {
  return takeForm(visit, newKeyFields(visit), showNewKey, ({ name, scopes, expires }) => {
    const days = LASTING[expires];
    const expiresAt = days === undefined ? undefined : formatInstant(endOfDay(visit, days));
    const { id, key } = createKey(visit.access, { name, scopes, expiresAt }, visit.actor);
    return { to: MADE, message: undefined, secret: { id: idOfKey({ id }), text: key } };
  });
}

export function showKeyMade(visit: Visit): Reply {
  const { secret, flash } = visit.desk.outcomes.take(visit);
  const key = findKeyById(visit.access, secret?.id ?? '');
  if (secret === undefined || key === undefined) return shownPage(visit);
  const { reader } = visit;
  const end =
    key.expiresAtMs === null ? 'until it is revoked' : html`through ${sayExpiry(reader, key)}`;
  const scopes = scopeList(reader, key.scopes);
  const about = html`It has ${scopes}, ${end}. budgetd keeps only its hash: if you lose the key,
make another one.`;
  const buttons = html`<a class="button primary" href="${TAB}">I have copied it</a>
<button class="button">Test the key from here</button>
`;
  const content = html`${secretBox(secret.text, about)}
${postForm(TEST, { key: secret.text, page: 'made' }, buttons, html` class="actions"`)}
${samplesOf(visit, key.scopes, secret.text)}`;
  const heading = html`Key made: ${typed(key.name)}`;
  return belowReply(visit, TAB, { title: `Key made: ${key.name}`, heading, flash, content });
}

/** The page of a key was shown, or is another session's. */
function shownPage(visit: Visit): Reply {
  const content = html`<p>A key is shown only once. If no one copied this key, revoke it and make
another one.</p>
<p class="actions"><a class="button primary" href="${TAB}">API keys</a></p>`;
  return belowReply(visit, TAB, { title: 'The key is no longer shown', content, status: 404 });
}

function samplesOf({ desk, request }: Visit, scopes: readonly Scope[], key: string): Html {
  if (!scopes.includes('transactions:write')) {
    return html`<p>Sample programs that read with a key, in five languages, are on the page
<a href="/docs">HTTP interface</a>.</p>`;
  }
  const shown = fillSamples(baseOf(desk.place(), request), key).map(({ language, title, code }) => {
    return html`<div class="sample"><div class="title"><h3 id="${language}-title">${title}</h3>
${copyButton(language)}</div>
<pre tabindex="0" aria-labelledby="${language}-title"><code id="${language}">${code}</code></pre>
</div>
`;
  });
  return html`<section>
<h2>Try it: one row that is checked and not stored</h2>
${shown}</section>`;
}

/** A key of the organisation that the interface accepts: of another one it is like none. */
function readTested({ desk, request, access }: Visit, typedKey: string) {
  const text = typedKey.trim();
  const found = findKey(desk.source, text);
  const key = found && findKeyById(access, idOfKey(found));
  if (key === undefined) {
    const message = text === '' ? 'Enter a key.' : 'This is not a key of this organisation.';
    throw new Failure('invalid_input', message);
  }
  try {
    desk.tryKey(request, text);
  } catch (error) {
    if (error instanceof Failure) throw new Failure('invalid_input', error.message);
    throw error;
  }
  return { key, text };
}

export function takeTest(visit: Visit): Promise<Reply> {
  const read = (text: string) => readTested(visit, text);
  return takeForm(visit, { key: { ...TESTED, read } }, showKeys, ({ key: { key, text } }) => {
    const message = html`The service accepts requests with the key <b>${typed(key.name)}</b>.`;
    if (visit.field('page') !== 'made') return { to: TAB, message };
    return { to: MADE, message, secret: { id: idOfKey(key), text } };
  });
}

export async function takeRevoke(visit: Visit): Promise<Reply> {
  const id = visit.field('id');
  return visit.run(() => {
    revokeKey(visit.access, id, visit.actor);
    const key = findKeyById(visit.access, id);
    const message = html`The key <b>${typed(key?.name ?? id)}</b> is revoked. Its requests are now
refused.`;
    return { to: TAB, message };
  });
}

/** A program in one language that pushes one row without storing it. */
interface Sample {
  readonly language: string;
  readonly title: string;
  readonly code: string;
}

const FILE = new URL('dist/src/console/samples.json', PACKAGE_FOLDER);
let built: readonly Sample[] | undefined;

/** The programs with an address and a key in them. */
function fillSamples(address: string, key: string): Sample[] {
  built ??= JSON.parse(readPackageFile(FILE).toString()) as Sample[];
  return built.map((sample) => {
    const code = sample.code.replace('«address»', () => address).replace('«key»', () => key);
    return { ...sample, code };
  });
}
