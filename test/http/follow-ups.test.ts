import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { jsonReply, type Request } from '../../src/http/message.ts';
import { head, startService } from './wire.ts';

/** Counts the turns of the event loop until the end of the test. */
function countTurns(t: TestContext): () => number {
  let turns = 0;
  let counting = setImmediate(function count() {
    turns += 1;
    counting = setImmediate(count);
  });
  t.after(() => clearImmediate(counting));
  return () => turns;
}

/** In which turns of the event loop 100 pipelined requests on 20 connections start. */
async function turnsOf(t: TestContext, workMs: number): Promise<number> {
  const turns = countTurns(t);
  const starts: number[] = [];
  const handler = () => {
    starts.push(turns());
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
  t.mock.method(performance, 'now', () => 0);
  const turns = await turnsOf(t, 0);
  assert.ok(turns <= 40, `${turns} turns`);
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
  const turns = countTurns(t);
  for (const wire of wires) wire.write(head('GET /'));
  for (const wire of wires) await wire.reply();
  assert.ok(turns() >= 20, `${turns()} turns`);
});

test('a large body is read in many turns of the event loop', async (t) => {
  // Every turn has taken long enough as soon as it is asked.
  let nowMs = 0;
  t.mock.method(performance, 'now', () => {
    nowMs += 6;
    return nowMs;
  });
  const handler = async (request: Request) => {
    await request.readJson();
    return jsonReply('');
  };
  const service = await startService(t, [{ method: 'POST', path: '/', handler }]);
  const wire = service.wire();
  wire.write(head('GET /nothing'));
  await wire.reply();
  const turns = countTurns(t);
  const body = `"${' '.repeat(2 * 1024 * 1024)}"`;
  const fields = `Host: test\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`;
  wire.write(head('POST /', fields) + body);
  assert.equal((await wire.reply()).status, 200);
  assert.ok(turns() >= 32, `${turns()} turns`);
});
