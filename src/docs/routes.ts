/**
 * `GET /docs` and `GET /openapi.json` (contract 9): files that `npm run build` writes, served as
 * they are. The page loads nothing but its own style and script, and its policy allows no more.
 */

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { escapeHtml } from '../http/html.ts';
import type { Reply, Request, Route } from '../http/message.ts';
import { ADDRESS, addressOf } from './address.ts';

const POLICY =
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src data:; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The OpenAPI document; the page, its style and its script. */
export const DOCS_ROUTES: readonly Route[] = [
  fileRoute('/openapi.json', 'openapi.json', 'application/json'),
  fileRoute('/docs.css', 'docs.css', 'text/css'),
  fileRoute('/docs.js', 'browser/docs.js', 'text/javascript'),
  { method: 'GET', path: '/docs', handler: answerPage },
];

/** What a client may keep, and ask for again by its tag. */
interface Content {
  readonly etag: string;
  readonly body: Uint8Array;
}

/** Each file is read when first asked for, then kept. */
const files = new Map<string, Content>();

function readFile(name: string): Content {
  let file = files.get(name);
  if (file === undefined) {
    const body = readFileSync(new URL(name, import.meta.url));
    file = { etag: createHash('sha256').update(body).digest('base64url').slice(0, 22), body };
    files.set(name, file);
  }
  return file;
}

function fileRoute(path: string, name: string, type: string): Route {
  const headers = { 'Content-Type': `${type}; charset=utf-8` };
  return { method: 'GET', path, handler: (request) => reply(request, readFile(name), headers) };
}

/** The page as last sent: nearly every request comes by the same address. */
let page: (Content & { readonly address: string }) | undefined;

function answerPage(request: Request): Reply {
  const address = addressOf(request);
  if (page?.address !== address) page = { address, ...fillPage(readFile('page.html'), address) };
  const headers = {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': POLICY,
  };
  return reply(request, page, headers);
}

/** The page for one address, which is a part of its tag. */
function fillPage({ etag, body }: Content, address: string): Content {
  const text = Buffer.from(body).toString().replaceAll(ADDRESS, escapeHtml(address));
  return { etag: `${etag}.${address}`, body: Buffer.from(text) };
}

/** A 304 carries the headers of the 200: browsers take them over, the policy too. */
function reply(request: Request, content: Content, fields: Reply['headers']): Reply {
  const etag = `"${content.etag}"`;
  const headers = { ...fields, ETag: etag, 'Cache-Control': 'no-cache' };
  const isKept = listTags(request.header('if-none-match')).some((tag) => ['*', etag].includes(tag));
  return isKept ? { status: 304, headers, body: '' } : { status: 200, headers, body: content.body };
}

/** The tags of `If-None-Match`, weak ones as strong; ours hold no comma. */
function listTags(field = ''): string[] {
  return field.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
}
