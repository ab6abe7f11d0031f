/** The peak memory of the server while a million rows are pushed and two million are read. */

import { PAGE_ITEMS, PUSH_ROWS } from '../../src/core/limits.ts';
import { batchOf } from '../batches.ts';
import { startServer } from '../children.ts';
import { Connection, getBytes, postBytes, require200 } from '../connection.ts';
import type { Findings } from '../findings.ts';
import type { Lab } from '../lab.ts';

const MEGABYTE = 1024 * 1024;

/** Measures one server: idle, after pushing, and after reading everything. */
export async function measureMemory(lab: Lab): Promise<Findings> {
  const seed = await lab.copy('remembered');
  const server = await startServer(seed.file);
  const connection = new Connection(server.url);
  const keys = lab.keysOf(seed);
  const get = async (path: string) =>
    require200(await connection.send(getBytes(path, keys.next())), path);
  try {
    for (let count = 0; count < 10; count += 1) await get('/api/v1/projects?limit=1');
    const idle = await server.usage();
    const rows = lab.choose(100_000, 1_000_000);
    for (let index = 0; index < rows / PUSH_ROWS; index += 1) {
      if (index % 400 === 0) lab.progress(`${index * PUSH_ROWS} of ${rows} rows pushed`);
      const batch = batchOf({ kind: 'new', dates: 'scattered', size: seed.size, index });
      const body = JSON.stringify({ rows: batch });
      const request = postBytes('/api/v1/transactions', keys.next(), body);
      require200(await connection.send(request), 'a push');
    }
    const pushed = await server.usage();
    lab.progress('reading all transactions');
    let count = 0;
    let cursor: string | null = null;
    do {
      const after: string = cursor === null ? '' : `&cursor=${cursor}`;
      const { body } = await get(`/api/v1/transactions?limit=${PAGE_ITEMS}${after}`);
      const page = JSON.parse(body.toString('utf8')) as {
        data: unknown[];
        meta: { nextCursor: string | null };
      };
      count += page.data.length;
      cursor = page.meta.nextCursor;
    } while (cursor !== null);
    if (count !== seed.size + rows) throw new Error(`${count} transactions were read`);
    const after = await server.usage();
    const grownBy = (peakBytes: number) => (peakBytes - idle.residentBytes) / MEGABYTE;
    const note = `idle ${Math.round(idle.residentBytes / MEGABYTE)} MB`;
    return {
      findings: [
        {
          line: `memory above idle, after pushing ${rows.toLocaleString('en-GB')} rows`,
          value: grownBy(pushed.peakBytes),
          unit: 'MB',
          target: 64,
          note,
        },
        {
          line: `memory above idle, after reading ${count.toLocaleString('en-GB')} transactions`,
          value: grownBy(after.peakBytes),
          unit: 'MB',
          target: 64,
          note,
        },
      ],
      details: [],
    };
  } finally {
    connection.close();
    await server.stop();
    lab.remove(seed);
  }
}
