/** Only node:http: sends the text that the bench sets. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerQuestions } from './answering.ts';

let body = '{"status":"ok"}';
let length = Buffer.byteLength(body);

const server = createServer((_req, res) => {
  res.writeHead(200, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': length,
  });
  res.end(body);
});
server.keepAliveTimeout = 65_000;
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}` })}\n`);
});
process.once('SIGTERM', () => {
  server.close();
  server.closeAllConnections();
});

answerQuestions({
  body: (text: string) => {
    body = text;
    length = Buffer.byteLength(text);
  },
});
