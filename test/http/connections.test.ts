import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Socket } from 'node:net';
import { test } from 'node:test';
import { head, startService } from './wire.ts';

test('an address opens a number of connections in a second; more cost little', async (t) => {
  let [address, tickMs]: [string | undefined, number] = ['203.0.113.7', 0];
  // What `remoteAddress` of a socket is taken from.
  const own: unknown = Reflect.get(Socket.prototype, '_getpeername');
  Object.assign(Socket.prototype, { _getpeername: () => ({ address }) });
  t.after(() => Object.assign(Socket.prototype, { _getpeername: own }));
  let prepared = 0;
  const note = (message: unknown): void => {
    if (Object(message).socket.parser !== undefined) prepared += 1;
  };
  subscribe('net.server.socket', note);
  t.after(() => unsubscribe('net.server.socket', note));
  const handler = () => ({ status: 204, headers: {}, body: '' });
  const service = await startService(t, [{ method: 'GET', path: '/', handler }], {
    limits: { newPerAddress: 3 },
    monotonicMs: () => tickMs,
  });
  /** How many of ten new connections are answered. */
  const countAnswers = async () => {
    const asking = Array.from({ length: 10 }, () => service.ask(head('GET /')));
    const asked = await Promise.allSettled(asking);
    return asked.filter(({ status }) => status === 'fulfilled').length;
  };
  assert.deepEqual([await countAnswers(), prepared], [3, 3]);
  tickMs = 999;
  assert.deepEqual([await countAnswers(), prepared], [0, 3]);
  address = '203.0.113.8';
  assert.deepEqual([await countAnswers(), prepared], [3, 6]);
  tickMs = 1000;
  address = '203.0.113.7';
  assert.deepEqual([await countAnswers(), prepared], [3, 9]);
  address = '127.0.0.2';
  assert.deepEqual([await countAnswers(), prepared], [10, 19]);
  // The client has closed it already.
  address = undefined;
  assert.deepEqual([await countAnswers(), prepared], [0, 19]);
});
