/** Signing in and out. */

import { randomBytes } from 'node:crypto';
import { Failure } from '../../core/failures.ts';
import { formatId } from '../../core/ids.ts';
import { SESSIONS } from '../../core/limits.ts';
import { html } from '../../http/html.ts';
import { ConnectionCut, type Reply, type Request } from '../../http/message.ts';
import { isLocalTarget, pageReply, redirectReply } from '../../http/pages.ts';
import { atomically } from '../../operations/access.ts';
import type { Turn } from '../../operations/passwords.ts';
import { findSecondFactor } from '../../operations/second-factors.ts';
import { createSession, endSession, findSession, renewSession } from '../../operations/sessions.ts';
import { createChangeLink, findPassword, signIn } from '../../operations/users.ts';
import type { Session } from '../../store/sessions.ts';
import { WRONG_CODE } from '../components/codes.ts';
import {
  type Faults,
  faultSummary,
  fieldList,
  hiddenField,
  isFaulty,
  presentPassword,
  titleOf,
} from '../components/forms.ts';
import { plainPage } from '../components/layout.ts';
import { CODE_PATH, codeCookie, LINK_PATH, linkCookie, sessionCookie } from '../session/cookies.ts';
import type { Outcome } from '../session/outcomes.ts';
import { logAct, noteBusy, noteEmail, notePassword } from '../session/trail.ts';
import { type Desk, type SignedIn, sessionOf, Visit } from '../session/visit.ts';
import { ENDED, LATE, SIGNED_OUT, UNSAVED } from '../session/way-back.ts';

/** What was typed, and where to go afterwards. */
interface SignInTexts {
  readonly email?: string;
  readonly to: string;
  /** Whether a form came after its session had ended. */
  readonly isUnsaved: boolean;
  /** Whether it has just been ended by the user. */
  readonly hasEnded?: boolean;
  /** Whether a code came too late. */
  readonly isLate?: boolean;
}

/** `GET /sign-in`. */
export function showSignIn(desk: Desk, request: Request): Reply {
  const member = (name: string) => request.query.find(([each]) => each === name)?.[1];
  const to = readTarget(member('to'));
  if (sessionOf(desk, request) !== undefined) return redirectReply(to);
  const isUnsaved = member(UNSAVED) !== undefined;
  const hasEnded = member(ENDED) !== undefined;
  return signInPage({ to, isUnsaved, hasEnded, isLate: member(LATE) !== undefined });
}

/** `POST /sign-in`. */
export async function takeSignIn(desk: Desk, request: Request): Promise<Reply> {
  const form = await request.readForm();
  const [email = '', password = ''] = [form.value('email'), form.value('password')];
  const isUnsaved = form.value(UNSAVED) !== undefined;
  const typed = { email, to: readTarget(form.value('to')), isUnsaved };
  const who = { userId: noteEmail(desk, request, email), page: '/sign-in' };
  try {
    const entered = await noteBusy(request, () => {
      return desk.tries.signIn(request, email.trim(), async (turn) => {
        const userId = await signIn(desk.source, { email, password, turn });
        if (userId === undefined) return undefined;
        // The first of two clicks: no browser would ever get the token of its session.
        if (request.isGone) throw new ConnectionCut();
        const isWhole = findSecondFactor(desk.source, userId) === undefined;
        const result =
          changeFirst(desk, request, userId) ??
          (isWhole
            ? await enter(desk, request, userId, typed)
            : askCode(desk, request, userId, typed));
        return result && { result, isWhole };
      });
    });
    if (entered !== undefined) return entered;
    notePassword(desk, request, 'wrong_password', who);
    return signInPage(typed, { email: 'The email or the password is not right.' }, 401);
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'rate_limit_exceeded') throw error;
    notePassword(desk, request, 'too_many_tries', who);
    return signInPage(typed, { email: error.message }, 429, error.headers);
  }
}

/** Leads someone whose password someone else chose to the page for another one, signed in later. */
function changeFirst(desk: Desk, request: Request, userId: number): Reply | undefined {
  const { requestId, nowMs } = request;
  const token = createChangeLink(desk.source, userId, { name: 'console', requestId, nowMs });
  if (token === undefined) return undefined;
  return redirectReply(LINK_PATH, { 'Set-Cookie': linkCookie(request, token) });
}

/** Leads someone with a second factor to the page of the code, after which the session begins. */
function askCode(
  desk: Desk,
  request: Request,
  userId: number,
  { email: typed = '', to, isUnsaved }: SignInTexts,
): Reply {
  const email = typed.trim();
  const password = findPassword(desk.source, email)?.password ?? '';
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const half = { userId, email, password, tickMs: request.tickMs };
  desk.halfSignIns.keep(token, half, request.nowMs);
  const target = `${CODE_PATH}${queryOf({ to, isUnsaved })}`;
  return redirectReply(target, { 'Set-Cookie': codeCookie(request, token) });
}

const TOKEN_BYTES = 32;

/** The way back, as a query. */
export function queryOf({ to, isUnsaved }: Pick<SignInTexts, 'to' | 'isUnsaved'>): string {
  const fields = new URLSearchParams();
  if (to !== '/') fields.set('to', to);
  if (isUnsaved) fields.set(UNSAVED, 'yes');
  return fields.size === 0 ? '' : `?${fields}`;
}

