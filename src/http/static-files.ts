/** Files that are sent unchanged, kept in memory, with a tag by which a browser keeps its copy. */

import { createHash } from 'node:crypto';
import type { HeaderFields, Reply, Request, Route } from './message.ts';

/** Bytes to send, with their tag. */
interface Content {
  readonly etag: string;
  readonly body: Uint8Array;
}

/** What a file has besides its bytes. */
interface FileOptions {
  /** Header fields besides the Content-Type. */
  readonly headers?: HeaderFields;
  /** What the file is for one request. */
  readonly fill?: (file: Content, request: Request) => Content;
}

/** A route that sends a text file, which is read at its first use. */
export function fileRoute(
  path: string,
  type: string,
  read: () => Uint8Array,
  { headers = {}, fill = (file) => file }: FileOptions = {},
): Route {
  const fields = { 'Content-Type': `${type}; charset=utf-8`, ...headers };
  let file: Content | undefined;
  const handler = (request: Request) => {
    file ??= withTag(read());
    return contentReply(request, fill(file, request), fields);
  };
  return { method: 'GET', path, handler };
}

function withTag(body: Uint8Array): Content {
  return { etag: createHash('sha256').update(body).digest('base64url').slice(0, 22), body };
}

/**
 * The content, or 304 if the client has it. A 304 has the same headers as the 200: browsers apply
 * them, including the policy.
 */
function contentReply(request: Request, { etag: tag, body }: Content, fields: HeaderFields): Reply {
  const etag = `"${tag}"`;
  const headers = { ...fields, ETag: etag, 'Cache-Control': 'no-cache' };
  // Weak tags count as strong ones. Ours have no commas.
  const kept = (request.header('if-none-match') ?? '').split(',');
  const isKept = kept.some((one) => ['*', etag].includes(one.trim().replace(/^W\//, '')));
  return isKept ? { status: 304, headers, body: '' } : { status: 200, headers, body };
}
