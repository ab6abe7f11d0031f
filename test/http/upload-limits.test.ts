/** Files that arrive at once, on sockets: those above a limit are refused, the others stay. */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { test } from 'node:test';
import { jsonReply, type Route } from '../../src/http/message.ts';
import { Shares } from '../../src/http/shares.ts';
import { until } from '../upkeep/until.ts';
import { assertEmptied, END, file, post, roomIn, startUploads } from './uploads.ts';
import { codeOf, startService } from './wire.ts';

/** Half a form of a sender, and the rest of it. */
function halves(sender: string): [begin: Buffer, end: Buffer] {
  const bytes = post(file(`${sender} `.repeat(9_000)) + END).toString('latin1');
  const whole = Buffer.from(bytes.replace('Host: a', `Host: a\r\nX-Sender: ${sender}`), 'latin1');
  return [whole.subarray(0, 40_000), whole.subarray(40_000)];
}

test('whoever sends too many files at once waits, and all others arrive', async (t) => {
  const arriving = new Shares<object>(4, 3, 2);
  const { service, folder } = await startUploads(t, undefined, {}, { arriving });
  const begin = async (sender: string) => {
    const before = readdirSync(folder).length;
    const wire = service.wire();
    const [first, rest] = halves(sender);
    wire.write(first);
    await until(() => readdirSync(folder).length === before + 1);
    return { wire, rest, sender };
  };
  const refused = async (sender: string) => {
    const wire = service.wire();
    for (const half of halves(sender)) wire.write(half);
    const reply = await wire.reply();
    assert.equal(reply.headers['retry-after'], '60');
    return [reply.status, codeOf(reply)];
  };
  const sent = [await begin('org_1 ann'), await begin('org_1 ann')];
  assert.deepEqual(await refused('org_1 ann'), [429, 'rate_limit_exceeded']);
  sent.push(await begin('org_1 bob'));
  assert.deepEqual(await refused('org_1 cat'), [503, 'unavailable']);
  sent.push(await begin('org_2 ann'));
  assert.deepEqual(await refused('org_3 dan'), [503, 'unavailable']);
  for (const { wire, rest, sender } of sent) {
    wire.write(rest);
    const { status, body } = await wire.reply();
    assert.equal(status, 200);
    assert.deepEqual(JSON.parse(body)[1].content, `${sender} `.repeat(3).slice(0, 20));
  }
  const { wire, rest } = await begin('org_1 ann');
  const cut = await begin('org_1 ann');
  cut.wire.socket.destroy();
  await until(() => readdirSync(folder).length === 1 && !arriving.findFull(['org_1', 'ann'], 1));
  const { wire: next } = await begin('org_1 ann');
  next.socket.destroy();
  wire.write(rest);
  assert.equal((await wire.reply()).status, 200);
  await assertEmptied(folder);
  assert.ok(arriving.isEmpty);
});

test('a file for which the disk has no space is refused, also while it arrives', async (t) => {
  let freeBytes = 200_000;
  const hasSpace = (bytes: number) => bytes <= freeBytes;
  const { service, folder, send } = await startUploads(t, () => 'used', {}, { hasSpace });
  assert.deepEqual(await send(post(file('x'.repeat(210_000)) + END)), [503, 'storage_full']);
  const bytes = post(file('x'.repeat(100_000)) + END);
  const wire = service.wire();
  wire.write(bytes.subarray(0, 50_000));
  await until(() => readdirSync(folder).length === 1);
  freeBytes = 0;
  wire.write(bytes.subarray(50_000, 90_000));
  const reply = await wire.reply();
  assert.deepEqual([reply.status, codeOf(reply)], [503, 'storage_full']);
  await assertEmptied(folder);
  freeBytes = 200_000;
  assert.deepEqual(await send(bytes), [200, 'used']);
});

test('a file that took too long is deleted at once, although its client still sends', async (t) => {
  const times = { uploadMs: 100, lingerMs: 600_000 };
  const { service, folder } = await startUploads(t, () => assert.fail(), times);
  const wire = service.wire();
  wire.write(post(file('x'.repeat(200_000)) + END).subarray(0, 50_000));
  assert.equal((await wire.reply()).status, 408);
  wire.write('x'.repeat(10_000));
  await assertEmptied(folder);
});

test('a form whose sender is gone before it is read is given up at once', async (t) => {
  let fault: unknown;
  const upload: Route = {
    method: 'POST',
    path: '/upload',
    handler: async (request) => {
      const socket = await service.accepted(wire);
      wire.socket.destroy();
      await once(socket, 'close');
      await request
        .readUpload(roomIn(tmpdir()), () => '')
        .catch((error: unknown) => {
          fault = error;
        });
      return jsonReply('');
    },
  };
  const service = await startService(t, [upload]);
  const wire = service.wire();
  wire.write(post(file('x'.repeat(200_000)) + END).subarray(0, 50_000));
  await until(() => fault !== undefined);
  assert.match(String(fault), /BodyAborted/);
});
