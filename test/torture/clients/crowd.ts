/**
 * Clients that harm others, in a process of their own: `crowd.js URL KEY KIND`.
 * `slow` clients send a byte now and then, read nothing, or say nothing; `greedy` ones ask for as
 * much as they get.
 */

import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const [url = '', key = '', kind] = process.argv.slice(2);
const port = Number(new URL(url).port);
const PUSH = '/api/v1/transactions';
const AUTH = `Host: a\r\nAuthorization: Bearer ${key}\r\n`;
const open = new Set<Socket>();

function dial(): Socket {
  const socket = connect(port, '127.0.0.1');
  open.add(socket);
  socket.on('error', () => {});
  socket.on('close', () => open.delete(socket));
  return socket;
}

/** Says nothing at all. */
function stay(): void {
  dial().resume();
}

/** Sends its head or its body byte by byte. */
async function drip(text: string): Promise<void> {
  const socket = dial();
  socket.resume();
  for (const byte of text) {
    if (socket.destroyed) return;
    socket.write(byte);
    await sleep(50);
  }
}

/** Asks for much, again and again, and reads nothing. */
function ignore(): void {
  const socket = dial();
  socket.pause();
  socket.write(`GET ${PUSH}?limit=1000 HTTP/1.1\r\n${AUTH}\r\n`.repeat(20));
}

/** Asks for little many times at once, then for much as fast as it is answered. */
function devour(): void {
  const socket = dial();
  const request = `GET ${PUSH}?limit=1000 HTTP/1.1\r\n${AUTH}\r\n`;
  socket.write(request.replace('1000', '1').repeat(31));
  socket.on('data', () => {
    if (socket.writableLength === 0) socket.write(request);
  });
}

const KINDS: Readonly<Record<string, readonly [count: number, act: () => unknown][]>> = {
  slow: [
    [60, stay],
    [20, () => drip(`GET ${PUSH} HTTP/1.1\r\n${AUTH}X: ${'y'.repeat(2_000)}`)],
    [20, () => drip(`POST ${PUSH} HTTP/1.1\r\n${AUTH}Content-Length: 9999\r\n\r\n{"rows":`)],
    [5, ignore],
  ],
  greedy: [[4, devour]],
};
for (const [count, act] of KINDS[kind ?? ''] ?? []) {
  for (let number = 0; number < count; number += 1) void act();
}
// Those that were disconnected come again.
setInterval(() => {
  if (kind === 'slow' && open.size < 105) stay();
  if (kind === 'greedy' && open.size < 4) devour();
}, 50);
process.send?.('ready');
