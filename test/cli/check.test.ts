import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import type { AuditEntry } from '../../src/index.ts';
import { openOffice, txn } from './office.ts';
import { membersOf, type Terminal } from './terminal.ts';

describe('8: check', () => {
  it('prints { ok, checks } with every check', async (context) => {
    const { terminal } = await openOffice(context);
    await terminal.json(['allocate', '--by-account-code']);
    const { ok, checks } = membersOf(await terminal.json(['check']));
    assert.equal(ok, true);
    for (const check of checks as { ok: boolean; found: number }[]) {
      assert.deepEqual([check.ok, check.found], [true, 0]);
    }
    const { stdout } = await terminal.run(['check']);
    assert.match(stdout, /^ok {5}the file is intact\n/);
    assert.match(stdout, /budgetd\.db is sound\.\n$/);
  });

  it('reports an overwritten page and exits with 1', async (context) => {
    const { terminal } = await openOffice(context);
    await terminal.json(['allocate', '--by-account-code']);
    damagePage(terminal);
    const { exitCode, stdout, stderr } = await terminal.run(['check']);
    assert.equal(exitCode, 1);
    assert.match(stdout, /^WRONG {2}the file is intact: /);
    assert.match(stdout, /budgetd\.db is damaged\.\n$/);
    assert.equal(stderr, 'Stop the service and restore a backup: budgetd restore-backup FILE\n');
    const json = await terminal.run(['check', '--json']);
    assert.equal(json.exitCode, 1);
    assert.equal(membersOf(JSON.parse(json.stdout))['ok'], false);
  });

  it('other commands report the damaged database in one line', async (context) => {
    const { terminal } = await openOffice(context);
    damagePage(terminal);
    const { exitCode, stderr } = await terminal.run(['transactions', 'list']);
    assert.equal(exitCode, 1);
    assert.match(
      stderr,
      /^budgetd: .*damaged.*[Rr]estore a backup with `budgetd restore-backup FILE`\.\n$/,
    );
  });
});

/** Overwrites the header of the page that contains the transactions. */
function damagePage({ database }: Terminal): void {
  const bytes = readFileSync(database);
  const start = Math.floor(bytes.indexOf('January rent') / 4096) * 4096;
  bytes.fill(0xa5, start, start + 8);
  writeFileSync(database, bytes);
}

describe('8: audit', () => {
  it('prints every entry, oldest first, with who did it', async (context) => {
    const { terminal } = await openOffice(context);
    await terminal.json(['exclude', txn(6), '--reason', 'Nobody knows']);
    const entries = (await terminal.json(['audit'])) as Record<string, unknown>[];
    assert.deepEqual(
      entries.map(({ actor, action, subject }) => [actor, action, subject]),
      [
        ['command line', 'organisation.created', 'org_0000000001'],
        ['command line', 'project.created', 'prj_0000000001'],
        ['finance system', 'transactions.pushed', null],
        ['command line', 'transaction.excluded', txn(6)],
      ],
    );
    assert.deepEqual(Object.keys(entries[3] ?? {}), [
      'at',
      'actor',
      'action',
      'subject',
      'requestId',
      'details',
    ]);
    const { changes } = membersOf(entries[3]?.['details']) as unknown as AuditEntry['details'];
    assert.deepEqual(
      changes.map(({ before, after }) => [before, after]),
      [
        [
          { status: 'unallocated', excluded: null },
          { status: 'excluded', excluded: { reason: 'Nobody knows' } },
        ],
      ],
    );
  });

  it('accepts a date or a date-time for --since, and the other filters', async (context) => {
    const { terminal } = await openOffice(context);
    const countOf = async (...argv: string[]) =>
      ((await terminal.json(['audit', ...argv])) as unknown[]).length;
    assert.equal(await countOf('--since', '2026-01-01'), 3);
    assert.equal(await countOf('--since', '2199-01-01T00:00:00Z'), 0);
    assert.equal(await countOf('--action', 'project.created'), 1);
    assert.equal(await countOf('--actor', 'command line'), 2);
    assert.equal(await countOf('--subject', 'prj_0000000001'), 1);
    assert.equal(await countOf('--subject', txn(2)), 1);
    assert.equal(await countOf('--subject', txn(2), '--action', 'key.created'), 0);
    assert.equal(await countOf('--subject', txn(2), '--since', '2199-01-01'), 0);
    assert.equal(await countOf('--subject', txn(99)), 0);
    assert.equal(await countOf('--limit', '1'), 1);
    const { exitCode, stderr } = await terminal.run(['audit', '--since', 'yesterday']);
    assert.equal(exitCode, 2);
    assert.match(
      stderr,
      /^budgetd: The start must be a date or an RFC 3339 date-time, .*not "yesterday"/,
    );
    assert.equal((await terminal.run(['audit', '--actor', 'me'])).stderr, 'No entries match.\n');
  });

  it('prints the newest 100 entries, with details below at 80 columns', async (context) => {
    const { terminal } = await openOffice(context);
    await terminal.json(['allocate', txn(1), '--line', 'RENT', '--amount', '5']);
    const { stdout } = await terminal.run(['audit', '--action', 'transaction.allocated']);
    assert.match(stdout, /^ {4}allocations none → bln_0000000001:5\.00, status .*$/m);
    for (let round = 0; round < 60; round += 1) {
      await terminal.json(['exclude', txn(6), '--reason', `Round ${round}`]);
      await terminal.json(['restore', txn(6)]);
    }
    const narrow = await terminal.run(['audit'], { env: { COLUMNS: '80' } });
    assert.equal(narrow.stderr, '24 older entries are not shown. Pass --limit 124 to see all.\n');
    assert.match(
      narrow.stdout,
      /txn_0000000006\n {4}excluded none → Round 59, status unallocated → excluded\n/,
    );
    const wide = await terminal.run(['audit', '--limit', '2'], { env: { COLUMNS: '200' } });
    assert.equal(wide.stderr, '');
    assert.match(
      wide.stdout,
      /transaction\.excluded {2}txn_0000000006 {2}excluded none → Round 59, status .*\n/,
    );
  });
});
