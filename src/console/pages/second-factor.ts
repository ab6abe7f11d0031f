/** The second factor of the user who is signed in: setting up, recovery codes, removing. */

import { Failure } from '../../core/failures.ts';
import { type Html, html } from '../../http/html.ts';
import type { Reply } from '../../http/message.ts';
import { redirectReply } from '../../http/pages.ts';
import { base32Of, createSecret, pairingAddress } from '../../operations/one-time-codes.ts';
import {
  isFew,
  refuseLostKey,
  removeSecondFactor,
  renewRecoveryCodes,
  setUpSecondFactor,
  useCode,
} from '../../operations/second-factors.ts';
import { isOwnPassword } from '../../operations/users.ts';
import { findRequiring, findSecondFactor } from '../../store/second-factors.ts';
import { codeField, NO_CODE, RECOVERY, SET_CLOCK, WRONG_CODE } from '../components/codes.ts';
import { copyButton, pairList, typed } from '../components/elements.ts';
import {
  CURRENT_PASSWORD,
  fieldList,
  mainActions,
  postForm,
  required,
  type Sent,
  takeForm,
  UNSENT,
} from '../components/forms.ts';
import { showPage } from '../components/layout.ts';
import { PATHS } from '../components/paths.ts';
import { notePassword } from '../session/trail.ts';
import type { Visit } from '../session/visit.ts';
import { askPassword, checkOwnPassword } from './sign-in.ts';

const RECOVERY_CODES_PAGE = '/account/second-factor/codes';
const ACCOUNT = '/account';
const PLACE = { above: [[ACCOUNT, 'Your account']], place: ACCOUNT } as const;
/** Blank modules around a QR code (ISO/IEC 18004). */
const QUIET_ZONE = 4;

/** Reads a code; a missing one does not count as a try. */
const requireCode = required(NO_CODE);
const LATE = 'Too much time has passed.';
const NEW_CODE = { code: codeField('6 digits') };
const OWN_CODE = {
  present: CURRENT_PASSWORD,
  code: {
    ...RECOVERY,
    label: 'Code',
    hint: '6 digits from your authenticator, or a recovery code.',
  },
};

export async function showSecondFactor(visit: Visit, sent: Sent = UNSENT): Promise<Reply> {
  const factor = findSecondFactor(visit.desk.source, visit.session.userId);
  const isSettingUp = factor === undefined || findSecret(visit)?.isOther === true;
  return isSettingUp ? setUpPage(visit, sent) : factorPage(visit, factor, sent);
}

export function takeSecondFactor(visit: Visit): Promise<Reply> {
  const act = visit.field('do');
  if (act === 'set-up') return takeNewCode(visit);
  let at: keyof typeof OWN_CODE = 'present';
  const refused = ({ message, headers }: Failure, status: number) => {
    return showSecondFactor(visit, { faults: { [at]: message }, status, headers });
  };
  return visit.runOr(refused, async () => {
    const { desk, session } = visit;
    await checkOwnPassword(visit, (turn) => isOwnPassword(session, visit.field('present'), turn));
    at = 'code';
    const text = requireCode(visit.field('code'));
    await checkOwnCode(visit, () => {
      const isRecovery = !/^\s*(\d\s*){0,6}$/.test(text);
      return useCode(desk.source, session.userId, { code: text, isRecovery }, visit.request);
    });
    if (act === 'other') {
      keepSecret(visit, true);
      return {
        to: PATHS.secondFactor,
        message: 'Your present authenticator works until the new one is set up.',
      };
    }
    if (act === 'remove') {
      removeSecondFactor(session, visit.actor);
      const message = 'Signing in no longer asks for a code. Your other sessions have ended.';
      return { to: ACCOUNT, message };
    }
    if (act !== 'codes') throw new Failure('invalid_input', 'Choose what to change.');
    return codesOutcome('renewed', renewRecoveryCodes(session, visit.actor));
  });
}

/**
 * Checks a code that a user who is signed in typed. Refuses with `invalid_input` a wrong one, and
 * with `rate_limit_exceeded` after too many.
 */
