/** A folder and a service, to run `budgetd push` in the folder against the service. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import type { TestContext } from 'node:test';
import type { Io } from '../../src/cli/command.ts';
import { main } from '../../src/cli/main.ts';
import { noCounts } from '../../src/client/push.ts';
import { clientOf, FastClock, openWorld, rowsOf, type World } from './world.ts';

/** How a push ended. */
export interface Ended {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A stream that keeps what is written to it. */
export class Sink extends Writable {
  text = '';
  isTTY = false;
  columns = 80;
  override _write(chunk: Buffer, _: string, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}

/** Creates a folder and a service, and removes them when the test ends. */
export async function openDesk(test: TestContext, isTTY = false) {
  const world = await openWorld(test);
  const cwd = mkdtempSync(join(tmpdir(), 'budgetd-push-'));
  test.after(() => rmSync(cwd, { recursive: true }));
  const interrupts: (() => void)[] = [];
  const run = async (args: string[], io: Partial<Io> = {}): Promise<Ended> => {
    const [stdout, stderr] = [new Sink(), new Sink()];
    stderr.isTTY = isTTY;
    const exitCode = await main(['push', ...args], {
      stdin: Readable.from([]),
      stdout,
      stderr,
      env: { BUDGETD_KEY: world.key },
      cwd,
      monotonicMs: () => performance.now(),
      onInterrupt: (listener) => {
        interrupts.push(listener);
        return () => {};
      },
      ...io,
    });
    return { exitCode, stdout: stdout.text, stderr: stderr.text };
  };
  const write = (name: string, text: string) => writeFileSync(join(cwd, name), text);
  const read = (name: string) => readFileSync(join(cwd, name), 'utf8');
  return { world, cwd, run, write, read, interrupts };
}

/** What `--json` printed. */
export function metaOf({ stdout }: Ended) {
  return JSON.parse(stdout) as Record<string, unknown>;
}

/** The counts of a push without reviews, warnings and unchanged rows. */
export function counts(received: number, created: number, updated: number, rejected: number) {
  return { ...noCounts(false), received, created, updated, rejected };
}

/** The number of transactions in the service. */
export async function stored(world: World): Promise<number> {
  return (await clientOf(world, new FastClock()).transactions.list({ limit: 1000 })).data.length;
}

/** A CSV header with the names of the fields. */
export const HEADER = 'externalId,date,description,amount\n';

/** A CSV file with `count` rows. The first row is line 2. */
export function csvOf(count: number, prefix = 'INV'): string {
  const lines = rowsOf(count, prefix).map((row) => {
    return `${row.externalId},${row.date},${row.description},${row.amount}\n`;
  });
  return HEADER + lines.join('');
}
