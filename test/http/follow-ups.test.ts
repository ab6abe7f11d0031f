import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { jsonReply } from '../../src/http/message.ts';
import { head, startService } from './wire.ts';

/** In which turns of the event loop 100 pipelined requests on 20 connections start. */
async function turnsOf(t: TestContext, workMs: number): Promise<number> {
  let turn = 0;
  let counting = setImmediate(function count() {
    turn += 1;
    counting = setImmediate(count);
  });
  t.after(() => clearImmediate(counting));
  const starts: number[] = [];
  const handler = () => {
    starts.push(turn);
    const end = performance.now() + workMs;
    while (performance.now() < end);
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
  return new Set(starts).size;
}

test('of pipelined requests that take long, one starts in each turn', async (t) => {
  assert.equal(await turnsOf(t, 6), 100);
});

test('pipelined requests that take no time do not wait for a turn each', async (t) => {
  const turns = await turnsOf(t, 0);
  assert.ok(turns < 90, `${turns} turns`);
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
