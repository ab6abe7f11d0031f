/**
 * Pushes rows into a new file with the library: `filling.js FILE SIZE`. Prints the bytes of the
 * file after the service has closed it.
 */

import { statSync } from 'node:fs';
import { PUSH_ROWS } from '../../src/core/limits.ts';
import { createService } from '../../src/index.ts';
import { rowOf, seededDateOf } from '../rows.ts';

const [, , file = '', sizeText = ''] = process.argv;
const size = Number(sizeText);
const service = await createService({ database: file, create: true });
const { id } = service.organisations.create({ name: 'Filled', baseCurrency: 'GBP' });
for (let first = 1; first <= size; first += PUSH_ROWS) {
  const count = Math.min(PUSH_ROWS, size + 1 - first);
  const rows = Array.from({ length: count }, (_, at) =>
    rowOf(first + at, seededDateOf(first + at, size)),
  );
  const { meta } = service.transactions.push(id, rows);
  if (meta.created !== count) throw new Error(`${meta.created} of ${count} rows were created`);
}
await service.close();
process.stdout.write(JSON.stringify({ bytes: statSync(file).size }));
