/** Where someone who has to sign in first goes afterwards. */

import type { Request } from '../../http/message.ts';
import { readWayBack } from '../../http/pages.ts';
import { DONE } from './outcomes.ts';

/** The user has signed out, a code came too late, or a form came after its session had ended. */
type Reason = (typeof REASONS)[number];
const REASONS = ['signed-out', 'late', 'unsaved'] as const;

/** Where someone goes after signing in, and why they have to, as an address says it. */
export class Way {
  readonly to: string;
  readonly reasons: readonly Reason[];

  constructor(to = '/', reasons: readonly Reason[] = []) {
    this.to = to;
    this.reasons = reasons;
  }

  /** Reads a way from an address or a form: to a page of this service, or the first one. */
  static read(value: (name: string) => string | undefined): Way {
    const reasons = REASONS.filter((each) => value(each) !== undefined);
    return new Way(readWayBack(value('to')), reasons);
  }

  /** The query of a page that knows it. */
  get query(): string {
    const fields = new URLSearchParams();
    if (this.to !== '/') fields.set('to', this.to);
    for (const each of this.reasons) fields.set(each, 'yes');
    return fields.size === 0 ? '' : `?${fields}`;
  }
}

/** The sign-in page of someone who has signed out. */
export const SIGNED_OUT = `/sign-in${new Way('/', ['signed-out']).query}`;

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
export function wayBackQuery(request: Request, ways: Ways): string {
  const { method, path } = request;
  if (path === '/sign-out') return '';
  const isForm = method === 'POST';
  const to = isForm ? pageOfForm(request, ways) : readWayBack(pathAndQuery(path, request.query));
  return new Way(to, isForm ? ['unsaved'] : []).query;
}

/** The page that a form was on, or the one at its own path; undefined if neither is known. */
function pageOfForm(request: Request, { publicUrl, isPage }: Ways): string | undefined {
  const text = request.header('referer') ?? '';
  const from = URL.canParse(text) ? new URL(text) : undefined;
  const isOwn =
    from?.host === request.header('host') ||
    (publicUrl !== undefined && URL.canParse(publicUrl) && from?.host === new URL(publicUrl).host);
  if (from !== undefined && isOwn && isPage(from.pathname)) {
    const target = readWayBack(pathAndQuery(from.pathname, [...from.searchParams]));
    if (target !== undefined) return target;
  }
  return isPage(request.path) ? request.path : undefined;
}

/** Without what the page said once. */
function pathAndQuery(path: string, query: Request['query']): string {
  const fields = new URLSearchParams();
  for (const [name, value] of query) if (name !== DONE) fields.append(name, value);
  return fields.size === 0 ? path : `${path}?${fields}`;
}
