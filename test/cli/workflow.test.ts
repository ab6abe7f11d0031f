import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Office, openOffice, pushRows, ROWS, txn } from './office.ts';
import { membersOf, type Terminal } from './terminal.ts';

describe('8: allocate --by-account-code', () => {
  it('prints { allocated, ambiguous, unmatched }', async (context) => {
    const { terminal } = await openOffice(context);
    const outcome = await terminal.json(['allocate', '--by-account-code']);
    // A-5 is dated outside the project, A-6 has no account code.
    assert.deepEqual(outcome, { allocated: 4, ambiguous: 0, unmatched: 2 });
    const { stdout, stderr } = await terminal.run(['allocate', '--by-account-code']);
    assert.match(stdout, /^0 transactions allocated by account code\.\n2 transactions left: no /);
    assert.equal(stderr, 'To see them: budgetd transactions list --status unallocated\n');
  });

  it('says what several lines claim', async (context) => {
    const { terminal } = await openOffice(context);
    const project = {
      name: 'Another',
      startDate: '2026-01-01',
      endDate: '2026-12-31',
      budgetLines: [{ name: 'Rent too', accountCodes: ['7100'] }],
    };
    await terminal.run(['projects', 'import', '-'], { stdin: JSON.stringify(project) });
    const { stdout } = await terminal.run(['allocate', '--by-account-code']);
    assert.match(stdout, /^3 transactions allocated/);
    assert.match(stdout, /^2 transactions left: several budget lines claim the account code\.$/m);
    assert.match(stdout, /^1 transaction left: no budget line claims/m);
  });
});

describe('8: allocate TXN', () => {
  it('an --amount is of the --line before it, one without takes the rest', async (context) => {
    const { terminal, lines } = await openOffice(context);
    const rent = ['--line', String(lines['RENT'])];
    const food = ['--line=FOOD', '--amount', '250.25'];
    const one = membersOf(await terminal.json(['allocate', txn(1), ...rent, ...food]));
    assert.deepEqual(statusOf(one), ['allocated', 1200]);
    const amounts = await amountsOf(terminal);
    assert.deepEqual(amounts, { RENT: 949.75, FOOD: 250.25 });
    const part = await terminal.json(['allocate', txn(1), ...rent, '--amount', '100']);
    assert.deepEqual(statusOf(part), ['partially_allocated', 100]);
    assert.deepEqual(await amountsOf(terminal), { RENT: 100 });
  });

  it('takes the transaction’s sign, a negative amount too', async (context) => {
    const { terminal } = await openOffice(context);
    const refund = ['allocate', txn(4), '--line', 'FOOD', '--amount'];
    assert.deepEqual(statusOf(await terminal.json([...refund, '-12.5'])), [
      'partially_allocated',
      -12.5,
    ]);
    const { exitCode, stderr } = await terminal.run([...refund, '12.5']);
    assert.equal(exitCode, 1);
    assert.match(stderr, /^budgetd: Not allocated: an allocation has the sign of its transaction/);
  });

  it('--none removes what there is, so that it can be excluded', async (context) => {
    const { terminal } = await openOffice(context);
    await terminal.json(['allocate', txn(3), '--line', 'FOOD']);
    const { exitCode, stderr } = await terminal.run(['exclude', txn(3), '--reason', 'R']);
    assert.equal(exitCode, 1);
    assert.match(stderr, /has allocations: remove them before excluding it/);
    const none = await terminal.json(['allocate', txn(3), '--none']);
    assert.deepEqual(statusOf(none), ['unallocated', 0]);
    assert.equal((await terminal.run(['exclude', txn(3), '--reason', 'R'])).exitCode, 0);
  });

  it('refuses an amount that is none, and a line that is unknown or ambiguous', async (context) => {
    const { terminal, lines } = await openOffice(context);
    const wrong: [argv: string[], exitCode: number, message: RegExp][] = [
      [
        ['--line', 'FOOD', '--amount', '1,000'],
        2,
        /--amount takes an amount written like 1234\.50/,
      ],
      [
        ['--line', 'FOOD', '--amount', '1.005'],
        2,
        /--amount takes at most 2 decimal places in GBP/,
      ],
      [['--line', 'FOOD', '--amount', '99999999999999'], 2, /--amount is too large an amount/],
      [['--line', 'FOOD', '--amount', '1200.01'], 1, /add up to more than the transaction/],
      [['--line', 'NONE'], 1, /There is no budget line with the id or code "NONE"/],
      [['--line', 'bln_0000000099'], 1, /There is no budget line bln_0000000099/],
    ];
    for (const [argv, code, message] of wrong) {
      const { exitCode, stderr } = await terminal.run(['allocate', txn(1), ...argv]);
      assert.equal(exitCode, code);
      assert.match(stderr, message);
    }
    const twin = { name: 'Twin', startDate: '2026-01-01', endDate: '2026-12-31' };
    const stdin = JSON.stringify({ ...twin, budgetLines: [{ code: 'RENT', name: 'Rent' }] });
    await terminal.run(['projects', 'import', '-'], { stdin });
    const { exitCode, stderr } = await terminal.run(['allocate', txn(1), '--line', 'RENT']);
    assert.equal(exitCode, 1);
    const first = `name one of ${lines['RENT']} \\(Youth work 2026\\), bln_\\w+ \\(Twin\\)`;
    assert.match(stderr, new RegExp(`have the code "RENT": .*|${first}`));
  });

  it('for people is the transaction in two lines', async (context) => {
    const { terminal } = await openOffice(context);
    const { stdout } = await terminal.run(['allocate', txn(3), '--line', 'FOOD']);
    assert.equal(stdout, 'txn_0000000003  2026-02-11  99.99 GBP  Luigi: Pizza\nallocated\n');
    const part = ['allocate', txn(3), '--line', 'FOOD', '--amount', '50'];
    assert.match((await terminal.run(part)).stdout, /\npartly: 50\.00 GBP of it is allocated\n$/);
    const none = await terminal.run(['allocate', txn(3), '--none']);
    assert.match(none.stdout, /\nunallocated\n$/);
  });
});

