/**
 * `GET /docs` and `GET /openapi.json` (contract 9): files that `npm run build` writes, served
 * unchanged. The page loads only its own style and script, and its policy allows nothing else.
 */

import { createHash } from 'node:crypto';
import { isHost } from '../http/host.ts';
import { escapeHtml } from '../http/html.ts';
import type { Reply, Request, Route } from '../http/message.ts';
import { PACKAGE_FOLDER, readPackageFile } from '../package-folder.ts';

const FOLDER = new URL('dist/src/docs/', PACKAGE_FOLDER);

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

/** The content of a file with its tag, for revalidation. */
interface Content {
  readonly etag: string;
  readonly body: Uint8Array;
}

/** Files in memory, each read at its first request. */
const files = new Map<string, Content>();

function readFile(name: string): Content {
  let file = files.get(name);
  if (file === undefined) {
    const body = readPackageFile(new URL(name, FOLDER));
    file = { etag: createHash('sha256').update(body).digest('base64url').slice(0, 22), body };
    files.set(name, file);
  }
  return file;
}

function fileRoute(path: string, name: string, type: string): Route {
  const headers = { 'Content-Type': `${type}; charset=utf-8` };
  return { method: 'GET', path, handler: (request) => reply(request, readFile(name), headers) };
}

/** The last page sent: nearly all requests use the same address. */
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

/** The page for one address. The address is part of the tag. */
function fillPage({ etag, body }: Content, address: string): Content {
  const text = Buffer.from(body).toString().replaceAll(ADDRESS, escapeHtml(address));
  return { etag: `${etag}.${address}`, body: Buffer.from(text) };
}

/** A 304 has the same headers as the 200: browsers apply them, including the policy. */
function reply(request: Request, content: Content, fields: Reply['headers']): Reply {
  const etag = `"${content.etag}"`;
  const headers = { ...fields, ETag: etag, 'Cache-Control': 'no-cache' };
  const isKept = listTags(request.header('if-none-match')).some((tag) => ['*', etag].includes(tag));
  return isKept ? { status: 304, headers, body: '' } : { status: 200, headers, body: content.body };
}

/** The tags of `If-None-Match`, weak ones as strong ones. Our tags have no commas. */
function listTags(field = ''): string[] {
  return field.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
}

/**
 * The placeholder for the address in the page as built: a character that occurs nowhere else. The
 * samples contain it, and the page gets the real address when it is served.
 */
export const ADDRESS = '\u{e000}';

/** Where `budgetd serve` listens by default. */
const USUAL_ADDRESS = 'http://127.0.0.1:8080';

/**
 * The scheme and host by which a client reaches the service, without a trailing slash. They come
 * from the client, so anything that is not clearly an address is ignored.
 */
export function addressOf(request: Pick<Request, 'header'>): string {
  const host = request.header('host') ?? '';
  if (!isHost(host)) return USUAL_ADDRESS;
  // Any client can send this field, but all it can do is change this page to https.
  const scheme = request.header('x-forwarded-proto') === 'https' ? 'https' : 'http';
  return `${scheme}://${host.toLowerCase()}`;
}
