/** Files that someone imports in the console: memory above idle, and how long a turn is. */

import { BANK_FILES } from '../bank-files.ts';
import { type ServerChild, startServer } from '../children.ts';
import type { Finding, Findings } from '../findings.ts';
import type { Lab } from '../lab.ts';
import { copySeed, removeDatabase } from '../seed.ts';
import { addUser, signIn } from './console.ts';

const MEGABYTE = 1024 * 1024;
const EVERY_MS = 1_000;

/** Measures each format in a process of its own, because what has been used once may stay. */
export async function measureImporting(lab: Lab): Promise<Findings> {
  const findings: Finding[] = [];
  for (const [format, { payments, make }] of Object.entries(BANK_FILES)) {
    lab.progress(`importing ${payments} payments from ${format}`);
    const seed = copySeed(await lab.small(), 'importing');
    await addUser(seed);
    const server = await startServer(seed.file);
    try {
      findings.push(...(await measureFile(server, { format, payments, bytes: make() })));
    } finally {
      await server.stop();
      removeDatabase(seed.file);
    }
  }
  return { findings, details: [] };
}

interface BankFile {
  readonly format: string;
  readonly payments: number;
  readonly bytes: Buffer;
}

async function measureFile(
  server: ServerChild,
  { format, payments, bytes }: BankFile,
): Promise<Finding[]> {
  const cookie = await signIn(server.url);
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(server.url + path, {
      redirect: 'manual',
      ...init,
      headers: { cookie, origin: server.url },
    });
  await (await ask('/')).text();
  const { residentBytes } = await server.usage();
  await server.ask('watch');
  const beganMs = performance.now();
  const body = new FormData();
  body.append('file', new Blob([bytes]), 'file');
  const page = (await ask('/import', { method: 'POST', body })).headers.get('location') ?? '';
  const shown = await settled(ask, page);
  const seen = /name="seen" value="([^"]+)"/.exec(shown)?.[1];
  if (seen === undefined) throw new Error(`${format}: a question is open`);
  const looked = await server.usage();
  await ask(page, { method: 'POST', body: new URLSearchParams({ seen }) });
  const result = await settled(ask, page);
  const count = payments.toLocaleString('en-GB');
  if (!result.includes(`${count} transactions imported`))
    throw new Error(`${format}: not imported`);
  const heldMs = await server.ask<number>('heldCpuMs');
  // With what the disk and other programs took.
  const clockMs = await server.ask<number>('heldMs');
  const { peakBytes } = await server.usage();
  const seconds = Math.round((performance.now() - beganMs) / 1000);
  const megabytes = (bytes.length / 1e6).toFixed(1);
  const above = (peak: number) => (peak - residentBytes) / MEGABYTE;
  const toLook = `${above(looked.peakBytes).toFixed(0)} MB to look at it`;
  return [
    {
      line: `memory above idle, importing ${megabytes} MB of ${format}`,
      value: above(peakBytes),
      unit: 'MB',
      target: 150,
      note: `${count} payments in ${seconds} s; ${toLook}`,
    },
    {
      line: 'event loop blocked by that, of the processor',
      value: heldMs,
      unit: 'ms',
      target: 15,
      note: `by the clock ${clockMs.toFixed(1)} ms`,
    },
  ];
}

/** The page about a file once the work on it is done. */
async function settled(ask: (path: string) => Promise<Response>, path: string): Promise<string> {
  for (;;) {
    const answer = await ask(path);
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`);
    if (answer.headers.get('refresh') === null) return text;
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
  }
}
