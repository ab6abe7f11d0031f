/** What one-time links open: setting up the first user, and setting a new password. */

import { CURRENCY_CODES, explainCurrency, findCurrency } from '../../core/currencies.ts';
import { Failure } from '../../core/failures.ts';
import { INVITATION_DAYS, LINK_MINUTES } from '../../core/limits.ts';
import { foldEmail } from '../../core/users.ts';
import type { Form } from '../../http/form.ts';
import { type Html, type HtmlValue, html } from '../../http/html.ts';
import type { Reply, Request } from '../../http/message.ts';
import { redirectReply } from '../../http/pages.ts';
import { readName } from '../../operations/input.ts';
import {
  acceptInvitation,
  joinWithPassword,
  type OpenedLink,
  openLink,
  setUp,
  usePasswordLink,
  useSignInLink,
} from '../../operations/links.ts';
import { readEmail } from '../../operations/users.ts';
import type { Invitation } from '../../store/invitations.ts';
import { findSecondFactor } from '../../store/second-factors.ts';
import type { Session } from '../../store/sessions.ts';
import { typed as typedText } from '../components/elements.ts';
import {
  fieldList,
  isFaulty,
  newPassword,
  readFields,
  type Sent,
  UNSENT,
} from '../components/forms.ts';
import { showPlain } from '../components/layout.ts';
import { LINK_PAGE } from '../session/cookies.ts';
import { type Desk, sessionOf, Visit } from '../session/visit.ts';
import { arrive, enter } from './sign-in.ts';

/** `GET /set-up`. The token leaves the address at once, so that no log and no `Referer` has it. */
export async function showSetUp(desk: Desk, request: Request): Promise<Reply> {
  const token = request.query.find(([name]) => name === 'token')?.[1];
  if (token !== undefined) return redirectReply(LINK_PAGE.path, LINK_PAGE.keep(request, token));
  return withLink(desk, request, (opened) => linkPage(opened));
}

export async function takeSetUp(desk: Desk, request: Request): Promise<Reply> {
  const form = await request.readForm();
  const take = () => withLink(desk, request, (opened) => takeTyped(desk, request, opened, form));
  return desk.outcomes.onceByLink(request, form, LINK_PAGE.tokenOf(request), take);
}

/** A link, and who is signed in while an invitation is open. */
interface Opened {
  readonly link: OpenedLink;
  readonly session: Session | undefined;
}

/** Answers someone with a link, or says that the link does not work, also after another used it. */
async function withLink(
  desk: Desk,
  request: Request,
  answer: (opened: Opened) => Reply | Promise<Reply>,
): Promise<Reply> {
  try {
    const link = openLink(desk.source, LINK_PAGE.tokenOf(request), actorOf(request));
    const session = link.purpose === 'invitation' ? sessionOf(desk, request) : undefined;
    return await answer({ link, session });
  } catch (error) {
    if (error instanceof Failure && error.code === 'not_found') return endedPage();
    throw error;
  }
}

async function takeTyped(desk: Desk, request: Request, opened: Opened, form: Form): Promise<Reply> {
  const { link, session } = opened;
  const typed = ['email', 'name'].map((name) => form.value(name) ?? '');
  const own = 'email' in link ? [link.email] : typed;
  const sent = readFields(session === undefined ? fieldsOf(link, own) : {}, form);
  if (isFaulty(sent.faults)) return linkPage(opened, sent);
  try {
    return await useLink(desk, request, opened, form);
  } catch (error) {
    // The password is too easy to guess.
    if (!(error instanceof Failure) || error.code !== 'invalid_input') throw error;
    return linkPage(opened, { ...sent, faults: { password: error.message } });
  }
}

/** Does what the link is for, and leads to the first page. */
async function useLink(desk: Desk, request: Request, { link, session }: Opened, form: Form) {
  if (session !== undefined) {
    const visit = new Visit({ desk, request, session });
    const join = () => {
      const now = arrive(visit, () => {
        const token = LINK_PAGE.tokenOf(request);
        acceptInvitation(desk.source, { token, session }, visit.actor);
      });
      return { to: '/', message: sayDone(link), session: now };
    };
    return visit.run(join, LINK_PAGE.keep(request, undefined));
  }
  const userId = await findUser(desk, request, link, form);
  // Whoever has a password here signs in with it first. The link still works then.
  if (userId === undefined) return redirectReply(SIGN_IN_FIRST);
  // No link goes round a second factor.
  if (findSecondFactor(desk.source, userId) !== undefined) {
    return redirectReply('/sign-in', LINK_PAGE.keep(request, undefined));
  }
  return (await enter(desk, request, userId, { to: '/', message: sayDone(link) })) ?? endedPage();
}

/** What the first page says then. */
function sayDone(link: OpenedLink): HtmlValue {
  if (link.purpose === 'invitation') return html`You have joined ${typedText(link.organisation)}.`;
  if (link.purpose === 'sign-in') return html`You are signed in as ${typedText(link.email)}.`;
  return link.purpose === 'set-up'
    ? 'The service is set up, and you are signed in.'
    : 'Your new password is set, and you are signed in.';
}

