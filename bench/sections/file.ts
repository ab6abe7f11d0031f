/** The size of a file that the service has filled. */

import { dirname, join } from 'node:path';
import { runScript } from '../children.ts';
import type { Findings } from '../findings.ts';
import type { Lab } from '../lab.ts';
import { removeDatabase } from '../seed.ts';

/** Bytes per transaction of 1,000,000, filled in the same way at commit 45576fc (schema 2). */
const SCHEMA_2_BYTES = 563;

/** Measures a new file with as many pushed transactions as the large one. */
export async function measureFile(lab: Lab): Promise<Findings> {
  const { file: seeded, size } = await lab.large();
  const file = join(dirname(seeded), 'filled.db');
  removeDatabase(file);
  lab.progress(`pushing ${size} rows into a new file`);
  try {
    const { bytes } = await runScript<{ bytes: number }>('filling', file, String(size));
    const each = bytes / size;
    const pushed = size.toLocaleString('en-GB');
    return {
      findings: [
        {
          line: `file, ${pushed} pushed transactions: size, ratio to schema 2`,
          value: each / SCHEMA_2_BYTES,
          unit: '',
          target: 0.6,
          note: `${Math.round(bytes / 1e6)} MB, ${Math.round(each)} bytes per transaction`,
        },
      ],
      details: [],
    };
  } finally {
    removeDatabase(file);
  }
}
