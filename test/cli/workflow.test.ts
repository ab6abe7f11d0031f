import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Office, openOffice, pushRows, ROWS, txn } from './office.ts';
import { membersOf, type Terminal } from './terminal.ts';

describe('8: allocate --by-account-code', () => {
  it('prints { allocated, ambiguous, unmatched, ambiguousCodes }', async (context) => {
    const { terminal } = await openOffice(context);
    const outcome = await terminal.json(['allocate', '--by-account-code']);
    // A-5 is dated outside the project, A-6 has no account code.
    const none = { ambiguous: 0, ambiguousCodes: [] };
    assert.deepEqual(outcome, { allocated: 4, ...none, unmatched: 2 });
    const { stdout, stderr } = await terminal.run(['allocate', '--by-account-code']);
    assert.match(stdout, /^0 transactions allocated by account code\.\n2 transactions left: no /);
    assert.equal(stderr, 'To see them, run: budgetd transactions list --to-allocate\n');
  });

  it('counts transactions that several lines claim', async (context) => {
    const { terminal } = await openOffice(context);
    const project = {
      name: 'Another',
      startDate: '2026-01-01',
      endDate: '2026-12-31',
      budgetLines: [{ name: 'Rent too', accountCodes: ['7100'] }],
    };
    const { stderr } = await terminal.run(['projects', 'import', '-'], {
      stdin: JSON.stringify(project),
    });
    assert.match(
      stderr,
      /^Warning: lines of "Another" and "Youth work 2026" claim account code 7100 on the same days/,
    );
    const { stdout } = await terminal.run(['allocate', '--by-account-code']);
    assert.ok(
      stdout.startsWith(
        [
          'Code  Line           Project          Transactions    GBP',
          '────  ─────────────  ───────────────  ────────────  ─────',
          '      Rent too       Another                     1  10.00',
          'FOOD  =Food & drink  Youth work 2026             2  79.99',
          '3 transactions allocated by account code, 89.99 GBP in total.\n',
        ].join('\n'),
      ),
    );
    assert.match(stdout, /^2 transactions left: several budget lines claim the account code\.$/m);
    assert.match(stdout, /^1 transaction left: no budget line claims its codes on that date\.$/m);
    assert.match(stdout, /^7100 +2\n +bln_0000000001 RENT Rent \(Youth work 2026\)$/m);
    assert.match(stdout, /^ +bln_0000000004 Rent too \(Another\)$/m);
    const budgetLineIds = ['bln_0000000001', 'bln_0000000004'];
    const again = membersOf(await terminal.json(['allocate', '--by-account-code']));
    assert.deepEqual(again['ambiguousCodes'], [
      { accountCode: '7100', projectCode: null, count: 2, budgetLineIds },
    ]);
  });
});

