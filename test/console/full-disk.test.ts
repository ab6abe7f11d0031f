/** The console while the disk is nearly full (contract 3): reading works, signing in too. */

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { freeBytesAt } from '../../src/database/copies.ts';
import { createUser } from '../../src/operations/users.ts';
import { createService } from '../../src/service.ts';
import { folderFor } from '../store/workshop.ts';
import { ADA, BOB, CODE_PAGE, half, openHouse, setUp } from './factors.ts';
import { Browser, PASSWORD } from './office.ts';

test('3 on a full disk users sign in, with a code too, stay signed in, and sign out', async (t) => {
  const database = join(folderFor(t), 'budgetd.db');
  const { office, access, ada } = await openHouse(t, { database, create: true });
  const { authenticator, codes } = await setUp(office, ada);
  const cleo = { email: 'cleo@example.org', password: PASSWORD, role: 'member' } as const;
  await createUser(access, { ...cleo, mustChange: true }, office.service.actor());
  await office.service.close();
  const service = await createService({
    database,
    exclusive: true,
    minFreeDisk: (freeBytesAt(database) ?? 0) * 2,
    clock: () => new Date(office.clock.nowMs),
  });
  t.after(() => service.close());
  const { url } = await service.listen({ port: 0 });
  const full = { ...office, service, url };
  assert.equal(service.health()?.problem?.code, 'disk_full');

  const bob = await Browser.of(full, BOB);
  for (const fields of [{ code: authenticator.next() }, { recovery: codes[0] ?? '' }]) {
    const browser = await half(full);
    assert.equal((await browser.send(CODE_PAGE, fields)).status, 303);
    assert.equal((await browser.get('/')).status, 200);
  }
  const first = await Browser.of(full, cleo.email);
  const chosen = await first.send('/set-up', { password: 'five quiet grey stones' });
  assert.match(chosen.location ?? '', /^\/\?done=/);
  const password = { present: PASSWORD, password: 'three short words', again: 'three short words' };
  assert.equal((await bob.send('/account/password', password)).status, 503);
  for (let visit = 0; visit < 3; visit += 1) {
    office.clock.nowMs += 29 * 60_000;
    assert.equal((await bob.get('/')).status, 200, 'each visit is noted');
  }
  assert.equal((await bob.send('/sign-out', {})).status, 303);
  assert.equal((await bob.get('/')).status, 303);
  const actions = service.audit.list(office.org).map(({ action }) => action);
  assert.deepEqual(actions.slice(-6), [
    'session.started',
    'session.started',
    'session.started',
    'user.password_changed',
    'session.started',
    'session.signed_out',
  ]);
  assert.equal((await Browser.of(full, BOB).then((each) => each.get('/'))).status, 200);
  assert.equal((await half(full, ADA)).cookies.size > 0, true);
});
