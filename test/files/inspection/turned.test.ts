import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Inspection } from '../../../src/files/inspection/inspect.ts';
import { inspectCsvWith } from '../../../src/files/inspection/remembered.ts';
import type { Mapping } from '../../../src/files/mapping/mapping.ts';
import { readMapping } from '../../../src/files/mapping/mapping-file.ts';
import type { Entry } from '../../../src/files/reading/rows.ts';
import { DIALECTS } from './dialects/all.ts';
import { bytesOf, type Dialect } from './dialects/dialect.ts';
import { documentOf, inspectBytes, readWith } from './dialects/reading.ts';
import { TURNS, type Turn, turn } from './turned.ts';

/** A sample, how it was read, and the same payments as a program with other habits writes them. */
interface Turned {
  readonly what: Turn;
  readonly dialect: Dialect;
  readonly inspection: Inspection;
  readonly own: readonly Entry[];
  readonly bytes: Buffer;
  readonly mapping: Mapping;
}

async function* listTurned(): AsyncGenerator<Turned> {
  for (const dialect of DIALECTS) {
    const options = (dialect.asks ?? []).flatMap(([, ...answers]) => answers);
    const inspection = await inspectBytes(bytesOf(dialect), options);
    const mapping = await readMapping(documentOf(inspection));
    const { entries: own } = await readWith(bytesOf(dialect), inspection);
    for (const what of TURNS) {
      const bytes = turn(dialect, mapping, own, what);
      if (bytes !== undefined) yield { what, dialect, inspection, own, bytes, mapping };
    }
  }
}

/** Whether a reading has a row that means another payment than the same line of the sample. */
async function isWrong({ own, bytes }: Turned, inspection: Inspection): Promise<boolean> {
  const { entries } = await readWith(bytes, inspection);
  const paidIn = ({ row }: Entry) => {
    const { date, amount }: { date?: unknown; amount?: unknown } = Object(row);
    return JSON.stringify([date, amount]);
  };
  const known = new Map(own.map((entry) => [entry.line, paidIn(entry)]));
  return entries.some(
    (entry) => entry.row !== undefined && paidIn(entry) !== known.get(entry.line),
  );
}

/** Whether nothing in the rows of the file says otherwise: then a mapping holds (contract 17). */
function isUnsaid({ what, inspection, own }: Turned): boolean {
  if (what === 'decimals') return false;
  if (what === 'days') return own.every(({ row }) => Number(dayOf(row)) <= 12);
  const evidence = inspection.sign?.evidence;
  if (evidence === undefined || !('because' in evidence)) return true;
  const isOneWord = /has "[^"]+" in .*, and all such amounts are/.test(evidence.because);
  return evidence.instead !== undefined || isOneWord || /column names/.test(evidence.because);
}

function dayOf(row: unknown): string {
  const { date = '' }: { date?: string } = Object(row);
  return date.slice(-2);
}

/** More files that are asked about or read right are better; more that hold unsaid are worse. */
const COUNTS = {
  signs: { heldRight: 10, heldUnsaid: 180, anewRight: 9, asked: 39 },
  days: { heldRight: 0, heldUnsaid: 6, anewRight: 78, asked: 81 },
  decimals: { heldRight: 5, heldUnsaid: 0, anewRight: 124, asked: 135 },
};

test('17 the same payments in another way are read right, asked about or say nothing', async () => {
  const none = { heldRight: 0, heldUnsaid: 0, anewRight: 0, asked: 0 };
  const counts = { signs: { ...none }, days: { ...none }, decimals: { ...none } };
  for await (const turned of listTurned()) {
    const source = {
      name: 'later.csv',
      async *open() {
        yield turned.bytes;
      },
    };
    const own = counts[turned.what];
    const held = await inspectCsvWith(source, turned.mapping);
    const found = held ?? (await inspectBytes(turned.bytes, []));
    if (found.mapping === undefined) own.asked += 1;
    else if (!(await isWrong(turned, found))) own[held ? 'heldRight' : 'anewRight'] += 1;
    else {
      assert.ok(held !== undefined && isUnsaid(turned), `${turned.what}: ${turned.dialect.name}`);
      own.heldUnsaid += 1;
    }
  }
  assert.deepEqual(counts, COUNTS);
});
