/** The options of `npm run bench`. */

import { parseArgs } from 'node:util';

/** The options of one run. */
export interface Options {
  /** About ten minutes: fewer turns, and 100,000 transactions by default. */
  readonly quick: boolean;
  /** Transactions in the large file. */
  readonly size: number;
  /** Names of the sections to run; empty for all. */
  readonly only: readonly string[];
  readonly json: boolean;
  /** Where to keep the data; by default a temporary folder, which is removed at the end. */
  readonly folder: string | undefined;
}

export const HELP = `npm run bench -- [options]

  --quick        take about ten minutes: 100,000 transactions, fewer turns
  --size N       transactions in the large file (default 1,000,000)
  --only NAME    run only this section; can be repeated
  --folder PATH  keep the seeded files there and reuse them
  --json         print one JSON document on standard output

Sections: `;

const FULL_SIZE = 1_000_000;
const QUICK_SIZE = 100_000;

/** Reads the command line; undefined for `--help`. Throws on unknown options. */
export function readOptions(argv: readonly string[]): Options | undefined {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      quick: { type: 'boolean', default: false },
      size: { type: 'string' },
      only: { type: 'string', multiple: true, default: [] },
      folder: { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return undefined;
  const { quick, only, json, folder } = values;
  const size = Number(values.size ?? (quick ? QUICK_SIZE : FULL_SIZE));
  if (!Number.isSafeInteger(size) || size <= 10_000) {
    throw new Error('--size must be a whole number above 10000.');
  }
  return { quick, size, only, json, folder };
}
