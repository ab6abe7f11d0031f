/** Signing in and out. */

import { formatId } from '../../core/ids.ts';
import { AGENT_CHARACTERS } from '../../core/limits.ts';
import { foldEmail } from '../../core/users.ts';
import { html } from '../../http/html.ts';
import type { HeaderFields, Reply, Request } from '../../http/message.ts';
import { isLocalTarget, pageReply, redirectReply } from '../../http/pages.ts';
import { atomically } from '../../operations/access.ts';
import { endSession, findSession, startSession } from '../../operations/sessions.ts';
import { isOwnPassword, signIn } from '../../operations/users.ts';
import { type Desk, sessionCookie, sessionOf, type Visit } from '../desk.ts';
import { type Faults, faultSummary, inputField, titleOf } from '../forms.ts';
import { plainPage } from '../layout.ts';
import { logAct, noteBusy, noteEmail, notePassword } from '../trail.ts';
import { UNSAVED } from '../way-back.ts';

/** What was typed, and where to go afterwards. */
interface Typed {
  readonly email?: string;
  readonly to: string;
  /** Whether a form came after its session had ended. */
  readonly isUnsaved: boolean;
}

/** `GET /sign-in`. */
export function showSignIn(desk: Desk, request: Request): Reply {
  const member = (name: string) => request.query.find(([each]) => each === name)?.[1];
  const to = readTarget(member('to'));
  if (sessionOf(desk, request) !== undefined) return redirectReply(to);
  return signInPage({ to, isUnsaved: member(UNSAVED) !== undefined });
}

/** `POST /sign-in`. */
export async function takeSignIn(desk: Desk, request: Request): Promise<Reply> {
  const form = await request.readForm();
  const [email = '', password = ''] = [form.value('email'), form.value('password')];
  const isUnsaved = form.value(UNSAVED) !== undefined;
  const typed = { email, to: readTarget(form.value('to')), isUnsaved };
  const who = { userId: noteEmail(desk, request, email), page: '/sign-in' };
  const refusal = refuseTry(desk, request, email);
  if (refusal !== undefined) {
    notePassword(desk, request, 'too_many_tries', who);
    return signInPage(typed, { email: refusal.message }, 429, refusal.headers);
  }
  const userId = await noteBusy(request, () => signIn(desk.source, { email, password }));
  const entered = userId && enter(desk, request, userId, typed.to);
  if (!entered) {
    notePassword(desk, request, 'wrong_password', who);
    return signInPage(typed, { email: 'The email or the password is not right.' }, 401);
  }
  forgiveTry(desk, request, email);
  return entered;
}

/** `POST /sign-out`. */
export function takeSignOut({ desk, request, session }: Visit): Reply {
  leave({ desk, request, session });
  return redirectReply('/sign-in', { 'Set-Cookie': sessionCookie(request, undefined) });
}

function leave(visit: Visit): void {
  atomically(visit.desk.source, () => {
    endSession(visit.desk.source, visit.session);
    logAct(visit, 'session.signed_out');
  });
}

/**
 * Signs a user in, in place of whoever is signed in with this browser, and goes to a page;
 * undefined for a user who has been removed.
 */
export function enter(desk: Desk, request: Request, userId: number, to: string): Reply | undefined {
  const agent = request.header('user-agent')?.slice(0, AGENT_CHARACTERS) ?? null;
  const token = atomically(desk.source, () => {
    const earlier = sessionOf(desk, request);
    if (earlier !== undefined) leave({ desk, request, session: earlier });
    const begun = startSession(desk.source, { userId, agent }, request.nowMs);
    const session =
      begun === undefined ? undefined : findSession(desk.source, begun, request.nowMs);
    if (session !== undefined) logAct({ desk, request, session }, 'session.started');
    return begun;
  });
  if (token === undefined) return undefined;
  request.noted.userId = formatId('usr', userId);
  return redirectReply(to, { 'Set-Cookie': sessionCookie(request, token) });
}

/**
 * Why a password is not checked after too many tries, and when it will be. Counts this try before
 * it is checked, or many could be tried at once; `forgiveTry` takes a right one off the count.
 */
export function refuseTry(
  desk: Desk,
  { client, tickMs }: Request,
  email: string,
): { readonly message: string; readonly headers: Record<string, string> } | undefined {
  const tries = [
    desk.addressTries.take(client.address, tickMs),
    desk.emailTries.take(emailKey(email), tickMs),
  ];
  const seconds = Math.max(...tries.map((each) => each.retryAfterSeconds));
  if (seconds === 0) return undefined;
  const message = `There were too many tries. Wait ${sayMinutes(seconds)}, then try again.`;
  return { message, headers: { 'Retry-After': String(seconds) } };
}

/** Takes the try of a right password off the count: only wrong ones stay. */
export function forgiveTry(desk: Desk, { client, tickMs }: Request, email: string): void {
  desk.addressTries.giveBack(client.address, tickMs);
  desk.emailTries.giveBack(emailKey(email), tickMs);
}

function emailKey(email: string): string {
  return foldEmail(email.trim());
}

function sayMinutes(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  return minutes === 1 ? 'a minute' : `${minutes} minutes`;
}

/**
 * Checks the password of a user who is signed in, which counts like a sign-in. Returns why it was
 * refused; undefined if it is right.
 */
export async function checkOwnPassword(
  visit: Visit,
  password: string,
  page: string,
): Promise<{ message: string; status: number; headers?: HeaderFields } | undefined> {
  const { desk, request, session } = visit;
  const who = { userId: session.userId, page };
  const refusal = refuseTry(desk, request, session.email);
  if (refusal !== undefined) {
    notePassword(desk, request, 'too_many_tries', who);
    return { ...refusal, status: 429 };
  }
  if (await noteBusy(request, () => isOwnPassword(session, password))) {
    forgiveTry(desk, request, session.email);
    return undefined;
  }
  notePassword(desk, request, 'wrong_password', who);
  return { message: 'This is not your password.', status: 422 };
}

/** A page of this service, or the first one. */
function readTarget(text: string | undefined): string {
  return text !== undefined && isLocalTarget(text) ? text : '/';
}

function signInPage(
  { email, to, isUnsaved }: Typed,
  faults: Faults = {},
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  const content = html`${faultSummary(faults)}
<h1>Sign in</h1>
${
  isUnsaved &&
  html`<div class="note warn"><p>The form was not saved: your session had ended. Sign in, and fill
it in again.</p></div>
`
}<form method="post" action="/sign-in" novalidate>
<input type="hidden" name="to" value="${to}">
${isUnsaved && html`<input type="hidden" name="${UNSAVED}" value="yes">\n`}${inputField(
  {
    name: 'email',
    label: 'Email',
    type: 'email',
    autocomplete: 'username',
    value: email,
    isFirst: Object.keys(faults).length === 0,
  },
  faults,
)}${inputField(
  { name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password' },
  faults,
)}<button class="button primary">Sign in</button>
</form>
<p class="request">Forgotten? An owner of your organisation can give you a link for a new password.
Nobody can read your old one.</p>`;
  return pageReply(plainPage({ title: titleOf('Sign in', faults), content }), status, headers);
}
