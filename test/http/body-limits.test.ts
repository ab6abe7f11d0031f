/** The memory of bodies, on sockets: who gives way, what counts, and what an idle one keeps. */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { jsonReply, type Route } from '../../src/http/message.ts';
// Loaded before: its first use would take longer than these tests wait for an arrival.
import '../../src/http/upload.ts';
import { usedMemory } from '../collect.ts';
import { until } from '../upkeep/until.ts';
import { field, part, roomIn } from './uploads.ts';
import { arrival, codeOf, head, startService, type Wire } from './wire.ts';

const KiB = 1024;
const FORM = 'application/x-www-form-urlencoded';
const BOUNDED = { limits: { bodyBytes: 220 * KiB }, trustedProxies: ['127.0.0.1'] };

/** Routes that read a body: of whoever `X-Sender` names, and of a form with a file. */
function routesFor(t: TestContext): readonly Route[] {
  const folder = mkdtempSync(join(tmpdir(), 'budgetd-bodies-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return [
    {
      method: 'POST',
      path: '/body',
      handler: async (request) => {
        const [organisationId, keyId] = request.header('x-sender')?.split(' ') ?? [];
        if (organisationId && keyId) request.admit({ organisationId, keyId });
        await request.readForm();
        return jsonReply('read');
      },
    },
    {
      method: 'POST',
      path: '/upload',
      handler: (request) => request.readUpload(roomIn(folder), () => jsonReply('read')),
    },
  ];
}

/** A service at whose limit a few half-sent bodies are, and what their senders were answered. */
async function startBounded(t: TestContext): Promise<{
  send(from: string, kibibytes: number, what?: { type: string; begin: string }): Promise<Wire>;
  readonly answers: readonly string[];
}> {
  const service = await startService(t, routesFor(t), BOUNDED);
  const answers: string[] = [];
  return {
    answers,
    /** Sends a body but for its last byte. */
    async send(from, kibibytes, what = { type: FORM, begin: '' }) {
      const wire = service.wire();
      const { type, begin } = what;
      const length = kibibytes * KiB;
      const fields = ['Host: a', from, `Content-Type: ${type}`, `Content-Length: ${length + 1}`];
      const path = type === FORM ? '/body' : '/upload';
      wire.write(head(`POST ${path}`, fields.join('\r\n')) + begin.padEnd(length, 'x'));
      void wire.reply().then(
        (reply) => answers.push(`${from}: ${reply.status === 200 ? 'read' : codeOf(reply)}`),
        () => {},
      );
      await arrival();
      return wire;
    },
  };
}

test('the addresses of one IPv6 network share the memory, whichever half-sends less', async (t) => {
  const { send, answers } = await startBounded(t);
  const other = await send('X-Forwarded-For: 2001:db8:0:2::1', 60);
  for (let host = 1; host < 10 && answers.length === 0; host += 1) {
    await send(`X-Forwarded-For: 2001:db8:0:1::${host}`, 20);
  }
  assert.deepEqual(answers, ['X-Forwarded-For: 2001:db8:0:1::1: unavailable']);
  other.write('x');
  await arrival();
  assert.equal(answers[1], 'X-Forwarded-For: 2001:db8:0:2::1: read');
});

test('the keys of one organisation share the memory, whichever half-sends less', async (t) => {
  const { send, answers } = await startBounded(t);
  const other = await send('X-Sender: org_2 key_1', 60);
  for (let key = 1; key < 10 && answers.length === 0; key += 1) {
    await send(`X-Sender: org_1 key_${key}`, 20);
  }
  assert.deepEqual(answers, ['X-Sender: org_1 key_1: unavailable']);
  other.write('x');
  await arrival();
  assert.equal(answers[1], 'X-Sender: org_2 key_1: read');
});

test('the fields of a form with a file count, and its file does not', async (t) => {
  const { send, answers } = await startBounded(t);
  const type = 'multipart/form-data; boundary=B';
  const disposition = 'Content-Disposition: form-data; name="csv"; filename="a.csv"';
  const file = { type, begin: field('a', 'b') + part(disposition).slice(0, -2) };
  const text = { type, begin: field('a', '').slice(0, -2) };
  for (let at = 1; at <= 4; at += 1) await send(`X-Forwarded-For: 192.0.2.${at}`, 250, file);
  assert.deepEqual(answers, []);
  for (let at = 5; at <= 9; at += 1) await send(`X-Forwarded-For: 192.0.2.${at}`, 50, text);
  assert.deepEqual(answers, ['X-Forwarded-For: 192.0.2.5: unavailable']);
});

test('the names of fields count, in a form with a file', async (t) => {
  const { send, answers } = await startBounded(t);
  const type = 'multipart/form-data; boundary=B';
  const names = { type, begin: field('n'.repeat(3 * KiB), '').repeat(16) };
  for (let at = 1; at <= 4; at += 1) await send(`X-Forwarded-For: 192.0.2.${at}`, 51, names);
  assert.deepEqual(answers, []);
  await send('X-Forwarded-For: 192.0.2.5', 51, names);
  assert.deepEqual(answers, ['X-Forwarded-For: 192.0.2.1: unavailable']);
});

test('an idle connection keeps nothing of what it sent', async (t) => {
  const service = await startService(t, routesFor(t));
  const fields = `Host: a\r\nContent-Type: ${FORM}\r\nContent-Length: ${60 * KiB}`;
  const before = usedMemory().arrayBuffers;
  for (let at = 0; at < 100; at += 1) {
    const wire = service.wire();
    await once(wire.socket, 'connect');
    wire.write(head('POST /body', fields));
    // The client keeps its last piece, and the service gets many of them at once.
    for (let sent = 0; sent < 60; sent += 1) wire.write('x'.repeat(KiB));
    assert.equal((await wire.reply()).status, 200);
  }
  await arrival();
  await until(() => usedMemory().arrayBuffers - before < 100 * 16 * KiB);
});
