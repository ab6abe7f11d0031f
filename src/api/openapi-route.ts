/** `GET /openapi.json` (contract 9). */

import type { Reply, Route } from '../http/message.ts';

/** The document, made at the first request for it. */
export const OPENAPI_ROUTE: Route = {
  method: 'GET',
  path: '/openapi.json',
  handler: answer,
};

let body: Buffer | undefined;

async function answer(): Promise<Reply> {
  if (body === undefined) {
    // TypeBox stays off the start path (decision 0001).
    const { buildOpenApi } = await import('./openapi.ts');
    body = Buffer.from(JSON.stringify(buildOpenApi()));
  }
  return { status: 200, headers: { 'Content-Type': 'application/json; charset=utf-8' }, body };
}
