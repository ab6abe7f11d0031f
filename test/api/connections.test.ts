/** Which connections stay open when there are too many: those that have sent a valid key. */

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { buildRoutes } from '../../src/api/routes.ts';
import { formatKey } from '../../src/core/keys.ts';
import { openDatabase } from '../../src/database/database.ts';
import { RateLimiter } from '../../src/http/rate-limiter.ts';
import { Listener } from '../../src/http/server.ts';
import { storeNewKey, storeRevocation } from '../../src/store/keys.ts';
import { storeNewOrganisation } from '../../src/store/organisations.ts';
import { Requests } from './requests.ts';

const TARGET = '/api/v1/projects';
const db = openDatabase({ file: ':memory:', create: true, busyTimeoutMs: 0 });
const actor = { name: 'test', requestId: null, nowMs: 0 };
const draft = { name: 'Crowded', currency: 'GBP', plan: 'professional', timeZone: 'UTC' } as const;
const access = { db, organisation: storeNewOrganisation({ db }, draft, actor) };

function addKey(scope: 'projects:read' | 'reports:read') {
  return storeNewKey(access, { name: 'test', scopes: [scope], expiresAtMs: null }, actor);
}

const requests = new Requests(1);
const listener = new Listener({
  routes: buildRoutes({ db, limiter: new RateLimiter(1), onKeyUse: () => {} }),
  clock: () => new Date(0),
  log: () => {},
  limits: { connections: 4 },
});
after(async () => {
  requests.disconnect();
  await listener.close();
  db.close();
});

/** A new connection after one request with this key, which must be answered with `status`. */
async function connectWith(key: string, status: number) {
  const connection = requests.connect();
  connection.send(...requests.format({ target: TARGET, key }));
  assert.equal((await requests.read(connection, 'GET', TARGET)).status, status);
  return connection;
}

test('at the limit, connections that have sent a valid key stay open', async () => {
  requests.port = (await listener.listen({ port: 0 })).port;
  const good = addKey('projects:read');
  const revoked = addKey('projects:read');
  storeRevocation(access, revoked.id, actor);
  const known = [
    await connectWith(good.key, 200),
    await connectWith(good.key, 429),
    await connectWith(addKey('reports:read').key, 403),
  ];
  for (const key of [formatKey(new Uint8Array(20)), revoked.key, 'x']) {
    const stranger = await connectWith(key, 401);
    requests.connect();
    await Promise.race([stranger, ...known].map((connection) => connection.closed));
  }
  assert.deepEqual(
    known.map((connection) => connection.isOver),
    [false, false, false],
  );
});
