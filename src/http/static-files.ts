/** Files that are sent unchanged, kept in memory, with a tag by which a browser keeps its copy. */

import { createHash } from 'node:crypto';
import type { Reply, Request, Route } from './message.ts';

/** Bytes to send, with their tag. */
export interface Content {
  readonly etag: string;
  readonly body: Uint8Array;
}

/** Returns a content that is read at its first use. */
export function lazyContent(read: () => Uint8Array): () => Content {
  let content: Content | undefined;
  return () => {
    if (content === undefined) {
      const body = read();
      content = { etag: createHash('sha256').update(body).digest('base64url').slice(0, 22), body };
    }
    return content;
  };
}

/** A route that sends a text file. */
export function fileRoute(path: string, type: string, read: () => Uint8Array): Route {
  const headers = { 'Content-Type': `${type}; charset=utf-8` };
  const content = lazyContent(read);
  const handler = (request: Request) => contentReply(request, content(), headers);
  return { method: 'GET', path, handler };
}

/**
 * The content, or 304 if the client has it. A 304 has the same headers as the 200: browsers apply
 * them, including the policy.
 */
export function contentReply(
  request: Pick<Request, 'header'>,
  { etag: tag, body }: Content,
  fields: Reply['headers'],
): Reply {
  const etag = `"${tag}"`;
  const headers = { ...fields, ETag: etag, 'Cache-Control': 'no-cache' };
  const isKept = listTags(request.header('if-none-match')).some((one) => ['*', etag].includes(one));
  return isKept ? { status: 304, headers, body: '' } : { status: 200, headers, body };
}

/** The tags of `If-None-Match`, weak ones as strong ones. Our tags have no commas. */
function listTags(field = ''): string[] {
  return field.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
}
