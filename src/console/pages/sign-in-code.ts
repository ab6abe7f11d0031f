/** The page after the password of someone who has a second factor. */

import { Failure } from '../../core/failures.ts';
import { type Html, type HtmlValue, html } from '../../http/html.ts';
import { ConnectionCut, type Reply, type Request } from '../../http/message.ts';
import { redirectReply } from '../../http/pages.ts';
import { isFew, useCode } from '../../operations/second-factors.ts';
import { findSecondFactor } from '../../store/second-factors.ts';
import { findPassword } from '../../store/users.ts';
import { codeField, RECOVERY, WRONG_CODE } from '../components/codes.ts';
import { fieldList, isFaulty, type Sent, UNSENT } from '../components/forms.ts';
import { showPlain } from '../components/layout.ts';
import { CODE_PAGE, pageTokenOf } from '../session/cookies.ts';
import { notePassword } from '../session/trail.ts';
import type { HalfSignIn } from '../session/tries.ts';
import type { Desk } from '../session/visit.ts';
import { queryOf, readWay, type Way } from '../session/way-back.ts';
import { enter, wayFields } from './sign-in.ts';

/** `GET /sign-in/code`. */
export function showCode(desk: Desk, request: Request): Reply {
  const way = readWay((name) => request.query.find(([each]) => each === name)?.[1]);
  const half = findHalf(desk, request);
  return half === undefined ? startAgain(request, way) : codePage(half.value, way);
}

/** `POST /sign-in/code`. */
export async function takeCode(desk: Desk, request: Request): Promise<Reply> {
  const form = await request.readForm();
  const way = readWay((name) => form.value(name));
  const isRecovery = form.value('recovery') !== undefined;
  const name = isRecovery ? 'recovery' : 'code';
  const typed = { code: form.value(name) ?? '', isRecovery };
  return desk.outcomes.onceByLink(request, form, pageTokenOf(request, CODE_PAGE), async () => {
    const half = findHalf(desk, request);
    if (half === undefined) return startAgain(request, way);
    const { userId } = half.value;
    const who = { userId, page: CODE_PAGE.path };
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
  const half = halfSignIns.find(pageTokenOf(request, CODE_PAGE), request.nowMs);
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
  desk.halfSignIns.forget(pageTokenOf(request, CODE_PAGE));
  const left = findSecondFactor(desk.source, userId)?.codesLeft ?? 0;
  const ask = isFew(left)
    ? html` <a href="/account/second-factor">Make new recovery codes</a>.`
    : undefined;
  const shown = left === 1 ? '1 recovery code is left.' : `${left} recovery codes are left.`;
  const says = isRecovery || ask !== undefined;
  const done = { to, passwordAtMs: half.atMs, ...(says && { message: html`${shown}${ask}` }) };
  const reply = await enter(desk, request, userId, done);
  return reply ?? startAgain(request, { to, reasons: [] });
}

/** To the page of the password: it was not given here, or too long ago. */
function startAgain(request: Request, { to, reasons }: Way): Reply {
  const isLate = pageTokenOf(request, CODE_PAGE) !== '';
  return redirectReply(
    `/sign-in${queryOf({ to, reasons: isLate ? [...reasons, 'late'] : reasons })}`,
  );
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
<p class="request">Signing in as ${email}. <a href="/sign-in${queryOf(way)}">Start
again</a><br>Neither at hand? An owner of your organisation can remove your second factor.</p>`;
  const lead = 'Your password is right. Your authenticator shows a code for budgetd.';
  return showPlain({ title: 'Enter the code', lead, content, ...sent });
}
