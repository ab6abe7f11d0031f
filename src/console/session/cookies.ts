/** The cookies: with the token of a session, of a one-time link, or of a sign-in without a code. */

import { LINK_MINUTES, SECOND_FACTOR, SESSIONS } from '../../core/limits.ts';
import { readCookie, writeCookie } from '../../http/cookies.ts';
import type { Request } from '../../http/message.ts';

const SESSION = 'budgetd';

/** The token that a request has; empty without one. */
export function sessionTokenOf(request: Request): string {
  return readCookie(request.header('cookie'), nameFor(request, SESSION)) ?? '';
}

/** The Set-Cookie field for a session's token, or one that removes it. */
export function sessionCookie(request: Request, token: string | undefined): string {
  const secure = request.client.isHttps;
  const maxAgeSeconds = token === undefined ? 0 : SESSIONS.hours * 3600;
  return writeCookie(nameFor(request, SESSION), token ?? '', { secure, maxAgeSeconds });
}

/** Browsers keep a `__Host-` cookie from other hosts of the domain, but only with TLS. */
function nameFor({ client }: Request, name: string): string {
  return client.isHttps ? `__Host-${name}` : name;
}

/** A page for which the browser keeps a token for some minutes, in a cookie. */
class TokenPage {
  readonly path: string;
  readonly #cookie: string;
  readonly #minutes: number;

  constructor(path: string, cookie: string, minutes: number) {
    this.path = path;
    this.#cookie = cookie;
    this.#minutes = minutes;
  }

  /** The token that a browser has for the page; empty without one. */
  tokenOf(request: Request): string {
    return readCookie(request.header('cookie'), nameFor(request, this.#cookie)) ?? '';
  }

  /** The header that stores the token of the page, or deletes the cookie without a token. */
  keep(request: Request, token: string | undefined) {
    const isToken = token !== undefined && /^[\w-]{1,64}$/.test(token);
    const maxAgeSeconds = isToken ? this.#minutes * 60 : 0;
    const attributes = { maxAgeSeconds, secure: request.client.isHttps };
    const name = nameFor(request, this.#cookie);
    return { 'Set-Cookie': writeCookie(name, isToken ? token : '', attributes) };
  }
}

/** The page of one-time links, with the token of the link that a browser has opened. */
export const LINK_PAGE = new TokenPage('/set-up', 'budgetd-link', LINK_MINUTES);

/** The page that asks for the code of a second factor, of someone whose password was right. */
export const CODE_PAGE = new TokenPage(
  '/sign-in/code',
  'budgetd-sign-in',
  SECOND_FACTOR.signInMinutes,
);
