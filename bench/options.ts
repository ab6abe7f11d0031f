/** What `npm run bench` can be asked for. */

import { parseArgs } from 'node:util';

/** One run's options. */
export interface Options {
  /** About two minutes: fewer turns, and 100,000 transactions unless told. */
  readonly quick: boolean;
  /** Transactions in the large file. */
  readonly size: number;
  /** Names of the sections to run; empty for all. */
  readonly only: readonly string[];
  readonly json: boolean;
  /** Where the data lie and stay; a temporary folder, removed at the end, unless given. */
  readonly folder: string | undefined;
}

export const HELP = `npm run bench -- [options]

  --quick        about two minutes: 100,000 transactions, fewer turns
  --size N       transactions in the large file (1,000,000; 10,000,000 works too)
  --only NAME    one section; may be given several times
  --folder PATH  keep the seeded files there and use them again
  --json         one JSON document on standard output

Sections: `;

const FULL_SIZE = 1_000_000;
const QUICK_SIZE = 100_000;

/** Reads the command line; undefined when help is wanted. Throws on what it does not know. */
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
  if (!Number.isSafeInteger(size) || size < 10_000) {
    throw new Error('--size is a whole number from 10000.');
  }
  return { quick, size, only, json, folder };
}
