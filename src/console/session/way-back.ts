/** Where someone who has to sign in first goes afterwards. */

import type { Request } from '../../http/message.ts';
import { isLocalTarget } from '../../http/pages.ts';
import { DONE } from './outcomes.ts';

/** The member of the address of the sign-in page that says that a form was not saved. */
export const UNSAVED = 'unsaved';
/** The member that says that a session was ended, and the address with it. */
export const ENDED = 'signed-out';
export const SIGNED_OUT = `/sign-in?${ENDED}=yes`;
/** The member that says that the code of a second factor came too late. */
export const LATE = 'late';

/** What decides on the way back. */
interface Ways {
  /** The address that people use, if it is not the one at which the service listens. */
  readonly publicUrl?: string | undefined;
  /** Whether a path has a page that a GET shows. */
  readonly isPage: (path: string) => boolean;
}

/**
 * The query for the sign-in page that leads back: to the page that was asked for, or to the one
 * that a form was on. What was typed into the form is not kept.
 */
export function wayBack(request: Request, ways: Ways): string {
  const { method, path } = request;
  if (path === '/sign-out') return '';
  const isForm = method === 'POST';
  const target = isForm ? pageOfForm(request, ways) : pathAndQuery(path, request.query);
  const fields = new URLSearchParams();
  if (target !== undefined && target !== '/') fields.set('to', target);
  if (isForm) fields.set(UNSAVED, 'yes');
  return fields.size === 0 ? '' : `?${fields}`;
}

/** The page that a form was on, or the one at its own path; undefined if neither is known. */
function pageOfForm(request: Request, { publicUrl, isPage }: Ways): string | undefined {
  const text = request.header('referer') ?? '';
  const from = URL.canParse(text) ? new URL(text) : undefined;
  const isOwn =
    from?.host === request.header('host') ||
    (publicUrl !== undefined && URL.canParse(publicUrl) && from?.host === new URL(publicUrl).host);
  if (from !== undefined && isOwn && isPage(from.pathname)) {
    const target = pathAndQuery(from.pathname, [...from.searchParams]);
    if (isLocalTarget(target)) return target;
  }
  return isPage(request.path) ? request.path : undefined;
}

/** Without what the page said once. */
function pathAndQuery(path: string, query: Request['query']): string {
  const fields = new URLSearchParams();
  for (const [name, value] of query) if (name !== DONE) fields.append(name, value);
  return fields.size === 0 ? path : `${path}?${fields}`;
}
