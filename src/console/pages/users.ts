/** Users: the list, adding one, links for passwords, roles, and removing one. */

import { formatId } from '../../core/ids.ts';
import { INVITATION_DAYS, LINK_MINUTES } from '../../core/limits.ts';
import { linkTo } from '../../core/links.ts';
import { endsOwnership, ROLE_DUTIES, ROLES, type Role } from '../../core/users.ts';
import { type Html, html } from '../../http/html.ts';
import type { Reply } from '../../http/message.ts';
import { baseOf } from '../../http/origin.ts';
import { missing } from '../../operations/access.ts';
import { readChoice, readName } from '../../operations/input.ts';
import { resetSecondFactor } from '../../operations/second-factors.ts';
import {
  changeRole,
  createResetLink,
  endSessions,
  inviteUser,
  readNewEmail,
  removeUser,
  withdrawInvitation,
} from '../../operations/users.ts';
import { listInvitations } from '../../store/invitations.ts';
import { hasForeign, listUsers, type UserRecord } from '../../store/users.ts';
import {
  type Column,
  secretBox,
  sectionPart,
  stackTable,
  typed,
  unseen,
} from '../components/elements.ts';
import {
  askOnce,
  fieldList,
  fieldOf,
  narrowForm,
  oneAmong,
  postForm,
  type Sent,
  takeForm,
  UNSENT,
} from '../components/forms.ts';
import type { Outcome } from '../session/outcomes.ts';
import { sessionOf, type Visit } from '../session/visit.ts';
import { SIGNED_OUT } from '../session/way-back.ts';
import { belowReply, tabReply } from './settings.ts';

const TAB = '/settings/users';
const NEW = '/settings/users/new';
const LINK = '/settings/users/link';
const FACTOR = '/settings/users/second-factor';

const ROLE_WORDS: Readonly<Record<Role, readonly [name: string, hint: string]>> = {
  owner: ['Owner', `Also ${ROLE_DUTIES.owner}.`],
  admin: ['Admin', `Also ${ROLE_DUTIES.admin}.`],
  member: ['Member', `${ROLE_DUTIES.member.replace('r', 'R')}.`],
};

export function showUsers(visit: Visit, sent: Sent = UNSENT): Reply {
  const users = listUsers(visit.access);
  const owners = users.filter(({ role }) => role === 'owner').length;
  const sayName = ({ id, name, email }: UserRecord) => {
    const mark = id === visit.session.userId && html` <span class="soft">(you)</span>`;
    return html`${typed(name ?? email)}${mark}${
      name !== null && html`\n<span class="sub">${typed(email)}</span>`
    }`;
  };
  const columns: readonly Column<UserRecord>[] = [
    ['Name', 'whole', sayName],
    ['Role', 'whole', ({ role }) => ROLE_WORDS[role][0], 'Role'],
    ['Added', 'whole', ({ createdAtMs }) => visit.reader.dayAt(createdAtMs), 'Added'],
    ['Last sign-in', '', ({ lastSignInAtMs }) => visit.moment(lastSignInAtMs), 'Last sign-in'],
    ['Second factor', '', ({ secondFactor }) => (secondFactor ? 'on' : 'off'), 'Second factor'],
    [unseen('Change'), 'num', (user) => changeMenu(user, visit, owners, sent)],
  ];
  const content = html`${stackTable(columns, users, { label: 'Users', idOf: idOfUser })}
${invitedPart(visit)}`;
  return tabReply(visit, TAB, {
    title: 'Users',
    lead: 'Who signs in to this organisation, and what they may do.',
    actions: html`<a class="button primary" href="${NEW}">Add a user</a>`,
    content,
    ...sent,
  });
}

/** Who was invited and has not joined yet; undefined if that is nobody. */
function invitedPart({ access, nowMs, reader }: Visit): Html | undefined {
  const invited = listInvitations(access, nowMs);
  if (invited.length === 0) return undefined;
  const columns: readonly Column<(typeof invited)[number]>[] = [
    ['Address', 'whole', ({ email }) => typed(email)],
    ['Role', 'whole', ({ role }) => ROLE_WORDS[role][0], 'Role'],
    ['Link works until', '', ({ untilMs }) => reader.moment(untilMs, nowMs), 'Link works until'],
    [unseen('Change'), 'num', ({ email }) => withdrawing(email)],
  ];
  const aside = html`<p class="soft">If you invite someone again, their earlier link stops
working.</p>`;
  const table = stackTable(columns, invited, { labelledBy: 'invited' });
  return sectionPart('invited', 'Invited', table, { aside, look: 'below' });
}

