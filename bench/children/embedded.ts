/**
 * Runs a service in memory as a test would, several times: creates it with an organisation and a
 * key, listens, sends one request and closes. `embedded.js bare` does the same with only node:http.
 * Prints the milliseconds of each round.
 */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createService } from 'budgetd';
import { Connection, getBytes, require200 } from '../connection.ts';

const ROUNDS = 12;

async function runRound(): Promise<{ createMs: number; answerMs: number }> {
  const startMs = performance.now();
  const service = await createService({ database: ':memory:' });
  const createMs = performance.now() - startMs;
  const { id } = service.organisations.create({ name: 'Test', baseCurrency: 'GBP' });
  const { key } = service.keys.create(id, { name: 'test', scopes: ['projects:read'] });
  const { url } = await service.listen({ port: 0 });
  const connection = new Connection(url);
  require200(await connection.send(getBytes('/api/v1/projects', key)), 'the first answer');
  const answerMs = performance.now() - startMs;
  connection.close();
  await service.close();
  return { createMs, answerMs };
}

async function runBare(): Promise<{ createMs: number; answerMs: number }> {
  const startMs = performance.now();
  const server = createServer((_req, res) => res.end('{}'));
  const createMs = performance.now() - startMs;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const connection = new Connection(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  require200(await connection.send(getBytes('/', 'none')), 'the first answer');
  const answerMs = performance.now() - startMs;
  connection.close();
  server.close();
  return { createMs, answerMs };
}

const run = process.argv[2] === 'bare' ? runBare : runRound;
const rounds = [];
for (let round = 0; round < ROUNDS; round += 1) rounds.push(await run());
process.stdout.write(JSON.stringify(rounds));
