/** Signing in and out; a code after the password; the password again before some forms. */

import { randomBytes } from 'node:crypto';
import { Failure } from '../../core/failures.ts';
import { formatId } from '../../core/ids.ts';
import { SECOND_FACTOR, SESSIONS } from '../../core/limits.ts';
import { type Html, type HtmlValue, html } from '../../http/html.ts';
import { ConnectionCut, type Reply, type Request } from '../../http/message.ts';
import { redirectReply } from '../../http/pages.ts';
import { STATUS } from '../../http/status.ts';
import { atomically } from '../../operations/access.ts';
import type { Queued } from '../../operations/passwords.ts';
import { isFew, useCode } from '../../operations/second-factors.ts';
import { createSession, endSession, renewSession } from '../../operations/sessions.ts';
import { createChangeLink, isOwnPassword, signIn } from '../../operations/users.ts';
import { findSecondFactor } from '../../store/second-factors.ts';
import { findSession, type Session } from '../../store/sessions.ts';
import { findPassword } from '../../store/users.ts';
import { codeField, NO_CODE, RECOVERY, WRONG_CODE } from '../components/codes.ts';
import { typed } from '../components/elements.ts';
import {
  fieldList,
  hiddenField,
  isFaulty,
  presentPassword,
  type Sent,
  UNSENT,
} from '../components/forms.ts';
import { showPage, showPlain } from '../components/layout.ts';
import { CODE_PAGE, LINK_PAGE, sessionCookie } from '../session/cookies.ts';
import type { Outcome } from '../session/outcomes.ts';
import { logAct, noteBusy, noteEmail, notePassword } from '../session/trail.ts';
import type { HalfSignIn } from '../session/tries.ts';
import { type Desk, type SignedIn, sessionOf, Visit } from '../session/visit.ts';
import { SIGNED_OUT, Way } from '../session/way-back.ts';

export function showSignIn(desk: Desk, request: Request): Reply {
  const way = Way.read((name) => request.query.find(([each]) => each === name)?.[1]);
  return sessionOf(desk, request) === undefined ? signInPage(way) : redirectReply(way.to);
}

export async function takeSignIn(desk: Desk, request: Request): Promise<Reply> {
  const form = await request.readForm();
  const [email = '', password = ''] = [form.value('email'), form.value('password')];
  const way = Way.read((name) => form.value(name));
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
            ? await enter(desk, request, userId, way)
            : askCode(desk, request, { userId, email: email.trim() }, way));
        return result && { result, isWhole };
      });
    });
    if (entered !== undefined) return entered;
    notePassword(desk, request, 'wrong_password', who);
    const faults = { email: 'The email or the password is not right.' };
    return signInPage(way, { email, faults, status: 401 });
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'rate_limit_exceeded') throw error;
    notePassword(desk, request, 'too_many_tries', who);
    const { message, headers } = error;
    return signInPage(way, { email, faults: { email: message }, status: 429, headers });
  }
}

/** Leads someone whose password someone else chose to the page for another one, signed in later. */
function changeFirst(desk: Desk, request: Request, userId: number): Reply | undefined {
  const { requestId, nowMs } = request;
  const token = createChangeLink(desk.source, userId, { name: 'console', requestId, nowMs });
  if (token === undefined) return undefined;
  return redirectReply(LINK_PAGE.path, LINK_PAGE.keep(request, token));
}

/** Leads someone with a second factor to the page of the code, after which the session begins. */
function askCode(
  desk: Desk,
  request: Request,
  who: Pick<HalfSignIn, 'userId' | 'email'>,
  way: Way,
): Reply {
  const password = findPassword(desk.source, who.email)?.password ?? '';
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const half = { ...who, password, tickMs: request.tickMs };
  desk.halfSignIns.keep(token, half, request.nowMs);
  const target = `${CODE_PAGE.path}${way.query}`;
  return redirectReply(target, CODE_PAGE.keep(request, token));
}

const TOKEN_BYTES = 32;

/** A way, in a form. */
function wayFields({ to, reasons }: Way): Html {
  const isUnsaved = reasons.includes('unsaved');
  return html`${hiddenField('to', to)}${isUnsaved && hiddenField('unsaved', 'yes')}`;
}

export function takeSignOut({ desk, request, session }: Visit): Reply {
  leave({ desk, request, session });
  return redirectReply(SIGNED_OUT, { 'Set-Cookie': sessionCookie(request, undefined) });
}

