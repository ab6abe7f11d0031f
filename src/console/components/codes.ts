/** Fields of codes of a second factor. */

import { SECOND_FACTOR } from '../../core/limits.ts';
import { type Html, html } from '../../http/html.ts';

/** What helps once a second code is wrong: a clock that is a minute off. */
export const SET_CLOCK = 'If that is wrong too, set your phone’s clock.';
const USED = 'This code is not right, or was used already.';
/** What is said of a code that cannot be used. */
export const WRONG_CODE = `${USED} Type the next one. ${SET_CLOCK}`;

/** The message for a missing code, which does not count as a try. */
export const NO_CODE = 'Enter the code.';

/** The field for the code that an authenticator shows; pasting one with a space works. */
export function codeField(hint: string, isFirst = false) {
  const control = (marks: Html) => html`<input class="digits" inputmode="numeric"
autocomplete="one-time-code" maxlength="${SECOND_FACTOR.digits + 1}"${
    isFirst && html` autofocus`
  } ${marks}>`;
  return { label: 'Code', hint, control };
}

/** The field for a recovery code. */
export const RECOVERY = {
  label: 'Recovery code',
  hint: 'One of the ten that you kept, such as abcd-2345. Each works once.',
  control: (marks: Html) => html`<input class="recovery" autocomplete="off" autocapitalize="none"
spellcheck="false" maxlength="12" ${marks}>`,
};
