import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createService, type Service } from '../../src/index.ts';
import { programWith } from '../cli/program.ts';
import { repetitions } from '../repetitions.ts';

const ROUNDS = repetitions(8, 20, 20);
const PUSHERS = 3;
const BATCH_ROWS = 100;

const folder = mkdtempSync(join(tmpdir(), 'budgetd-crash-'));
const file = join(folder, 'budgetd.db');
const keys: string[] = [];
let organisationId = '';
let batchNumber = 0;

before(async () => {
  const service = await createService({ database: file, create: true });
  organisationId = service.organisations.create({ name: 'Crash', baseCurrency: 'GBP' }).id;
  for (let index = 0; index < PUSHERS; index += 1) {
    const draft = { name: `pusher ${index}`, scopes: ['transactions:write'] as const };
    keys.push(service.keys.create(organisationId, draft).key);
  }
  await service.close();
});

after(() => rmSync(folder, { recursive: true, force: true }));

test(`6: after ${ROUNDS} kills, each answered batch is stored, no other in part`, async () => {
  const acknowledged = new Set<number>();
  const sent = new Set<number>();
  for (let round = 0; round < ROUNDS; round += 1) {
    const { child, url } = await startServer();
    const exited = new Promise((resolve) => child.once('exit', resolve));
    // Only after an answer, however slow the machine is, and a different time later each round.
    const kill = () => setTimeout(() => child.kill('SIGKILL'), round * 7);
    const pushing = keys.map((key) => pushUntilCut({ url, key, sent, acknowledged, kill }));
    await Promise.all([...pushing, exited]);
  }
  assert.ok(acknowledged.size >= ROUNDS, `only ${acknowledged.size} batches were answered`);
  assert.ok(acknowledged.size < sent.size, 'no kill interrupted a batch');

  const service = await createService({ database: file });
  const stored = countByBatch(service);
  for (const batch of sent) {
    const rows = stored.get(batch) ?? 0;
    if (acknowledged.has(batch)) assert.equal(rows, BATCH_ROWS, `batch ${batch} was answered`);
    else assert.ok(rows === 0 || rows === BATCH_ROWS, `${rows} rows of batch ${batch} are stored`);
  }
  assert.deepEqual(
    service.check().filter(({ ok }) => !ok),
    [],
  );
  await service.close();
});

async function startServer(): Promise<{ child: ChildProcess; url: string }> {
  const args = ['serve', '--db', file, '--port', '0', '--json'];
  const child = spawn(...programWith(args), { stdio: ['ignore', 'pipe', 'inherit'] });
  const url = await new Promise<string>((resolve, reject) => {
    let text = '';
    child.once('exit', (code) => reject(new Error(`serve ended with ${code}`)));
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (text.includes('\n')) resolve(JSON.parse(text.slice(0, text.indexOf('\n'))).url);
    });
  });
  return { child, url };
}

async function pushUntilCut(run: {
  url: string;
  key: string;
  sent: Set<number>;
  acknowledged: Set<number>;
  kill: () => void;
}): Promise<void> {
  for (;;) {
    batchNumber += 1;
    const batch = batchNumber;
    run.sent.add(batch);
    try {
      const response = await fetch(`${run.url}/api/v1/transactions`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${run.key}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ rows: rowsOf(batch) }),
      });
      run.kill();
      // The status alone acknowledges the batch, even if the body does not arrive.
      if (response.status === 200) run.acknowledged.add(batch);
      await response.arrayBuffer();
      if (response.status !== 200) return;
    } catch {
      return;
    }
  }
}

function rowsOf(batch: number) {
  return Array.from({ length: BATCH_ROWS }, (_, index) => ({
    externalId: `${batch}/${index}`,
    date: `2026-0${1 + (index % 9)}-15`,
    description: 'A row of a batch that may be interrupted',
    amount: index + 0.25,
    accountCode: `A${batch}`,
  }));
}

function countByBatch(service: Service): Map<number, number> {
  const counts = new Map<number, number>();
  let cursor: string | undefined;
  do {
    const page = service.transactions.list(organisationId, { limit: 1000, cursor });
    for (const { externalId } of page.data) {
      const batch = Number(externalId?.split('/')[0]);
      counts.set(batch, (counts.get(batch) ?? 0) + 1);
    }
    cursor = page.meta.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return counts;
}