async function checkOwnCode({ desk, request, session }: Visit, check: () => boolean) {
  const who = { userId: session.userId, page: request.path };
  const right = await desk.tries.ownCode(request, session.userId, check);
  if (right) return;
  notePassword(desk, request, 'wrong_code', who);
  throw new Failure('invalid_input', WRONG_CODE);
}

async function takeNewCode(visit: Visit): Promise<Reply> {
  // Or an open browser would be enough to shut its user out.
  const asked = await askPassword(visit);
  if (asked !== undefined) return asked;
  // A new secret is only shown to who has no factor, or has just typed a code of the present one.
  if (visit.session.hasSecondFactor && findSecret(visit)?.isOther !== true) {
    return showSecondFactor(visit, { faults: { present: LATE } });
  }
  return takeForm(visit, NEW_CODE, setUpPage, () => {
    const { desk, session } = visit;
    const secret = findSecret(visit)?.secret;
    if (secret === undefined) {
      const message = `${LATE} Scan the new code below, then type what it shows.`;
      throw new Failure('invalid_input', message);
    }
    const code = requireCode(visit.field('code'));
    const codes = setUpSecondFactor(session, { secret, code }, visit.actor);
    if (codes === undefined) {
      const message = `This code is not right. Wait for the next one. ${SET_CLOCK}`;
      throw new Failure('invalid_input', message);
    }
    desk.newSecrets.forget(String(session.id));
    return codesOutcome('set-up', codes);
  });
}

function codesOutcome(id: 'set-up' | 'renewed', codes: readonly string[]) {
  return { to: RECOVERY_CODES_PAGE, message: undefined, secret: { id, text: codes.join('\n') } };
}

/** `GET /account/second-factor/codes`: the recovery codes, once. */
export function showRecoveryCodes(visit: Visit): Reply {
  const { secret } = visit.desk.outcomes.take(visit);
  if (secret === undefined) return redirectReply(PATHS.secondFactor);
  const isNew = secret.id === 'set-up';
  const codes = secret.text.split('\n');
  const { email, access } = visit.session;
  const about = `budgetd, ${access.organisation.name}: recovery codes of ${email}`;
  const file = [about, 'Each works once.', '', ...codes, ''].join('\n');
  const content = html`<section class="once medium" aria-labelledby="once">
<h2 id="once">Save these recovery codes now. They are shown only once</h2>
<p class="small">If you lose your authenticator, sign in with one of these codes. Each works once.
Keep them apart from your password.</p>
<ol class="codes" id="codes">${codes.map((code) => html`<li><code>${code}</code></li>\n`)}</ol>
<p class="actions">${copyButton('codes')} <a class="button" download="budgetd-recovery-codes.txt"
href="data:text/plain;charset=utf-8,${encodeURIComponent(file)}">Download</a> <button class="button"
type="button" data-print data-script hidden>Print</button></p>
</section>
<p class="actions"><a class="button primary" href="${ACCOUNT}">I have kept them</a></p>
<p class="small soft foot-note">If you lose them, make ten new ones in Your account. The old ones
then stop working.</p>`;
  return showPage(visit, {
    title: isNew ? 'The second factor is on' : 'New recovery codes',
    lead: isNew
      ? 'From now on, signing in asks for a code. Your other sessions have ended.'
      : 'The old codes no longer work. Your other sessions have ended.',
    ...PLACE,
    content,
  });
}

function findSecret({ desk, session, nowMs }: Visit) {
  return desk.newSecrets.find(String(session.id), nowMs)?.value;
}

function keepSecret({ desk, session, nowMs }: Visit, isOther: boolean): Buffer {
  const secret = createSecret();
  desk.newSecrets.keep(String(session.id), { secret, isOther }, nowMs);
  return secret;
}

