/** Commands for what else only the console could show and change. */

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { openOffice, PROJECT, txn } from './office.ts';
import { membersOf, type Terminal } from './terminal.ts';

/** The moment of the newest entry of an action. */
async function momentOf(terminal: Terminal, action: string): Promise<string> {
  const entries = (await terminal.json(['audit', '--action', action])) as { at: string }[];
  return entries.at(-1)?.at ?? '';
}

/** Runs a command that fails, and returns its message. */
async function failureOf(terminal: Terminal, ...argv: string[]): Promise<string> {
  const { exitCode, stderr } = await terminal.run(argv);
  assert.equal(exitCode, 1);
  return stderr;
}

describe('8: one transaction, one project', () => {
  it('transactions show prints a transaction with its allocations', async (context) => {
    const { terminal } = await openOffice(context);
    await terminal.run(['allocate', '--by-account-code']);
    const { stdout } = await terminal.run(['transactions', 'show', txn(1)]);
    assert.match(stdout, /^txn_0000000001 {2}2026-01-05 {2}1,200\.00 GBP/);
    assert.match(stdout, /1,200\.00 {2}RENT {2}Rent/);
    const { data } = membersOf(await terminal.json(['transactions', 'show', txn(1)]));
    assert.equal(membersOf(data)['externalId'], 'A-1');
    assert.match(await failureOf(terminal, 'transactions', 'show', 'txn_x'), /txn_x/);
  });

  it('projects show prints a project and its lines', async (context) => {
    const { terminal, projectId } = await openOffice(context);
    const { stdout } = await terminal.run(['projects', 'show', PROJECT.name], { columns: 100 });
    assert.match(stdout, /^Youth work 2026 \(prj_0000000001\)\n2026-01-01 to 2026-06-30/);
    assert.match(stdout, /Funder: The Lottery, YW-26/);
    assert.match(stdout, /bln_0000000001 {2}RENT {2}Rent +3,600\.00 {2}7100/);
    const { data } = membersOf(await terminal.json(['projects', 'show', projectId]));
    assert.equal(membersOf(data)['name'], PROJECT.name);
  });

  it('projects archive and unarchive', async (context) => {
    const { terminal, projectId } = await openOffice(context);
    for (const [word, claimed] of [
      ['archive', 0],
      ['unarchive', 4],
    ] as const) {
      await terminal.json(['projects', word, PROJECT.name]);
      const { stdout } = await terminal.run(['projects', 'show', projectId]);
      assert.equal(/^Archived /m.test(stdout), word === 'archive');
      const { allocated } = membersOf(await terminal.json(['allocate', '--by-account-code']));
      assert.equal(allocated, claimed);
    }
  });

  it('projects remove removes what nothing depends on, and logs it', async (context) => {
    const { terminal, projectId, lines } = await openOffice(context);
    const remove = ['projects', 'remove', PROJECT.name];
    await terminal.run(['allocate', txn(1), '--line', 'RENT']);
    assert.match(await failureOf(terminal, ...remove), /RENT .*has allocations of 1 transaction/);
    await terminal.run(['allocate', txn(1), '--none']);

    const days = { startDate: '2026-01-01', endDate: '2026-06-30' };
    const child = { name: 'Camp', ...days, parentProject: PROJECT.name, budgetLines: [] };
    writeFileSync(join(terminal.folder, 'child.json'), JSON.stringify(child));
    await terminal.json(['projects', 'import', 'child.json']);
    assert.match(await failureOf(terminal, ...remove), /"Camp" is below it/);
    await terminal.json(['projects', 'remove', 'Camp']);

    await terminal.json([
      'statements',
      'issue',
      PROJECT.name,
      '--to',
      '2026-02',
      '--without-reasons',
    ]);
    assert.match(await failureOf(terminal, ...remove), /statements?.*Archive it instead/s);
    assert.match((await terminal.run(['check'])).stdout, /is sound/);
    assert.ok(projectId !== '' && lines['RENT'] !== undefined);
  });

  it('what is removed is in the log, and its name is free again', async (context) => {
    const { terminal, projectId } = await openOffice(context);
    assert.deepEqual(await terminal.json(['projects', 'remove', projectId]), { projectId });
    const [entry] = (await terminal.json(['audit', '--action', 'project.removed'])) as unknown[];
    assert.equal(membersOf(entry)['subject'], projectId);
    assert.match(JSON.stringify(entry), /"RENT"/);
    assert.match((await terminal.run(['check'])).stdout, /is sound/);
    const [again] = (await terminal.json(['projects', 'import', 'project.json'])) as unknown[];
    assert.notEqual(membersOf(again)['projectId'], projectId);
  });
});

