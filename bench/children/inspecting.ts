/**
 * Reads a CSV file once: `inspecting.js HOW FILE`, where HOW is `papaparse`, `inspect` or `check`.
 * Prints the time and the CPU time, in seconds, and how many rows were read.
 */

import { createReadStream } from 'node:fs';
import Papa from 'papaparse';
import { checkFile } from '../../src/files/inspection/check.ts';
import { inspectCsv } from '../../src/files/inspection/inspect.ts';
import type { Mapping } from '../../src/files/mapping/mapping.ts';

const [, , how = '', file = ''] = process.argv;
const source = { name: file, open: () => createReadStream(file) };

/** How many rows papaparse splits; the header is one. */
function split(): Promise<number> {
  return new Promise((resolve, reject) => {
    let rows = -1;
    Papa.parse(source.open(), {
      chunk: ({ data }) => {
        rows += data.filter((fields) => Array.isArray(fields) && fields.length > 1).length;
      },
      complete: () => resolve(rows),
      error: reject,
    });
  });
}

const inspect = () => inspectCsv(source, { answers: [], lastDay: '2020-12-31' });

/** What a dry run reads: the mapping is known. */
const MAPPING: Mapping = {
  delimiter: ',',
  decimal: '.',
  fields: {
    externalId: 'Transaction ID',
    date: { column: 'Date', format: 'DD/MM/YYYY' },
    description: 'Description',
    contact: 'Counterparty',
    amount: { column: 'Amount', negate: true },
  },
};

const ways: Readonly<Record<string, () => Promise<number | undefined>>> = {
  papaparse: split,
  inspect: async () => (await inspect()).check?.rows,
  check: async () => (await checkFile(source, MAPPING)).rows,
};

const [beganMs, before] = [performance.now(), process.cpuUsage()];
const rows = await ways[how]?.();
const { user, system } = process.cpuUsage(before);
const seconds = (performance.now() - beganMs) / 1000;
process.stdout.write(JSON.stringify({ seconds, cpuSeconds: (user + system) / 1e6, rows }));
