/** API keys: the list, making one, seeing it once, testing it, and revoking one. */

import { Failure } from '../../core/failures.ts';
import { formatId } from '../../core/ids.ts';
import { KEY_PREFIX, keyState } from '../../core/keys.ts';
import { explainPlan, planIncludes, SCOPES, type Scope } from '../../core/plans.ts';
import { type Html, type HtmlValue, html } from '../../http/html.ts';
import type { Reply } from '../../http/message.ts';
import { baseOf } from '../../http/origin.ts';
import { readChoice, readName } from '../../operations/input.ts';
import {
  createKey,
  findKey,
  findKeyById,
  type KeyRecord,
  listNewestKeys,
  revokeKey,
} from '../../operations/keys.ts';
import { listUsers } from '../../operations/users.ts';
import { askOnce, copyButton, secretBox, stackTable, typed } from '../components/elements.ts';
import {
  type Faults,
  type Field,
  fieldList,
  fieldOf,
  oneOf,
  readFields,
  type Sent,
  UNSENT,
} from '../components/forms.ts';
import { fillSamples } from '../components/samples.ts';
import { flashOf, markField } from '../session/outcomes.ts';
import { dayOf, type Reader } from '../session/reader.ts';
import type { Visit } from '../session/visit.ts';
import { belowReply, tabReply } from './settings.ts';

const TAB = '/settings/keys';
const MADE = '/settings/keys/made';

/** What each scope lets a program do. */
const SCOPE_WORDS: Readonly<Record<Scope, string>> = {
  'projects:read': 'Read projects, budget lines and budgets',
  'reports:read': 'Read reports: budget and actual of each line',
  'allocations:read': 'Read which amounts are allocated to which lines',
  'transactions:read': 'Read transactions and their status',
  'transactions:write': 'Push transactions: new ones, and changes of those it pushed',
};

/** How long a key can be valid, in days. */
const LASTING = { quarter: 90, year: 365, never: undefined } as const;

const DAY_MS = 86_400_000;

const TESTED: Field = {
  label: 'Key',
  hint: 'Shows which key it is, and whether its requests are accepted.',
  autocomplete: 'off',
};

/** `GET /settings/keys`. */
export function showKeys(visit: Visit): Reply {
  return keysPage(visit);
}

function keysPage(visit: Visit, faults: Faults = {}): Reply {
  const { access } = visit;
  const { plan } = access.organisation;
  const content = html`${
    !planIncludes(plan, 'api_access') &&
    html`<p class="note warn">Requests are refused for now. ${explainPlan(
      plan,
      'api_access',
    )}</p>\n`
  }${listedKeys(visit)}
<section aria-labelledby="test">
<h2 id="test">Test a key</h2>
<form class="narrow" method="post" action="/settings/keys/test" novalidate>${markField()}
${fieldOf('key', TESTED, { faults })}<button class="button">Test the key</button>
</form>
</section>`;
  return tabReply(visit, TAB, {
    title: 'API keys',
    lead: 'A program sends its key with each request. Give each program a key of its own.',
    actions: html`<a class="button primary" href="/settings/keys/new">Make a key</a>`,
    content,
    faults,
  });
}

/** Keys on the page, the live ones first: the command lists all of them. */
const SHOWN = 200;

function listedKeys(visit: Visit): Html {
  const { request } = visit;
  const { nowMs } = request;
  const { keys, count } = listNewestKeys(visit.access, { nowMs, limit: SHOWN });
  if (keys.length === 0) {
    return html`<section class="empty"><h2>No keys yet</h2>
<p>A program needs one to push transactions, or to read projects and reports.</p></section>`;
  }
  const { reader } = visit;
  const emails = new Map(
    listUsers(visit.access).map(({ id, email }) => [formatId('usr', id), email]),
  );
  const isLive = (key: KeyRecord) => keyState(key, nowMs) === 'live';
  const more = count - keys.length;
  const rows = keys.map((key) => {
    const { name, display, scopes, createdBy, createdAtMs, lastUsedAtMs } = key;
    const id = formatId('key', key.id);
    const made = reader.day(dayOf(createdAtMs));
    const used = lastUsedAtMs === null ? 'never' : reader.moment(lastUsedAtMs, nowMs);
    return html`<tr role="row" id="${id}">
<th role="rowheader" scope="row" class="whole">${typed(name)}
<span class="sub"><code>${KEY_PREFIX}${display}…</code></span></th>
<td role="cell" class="whole">${scopeList(scopes)}</td>
<td role="cell" class="whole" data-label="Made">${made}
<span class="sub">${typed(emails.get(createdBy) ?? createdBy)}</span></td>
<td role="cell" class="whole" data-label="Expires">${sayExpiry(key, reader)}</td>
<td role="cell" class="whole" data-label="Last used">${used}</td>
<td role="cell">${stateTag(key, nowMs, reader)}</td>
<td role="cell" class="num">${
      isLive(key) &&
      askOnce(
        {
          open: 'Revoke',
          on: name,
          question: html`<b>${typed(name)}</b> stops working with the next request. You cannot
undo this.`,
          button: 'Revoke the key',
        },
        '/settings/keys/revoke',
        html`${markField()}<input type="hidden" name="id" value="${id}">`,
      )
    }</td>
</tr>
`;
  });
  const names = ['Name', 'Scopes', 'Made', 'Expires', 'Last used', 'State'];
  const heads = [...names, ['Revoke', 'hidden']] as const;
  return html`${stackTable({ label: 'API keys', heads, rows })}${
    more > 0 &&
    html`<p class="soft">And ${reader.count(more)} more: <code>budgetd keys list</code> shows
all.</p>`
  }`;
}