describe('8: organisations', () => {
  it('are listed and changed', async (context) => {
    const { terminal, organisationId } = await openOffice(context);
    await terminal.json(['init', '--name', 'Second', '--currency', 'EUR', '--another']);
    const all = (await terminal.json(['organisations', 'list'])) as unknown[];
    const names = all.map((each) => membersOf(each)['name']);
    assert.deepEqual(names, ['Harbour Trust', 'Second']);
    const set = ['organisations', 'set', '--org', organisationId, '--time-zone', 'Europe/London'];
    assert.equal(membersOf(await terminal.json(set))['timeZone'], 'Europe/London');
    const head = async (text: string) =>
      membersOf(await terminal.json([...set, '--letterhead', text]))['letterhead'];
    assert.equal(await head(' 4 Quay Street \r\n\n1100045\n'), '4 Quay Street\n1100045');
    assert.equal(await head(' '), '');
    for (const wrong of [
      ['--name', ' '],
      ['--letterhead', 'a\nb\nc\nd\ne'],
      ['--letterhead', 'x'.repeat(401)],
    ]) {
      const { exitCode, stdout } = await terminal.run([...set, ...wrong]);
      assert.deepEqual([exitCode, stdout], [2, ''], wrong.join());
    }
    const { stdout } = await terminal.run(['organisations', 'list'], { columns: 120 });
    assert.match(stdout, /org_0000000001 {2}Harbour Trust {2}GBP +professional {2}Europe\/London/);
  });

  it('plan shows the plan that plan set sets', async (context) => {
    const { terminal } = await openOffice(context);
    for (const plan of ['starter', 'enterprise']) {
      await terminal.json(['plan', '--db', terminal.database, 'set', plan]);
      assert.deepEqual(await terminal.json(['plan']), { plan });
      assert.equal((await terminal.run(['plan'])).stdout, `${plan}\n`);
    }
  });

  it('users sign-out ends the sessions of a user', async (context) => {
    const { terminal } = await openOffice(context);
    const create = ['users', 'create', '--email', 'ada@example.org', '--role', 'owner'];
    await terminal.json(create, { stdin: 'correct horse battery\n' });
    const ended = await terminal.json(['users', 'sign-out', 'ada@example.org']);
    assert.deepEqual(ended, { sessions: 0 });
    const [entry] = (await terminal.json([
      'audit',
      '--action',
      'user.sessions_ended',
    ])) as unknown[];
    assert.equal(membersOf(entry)['actor'], 'command line');
  });
});

describe('8: taking back', () => {
  it('undo takes back a change, but not what has changed since', async (context) => {
    const { terminal } = await openOffice(context);
    await terminal.json(['allocate', '--by-account-code']);
    const at = await momentOf(terminal, 'transactions.allocated');
    await terminal.run(['allocate', txn(1), '--line', 'IDLE']);
    assert.deepEqual(await terminal.json(['undo', at]), { undone: 3, left: 1 });
    assert.match(await failureOf(terminal, 'undo', at), /has changed since/);
    assert.match(await failureOf(terminal, 'undo', '2020-01-01T00:00:00Z'), /was not found/);
  });

  it('undo of a step of a run names the next one that stays', async (context) => {
    const { terminal } = await openOffice(context);
    await terminal.json(['allocate', '--by-rules', '--until', '2026-01-31']);
    await terminal.json(['allocate', '--by-account-code']);
    const at = await momentOf(terminal, 'transactions.allocated');
    const { stderr } = await terminal.run(['undo', at]);
    const said =
      /^1 other step within a minute of this change was not undone\. .*: budgetd undo (\S+)\n$/;
    const [, next = ''] = said.exec(stderr) ?? [];
    const last = await terminal.run(['undo', next]);
    assert.deepEqual([last.exitCode, last.stderr], [0, '']);
  });

  it('exclude --pushed-at excludes what a push created', async (context) => {
    const { terminal } = await openOffice(context);
    const at = await momentOf(terminal, 'transactions.pushed');
    await terminal.run(['allocate', txn(1), '--line', 'RENT']);
    assert.match(await failureOf(terminal, 'undo', at), /exclude the transactions/);
    const exclude = ['exclude', '--pushed-at', at, '--reason', 'the wrong file'];
    assert.deepEqual(await terminal.json(exclude), { excluded: 5, left: 0 });
    assert.match(await failureOf(terminal, ...exclude), /this push created have changed since/);
  });
});
