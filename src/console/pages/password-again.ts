/** Forms that need the password again when it was given a while ago (contract 16). */

import { Failure } from '../../core/failures.ts';
import { SECOND_FACTOR } from '../../core/limits.ts';
import { html } from '../../http/html.ts';
import type { Reply } from '../../http/message.ts';
import { STATUS } from '../../http/status.ts';
import { isOwnPassword } from '../../operations/users.ts';
import { typed } from '../components/elements.ts';
import { fieldList, hiddenField, NARROW, presentPassword, type Sent } from '../components/forms.ts';
import { showPage } from '../components/layout.ts';
import type { Visit } from '../session/visit.ts';
import { checkOwnPassword } from './sign-in.ts';

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
    hint: `You gave it more than ${SECOND_FACTOR.passwordMinutes} minutes ago.`,
  });
  const kept = visit.form.fields.map(([name, text]) => name !== FIELD && hiddenField(name, text));
  const content = html`<p>What you asked for is done then.</p>
<form${NARROW} method="post" action="${visit.request.path}" novalidate>${kept}
${fieldList({ [FIELD]: field }, sent)}<button class="button primary">Confirm</button>
</form>`;
  const lead = typed(visit.session.email);
  return showPage(visit, { title: 'Type your password again', lead, content, ...sent });
}
