/**
 * The refusal of a request outside `/api` that matches no route (contract 2, step 1): a 404 is HTML
 * for browsers, everything else JSON. Neither contains the path.
 */

import type { RenderFailure } from './message.ts';
import { errorReply } from './status.ts';

/** Renders that refusal. */
export const renderUnmatched: RenderFailure = (failure, request) => {
  const { requestId } = request;
  if (failure.code !== 'not_found' || !asksForHtml(request.header('accept'))) {
    return errorReply(failure, requestId);
  }
  return {
    status: 404,
    headers: { 'Content-Type': 'text/html; charset=utf-8' },
    body: `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Page not found</title></head>
<body>
<h1>Page not found</h1>
<p>There is nothing at this address. Check it for a typing mistake, or see what there is in the
<a href="/docs">documentation</a>.</p>
<p>Request ${requestId}</p>
</body>
</html>
`,
  };
};

/** Whether an Accept header prefers HTML to JSON, or both equally. Wildcards do not count. */
export function asksForHtml(accept: string | undefined): boolean {
  let best = '';
  let bestWeight = 0;
  for (const range of (accept ?? '').split(',')) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    if (type !== 'text/html' && type !== 'application/json') {
      continue;
    }
    const weight = parameters.find((one) => one.startsWith('q='))?.slice(2) ?? '1';
    if (Number(weight) > bestWeight) {
      best = type;
      bestWeight = Number(weight);
    }
  }
  return best === 'text/html';
}