/** `POST /sign-out`. */
export function takeSignOut({ desk, request, session }: Visit): Reply {
  leave({ desk, request, session });
  return redirectReply(SIGNED_OUT, { 'Set-Cookie': sessionCookie(request, undefined) });
}

function leave(visit: SignedIn): void {
  atomically(visit.desk.source, () => {
    endSession(visit.desk.source, visit.session);
    logAct(visit, 'session.signed_out');
  });
}

/** Where someone goes who is let in, and what that page says. */
interface Entered extends Pick<Outcome, 'to'>, Partial<Pick<Outcome, 'message'>> {
  /** When the password was given: now by default. */
  readonly passwordAtMs?: number;
}

/**
 * Signs a user in, in place of whoever is signed in with this browser, and goes to a page, which
 * says the message if there is one; undefined for a user who has been removed.
 */
export async function enter(
  desk: Desk,
  request: Request,
  userId: number,
  { to, message, passwordAtMs = request.nowMs }: Entered,
): Promise<Reply | undefined> {
  const agent = request.header('user-agent')?.slice(0, SESSIONS.agentCharacters) ?? null;
  const begun = atomically(desk.source, () => {
    const earlier = sessionOf(desk, request);
    if (earlier !== undefined) leave({ desk, request, session: earlier });
    const token = createSession(desk.source, { userId, passwordAtMs, agent }, request.nowMs);
    const session =
      token === undefined ? undefined : findSession(desk.source, token, request.nowMs);
    if (session === undefined) return undefined;
    logAct({ desk, request, session }, 'session.started');
    return { session, headers: { 'Set-Cookie': sessionCookie(request, token) } };
  });
  if (begun === undefined) return undefined;
  const { session, headers } = begun;
  request.noted.userId = formatId('usr', userId);
  if (message === undefined) return redirectReply(to, headers);
  return new Visit({ desk, request, session }).run(() => ({ to, message }), headers);
}

/** The session once `move` has led it to another organisation, whose log then has its arrival. */
export function arrive({ desk, request }: SignedIn, move: () => void): Session | undefined {
  return atomically(desk.source, () => {
    move();
    const session = sessionOf(desk, request);
    if (session !== undefined) logAct({ desk, request, session }, 'session.started');
    return session;
  });
}

/**
 * Checks the password of a user who is signed in with `check`, which says whether it is right. The
 * session then has another token, or whoever has copied the one before would keep it. Throws
 * `invalid_input` if not, and `rate_limit_exceeded` after too many wrong ones.
 */
export async function checkOwnPassword(
  { desk, request, session }: Visit,
  check: (turn: Turn) => Promise<boolean>,
): Promise<void> {
  const who = { userId: session.userId, page: request.path };
  try {
    const right = await noteBusy(request, () => {
      return desk.tries.own(request, session.userId, check);
    });
    if (right) {
      const cookie = sessionCookie(
        request,
        renewSession(session.access, session.id, request.nowMs),
      );
      desk.outcomes.renew({ request, session }, cookie);
      return;
    }
  } catch (error) {
    if (error instanceof Failure && error.code === 'rate_limit_exceeded') {
      notePassword(desk, request, 'too_many_tries', who);
    }
    throw error;
  }
  notePassword(desk, request, 'wrong_password', who);
  throw new Failure('invalid_input', 'This is not your password.');
}

/** The same for a code of the second factor of a user who is signed in. */
export async function checkOwnCode(
  { desk, request, session }: Visit,
  check: () => boolean,
): Promise<void> {
  const who = { userId: session.userId, page: request.path };
  const right = await desk.tries.ownCode(request, session.userId, check);
  if (right) return;
  notePassword(desk, request, 'wrong_code', who);
  throw new Failure('invalid_input', WRONG_CODE);
}

/** A page of this service, or the first one. */
export function readTarget(text: string | undefined): string {
  return text !== undefined && isLocalTarget(text) ? text : '/';
}

function signInPage(
  { email, to, isUnsaved, hasEnded = false, isLate = false }: SignInTexts,
  faults: Faults = {},
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  const address = { type: 'email', autocomplete: 'username', value: email } as const;
  const fields = {
    email: { label: 'Email', ...address, isFirst: !isFaulty(faults) },
    password: presentPassword('Password'),
  };
  const content = html`${faultSummary(faults)}
<h1>Sign in</h1>
${hasEnded && html`<div class="note" role="status"><p>You are signed out.</p></div>\n`}${
  isLate &&
  html`<div class="note" role="status"><p>Too much time has passed. Sign in again.</p></div>\n`
}${
  isUnsaved &&
  html`<div class="note warn"><p>The form was not saved: your session had ended. Sign in, and fill
it in again.</p></div>
`
}<form method="post" action="/sign-in" novalidate>
${hiddenField('to', to)}${isUnsaved && hiddenField(UNSAVED, 'yes')}${fieldList(fields, {
  faults,
})}<button class="button primary">Sign in</button>
</form>
<p class="request">Forgotten? An owner of your organisation can give you a link for a new password.
Nobody can read your old one.</p>`;
  return pageReply(plainPage({ title: titleOf('Sign in', faults), content }), status, headers);
}
