/** Pages for what went wrong: what happened, whether anything was saved, and what to do next. */

import type { Failure } from '../../core/failures.ts';
import { IMPORTS } from '../../core/limits.ts';
import { listPermissions, type Permission, ROLES } from '../../core/users.ts';
import { type Html, type HtmlValue, html } from '../../http/html.ts';
import type { FailedRequest, Reply } from '../../http/message.ts';
import { asksForHtml } from '../../http/refusals.ts';
import { errorReply, STATUS } from '../../http/status.ts';
import type { Access } from '../../store/access.ts';
import { typed } from '../components/elements.ts';
import { showPage, showPlain } from '../components/layout.ts';
import type { Visit } from '../session/visit.ts';

/** The page for a Failure, or JSON for what is not a browser. */
export function renderFailure(failure: Failure, request: FailedRequest): Reply {
  const { requestId } = request;
  if (!asksForHtml(request.header('accept'))) return errorReply(failure, requestId);
  const status = STATUS[failure.code];
  const [title, lead] = wordsOf(failure, request.path);
  return failurePage(status, title, lead, requestId);
}

/** 403: a form that did not come from a page of this service. */
export function otherSitePage(): Reply {
  return failurePage(
    403,
    'This form did not come from here',
    `Nothing was saved. Open the page at the address of this service, and send the form again. The
person who runs the service sets this address as public-url.`,
  );
}

/** 409: a form of a page that stayed open when the user changed the organisation. */
export function otherOrganisationPage({ organisation }: Pick<Access, 'organisation'>): Reply {
  return failurePage(
    409,
    'This form is from another organisation',
    html`Nothing was saved. You have switched to ${typed(organisation.name)} since you opened the
page. Switch back in the menu, and open the page again.`,
  );
}

/** 403: someone who is signed in may not do this. */
export function roleForbidsPage(visit: Visit, permission: Permission): Reply {
  const roles = ROLES.filter((role) => listPermissions(role).includes(permission));
  const who = roles.map((role) => `${role}s`).join(' and ');
  const nothing = visit.request.method === 'POST' ? 'Nothing was saved. ' : '';
  const lead = `${nothing}Only ${who} of the organisation can do this. Ask one of them.`;
  const title = 'Your role does not allow this';
  return showPage(visit, { title, lead, place: '', content: WAYS_ON, status: 403 });
}

/** 404, with the bar of someone who is signed in. */
export function missingPage(visit: Visit): Reply {
  const { requestId } = visit.request;
  const content = html`${WAYS_ON}${numberLine(404, requestId)}`;
  const [title, lead] = MISSING;
  return showPage(visit, { title, lead, place: '', content, status: 404 });
}

const MISSING = [
  'This page does not exist, or is not for you',
  'Check the address for a typing mistake.',
] as const;

function wordsOf({ code, message }: Failure, path: string): [title: string, lead: HtmlValue] {
  const nothing = 'Nothing was saved.';
  if (code === 'payload_too_large' && path === '/import') {
    const most = IMPORTS.fileBytes / 1024 ** 2;
    return [
      'The file is too large for the console',
      html`${nothing} A file can have up to ${most} MB here. <code>budgetd import</code> reads
larger ones on the server. Or split the file into several smaller ones.`,
    ];
  }
  switch (code) {
    case 'not_found':
      return [...MISSING];
    case 'unavailable':
      return [
        'The service is busy',
        `${nothing} ${message} Go back in your browser to find what you typed.`,
      ];
    case 'storage_full':
      return ['The service has no disk space left', `${nothing} ${message}`];
    case 'internal_error':
      return [
        'Something went wrong',
        `${nothing} The fault is in budgetd, not in what you entered. Its log has the details ` +
          'under the request number below.',
      ];
    default:
      return ['This request was refused', `${nothing} ${message}`];
  }
}

function numberLine(status: number, requestId: string): Html {
  return html`<p class="request">${status} · request <code>${requestId}</code></p>`;
}

/** Two ways on: the first page, and the list of transactions. */
const WAYS_ON = html`<p class="actions"><a class="button primary" href="/">Home</a> <a
class="button" href="/transactions">Transactions</a></p>
`;

function failurePage(status: number, title: string, lead: HtmlValue, requestId?: string): Reply {
  const content = html`${WAYS_ON}${requestId !== undefined && numberLine(status, requestId)}`;
  return showPlain({ title, lead, content, isBroad: true, status });
}
