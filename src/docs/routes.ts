/**
 * `GET /docs` (contract 9): the OpenAPI document for people. The page asks nobody but this server,
 * and its policy lets it ask for nothing but its own style and script.
 */

import { escapeHtml, htmlReply } from '../http/html.ts';
import type { Reply, Request, Route } from '../http/message.ts';
import { addressOf } from './address.ts';

const POLICY =
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src data:; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The page, its style and its script, each loaded when first asked for. */
export const DOCS_ROUTES: readonly Route[] = [
  { method: 'GET', path: '/docs', handler: answerPage },
  {
    method: 'GET',
    path: '/docs.css',
    handler: async () => answerText('text/css', (await import('./style.ts')).STYLE),
  },
  {
    method: 'GET',
    path: '/docs.js',
    handler: async () => answerText('text/javascript', (await import('./script.ts')).SCRIPT),
  },
];

/** The page, cut where the address stands. */
let pieces: readonly string[] | undefined;

async function answerPage(request: Request): Promise<Reply> {
  pieces ??= await buildPieces();
  const page = pieces.join(escapeHtml(addressOf(request)));
  return htmlReply(page, { 'Content-Security-Policy': POLICY });
}

/** The document's schemas bring TypeBox with them, which stays off the start path. */
async function buildPieces(): Promise<readonly string[]> {
  const [{ buildOpenApi }, { buildPage }, { ADDRESS }] = await Promise.all([
    import('../api/openapi.ts'),
    import('./page.ts'),
    import('./highlight.ts'),
  ]);
  return buildPage(buildOpenApi()).text.split(ADDRESS);
}

function answerText(type: string, body: string): Reply {
  return { status: 200, headers: { 'Content-Type': `${type}; charset=utf-8` }, body };
}
