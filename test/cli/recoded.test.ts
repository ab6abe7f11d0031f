import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatId } from '../../src/core/ids.ts';
import { type Office, openOffice, pushRows, txn } from './office.ts';
import { membersOf } from './terminal.ts';

const listOf = (value: unknown) => value as readonly unknown[];

const payment = (externalId: string, accountCode: string, more: object = {}) => ({
  externalId,
  date: '2026-03-30',
  description: 'Coach',
  amount: 70,
  accountCode,
  ...more,
});

/** Four payments on RENT by code, the fourth by hand; then all are recoded, and one is voided. */
async function openRecoded(context: Parameters<typeof openOffice>[0]): Promise<Office> {
  const office = await openOffice(context);
  const { terminal, organisationId } = office;
  const push = (rows: object[]) => pushRows(terminal, organisationId, rows);
  await push(['R-1', 'R-2', 'R-3'].map((id) => payment(id, '7100')));
  await terminal.json(['allocate', '--by-account-code']);
  await push([payment('R-4', '7100')]);
  await terminal.json(['allocate', formatId('txn', 10), '--line', 'RENT']);
  await push([
    payment('R-1', '7200'),
    payment('R-2', 'nobody', { amount: 80 }),
    payment('R-3', '7200', { amount: 90 }),
    payment('R-4', '7200'),
    { externalId: 'A-1', date: '2026-02-01', description: 'Void', amount: 0, accountCode: '7100' },
  ]);
  return office;
}

describe('contract 17: review of what was recoded', () => {
  it('all by account code, then all that can be kept, then the voids', async (context) => {
    const { terminal, projectId } = await openRecoded(context);
    const marked = async () => {
      const found = await terminal.json(['transactions', 'list', '--recoded', 'true']);
      return listOf(membersOf(found)['data']).map((each) => membersOf(each)['externalId']);
    };
    assert.deepEqual(await marked(), ['R-1', 'R-2', 'R-3', 'R-4']);
    const report = async () => {
      const { data } = membersOf(await terminal.json(['report', projectId]));
      return membersOf(data)['recoded'];
    };
    assert.deepEqual(await report(), { count: 4, amount: 280 });
    const { stdout } = await terminal.run(['report', projectId]);
    assert.match(stdout, /4 transactions were recoded after being allocated: 280\.00 GBP may/);
    const byCode = ['review', '--recoded', '--by-account-code'];
    assert.deepEqual(await terminal.json(byCode), { allocated: 2, left: 2 });
    assert.deepEqual(await marked(), ['R-2', 'R-4']);
    assert.deepEqual(await terminal.json(byCode), { allocated: 0, left: 2 });
    const keep = ['review', '--recoded', '--keep'];
    assert.deepEqual(await terminal.json(keep), { confirmed: 1, left: 1 });
    assert.deepEqual(await marked(), ['R-2']);
    assert.deepEqual(await report(), { count: 1, amount: 70 });
    assert.deepEqual(await terminal.json(['review', '--voided']), { cleared: 1 });
    assert.deepEqual(await terminal.json(['review', '--voided']), { cleared: 0 });
    const entries = listOf(await terminal.json(['audit'])).map((each) => membersOf(each));
    const made = entries.slice(-3).map(({ action, subject }) => [action, subject]);
    assert.deepEqual(made, [
      ['reviews.settled', null],
      ['review.kept', formatId('txn', 10)],
      ['review.cleared', txn(1)],
    ]);
  });

  it('one by its codes, whoever had allocated it, or exit 1', async (context) => {
    const { terminal } = await openRecoded(context);
    const byCode = (id: string) => ['review', id, '--by-account-code'];
    const moved = membersOf(membersOf(await terminal.json(byCode(formatId('txn', 10))))['data']);
    assert.deepEqual([moved['status'], moved['recoded']], ['allocated', null]);
    const { exitCode, stderr } = await terminal.run(byCode(txn(8)));
    assert.equal(exitCode, 1);
    assert.match(stderr, /codes that lead to no single line/);
    assert.equal((await terminal.run(byCode(txn(1)))).exitCode, 1);
    assert.equal((await terminal.run(byCode(txn(2)))).exitCode, 1);
    assert.equal((await terminal.run(['review', txn(7), '--rescale'])).exitCode, 1);
    const kept = membersOf(membersOf(await terminal.json(['review', txn(7), '--keep']))['data']);
    assert.deepEqual([kept['status'], kept['recoded']], ['allocated', null]);
  });

  it('other combinations exit 2', async (context) => {
    const { terminal } = await openOffice(context);
    for (const argv of [
      ['--recoded'],
      ['--recoded', '--clear'],
      ['--recoded', '--rescale'],
      ['--recoded', '--keep', '--by-account-code'],
      ['--recoded', '--voided'],
      ['--voided', '--keep'],
      ['--recoded', '--keep', txn(1)],
      ['--voided', txn(1)],
      ['--by-account-code'],
      [txn(1), '--keep', '--by-account-code'],
    ]) {
      assert.equal((await terminal.run(['review', ...argv])).exitCode, 2, argv.join(' '));
    }
  });
});
