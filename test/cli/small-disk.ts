/**
 * A service on a small file system, in a process inside the namespace that has it mounted: `serve`
 * starts on the full disk. Prints what was seen as JSON.
 */

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('../../../bin/budgetd', import.meta.url));
const [minFreeDisk = '', key = ''] = process.argv.slice(2);
const FILLER = 'filler';

/** Leaves no byte. */
function fill(): void {
  writeFileSync(FILLER, '');
  try {
    for (;;) appendFileSync(FILLER, Buffer.alloc(4096));
  } catch {
    // The disk is full.
  }
}

function budgetd(...args: string[]): number | null {
  return spawnSync(process.execPath, [PROGRAM, ...args]).status;
}

fill();
const bytesAtStart = statfsSync('.').bavail;
const args = [PROGRAM, 'serve', '--port', '0', '--json', '--min-free-disk', minFreeDisk];
const service = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
let log = '';
service.stderr.on('data', (chunk: Buffer) => {
  log += chunk.toString();
});
const [line] = await Promise.race([once(service.stdout, 'data'), once(service, 'exit')]);
const { url } = JSON.parse(String(line));

async function ask(path: string, init: RequestInit = {}): Promise<string> {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  const response = await fetch(url + path, { headers, ...init });
  const { code = 'ok' } = JSON.parse(await response.text());
  return `${response.status} ${code}`;
}

let pushed = 0;
function push(): Promise<string> {
  pushed += 1;
  const row = { externalId: `P-${pushed}`, date: '2026-01-31', description: 'Tea', amount: 1 };
  const body = JSON.stringify({ rows: [row] });
  return ask('/api/v1/transactions', { method: 'POST', body });
}

/** Pushes until the disk is too full, as far as it goes. */
async function pushUntilRefused(): Promise<string> {
  for (;;) {
    const answer = await push();
    if (answer !== '200 ok') return answer;
  }
}

const full = [await push(), await ask('/api/v1/transactions'), await ask('/readyz')];
rmSync(FILLER);
const freed = await push();
for (let waits = 0; !log.includes('shared_again') && waits < 6000; waits += 1) await sleep(50);
const command = budgetd('keys', 'list');
fill();
const again = [await pushUntilRefused(), await ask('/api/v1/transactions')];
rmSync(FILLER);
const last = await push();
service.kill('SIGTERM');
const [exitCode] = await once(service, 'exit');
const check = budgetd('check');
const seen = { bytesAtStart, full, freed, command, again, last, exitCode, check };
process.stdout.write(JSON.stringify(seen));
