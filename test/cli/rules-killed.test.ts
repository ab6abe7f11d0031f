/** A run of the rules that is killed leaves whole steps, and the next run finishes. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadDriver } from '../../src/database/driver.ts';
import { createService } from '../../src/index.ts';
import { rows } from '../store/workshop.ts';
import { startProgram } from './program.ts';
import { Terminal } from './terminal.ts';

const PAYMENTS = 3_000;

test('15 allocate --by-rules, killed, leaves whole steps and the next run finishes', async (t) => {
  const terminal = new Terminal(t);
  await terminal.run(['init', '--name', 'Org', '--currency', 'GBP']);
  const { database, folder: cwd } = terminal;
  const service = await createService({ database });
  const [{ id: org = '' } = {}] = service.organisations.list();
  const budgetLines = ['A', 'B'].map((code) => ({ code, name: code }));
  const days = { startDate: '2026-01-01', endDate: '2026-12-31' };
  service.projects.import(org, [{ ...days, name: 'P', budgetLines }]);
  const shares = [
    { line: 'A', percent: 33.33 },
    { line: 'B', rest: true },
  ];
  service.rules.import(org, [
    { name: 'Rent', conditions: { description: { is: 'rent' } }, shares },
  ]);
  for (let from = 0; from < PAYMENTS; from += 500) {
    service.transactions.push(
      org,
      rows(500, (at) => ({ externalId: `${from + at}` })),
    );
  }
  await service.close();
  const Driver = loadDriver();
  const db = new Driver(database, { readonly: true });
  t.after(() => db.close());
  const select = (sql: string) => db.prepare<[], number>(`select ${sql}`).pluck();
  const taken = select(`count(*) from transactions where status = 'allocated'`);
  for (const share of [0.1, 0.5]) {
    const { process, ended } = startProgram(t, ['allocate', '--by-rules'], { cwd });
    while ((taken.get() ?? 0) < share * PAYMENTS) await new Promise(setImmediate);
    process.kill('SIGKILL');
    const { signal, stderr } = await ended;
    assert.equal(signal, 'SIGKILL', stderr);
    const opened = await createService({ database });
    assert.deepEqual(
      opened.check().filter(({ ok }) => !ok),
      [],
    );
    // Each transaction with its two shares, and each step with its entry in the log.
    assert.equal(select('count(*) from allocations').get(), 2 * (taken.get() ?? 0));
    const logged = opened.audit.list(org).flatMap(({ action, details }) => {
      return action === 'transactions.allocated' ? (details.changes ?? []) : [];
    });
    assert.equal(logged.length, taken.get());
    await opened.close();
  }
  const { exitCode, stderr } = await startProgram(t, ['allocate', '--by-rules'], { cwd }).ended;
  assert.equal(exitCode, 0, stderr);
  assert.equal(taken.get(), PAYMENTS);
  assert.equal(select('sum(amount_minor) from allocations').get(), PAYMENTS * 10_000);
});
