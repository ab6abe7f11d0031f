/**
 * `GET /docs` and `GET /openapi.json` (contract 9): files that `npm run build` writes, served
 * unchanged. The page loads only its own style and script, and its policy allows nothing else.
 */

import { isHost } from '../http/framing.ts';
import { escapeHtml } from '../http/html.ts';
import type { Request, Route } from '../http/message.ts';
import { fileRoute } from '../http/static-files.ts';
import { PACKAGE_FOLDER, readPackageFile } from '../package-folder.ts';

const FOLDER = new URL('dist/src/docs/', PACKAGE_FOLDER);

const POLICY =
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src data:; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The last page sent: nearly all requests use the same address. */
let page = { address: '', etag: '', body: new Uint8Array() };

/** The OpenAPI document; the page, its style and its script. */
export const DOCS_ROUTES: readonly Route[] = [
  fileRoute('/openapi.json', 'application/json', () => read('openapi.json')),
  fileRoute('/docs.css', 'text/css', () => read('docs.css')),
  fileRoute('/docs.js', 'text/javascript', () => read('browser/docs.js')),
  fileRoute('/docs', 'text/html', () => read('page.html'), {
    headers: { 'Content-Security-Policy': POLICY },
    fill({ etag, body }, request) {
      const address = requestOrigin(request);
      if (page.address !== address) {
        const text = Buffer.from(body).toString().replaceAll(ADDRESS, escapeHtml(address));
        // The address is part of the tag.
        page = { address, etag: `${etag}.${address}`, body: Buffer.from(text) };
      }
      return page;
    },
  }),
];

function read(name: string): Uint8Array {
  return readPackageFile(new URL(name, FOLDER));
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
export function requestOrigin(request: Pick<Request, 'header'>): string {
  const host = request.header('host') ?? '';
  if (!isHost(host)) return USUAL_ADDRESS;
  // Any client can send this field, but all it can do is change this page to https.
  const scheme = request.header('x-forwarded-proto') === 'https' ? 'https' : 'http';
  return `${scheme}://${host.toLowerCase()}`;
}
