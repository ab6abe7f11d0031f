/**
 * A service in a separate process, for tests that limit what the process can write. Its argument is
 * a folder. It prints its address and key. The command `spare` frees reserved space, and `check`
 * checks the database.
 */

import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createService } from '../../src/service.ts';

const [, , folder = '.', spareBytes = '0'] = process.argv;
const spare = join(folder, 'spare');
writeFileSync(spare, Buffer.alloc(Number(spareBytes), 1));

const service = await createService({
  database: join(folder, 'full.db'),
  create: true,
  rateLimit: false,
});
const { id } = service.organisations.create({ name: 'Full', baseCurrency: 'GBP' });
const scopes = ['transactions:read', 'transactions:write', 'projects:read'] as const;
const { key } = service.keys.create(id, { name: 'full', scopes });
const { port } = await service.listen({ port: 0 });
say({ port, key });

for await (const command of createInterface(process.stdin)) {
  if (command === 'spare') {
    rmSync(spare);
    say('spared');
  } else if (command === 'check') {
    say(service.check().every(({ ok }) => ok));
  }
}
await service.close();

function say(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}
