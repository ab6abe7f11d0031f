/**
 * A service in memory, as in somebody's test: created, an organisation and a key made, listened,
 * asked once, closed; again and again. Prints the milliseconds of each round.
 */

import { createService } from '../../src/index.ts';
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

const rounds = [];
for (let round = 0; round < ROUNDS; round += 1) rounds.push(await runRound());
process.stdout.write(JSON.stringify(rounds));
