/** SIGTERM ends the service within ten seconds, whatever clients do, and loses nothing answered. */

import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createService } from '../../src/service.ts';
import { openOffice } from './office.ts';
import { startProgram } from './program.ts';
import { membersOf } from './terminal.ts';

test('8 SIGTERM with half-sent bodies, idle and deaf clients and one that pushes', async (t) => {
  const { terminal, organisationId } = await openOffice(t);
  const scopes = ['--scope', 'transactions:write', '--scope', 'transactions:read'];
  const made = await terminal.json(['keys', 'create', '--name', 'erp', ...scopes]);
  const key = String(membersOf(made)['key']);
  const serving = startProgram(t, ['serve', '--port', '0', '--json'], { cwd: terminal.folder });
  const url = await new Promise<string>((resolve) => {
    serving.process.stdout?.once('data', (chunk) => resolve(JSON.parse(String(chunk)).url));
  });
  const sockets: Socket[] = [];
  t.after(() => {
    for (const socket of sockets) socket.destroy();
  });
  const open = (...lines: string[]) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => {});
    sockets.push(socket);
    socket.write(lines.join('\r\n'));
    return socket;
  };
  const head = (request: string) =>
    `${request} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}`;
  const push = `${head('POST /api/v1/transactions')}\r\nContent-Type: application/json`;
  open();
  open('POST /api/v1/transactions HTT');
  open(push, 'Content-Length: 4000', '', '{"rows":[');
  open(push, 'Transfer-Encoding: chunked', '', '9', '{"rows":[', '');
  open(head('GET /readyz'), '', '');
  // Asks for a megabyte again and again, and reads nothing.
  open(`${head('GET /openapi.json')}\r\n\r\n`.repeat(30)).pause();
  // Keeps sending, byte by byte.
  const slow = open(push, 'Content-Length: 4000', '', '{');
  const drip = setInterval(() => slow.write(' '), 50);
  t.after(() => clearInterval(drip));
  const answered: string[] = [];
  const pushing = (async () => {
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
    for (let number = 0; number < 100; number += 1) {
      const row = { externalId: `T-${number}`, date: '2026-01-31', description: 'Tea', amount: 1 };
      const body = JSON.stringify({ rows: [row] });
      const init = { method: 'POST', headers, body };
      const response = await fetch(`${url}/api/v1/transactions`, init).catch(() => undefined);
      if (response?.status !== 200) return;
      answered.push(row.externalId);
    }
  })();
  while (answered.length < 20) await sleep(5);
  serving.process.kill('SIGTERM');
  const { exitCode, signal } = await serving.ended;
  await pushing;
  assert.deepEqual([exitCode, signal], [0, null]);
  assert.ok(answered.length < 100);
  const service = await createService({ database: terminal.database });
  t.after(() => service.close());
  const { data } = service.transactions.list(organisationId, { limit: 1000 });
  const stored = new Set(data.map(({ externalId }) => externalId));
  assert.deepEqual(
    answered.filter((externalId) => !stored.has(externalId)),
    [],
  );
});
