/** A statement is issued whole or not at all, whenever the program is killed. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadDriver } from '../../src/database/driver.ts';
import { createService } from '../../src/index.ts';
import { rows } from '../store/workshop.ts';
import { startProgram } from './program.ts';
import { Terminal } from './terminal.ts';

const PAYMENTS = 6_000;

test('14 statements issue, killed at any time, leaves one statement or none', async (t) => {
  const terminal = new Terminal(t);
  await terminal.run(['init', '--name', 'Org', '--currency', 'GBP']);
  const { database, folder: cwd } = terminal;
  const service = await createService({ database });
  const [{ id: org = '' } = {}] = service.organisations.list();
  const line = { code: 'A', name: 'All', accountCodes: ['A'] };
  const days = { startDate: '2026-01-01', endDate: '2026-12-31' };
  const [project] = service.projects.import(org, [{ ...days, name: 'P', budgetLines: [line] }]);
  for (let from = 0; from < PAYMENTS; from += 500) {
    const all = rows(500, (at) => ({ externalId: `${from + at}`, accountCode: 'A' }));
    service.transactions.push(org, all);
  }
  await service.transactions.allocateByAccountCode(org);
  await service.close();
  const Driver = loadDriver();
  const db = new Driver(database, { readonly: true });
  t.after(() => db.close());
  const items = db.prepare<[], number>('select count(*) from statement_items').pluck();
  const args = ['statements', 'issue', 'P', '--to', '2026-06', '--without-reasons'];
  for (const share of [0.1, 0.5, 0.9]) {
    const { process, ended } = startProgram(t, args, { cwd });
    let isRunning = true;
    void ended.then(() => {
      isRunning = false;
    });
    const before = items.get() ?? 0;
    while (isRunning && (items.get() ?? 0) - before < share * PAYMENTS) {
      await new Promise(setImmediate);
    }
    process.kill('SIGKILL');
    const { signal, exitCode, stderr } = await ended;
    const opened = await createService({ database });
    const all = opened.statements.list(org, project?.projectId ?? '');
    const found = all.filter(({ status }) => status === 'issued');
    assert.ok(found.length <= 1);
    if (signal !== 'SIGKILL') assert.deepEqual([exitCode, found.length], [0, 1], stderr);
    if (found.length > 0) {
      opened.statements.withdraw(org, project?.projectId ?? '', 1, { reason: 'Again' });
    }
    assert.deepEqual(
      opened.check().filter(({ ok }) => !ok),
      [],
    );
    await opened.close();
  }
  const { exitCode, stderr } = await startProgram(t, args, { cwd }).ended;
  assert.equal(exitCode, 0, stderr);
  const opened = await createService({ database });
  const issued = opened.statements.list(org, project?.projectId ?? '').at(-1);
  assert.deepEqual([issued?.status, issued?.expenses], ['issued', 100 * PAYMENTS]);
  const staged =
    'select count(*) from statement_items where statement_id not in (select id from statements)';
  assert.equal(db.prepare(staged).pluck().get(), 0);
  assert.deepEqual(
    opened.check().filter(({ ok }) => !ok),
    [],
  );
  await opened.close();
});