describe('8: exclude and restore', () => {
  it('print the transaction; out of turn they are refused', async (context) => {
    const { terminal } = await openOffice(context);
    const excluded = await terminal.json(['exclude', txn(2), '--reason', 'Paid twice']);
    assert.deepEqual(statusOf(excluded), ['excluded', 0]);
    const again = await terminal.run(['exclude', txn(2), '--reason', 'R']);
    assert.deepEqual(
      [again.exitCode, again.stderr],
      [1, `budgetd: ${txn(2)} is excluded already.\n`],
    );
    assert.deepEqual(statusOf(await terminal.json(['restore', txn(2)])), ['unallocated', 0]);
    assert.equal((await terminal.run(['restore', txn(2)])).exitCode, 1);
    assert.equal((await terminal.run(['restore', txn(99)])).exitCode, 1);
  });
});

describe('5, 8: review', () => {
  const ways = [
    ['--rescale', ['allocated', 1300], { RENT: 1028.9, FOOD: 271.1 }],
    ['--keep', ['partially_allocated', 1200], { RENT: 949.75, FOOD: 250.25 }],
    ['--clear', ['unallocated', 0], {}],
  ] as const;
  for (const [way, status, amounts] of ways) {
    it(`${way} settles a changed amount`, async (context) => {
      const office = await openOffice(context);
      await changeAmount(office);
      const settled = await office.terminal.json(['review', txn(1), way]);
      assert.deepEqual(statusOf(settled), status);
      assert.deepEqual(await amountsOf(office.terminal), amounts);
      const again = await office.terminal.run(['review', txn(1), way]);
      assert.equal(again.exitCode, 1);
      assert.match(again.stderr, /is not under review/);
    });
  }

  it('allocate replaces, which settles it too', async (context) => {
    const office = await openOffice(context);
    await changeAmount(office);
    const settled = await office.terminal.json(['allocate', txn(1), '--line', 'RENT']);
    assert.deepEqual(statusOf(settled), ['allocated', 1300]);
  });

  it('keeping what no longer fits is refused with the ways that are left', async (context) => {
    const { terminal, organisationId } = await openOffice(context);
    await terminal.json(['allocate', txn(1), '--line', 'RENT']);
    await pushRows(terminal, organisationId, [{ ...ROWS[0], amount: 1000 }]);
    const { exitCode, stderr } = await terminal.run(['review', txn(1), '--keep']);
    assert.equal(exitCode, 1);
    assert.match(stderr, /cannot be kept: .* Rescale, replace or clear them\.\n$/);
  });
});

/** Allocates A-1 to two lines, then its amount changes at the source. */
async function changeAmount({ terminal, organisationId }: Office): Promise<void> {
  const lines = ['--line', 'RENT', '--line', 'FOOD', '--amount', '250.25'];
  await terminal.json(['allocate', txn(1), ...lines]);
  await pushRows(terminal, organisationId, [{ ...ROWS[0], amount: 1300 }]);
}

function statusOf(document: unknown): unknown[] {
  const transaction = membersOf(membersOf(document)['data']);
  return [transaction['status'], transaction['allocatedAmount']];
}

/** What is allocated to each line of the office's project. */
async function amountsOf(terminal: Terminal): Promise<Record<string, number>> {
  const report = (await terminal.json(['report', 'Youth work 2026'])) as {
    data: { rows: { code: string; total: { actual: number } }[] };
  };
  const spent = report.data.rows.filter(({ total }) => total.actual !== 0);
  return Object.fromEntries(spent.map(({ code, total }) => [code, total.actual]));
}
