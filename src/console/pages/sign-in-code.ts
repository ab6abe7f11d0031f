/** The page after the password of someone who has a second factor. */

import { Failure } from '../../core/failures.ts';
import { type Html, type HtmlValue, html } from '../../http/html.ts';
import { ConnectionCut, type Reply, type Request } from '../../http/message.ts';
import { pageReply, redirectReply } from '../../http/pages.ts';
import { findSecondFactor, isFew, useCode } from '../../operations/second-factors.ts';
import { findPassword } from '../../operations/users.ts';
import { codeField, RECOVERY, WRONG_CODE } from '../components/codes.ts';
import {
  faultSummary,
  fieldList,
  hiddenField,
  isFaulty,
  type Sent,
  titleOf,
  UNSENT,
} from '../components/forms.ts';
import { plainPage } from '../components/layout.ts';
import { CODE_PATH, codeTokenOf } from '../session/cookies.ts';
import { notePassword } from '../session/trail.ts';
import type { Desk } from '../session/visit.ts';
import type { HalfSignIn } from '../session/waiting.ts';
import { LATE, UNSAVED } from '../session/way-back.ts';
import { enter, queryOf, readTarget } from './sign-in.ts';

/** Where to go afterwards. */
type Way = Parameters<typeof queryOf>[0];

/** `GET /sign-in/code`. */
export function showCode(desk: Desk, request: Request): Reply {
  const member = (name: string) => request.query.find(([each]) => each === name)?.[1];
  const way = { to: readTarget(member('to')), isUnsaved: member(UNSAVED) !== undefined };
  const half = findHalf(desk, request);
  return half === undefined ? startAgain(request, way) : codePage(half.value, way);
}

/** `POST /sign-in/code`. */
export async function takeCode(desk: Desk, request: Request): Promise<Reply> {
  const form = await request.readForm();
  const way = { to: readTarget(form.value('to')), isUnsaved: form.value(UNSAVED) !== undefined };
  const isRecovery = form.value('recovery') !== undefined;
  const name = isRecovery ? 'recovery' : 'code';
  const typed = { code: form.value(name) ?? '', isRecovery };
  return desk.outcomes.onceByLink(request, form, codeTokenOf(request), async () => {
    const half = findHalf(desk, request);
    if (half === undefined) return startAgain(request, way);
    const { userId } = half.value;
    const who = { userId, page: CODE_PATH };
    try {
      const isRight = await desk.tries.code(request, half.value, () => {
        // The first of two clicks: its answer would get lost, and the code be used.
        if (request.isGone) throw new ConnectionCut();
        return useCode(desk.source, userId, typed, request);
      });
      if (isRight) return await finish(desk, request, half, { ...way, isRecovery });
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
  const half = halfSignIns.find(codeTokenOf(request), request.nowMs);
  if (half === undefined) return undefined;
  const { email, password, userId } = half.value;
  if (findPassword(source, email)?.password !== password) return undefined;
  return findSecondFactor(source, userId) === undefined ? undefined : half;
}

async function finish(
  desk: Desk,
  request: Request,
  half: { readonly value: HalfSignIn; readonly atMs: number },
  { to, isRecovery }: Way & { readonly isRecovery: boolean },
): Promise<Reply> {
  const { userId } = half.value;
  desk.halfSignIns.forget(codeTokenOf(request));
  const left = findSecondFactor(desk.source, userId)?.codesLeft ?? 0;
  const ask = isFew(left)
    ? html` <a href="/account/second-factor">Make new recovery codes</a>.`
    : undefined;
  const shown = left === 1 ? '1 recovery code is left.' : `${left} recovery codes are left.`;
  const says = isRecovery || ask !== undefined;
  const done = { to, passwordAtMs: half.atMs, ...(says && { message: html`${shown}${ask}` }) };
  const reply = await enter(desk, request, userId, done);
  return reply ?? startAgain(request, { to, isUnsaved: false });
}

/** To the page of the password: it was not given here, or too long ago. */
function startAgain(request: Request, way: Way): Reply {
  const isLate = codeTokenOf(request) !== '';
  const query = queryOf(way);
  const late = isLate ? `${query === '' ? '?' : '&'}${LATE}=yes` : '';
  return redirectReply(`/sign-in${query}${late}`);
}

function codePage(
  { email }: HalfSignIn,
  { to, isUnsaved }: Way,
  { faults, status = 200, headers }: Sent = UNSENT,
): Reply {
  const title = 'Enter the code';
  const isRecovery = faults['recovery'] !== undefined;
  const form = (fields: HtmlValue, button: Html) => {
    return html`<form method="post" action="${CODE_PATH}" novalidate>
${hiddenField('to', to)}${isUnsaved && hiddenField(UNSAVED, 'yes')}${fields}${button}
</form>`;
  };
  const code = codeField('6 digits, new every 30 seconds', !isFaulty(faults));
  const content = html`${faultSummary(faults)}
<h1>${title}</h1>
<p class="lead">Your password is right. Your authenticator shows a code for budgetd.</p>
${form(fieldList({ code }, { faults }), html`<button class="button primary">Sign in</button>`)}
<details class="request"${isRecovery && html` open`}><summary>Use a recovery code
instead</summary>
${form(
  fieldList({ recovery: RECOVERY }, { faults }),
  html`<button class="button">Sign in with it</button>`,
)}</details>
<p class="request">Signing in as ${email}. <a href="/sign-in${queryOf({ to, isUnsaved })}">Start
again</a><br>Neither at hand? An owner of your organisation can remove your second factor.</p>`;
  return pageReply(plainPage({ title: titleOf(title, faults), content }), status, headers);
}
