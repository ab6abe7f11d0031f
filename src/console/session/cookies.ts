/** The cookies: with the token of a session, of a one-time link, or of a sign-in without a code. */

import { LINK_MINUTES, SECOND_FACTOR, SESSIONS } from '../../core/limits.ts';
import { readCookie, writeCookie } from '../../http/cookies.ts';
import type { Request } from '../../http/message.ts';

/** The token that a request has; empty without one. */
export function sessionTokenOf(request: Request): string {
  return readCookie(request.header('cookie'), nameFor(request)) ?? '';
}

/** The Set-Cookie field for a session's token, or one that removes it. */
export function sessionCookie(request: Request, token: string | undefined): string {
  const secure = request.client.isHttps;
  const maxAgeSeconds = token === undefined ? 0 : SESSIONS.hours * 3600;
  return writeCookie(nameFor(request), token ?? '', { secure, maxAgeSeconds });
}

/** Browsers keep a `__Host-` cookie from other hosts of the domain, but only with TLS. */
function nameFor({ client }: Request): string {
  return client.isHttps ? '__Host-budgetd' : 'budgetd';
}

/** The page of one-time links. */
export const LINK_PATH = '/set-up';
const LINK_COOKIE = 'budgetd-link';

/** The token of the link that a browser has opened; empty if it has opened none. */
export function linkTokenOf(request: Request): string {
  return readCookie(request.header('cookie'), LINK_COOKIE) ?? '';
}

/** Keeps the token of a link for the page of links; undefined: for no page any more. */
export function linkCookie(request: Request, token: string | undefined): string {
  return pageCookie(request, [LINK_COOKIE, LINK_PATH, LINK_MINUTES], token);
}

/** The page that asks for the code of a second factor. */
export const CODE_PATH = '/sign-in/code';
const CODE_COOKIE = 'budgetd-sign-in';

/** The token of someone whose password was right; empty without one. */
export function codeTokenOf(request: Request): string {
  return readCookie(request.header('cookie'), CODE_COOKIE) ?? '';
}

/** Keeps such a token for the page that asks for the code. */
export function codeCookie(request: Request, token: string): string {
  return pageCookie(request, [CODE_COOKIE, CODE_PATH, SECOND_FACTOR.signInMinutes], token);
}

function pageCookie(
  { client }: Request,
  [name, path, minutes]: readonly [name: string, path: string, minutes: number],
  token: string | undefined,
): string {
  const isToken = token !== undefined && /^[\w-]{1,64}$/.test(token);
  const maxAgeSeconds = isToken ? minutes * 60 : 0;
  const secure = client.isHttps;
  return writeCookie(name, isToken ? token : '', { path, maxAgeSeconds, secure });
}
