import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jsonReply } from '../../src/http/message.ts';
import { head, startService } from './wire.ts';

test('of all pipelined requests, one starts in each turn of the event loop', async (t) => {
  let turn = 0;
  let counting = setImmediate(function count() {
    turn += 1;
    counting = setImmediate(count);
  });
  t.after(() => clearImmediate(counting));
  const starts: number[] = [];
  const handler = () => {
    starts.push(turn);
    return jsonReply('');
  };
  const service = await startService(t, [
    { method: 'GET', path: '/first', handler: () => jsonReply('') },
    { method: 'GET', path: '/next', handler },
  ]);
  const wires = Array.from({ length: 20 }, () => service.wire());
  for (const wire of wires) wire.write(head('GET /first') + head('GET /next').repeat(5));
  for (const wire of wires) for (let read = 0; read < 6; read += 1) await wire.reply();
  assert.equal(starts.length, 100);
  assert.equal(new Set(starts).size, 100);
});

test('requests that arrive together on many connections do not hold the event loop', async (t) => {
  const work = () => {
    const end = performance.now() + 20;
    while (performance.now() < end);
    return jsonReply('');
  };
  const service = await startService(t, [{ method: 'GET', path: '/', handler: work }]);
  const wires = Array.from({ length: 20 }, () => service.wire());
  for (const wire of wires) wire.write(head('GET /nothing'));
  for (const wire of wires) await wire.reply();
  let turns = 0;
  let counting = setImmediate(function count() {
    turns += 1;
    counting = setImmediate(count);
  });
  t.after(() => clearImmediate(counting));
  for (const wire of wires) wire.write(head('GET /'));
  const before = turns;
  for (const wire of wires) await wire.reply();
  assert.ok(turns - before >= 20, `${turns - before} turns`);
});