async function setUpPage(visit: Visit, sent: Sent = UNSENT): Promise<Reply> {
  const { email, access, hasSecondFactor } = visit.session;
  refuseLostKey(visit.desk.source);
  const secret = findSecret(visit)?.secret ?? keepSecret(visit, false);
  const address = pairingAddress(secret, access.organisation.name, email);
  const groups = base32Of(secret).match(/.{4}/g) ?? [];
  const isRequired = access.organisation.requiresSecondFactor && !hasSecondFactor;
  const steps = html`<ol class="steps">
<li><h2>Open an authenticator</h2><p>Any app for time-based codes works, as do most password
managers. It needs no network.</p></li>
<li><h2>Scan this code with it</h2>
<div class="pairing">${await qrCode(address)}
<div><p class="label">Or type this secret into it</p><code class="by-hand"
id="secret">${groups.join(' ')}</code>
<p class="hint">Time-based, 6 digits, every 30 seconds, SHA-1. Account: ${typed(email)}</p>
<p class="actions">${copyButton('secret', 'Copy the secret')}</p></div></div></li>
<li><h2>Type the code it shows</h2><p>This proves that it works, before you depend on it.</p>
${fieldList(NEW_CODE, sent)}
${
  isRequired
    ? html`<button class="button primary">Switch it on</button>`
    : mainActions('Switch it on', ACCOUNT)
}</li>
</ol>`;
  const content = html`${
    isRequired &&
    html`<div class="note warn"><p>${typed(access.organisation.name)} requires a second factor. Set
yours up first, or sign out.</p></div>\n`
  }${postForm(PATHS.secondFactor, { do: 'set-up' }, steps)}
<p class="small soft">budgetd keeps the secret only after you type a correct code. Next, you get ten
recovery codes.</p>`;
  return showPage(visit, {
    title: 'Set up a second factor',
    lead: `After your password, signing in asks for a code from your phone. API keys are not
affected.`,
    ...PLACE,
    content,
    ...sent,
  });
}

function factorPage(
  visit: Visit,
  factor: NonNullable<ReturnType<typeof findSecondFactor>>,
  sent: Sent,
): Reply {
  const { createdAtMs, lastUsedAtMs, codesLeft } = factor;
  const requiring = findRequiring(visit.access, visit.session.userId);
  const remove =
    requiring === undefined
      ? html`<button class="button danger" name="do" value="remove">Remove</button>`
      : html`<p class="hint">${typed(requiring)} requires a second factor, so it cannot be
removed.</p>`;
  const fields = html`${fieldList(OWN_CODE, sent)}<p class="actions"><button class="button"
name="do" value="codes">Make new recovery codes</button> <button class="button" name="do"
value="other">Use another authenticator</button> ${remove}</p>
<p class="hint">Each of these ends your other sessions. Another authenticator replaces the present
one after you type a code from it.</p>`;
  const content = html`${pairList([
    ['On since', visit.reader.dayAt(createdAtMs)],
    ['Last used', visit.moment(lastUsedAtMs)],
    ['Recovery codes left', visit.reader.count(codesLeft)],
  ])}
${
  isFew(codesLeft) &&
  html`<div class="note warn"><p>Few recovery codes are left. Make new ones now.</p></div>\n`
}${postForm(PATHS.secondFactor, {}, fields, html` class="narrow"`)}`;
  return showPage(visit, {
    title: 'Second factor',
    lead: 'After your password, signing in asks for a code.',
    ...PLACE,
    content,
    ...sent,
  });
}

/** A QR code, a path of its dark runs. */
async function qrCode(text: string): Promise<Html> {
  const { encodeQR: encodeQr } = await import('qr');
  const rows = encodeQr(text, 'raw', { ecc: 'medium', border: QUIET_ZONE });
  const path = rows.flatMap((row, y) => {
    const dark = row.map((isDark) => (isDark ? '1' : '0')).join('');
    return [...dark.matchAll(/1+/g)].map(({ index, 0: { length } }) => {
      return `M${index} ${y}h${length}v1h-${length}z`;
    });
  });
  return html`<svg class="qr" viewBox="0 0 ${rows.length} ${rows.length}" role="img"
aria-labelledby="qr-title" shape-rendering="crispEdges"><title id="qr-title">QR code of the
secret</title><path d="${path.join('')}"/></svg>`;
}