function withdrawing(email: string): Html {
  const question = html`The link of <b>${typed(email)}</b> stops working immediately.`;
  const words = { open: 'Withdraw', on: email, question, button: 'Withdraw the invitation' };
  return askOnce(words, `${TAB}/remove`, { invited: email });
}

function idOfUser({ id }: Pick<UserRecord, 'id'>): string {
  return formatId('usr', id);
}

const LINK_BUTTON = html`<button class="button">Make a link for a new password</button>`;

const FOREIGN = html`<p>This user also belongs to an organisation that you do not own, so only the
person who runs the service can set another password or remove a second factor.</p>`;

/** Everything that can be done with a user. */
function changeMenu(user: UserRecord, visit: Visit, owners: number, { faults }: Sent): Html {
  const { session, access } = visit;
  const isOther = user.id !== session.userId;
  const foreign = isOther && hasForeign(access, user.id, session.userId);
  const { email, role } = user;
  const id = idOfUser(user);
  const options = ROLES.map((each) => [each, ROLE_WORDS[each][0]] as const);
  const select = fieldOf(`role-${id}`, { label: 'Role', type: 'select', value: role, options });
  const change = html`${select}<button class="button">Change the role</button>
<p class="hint">Signs this user out everywhere.</p>`;
  const question = html`<b>${typed(email)}</b> loses access to this organisation immediately. Their
changes and their keys stay.`;
  const removal = { open: 'Remove', on: email, question, button: 'Remove the user' };
  const isOnly = endsOwnership(role, undefined, owners);
  const only = html`<p>The only owner. Make another user an owner before you change the role
or remove this one.</p>`;
  return html`<details class="confirm manage"${faults[id] !== undefined && html` open`}>
<summary>Change${unseen(` ${email}`)}</summary><div class="ask">
${isOnly ? only : postForm(`${TAB}/role`, { id, was: role }, change)}
${
  isOther &&
  html`${foreign ? FOREIGN : postForm(LINK, { id }, LINK_BUTTON)}
${postForm(
  `${TAB}/sessions`,
  { id },
  html`<button class="button">End the sessions</button>
<p class="hint">For a lost or stolen device. The user keeps the role, and has to sign in again.</p>
`,
)}
${!foreign && user.secondFactor === 1 && askOnce(withoutFactor(user), FACTOR, { id })}`
}
${!isOnly && askOnce(removal, `${TAB}/remove`, { id })}</div></details>`;
}

function withoutFactor({ name, email }: UserRecord) {
  const question = html`<b>${typed(name ?? email)}</b> signs in with the password alone until a new
second factor is set up. Their sessions end.`;
  const on = email;
  return { open: 'Remove the second factor', on, question, button: 'Remove the second factor' };
}

/** `POST /settings/users/second-factor`: removes that of another user. */
export async function takeFactorRemoval(visit: Visit): Promise<Reply> {
  return changeUser(visit, ({ email }) => {
    resetSecondFactor(visit.access, email, visit.actor);
    return { to: TAB, message: html`<b>${typed(email)}</b> signs in with the password alone.` };
  });
}

const NEW_USER = {
  email: { label: 'Email', type: 'email', autocomplete: 'off', read: readNewEmail },
  name: {
    label: 'Name (optional)',
    autocomplete: 'off',
    read: (text: string) => (text.trim() === '' ? undefined : readName('The name', text)),
  },
  role: {
    label: 'Role',
    type: 'radio',
    options: [...ROLES].reverse().map((role) => [role, ...ROLE_WORDS[role]] as const),
    read: oneAmong(ROLES, 'Choose a role.'),
  },
} as const;

export function showNewUser(visit: Visit, sent: Sent = UNSENT): Reply {
  const fields = html`${fieldList(NEW_USER, sent)}<p class="hint">The next page shows a link to send
them. It works once, within ${INVITATION_DAYS} days. With it they choose a password, or sign in if
they have one here.</p>`;
  const content = narrowForm(NEW, fields, { button: 'Invite the user', cancel: TAB });
  return belowReply(visit, TAB, { title: 'Add a user', content, ...sent });
}

export function takeUser(visit: Visit): Promise<Reply> {
  return takeForm(visit, NEW_USER, showNewUser, (values) => {
    const token = inviteUser(visit.access, values, visit.actor);
    const message = html`<b>${typed(values.email)}</b> is invited, and becomes a user here by
opening the link within ${INVITATION_DAYS} days.`;
    return linkOutcome(visit, values.email, token, message);
  });
}