/** The number of the user whom a link makes or signs in; undefined if they sign in themselves. */
async function findUser({ source, tries }: Desk, request: Request, link: OpenedLink, form: Form) {
  const token = LINK_PAGE.tokenOf(request);
  const value = (name: string) => form.value(name) ?? '';
  const [email, password] = [value('email'), value('password')];
  const actor = actorOf(request);
  if (link.purpose === 'set-up') {
    const organisation = link.needsOrganisation
      ? { name: value('name'), baseCurrency: value('currency') }
      : undefined;
    const user = await setUp(source, { token, email, password, organisation }, actor);
    return user.id;
  }
  if (link.purpose === 'sign-in') return useSignInLink(source, token, actor);
  const chosen = { token, password, turn: tries.turnOf(request) };
  if (link.purpose === 'invitation') return joinWithPassword(source, chosen, actor);
  return usePasswordLink(source, chosen, actor);
}

const SIGN_IN_FIRST = `/sign-in?to=${encodeURIComponent(LINK_PAGE.path)}`;

/** Nobody is signed in yet. */
function actorOf({ requestId, nowMs }: Request) {
  return { name: 'set-up link', requestId, nowMs };
}

/** The fields that a link asks for; `own`, texts of the user, are easy to guess. */
function fieldsOf(link: OpenedLink, own: readonly string[] = []) {
  const isFirst = link.purpose === 'set-up';
  return {
    ...(isFirst && link.needsOrganisation ? ORGANISATION : {}),
    ...(isFirst ? { email: EMAIL } : {}),
    ...(link.purpose === 'sign-in'
      ? {}
      : { password: newPassword(isFirst ? 'Password' : 'New password', own) }),
  };
}

const EMAIL = {
  label: 'Your email',
  type: 'email',
  autocomplete: 'username',
  read: readEmail,
} as const;
const ORGANISATION = {
  name: {
    label: 'Organisation',
    autocomplete: 'organization',
    read: (text: string) => readName('The name of the organisation', text),
  },
  currency: {
    label: 'Currency of its budgets',
    hint: 'It cannot be changed later. Nothing is converted.',
    type: 'select',
    // Their names take Node a while: asked for only by who sees them.
    get options() {
      return [['', 'Choose'] as const, ...listCurrencies()];
    },
    read: (text: string) => {
      if (findCurrency(text) === undefined) throw new Failure('invalid_input', explainChoice(text));
      return text;
    },
  },
} as const;

function explainChoice(currency: string): string {
  return currency === '' ? 'Choose the currency of the budgets.' : explainCurrency(currency);
}

function linkPage({ link, session }: Opened, sent: Sent = UNSENT): Reply {
  const [title, lead, button] = wordsOf(link);
  const content = html`${
    session !== undefined && link.purpose === 'invitation'
      ? joinPart(link, session)
      : html`<form class="narrow" method="post" action="${LINK_PAGE.path}" novalidate>
${fieldList(fieldsOf(link), sent)}<button class="button primary">${button}</button>
</form>`
  }${
    session === undefined &&
    link.purpose === 'invitation' &&
    html`
<p>Do you have a password here? <a href="${SIGN_IN_FIRST}">Sign in to join</a></p>`
  }`;
  return showPlain({ title, lead, content, isBroad: true, ...sent });
}

/** For someone who is signed in: only with the address that is invited. */
function joinPart(invitation: Invitation, { email, access }: Session): Html {
  const present = access.organisation.name;
  if (foldEmail(email) !== foldEmail(invitation.email)) {
    return html`<p>You are signed in as <b>${typedText(email)}</b>. Sign out, then open the link
again.</p>
<form method="post" action="/sign-out"><button class="button">Sign out</button></form>`;
  }
  return html`<p>You are signed in as <b>${typedText(email)}</b>, in <b>${typedText(present)}</b>.
You stay a user there, and ${typedText(invitation.organisation)} does not see what you do there.</p>
<form class="narrow" method="post" action="${LINK_PAGE.path}"><button class="button primary">Join
${typedText(invitation.organisation)}</button> <a class="button" href="/">Cancel</a></form>`;
}

/** The title, what it is about, and the button. */
function wordsOf(link: OpenedLink): readonly [title: string, lead: Html, button: string] {
  if (link.purpose === 'sign-in') return ['Open the console', html`As ${link.email}.`, 'Open'];
  if (link.purpose === 'invitation') {
    const lead = html`You are invited as ${link.email}, with the role ${link.role}.`;
    return [`Join ${link.organisation}`, lead, 'Join'];
  }
  return link.purpose === 'set-up'
    ? [
        'Set up this service',
        html`This page opens once, from the link that <code>budgetd serve</code> printed.
${link.needsOrganisation && 'It creates the organisation, with you as its owner.'}`,
        'Set up',
      ]
    : [
        'Set a new password',
        html`For ${link.email}. Choose a password that no one else knows.`,
        'Set the password',
      ];
}

/** Every currency with its English name. */
function listCurrencies(): (readonly [code: string, text: string])[] {
  const names = new Intl.DisplayNames('en', { type: 'currency' });
  return CURRENCY_CODES.map((code) => [code, `${code}, ${names.of(code)}`] as const);
}

function endedPage(): Reply {
  const lead = `A link works once, for ${LINK_MINUTES} minutes, or ${INVITATION_DAYS} days if it is
an invitation. Only the newest link works.`;
  const content = html`<p>For a new password, ask an owner of your organisation for a new link.
To set up the service, run <code>budgetd set-up-link</code> on its machine. If you have a password,
<a href="/sign-in">sign in</a>.</p>`;
  return showPlain({ title: 'This link does not work', lead, content, isBroad: true, status: 404 });
}