describe('8: allocate TXN', () => {
  it('--amount is for the --line before it; a line without one gets the rest', async (context) => {
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

  it('requires the sign of the transaction, including for negative amounts', async (context) => {
    const { terminal } = await openOffice(context);
    const refund = ['allocate', txn(4), '--line', 'FOOD', '--amount'];
    assert.deepEqual(statusOf(await terminal.json([...refund, '-12.5'])), [
      'partially_allocated',
      -12.5,
    ]);
    const { exitCode, stderr } = await terminal.run([...refund, '12.5']);
    assert.equal(exitCode, 1);
    assert.match(
      stderr,
      /txn_0000000004 is -20\.00 GBP, so an allocation of 12\.50 GBP has the wrong sign\. Money /,
    );
  });

  it('--none removes the allocations, so that the transaction can be excluded', async (context) => {
    const { terminal } = await openOffice(context);
    await terminal.json(['allocate', txn(3), '--line', 'FOOD']);
    const { exitCode, stderr } = await terminal.run(['exclude', txn(3), '--reason', 'R']);
    assert.equal(exitCode, 1);
    assert.match(
      stderr,
      /has 99\.99 GBP allocated\. Run `budgetd allocate txn_0000000003 --none` first/,
    );
    const none = await terminal.json(['allocate', txn(3), '--none']);
    assert.deepEqual(statusOf(none), ['unallocated', 0]);
    assert.equal((await terminal.run(['exclude', txn(3), '--reason', 'R'])).exitCode, 0);
  });

  it('refuses a wrong amount, and an unknown or ambiguous line', async (context) => {
    const { terminal, lines } = await openOffice(context);
    const wrong: [argv: string[], exitCode: number, message: RegExp][] = [
      [
        ['--line', 'FOOD', '--amount', '1,000'],
        2,
        /--amount "1,000" is not a plain number\. Write it like 12345\.00\./,
      ],
      [
        ['--line', 'FOOD', '--amount', '1.005'],
        2,
        /--amount "1\.005" has more than the 2 decimal places of GBP\. Round it\./,
      ],
      [
        ['--line', 'FOOD', '--amount', '99999999999999'],
        2,
        /is too large\. The largest is 9999999999\.99\./,
      ],
      [
        ['--line', 'FOOD', '--amount', '1200.01'],
        1,
        /is 1200\.00 GBP; .* add up to 1200\.01 GBP, 0\.01 GBP too much\. Lower /,
      ],
      [['--line', 'rnet'], 1, /There is no budget line "rnet"\. Did you mean RENT \(Rent\)\?/],
      [['--line', 'NONE'], 1, /There is no budget line "NONE"\. Use one of RENT, FOOD, IDLE\./],
      [['--line', 'bln_0000000099'], 1, /There is no budget line "bln_0000000099"\. Use one of /],
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
    const first = `${lines['RENT']} \\(Youth work 2026\\)`;
    assert.match(stderr, /have the code "RENT"\. Use the id of one: .*, bln_\w+ \(/);
    assert.match(stderr, new RegExp(first));
  });

  it('shows the transaction, each line with its amount, and what is left', async (context) => {
    const { terminal } = await openOffice(context);
    const { stdout } = await terminal.run(['allocate', txn(3), '--line', 'FOOD']);
    assert.equal(
      stdout,
      [
        'txn_0000000003  2026-02-11  99.99 GBP  Luigi: Pizza',
        '  GBP  Code  Line',
        '─────  ────  ─────────────',
        '99.99  FOOD  =Food & drink',
        'Status: allocated. 99.99 of 99.99 GBP allocated, nothing left.',
        '',
      ].join('\n'),
    );
    const part = ['allocate', txn(3), '--line', 'FOOD', '--amount', '50'];
    assert.match(
      (await terminal.run(part)).stdout,
      /\nStatus: partly allocated\. 50\.00 of 99\.99 GBP allocated, 49\.99 GBP left\.\n$/,
    );
    const none = await terminal.run(['allocate', txn(3), '--none']);
    assert.match(none.stdout, / Pizza\nStatus: unallocated\.\n$/);
  });
});

describe('8: exclude and restore', () => {
  it('print the transaction, and refuse to repeat what is already done', async (context) => {
    const { terminal } = await openOffice(context);
    const excluded = await terminal.json(['exclude', txn(2), '--reason', 'Paid twice']);
    assert.deepEqual(statusOf(excluded), ['excluded', 0]);
    const again = await terminal.run(['exclude', txn(2), '--reason', 'R']);
    assert.deepEqual(
      [again.exitCode, again.stderr],
      [1, `budgetd: ${txn(2)} is already excluded.\n`],
    );
    assert.deepEqual(statusOf(await terminal.json(['restore', txn(2)])), ['unallocated', 0]);
    assert.equal((await terminal.run(['restore', txn(2)])).exitCode, 1);
    assert.equal((await terminal.run(['restore', txn(99)])).exitCode, 1);
  });
});

describe('5, 8: review', () => {
  const resolutions = [
    ['--rescale', ['allocated', 1300], { RENT: 1028.9, FOOD: 271.1 }],
    ['--keep', ['partially_allocated', 1200], { RENT: 949.75, FOOD: 250.25 }],
    ['--clear', ['unallocated', 0], {}],
  ] as const;
  for (const [option, status, amounts] of resolutions) {
    it(`${option} settles a changed amount`, async (context) => {
      const office = await openOffice(context);
      await changeAmount(office);
      const settled = await office.terminal.json(['review', txn(1), option]);
      assert.deepEqual(statusOf(settled), status);
      assert.deepEqual(await amountsOf(office.terminal), amounts);
      const again = await office.terminal.run(['review', txn(1), option]);
      assert.equal(again.exitCode, 1);
      assert.match(again.stderr, /is not under review/);
    });
  }

  it('allocate replaces the allocations, which also settles the review', async (context) => {
    const office = await openOffice(context);
    await changeAmount(office);
    const settled = await office.terminal.json(['allocate', txn(1), '--line', 'RENT']);
    assert.deepEqual(statusOf(settled), ['allocated', 1300]);
  });

  it('refuses to keep allocations that no longer fit, and says what to do', async (context) => {
    const { terminal, organisationId } = await openOffice(context);
    await terminal.json(['allocate', txn(1), '--line', 'RENT']);
    await pushRows(terminal, organisationId, [{ ...ROWS[0], amount: 1000 }]);
    const { exitCode, stderr } = await terminal.run(['review', txn(1), '--keep']);
    assert.equal(exitCode, 1);
    assert.match(
      stderr,
      /add up to 1200\.00 GBP, 200\.00 GBP too much\. Rescale, replace or clear the allocations /,
    );
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