function linkOutcome(visit: Visit, email: string, token: string, message: Html) {
  const text = linkTo(baseOf(visit.desk.place(), visit.request), token);
  return { to: LINK, message, secret: { id: email, text } };
}

export function showLink(visit: Visit): Reply {
  const { secret, flash } = visit.desk.outcomes.take(visit);
  if (secret === undefined) {
    const content = html`<p>A link is shown only once. To make another
link, use the list of users, or invite the person again. The old link then stops working.</p>
<p class="actions"><a class="button primary" href="${TAB}">Users</a></p>`;
    const title = 'The link is no longer shown';
    return belowReply(visit, TAB, { title, flash, content, status: 404 });
  }
  const about = html`It works once, for anyone who opens it. Send it so that only
<b>${typed(secret.id)}</b> gets it: budgetd does not send mail.`;
  const content = html`${secretBox(secret.text, about)}
<p class="actions"><a class="button primary" href="${TAB}">I have copied it</a></p>`;
  const title = `Link for ${secret.id}`;
  const heading = html`Link for ${typed(secret.id)}`;
  return belowReply(visit, TAB, { title, heading, flash, content });
}

export async function takeLink(visit: Visit): Promise<Reply> {
  return changeUser(visit, ({ email }) => {
    const message = html`The link for a new password works for ${LINK_MINUTES} minutes.`;
    return linkOutcome(visit, email, createResetLink(visit.access, email, visit.actor), message);
  });
}

export async function takeRole(visit: Visit): Promise<Reply> {
  const id = visit.field('id');
  const wanted = visit.form.value(`role-${id}`);
  const role = ROLES.find((each) => each === wanted);
  const seen = findUser(visit, id);
  if (seen !== undefined && role === undefined) {
    return showUsers(visit, { faults: { [id]: `Choose a role for ${seen.email}.` } });
  }
  const was = visit.form.value('was');
  if (seen !== undefined && seen.role !== was && seen.role !== role) {
    const now = ROLE_WORDS[seen.role][0].toLowerCase();
    const message = `Someone else has just changed the role of ${seen.email} to ${now}.`;
    return showUsers(visit, { faults: { [id]: message }, status: 409 });
  }
  return changeUser(visit, ({ email }) => {
    const change = { email, role: readChoice('The role', role ?? '', ROLES) };
    changeRole(visit.access, change, visit.actor);
    const name = ROLE_WORDS[change.role][0].toLowerCase();
    return { to: TAB, message: html`<b>${typed(email)}</b> is now ${name}.` };
  });
}

/** `POST /settings/users/sessions`: ends the user's sessions in this organisation. */
export async function takeEndedSessions(visit: Visit): Promise<Reply> {
  return changeUser(visit, ({ email }) => {
    const ended = endSessions(visit.access, email, visit.actor);
    const message = html`<b>${typed(email)}</b> has to sign in again. Sessions that have ended:
${visit.reader.count(ended)}.`;
    return { to: TAB, message };
  });
}

/** `POST /settings/users/remove`: removes a user, or withdraws an invitation. */
export async function takeRemoval(visit: Visit): Promise<Reply> {
  const invited = visit.field('invited');
  if (invited !== '') {
    return visit.run(() => {
      withdrawInvitation(visit.access, invited, visit.actor);
      return { to: TAB, message: html`The invitation of <b>${typed(invited)}</b> was withdrawn.` };
    });
  }
  return changeUser(visit, ({ email }) => {
    removeUser(visit.access, email, visit.actor);
    return { to: TAB, message: html`<b>${typed(email)}</b> is no longer a user here.` };
  });
}

/** Changes the user of a form. What is refused is said with the list. */
function changeUser(visit: Visit, change: (user: UserRecord) => Outcome): Promise<Reply> {
  const id = visit.field('id');
  const work = () => {
    const user = findUser(visit, id);
    if (user === undefined) throw missing('user', id);
    const outcome = change(user);
    const isEnded = sessionOf(visit.desk, visit.request) === undefined;
    return isEnded ? { ...outcome, to: SIGNED_OUT } : outcome;
  };
  return visit.runOr(({ message }) => showUsers(visit, { faults: { [id]: message } }), work);
}

function findUser({ access }: Visit, id: string): UserRecord | undefined {
  return listUsers(access).find((user) => idOfUser(user) === id);
}
