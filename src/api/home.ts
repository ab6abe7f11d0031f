/** `GET /`: links to the rest of the service as JSON, or the first page of the console. */

import { jsonReply, type Route } from '../http/message.ts';
import { asksForHtml } from '../http/refusals.ts';

/** The version of the interface, not of the program. */
export const INTERFACE_VERSION = '1.0.0';

/** The root of the service: for browsers a page, else what it is, `build`, and links. */
export function homeRoute(page: Route, build: object): Route {
  return {
    ...page,
    async handler(request) {
      const isPage = asksForHtml(request.header('accept'));
      const { headers, ...reply } = isPage
        ? await page.handler(request)
        : jsonReply({ name: 'budgetd', ...build, ...LINKS });
      return { ...reply, headers: { ...headers, Vary: 'Accept' } };
    },
  };
}

const LINKS = {
  apiVersion: INTERFACE_VERSION,
  api: '/api/v1',
  docs: '/docs',
  openapi: '/openapi.json',
  health: '/healthz',
  readiness: '/readyz',
};
