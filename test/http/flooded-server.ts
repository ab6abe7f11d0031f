/** A listener in a separate process, for a test that could crash it. */

import { Listener } from '../../src/http/server.ts';

const body = Buffer.alloc(1024 * 1024);
const listener = new Listener({
  routes: [{ method: 'GET', path: '/', handler: () => ({ status: 200, headers: {}, body }) }],
  clock: () => new Date(),
  log: () => {},
  // A busy machine may take its time to read a request.
  times: { headersMs: 600_000, requestMs: 600_000 },
  limits: { heldBytes: 16 * 1024 * 1024 },
});
const { port } = await listener.listen({ port: 0 });
process.send?.(port);
