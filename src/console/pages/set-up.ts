/** What one-time links open: setting up the first user, and setting a new password. */

import { CURRENCY_CODES, explainCurrency, findCurrency } from '../../core/currencies.ts';
import { Failure } from '../../core/failures.ts';
import { LINK_MINUTES } from '../../core/limits.ts';
import type { Form } from '../../http/form.ts';
import { type Html, html } from '../../http/html.ts';
import type { Reply, Request } from '../../http/message.ts';
import { pageReply } from '../../http/pages.ts';
import { readName } from '../../operations/input.ts';
import {
  type OpenedLink,
  openLink,
  setUp,
  usePasswordLink,
  useSignInLink,
} from '../../operations/links.ts';
import { explainPassword } from '../../operations/passwords.ts';
import { readEmail } from '../../operations/users.ts';
import type { Desk } from '../desk.ts';
import {
  type Faults,
  faultOf,
  faultSummary,
  faultsOf,
  inputField,
  isFaulty,
  newPasswordField,
  selectField,
  titleOf,
} from '../forms.ts';
import { plainPage } from '../layout.ts';
import { enter } from './sign-in.ts';

/** `GET /set-up`. */
export function showSetUp(desk: Desk, request: Request): Reply {
  const token = request.query.find(([name]) => name === 'token')?.[1] ?? '';
  const link = findLink(desk, request, token);
  return link === undefined ? endedPage() : linkPage(link, { token });
}

/** `POST /set-up`. */
export async function takeSetUp(desk: Desk, request: Request): Promise<Reply> {
  const form = await request.readForm();
  const typed = readTyped(form);
  const link = findLink(desk, request, typed.token);
  if (link === undefined) return endedPage();
  const faults = findFaults(link, typed);
  if (isFaulty(faults)) return linkPage(link, typed, faults);
  try {
    const userId = await useLink(desk, request, link, typed);
    return enter(desk, request, userId, '/') ?? endedPage();
  } catch (error) {
    // Somebody else used the link meanwhile, or the password is too easily guessed.
    if (!(error instanceof Failure)) throw error;
    if (error.code === 'not_found') return endedPage();
    if (error.code !== 'invalid_input') throw error;
    return linkPage(link, typed, { password: error.message });
  }
}

/** What was typed. Fields that the form does not have are empty. */
interface Typed {
  readonly token: string;
  readonly name?: string;
  readonly currency?: string;
  readonly email?: string;
  readonly password?: string;
}

function readTyped(form: Form): Required<Typed> {
  const read = (name: string) => form.value(name) ?? '';
  return {
    token: read('token'),
    name: read('name'),
    currency: read('currency'),
    email: read('email'),
    password: read('password'),
  };
}

/** What a link is for; undefined if it no longer works. */
function findLink(desk: Desk, request: Request, token: string): OpenedLink | undefined {
  try {
    return openLink(desk.source, token, actorOf(request));
  } catch (error) {
    if (error instanceof Failure && error.code === 'not_found') return undefined;
    throw error;
  }
}

/** Does what the link is for, and returns the number of the user. */
async function useLink(
  { source }: Desk,
  request: Request,
  link: OpenedLink,
  { token, name, currency, email, password }: Required<Typed>,
): Promise<number> {
  const actor = actorOf(request);
  if (link.purpose === 'set-up') {
    const organisation = link.needsOrganisation ? { name, baseCurrency: currency } : undefined;
    const user = await setUp(source, { token, email, password, organisation }, actor);
    return user.id;
  }
  if (link.purpose === 'sign-in') return useSignInLink(source, token, actor);
  return usePasswordLink(source, { token, password }, actor);
}

/** Nobody is signed in yet. */
function actorOf({ requestId, nowMs }: Request) {
  return { name: 'set-up link', requestId, nowMs };
}

function findFaults(link: OpenedLink, typed: Required<Typed>): Faults {
  const { name, currency, email, password } = typed;
  const isNew = link.purpose === 'set-up' && link.needsOrganisation;
  const own = link.purpose === 'reset' ? [link.email] : [email, name];
  return faultsOf({
    name: isNew ? faultOf(() => readName('The name of the organisation', name)) : undefined,
    currency: isNew && findCurrency(currency) === undefined ? explainChoice(currency) : undefined,
    email: link.purpose === 'set-up' ? faultOf(() => readEmail(email)) : undefined,
    password: link.purpose === 'sign-in' ? undefined : explainPassword(password, own),
  });
}

function explainChoice(currency: string): string {
  return currency === '' ? 'Choose the currency of the budgets.' : explainCurrency(currency);
}

function linkPage(link: OpenedLink, typed: Typed, faults: Faults = {}): Reply {
  const [title, lead, button] = wordsOf(link);
  const content = html`${faultSummary(faults)}
<h1>${title}</h1>
<p class="lead">${lead}</p>
<form class="narrow" method="post" action="/set-up" novalidate>
<input type="hidden" name="token" value="${typed.token}">
${link.purpose === 'set-up' && firstFields(link.needsOrganisation, typed, faults)}${
  link.purpose !== 'sign-in' && passwordField(link.purpose === 'set-up', faults)
}<button class="button primary">${button}</button>
</form>`;
  const page = plainPage({ title: titleOf(title, faults), content }, true);
  return pageReply(page, isFaulty(faults) ? 422 : 200);
}

/** The title, what it is about, and the button. */
function wordsOf(link: OpenedLink): readonly [title: string, lead: Html, button: string] {
  if (link.purpose === 'sign-in') return ['Open the console', html`As ${link.email}.`, 'Open'];
  return link.purpose === 'set-up'
    ? [
        'Set up this service',
        html`This page opens once, from the link that <code>budgetd serve</code> printed.
${link.needsOrganisation && 'It makes the organisation and its owner: you.'}`,
        'Set up',
      ]
    : ['Set a new password', html`For ${link.email}.`, 'Set the password'];
}

function passwordField(isFirst: boolean, faults: Faults): Html {
  return newPasswordField(isFirst ? 'Password' : 'New password', faults);
}

function firstFields(needsOrganisation: boolean, typed: Typed, faults: Faults): Html {
  const { name, currency, email } = typed;
  const organisation = html`${inputField(
    { name: 'name', label: 'Organisation', autocomplete: 'organization', value: name },
    faults,
  )}${selectField(
    {
      name: 'currency',
      label: 'Currency of its budgets',
      hint: 'It cannot be changed later. Nothing is converted.',
      value: currency,
    },
    [['', 'Choose'], ...listCurrencies()],
    faults,
  )}`;
  return html`${needsOrganisation && organisation}${inputField(
    { name: 'email', label: 'Your email', type: 'email', autocomplete: 'username', value: email },
    faults,
  )}`;
}

/** Every currency with its English name. */
function listCurrencies(): (readonly [code: string, text: string])[] {
  const names = new Intl.DisplayNames('en', { type: 'currency' });
  return CURRENCY_CODES.map((code) => [code, `${code}, ${names.of(code)}`] as const);
}

function endedPage(): Reply {
  const title = 'This link does not work';
  const content = html`<h1>${title}</h1>
<p class="lead">A link works once, for ${LINK_MINUTES} minutes, and only the newest one does.</p>
<p>For a new password, ask an owner of your organisation for a new link. To set up the service, run
<code>budgetd set-up-link</code> on its machine. If you have a password, <a href="/sign-in">sign
in</a>.</p>`;
  return pageReply(plainPage({ title, content }, true), 404);
}
