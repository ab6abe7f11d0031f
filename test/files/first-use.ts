/** A process that has just started: how long the turns are in which it loads what reads files. */

import { createRequire } from 'node:module';
import { Reader } from '../../src/console/session/reader.ts';
import type { loadTables } from '../../src/files/index.ts';
import { watchTurns } from '../console/turns.ts';

/** What the program runs. */
const bundle: { readonly loadTables: typeof loadTables } = createRequire(import.meta.url)(
  '../../bundle/files.js',
);
const source = {
  name: 'a.csv',
  async *open() {
    yield Buffer.from('Date,Text,Amount\n2026-01-05,x,1.00\n');
  },
};

/** The milliseconds of the processor that some work takes, and those of its longest turn. */
async function measure(work: () => Promise<unknown>) {
  const before = process.cpuUsage();
  const { longestMs } = await watchTurns(work);
  const { user, system } = process.cpuUsage(before);
  return { longestMs, allMs: (user + system) / 1000 };
}

const files = await measure(async () => (await bundle.loadTables()).readNames(source));
const locales = await measure(() => Reader.load());
const page = await measure(async () => {
  const place = { currency: { code: 'EUR', places: 2 }, timeZone: 'UTC' };
  const reader = Reader.of('de', place);
  return reader.money(100) + reader.dayText('2026-01-05');
});
process.stdout.write(JSON.stringify({ files, locales, page }));