function scopeList(scopes: readonly Scope[]): HtmlValue {
  return scopes.map((scope, at) => html`${at > 0 && ', '}<code>${scope}</code>`);
}

function stateTag(key: KeyRecord, nowMs: number, reader: Reader): Html {
  const state = keyState(key, nowMs);
  if (state === 'live') return html`<span class="tag live">Live</span>`;
  const { revokedAtMs } = key;
  if (revokedAtMs === null) return html`<span class="tag ended">Expired</span>`;
  return html`<span class="tag ended"><span>Revoked
${reader.day(dayOf(revokedAtMs))}</span></span>`;
}

/** A key that is valid through a day ends at the start of the next. */
function sayExpiry({ expiresAtMs }: KeyRecord, reader: Reader): HtmlValue {
  return expiresAtMs === null ? 'never' : reader.day(dayOf(expiresAtMs - 1));
}

function newKeyFields({ nowMs, reader }: Visit) {
  const sayEnd = (days: number) => {
    return html`Valid until the end of ${reader.day(dayOf(nowMs + days * DAY_MS))}.`;
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
      read: oneOf(['quarter', 'year', 'never'], 'Choose when the key expires.'),
    },
  } as const;
}

/** `GET /settings/keys/new`. */
export function showNewKey(visit: Visit): Reply {
  return newKeyPage(visit);
}

/** `POST /settings/keys/new`. */
export async function takeKey(visit: Visit): Promise<Reply> {
  const { values, ...sent } = readFields(newKeyFields(visit), visit.form);
  if (values === undefined) return newKeyPage(visit, sent);
  return visit.run(() => {
    const { name, scopes, expires } = values;
    const days = LASTING[expires];
    const expiresAt = days === undefined ? undefined : dayOf(visit.nowMs + days * DAY_MS);
    const { id, key } = createKey(visit.access, { name, scopes, expiresAt }, visit.actor);
    return { to: MADE, message: undefined, secret: { id: formatId('key', id), text: key } };
  });
}

function newKeyPage(visit: Visit, sent: Sent = UNSENT): Reply {
  const content = html`<form class="narrow" method="post" action="/settings/keys/new" novalidate>
${markField()}${fieldList(newKeyFields(visit), sent)}<p class="actions"><button
class="button primary">Make the key</button>
<a class="button" href="${TAB}">Cancel</a></p>
</form>`;
  const lead = 'The next page shows the key. It is not shown again.';
  return belowReply(visit, TAB, { title: 'Make a key', lead, content, faults: sent.faults });
}

/** `GET /settings/keys/made`. */
export function showKeyMade(visit: Visit): Reply {
  const { desk } = visit;
  const outcome = desk.outcomes.take(visit);
  const key = findKeyById(visit.access, outcome?.secret?.id ?? '');
  if (outcome?.secret === undefined || key === undefined) return shownPage(visit);
  const { text } = outcome.secret;
  const { reader } = visit;
  const end =
    key.expiresAtMs === null ? 'until it is revoked' : html`through ${sayExpiry(key, reader)}`;
  const about = html`It has ${scopeList(key.scopes)}, ${end}. budgetd keeps only its hash: if you
lose the key, make another one.`;
  const content = html`${secretBox('Copy it now: it is shown only once', text, about)}
<form class="actions" method="post" action="/settings/keys/test">${markField()}
<input type="hidden" name="key" value="${text}"><input type="hidden" name="page" value="made">
<a class="button primary" href="${TAB}">I have copied it</a>
<button class="button">Test the key from here</button>
</form>
${samplesOf(visit, key.scopes, text)}`;
  const heading = html`Key made: ${typed(key.name)}`;
  const flash = flashOf(outcome);
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
    return html`<p>Programs that read with it, in five languages, are at
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

/** `POST /settings/keys/test`. */
export async function takeTest(visit: Visit): Promise<Reply> {
  const { desk, request } = visit;
  const text = visit.field('key').trim();
  const key = findOwnKey(visit, text);
  if (key === undefined) {
    const message = text === '' ? 'Enter a key.' : 'This is not a key of this organisation.';
    return keysPage(visit, { key: message });
  }
  const refusal = messageOf(() => desk.tryKey(request, text));
  if (refusal !== undefined) return keysPage(visit, { key: refusal });
  return visit.run(() => {
    const message = html`The service accepts requests with the key <b>${typed(key.name)}</b>.`;
    if (visit.field('page') !== 'made') return { to: TAB, message };
    return { to: MADE, message, secret: { id: formatId('key', key.id), text } };
  });
}

/** Another organisation's key is like none. */
function findOwnKey({ desk, session }: Visit, text: string): KeyRecord | undefined {
  const found = findKey(desk.source, text);
  return found && findKeyById(session.access, formatId('key', found.id));
}

function messageOf(attempt: () => void): string | undefined {
  try {
    attempt();
    return undefined;
  } catch (error) {
    if (error instanceof Failure) return error.message;
    throw error;
  }
}

/** `POST /settings/keys/revoke`. */
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