function leave(visit: SignedIn): void {
  const { desk, session } = visit;
  const end = () => {
    endSession(desk.source, session);
    logAct(visit, 'session.signed_out');
  };
  atomically(desk.source, end, { usesReserve: true });
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
  const begin = () => {
    const earlier = sessionOf(desk, request);
    if (earlier !== undefined) leave({ desk, request, session: earlier });
    const token = createSession(desk.source, { userId, passwordAtMs, agent }, request.nowMs);
    const session =
      token === undefined ? undefined : findSession(desk.source, token, request.nowMs);
    if (session === undefined) return undefined;
    logAct({ desk, request, session }, 'session.started');
    return { session, headers: { 'Set-Cookie': sessionCookie(request, token) } };
  };
  const begun = atomically(desk.source, begin, { usesReserve: true });
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
  { desk, request, session, form }: Visit,
  check: (turn: Queued) => Promise<boolean>,
): Promise<void> {
  const who = { userId: session.userId, page: request.path };
  try {
    const right = await noteBusy(request, () => desk.tries.own(request, session.userId, check));
    if (right) {
      const cookie = sessionCookie(
        request,
        renewSession(session.access, session.id, request.nowMs),
      );
      desk.outcomes.renew({ request, session, form }, cookie);
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

/** What the page says of each reason to sign in. */
const NOTES: Readonly<Record<Way['reasons'][number], Html>> = {
  'signed-out': html`<div class="note" role="status"><p>You are signed out.</p></div>\n`,
  late: html`<div class="note" role="status">
<p>Too much time has passed. Sign in again.</p></div>
`,
  unsaved: html`<div class="note warn"><p>The form was not saved: your session had ended. Sign in,
and fill it in again.</p></div>
`,
};

function signInPage(way: Way, { email, ...sent }: Sent & { email?: string } = UNSENT): Reply {
  const address = { type: 'email', autocomplete: 'username', value: email } as const;
  const fields = {
    email: { label: 'Email', ...address, isFirst: !isFaulty(sent.faults) },
    password: presentPassword('Password'),
  };
  const notes = way.reasons.map((each) => NOTES[each]);
  const content = html`${notes}<form method="post" action="/sign-in" novalidate>
${wayFields(way)}${fieldList(fields, sent)}<button class="button primary">Sign in</button>
</form>
<p class="request">Forgotten your password? An owner of your organisation can give you a link for a
new one. If you are the only owner, the person who runs the service can:
<code>budgetd users reset-password</code>. Nobody can read your old password.</p>`;
  return showPlain({ title: 'Sign in', content, ...sent });
}

export function showCode(desk: Desk, request: Request): Reply {
  const way = Way.read((name) => request.query.find(([each]) => each === name)?.[1]);
  const half = findHalf(desk, request);
  return half === undefined ? startAgain(request, way) : codePage(half.value, way);
}

export async function takeCode(desk: Desk, request: Request): Promise<Reply> {
  const form = await request.readForm();
  const way = Way.read((name) => form.value(name));
  const isRecovery = form.value('recovery') !== undefined;
  const name = isRecovery ? 'recovery' : 'code';
  const typed = { code: form.value(name) ?? '', isRecovery };
  return desk.outcomes.onceByLink(request, form, CODE_PAGE.tokenOf(request), async () => {
    const half = findHalf(desk, request);
    if (half === undefined) return startAgain(request, way);
    request.noted.userId = formatId('usr', half.value.userId);
    if (typed.code.trim() === '') {
      const status = STATUS.invalid_input;
      return codePage(half.value, way, { faults: { [name]: NO_CODE }, status });
    }
    const { userId } = half.value;
    const who = { userId, page: CODE_PAGE.path };
    try {
      const isRight = await desk.tries.code(request, half.value, () => {
        // The first of two clicks: its answer would get lost, and the code be used.
        if (request.isGone) throw new ConnectionCut();
        return useCode(desk.source, userId, typed, request);
      });
      if (isRight) return await finish(desk, request, half, { to: way.to, isRecovery });
      notePassword(desk, request, 'wrong_code', who);
      return codePage(half.value, way, { faults: { [name]: WRONG[name] }, status: 401 });
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      const { code, message, headers } = error;
      if (code === 'rate_limit_exceeded') notePassword(desk, request, 'too_many_tries', who);
      else if (code !== 'unavailable') throw error;
      const status = code === 'unavailable' ? 503 : 429;
      return codePage(half.value, way, { faults: { [name]: message }, status, headers });
    }
  });
}

const WRONG = {
  code: WRONG_CODE,
  recovery: 'This recovery code is not right, or was used already.',
} as const;

/** Who gave the password in this browser, unless it has changed since, or no code is needed now. */
function findHalf({ source, halfSignIns }: Desk, request: Request) {
  const half = halfSignIns.find(CODE_PAGE.tokenOf(request), request.nowMs);
  if (half === undefined) return undefined;
  const { email, password, userId } = half.value;
  if (findPassword(source, email)?.password !== password) return undefined;
  return findSecondFactor(source, userId) === undefined ? undefined : half;
}

async function finish(
  desk: Desk,
  request: Request,
  half: { readonly value: HalfSignIn; readonly atMs: number },
  { to, isRecovery }: Pick<Way, 'to'> & { readonly isRecovery: boolean },
): Promise<Reply> {
  const { userId } = half.value;
  desk.halfSignIns.forget(CODE_PAGE.tokenOf(request));
  const left = findSecondFactor(desk.source, userId)?.codesLeft ?? 0;
  const ask = isFew(left)
    ? html` <a href="/account/second-factor">Make new recovery codes</a>.`
    : undefined;
  const shown = left === 1 ? '1 recovery code is left.' : `${left} recovery codes are left.`;
  const says = isRecovery || ask !== undefined;
  const done = { to, passwordAtMs: half.atMs, ...(says && { message: html`${shown}${ask}` }) };
  const reply = await enter(desk, request, userId, done);
  return reply ?? startAgain(request, new Way(to));
}

/** To the page of the password: it was not given here, or too long ago. */
function startAgain(request: Request, { to, reasons }: Way): Reply {
  const isLate = CODE_PAGE.tokenOf(request) !== '';
  return redirectReply(`/sign-in${new Way(to, isLate ? [...reasons, 'late'] : reasons).query}`);
}

function codePage({ email }: HalfSignIn, way: Way, sent: Sent = UNSENT): Reply {
  const isRecovery = sent.faults['recovery'] !== undefined;
  const form = (fields: HtmlValue, button: Html) => {
    return html`<form method="post" action="${CODE_PAGE.path}" novalidate>
${wayFields(way)}${fields}${button}
</form>`;
  };
  const code = codeField('6 digits, new every 30 seconds', !isFaulty(sent.faults));
  const button = html`<button class="button primary">Sign in</button>`;
  const content = html`${form(fieldList({ code }, sent), button)}
<details class="request"${isRecovery && html` open`}><summary>Use a recovery code
instead</summary>
${form(
  fieldList({ recovery: RECOVERY }, sent),
  html`<button class="button">Sign in with it</button>`,
)}</details>
<p class="request">Signing in as ${email}. <a href="/sign-in${way.query}">Start
again</a><br>Have neither? An owner of your organisation can remove your second factor. If you
are the only owner, the person who runs the service can:
<code>budgetd users reset-second-factor</code>.</p>`;
  const lead =
    'Your password is right. Now type the code that your authenticator shows for budgetd.';
  return showPlain({ title: 'Enter the code', lead, content, ...sent });
}

const FIELD = 'own-password';
const MINUTE_MS = 60_000;

/**
 * The page that asks for the password before a form does something; undefined if the password was
 * given in the last SECOND_FACTOR.passwordMinutes, or came with the form and is right. What was
 * typed into the form stays in it.
 */
export async function askPassword(visit: Visit): Promise<Reply | undefined> {
  const { session, nowMs } = visit;
  const ageMs = nowMs - session.passwordAtMs;
  if (ageMs >= 0 && ageMs <= SECOND_FACTOR.passwordMinutes * MINUTE_MS) return undefined;
  const given = visit.form.value(FIELD);
  if (given === undefined) return againPage(visit, { faults: {}, status: STATUS.invalid_input });
  try {
    await checkOwnPassword(visit, (turn) => isOwnPassword(session, given, turn));
    return undefined;
  } catch (error) {
    const codes: unknown[] = ['invalid_input', 'conflict', 'rate_limit_exceeded'];
    if (!(error instanceof Failure) || !codes.includes(error.code)) throw error;
    const { message, code, headers } = error;
    return againPage(visit, { faults: { [FIELD]: message }, status: STATUS[code], headers });
  }
}

function againPage(visit: Visit, sent: Sent): Reply {
  const field = presentPassword('Your password', {
    hint: `You last typed it more than ${SECOND_FACTOR.passwordMinutes} minutes ago.`,
  });
  const kept = visit.form.fields.map(([name, text]) => name !== FIELD && hiddenField(name, text));
  const content = html`<p>budgetd then makes the change that you asked for.</p>
<form class="narrow" method="post" action="${visit.request.path}" novalidate>${kept}
${fieldList({ [FIELD]: field }, sent)}<button class="button primary">Confirm</button>
</form>`;
  const lead = typed(visit.session.email);
  return showPage(visit, { title: 'Type your password again', lead, content, ...sent });
}
