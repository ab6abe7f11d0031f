/**
 * `node dist/test/walks.js`: how many places a reader visits who follows one value through the code
 * (docs/architecture.md, Walks). Functions count when they are first called. A stay is a run of
 * them in one file; a return is a stay in a file that was left before.
 */

import { register } from 'node:module';
import { test } from 'node:test';
import { formatId } from '../src/core/ids.ts';

register('./walks-loader.js', import.meta.url);

const PANEL = `/transactions?tab=open&open=${formatId('txn', 2)}`;
const ROW = { externalId: 'INV-9', date: '2026-01-09', description: 'Hall hire', amount: 5 };
const HEAD = 'Date,Description,Amount,Balance';

test('walks', async (scope) => {
  const { fieldsOf, openDesk, push } = await import('./console/desk.ts');
  const { inspectCsv } = await import('../src/files/inspection/inspect.ts');
  const desk = await openDesk(scope);
  const { text } = await desk.browser.get(PANEL);
  const form = { ...fieldsOf(text, '/transactions/allocate'), line: 'A Rent', amount: '' };

  await follow('a push of one row', () => push(desk, [ROW]));
  await follow('a page of transactions, one of them open', () => desk.browser.get(PANEL));
  await follow('"allocate" in the console', () =>
    desk.browser.send('/transactions/allocate', form),
  );
  const bytes = Buffer.from([HEAD, ...Array.from({ length: 60 }, lineOf)].join('\n'));
  const source = {
    name: 'bank.csv',
    async *open() {
      yield bytes;
    },
  };
  await follow('an inspected file', () =>
    inspectCsv(source, { answers: [], lastDay: '2026-12-31' }),
  );
});

/** A line of a bank's file whose balance proves its amounts, and its days the order in a date. */
function lineOf(_: unknown, at: number): string {
  const day = `${String((at % 28) + 1).padStart(2, '0')}/0${1 + Math.floor(at / 28)}/2026`;
  return `${day},Rent ${at},-10.50,${1000 - 10.5 * at}`;
}

/** Says how long the walk is through the functions that this work calls for the first time. */
async function follow(name: string, work: () => unknown): Promise<void> {
  const called = new Set<string>();
  const files: string[] = [];
  Object.assign(globalThis, {
    walk(file: string, place: number) {
      const key = `${file} ${place}`;
      if (!called.has(key) && files.at(-1) !== file) files.push(file);
      called.add(key);
    },
  });
  await work();
  Object.assign(globalThis, { walk: undefined });
  const visited = new Set(files).size;
  const returns = files.length - visited;
  process.stdout.write(`${name}: ${files.length} stays, ${returns} returns, in ${visited} files\n`);
}
