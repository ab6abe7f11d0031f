/** `GET /`: links to the rest of the service, as an HTML page and as JSON. */

import { html } from '../http/html.ts';
import { jsonReply, type Reply, type Request, type Route } from '../http/message.ts';
import { asksForHtml } from '../http/refusals.ts';

/** The version of the interface, not of the program. */
export const INTERFACE_VERSION = '1.0.0';

/** The root of the service. */
export const HOME_ROUTE: Route = { method: 'GET', path: '/', handler: answer };

const DOCUMENT = {
  name: 'budgetd',
  version: INTERFACE_VERSION,
  api: '/api/v1',
  docs: '/docs',
  openapi: '/openapi.json',
  health: '/healthz',
  readiness: '/readyz',
};

const PAGE = html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>budgetd</title></head>
<body>
<h1>budgetd</h1>
<p>Project budgets against actual cash. The service is running.</p>
<ul>
<li><a href="/docs">Documentation</a>, with a first request to try</li>
<li><a href="/openapi.json">OpenAPI document</a></li>
<li><a href="/healthz">Health</a> and <a href="/readyz">readiness</a></li>
</ul>
</body>
</html>
`;

function answer(request: Request): Reply {
  const vary = { Vary: 'Accept' };
  if (asksForHtml(request.header('accept'))) {
    const headers = { 'Content-Type': 'text/html; charset=utf-8', ...vary };
    return { status: 200, headers, body: PAGE.text };
  }
  const { headers, ...reply } = jsonReply(DOCUMENT);
  return { ...reply, headers: { ...headers, ...vary } };
}
