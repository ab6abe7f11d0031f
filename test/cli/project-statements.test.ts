import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { createService } from '../../src/index.ts';
import { pushRows, txn } from './office.ts';
import { membersOf, Terminal } from './terminal.ts';

const NAME = 'Youth work 2026';

/** A grant of 5,000, and rent of which more was paid than budgeted. */
async function openGrant(context: TestContext): Promise<Terminal> {
  const terminal = new Terminal(context);
  const made = await terminal.json(['init', '--name', 'Harbour Trust', '--currency', 'GBP']);
  const grant = { code: 'G', name: 'Grant', kind: 'income', budget: { '2026-01': 5000 } };
  const rent = { code: 'R', name: '=Rent', category: 'House', budget: { '2026-01': 4000 } };
  const days = { startDate: '2026-01-01', endDate: '2026-03-31' };
  const project = { name: NAME, ...days, budgetLines: [grant, rent, { code: 'X', name: 'Extra' }] };
  await terminal.run(['projects', 'import', '-'], { stdin: JSON.stringify(project) });
  const row = { description: '@x', contact: 'Ann', accountCode: null };
  await pushRows(terminal, String(membersOf(made)['organisationId']), [
    { ...row, externalId: 'g', date: '2026-01-02', amount: -5000 },
    { ...row, externalId: 'r', date: '2026-01-03', amount: 4500 },
  ]);
  await terminal.run(['allocate', txn(1), '--line', 'G']);
  await terminal.run(['allocate', txn(2), '--line', 'R']);
  return terminal;
}

const run = (terminal: Terminal, ...argv: string[]) => terminal.run(['statements', ...argv]);

describe('14 statements on the command line', () => {
  it('14 shows no sign that turns a text round', async (context) => {
    const terminal = await openGrant(context);
    const turned = (text: string) => `${text}\u202e`;
    const line = { code: turned('L'), name: turned('Line'), budget: { '2026-01': 9 } };
    const funder = { name: turned('Fund'), reference: turned('Ref') };
    const days = { startDate: '2026-01-01', endDate: '2026-03-31' };
    const project = { name: turned('Odd'), ...days, funder, budgetLines: [line] };
    await terminal.run(['projects', 'import', '-'], { stdin: JSON.stringify(project) });
    const reasons = JSON.stringify({ [line.code]: turned('Why') });
    writeFileSync(join(terminal.folder, 'r.json'), reasons);
    const name = project.name;
    const draft = await run(terminal, 'show', name, '--to', '2026-01');
    const issue = ['issue', name, '--to', '2026-01', '--reasons', 'r.json'];
    const issued = await run(terminal, ...issue, '--note', turned('Note'));
    const withdrawn = await run(terminal, 'withdraw', name, '1', '--reason', turned('Wrong'));
    assert.match(draft.stdout, /^Reasons missing: L\ufffd Line\ufffd\.$/m);
    assert.match(issued.stdout, /^Odd\ufffd: .*\nFor Fund\ufffd, Ref\ufffd$/m);
    assert.match(issued.stdout, /^ {2}Why\ufffd\n\nNote:\n {2}Note\ufffd$/m);
    assert.match(withdrawn.stdout, /: Wrong\ufffd$/m);
    for (const { stdout } of [draft, issued, withdrawn]) assert.doesNotMatch(stdout, /\u202e/);
  });

  it('14 shows, issues, lists and withdraws', async (context) => {
    const terminal = await openGrant(context);
    const show = async (...argv: string[]) => {
      return membersOf(await terminal.json(['statements', 'show', NAME, ...argv]));
    };
    assert.deepEqual(await terminal.json(['statements', 'list', NAME]), []);
    const draft = await show('--to', '2026-01');
    assert.equal(draft['status'], 'draft');
    const missing = await run(terminal, 'issue', NAME, '--to', '2026-01');
    assert.equal(missing.exitCode, 1);
    assert.match(
      missing.stderr,
      /Nothing was issued: 1 line has no reason: R =Rent\. .* --reasons .* --without-reasons\./,
    );
    const reasons = (value: unknown) =>
      writeFileSync(join(terminal.folder, 'r.json'), JSON.stringify(value));
    const issue = ['issue', NAME, '--to', '2026-01', '--reasons', 'r.json'];
    for (const [value, message] of [
      [{ Z: 'a' }, /No line of the statement is "Z"/],
      [['a'], /is not an object with a text for each line/],
      [{ Y: 'a', R: 5 }, /r\.json has no text for "R"\./],
    ] as const) {
      reasons(value);
      const wrong = await run(terminal, ...issue);
      assert.equal(wrong.exitCode, 1);
      assert.match(wrong.stderr, message);
    }
    reasons({ R: 'A rise' });
    const issued = membersOf(await terminal.json(['statements', ...issue, '--note', 'Note']));
    assert.match(String(issued['hash']), /^[0-9a-f]{64}$/);
    assert.deepEqual(issued['issuedBy'], { id: null, name: 'command line' });
    const { stdout } = await run(terminal, 'show', NAME, '1');
    assert.match(stdout, /^Youth work 2026: statement 1 \(issued\), 2026-01 to 2026-01$/m);
    assert.match(stdout, /^G +Grant +0\.00 +5,000\.00 +0\.00 +5,000\.00 +5,000\.00 +0\.00$/m);
    assert.match(stdout, /^ +Balance +0\.00 +500\.00 +0\.00 +500\.00 +1,000\.00 *$/m);
    assert.doesNotMatch(stdout, /Extra/);
    await terminal.run(['allocate', txn(2), '--line', 'X']);
    const later = await run(terminal, 'show', NAME, '1');
    assert.match(later.stdout, /^Reason for R =Rent:\n {2}A rise\n\nNote:\n {2}Note\n$/m);
    const changes = later.stdout.slice(later.stdout.indexOf('\nChanged since'));
    assert.match(changes, /^\nChanged since: 1 transaction, income 0\.00, expenses 0\.00\n/);
    assert.match(changes, /^2026-01-03 +txn_\d+ +@x +R =Rent +4,500\.00 +0\.00 +-4,500\.00$/m);
    assert.match(changes, / X Extra +0\.00 +4,500\.00 +4,500\.00$/m);
    const [listed] = (await terminal.json(['statements', 'list', NAME])) as object[];
    const { changed, balance, expenses } = membersOf(listed);
    assert.deepEqual([changed, balance, expenses], [1, 500, 4500]);
    assert.match((await run(terminal, 'list', NAME)).stdout, /issued +2026-01 +2026-01/);
    const gone = await run(terminal, 'withdraw', NAME, '1', '--reason', 'Wrong line');
    assert.match(gone.stdout, /^Withdrawn by command line: Wrong line$/m);
    assert.equal((await show('1'))['status'], 'withdrawn');
    const again = await run(terminal, 'withdraw', NAME, '1', '--reason', 'x');
    assert.equal(again.exitCode, 1);
    const second = await show();
    assert.deepEqual([second['number'], second['issue'], second['note']], [1, 2, 'Note']);
    for (const [exitCode, ...argv] of [
      [1, 'show', NAME, '2'],
      [1, 'show', NAME, '1', '--issue', '9'],
      [2, 'show', NAME, '1', '--to', '2026-01'],
      [2, 'show', NAME, '--to', '2026-13'],
      [2, 'show', NAME, '--issue', '1'],
      [2, 'show', NAME, '--csv', '--xlsx', 'a.xlsx'],
      [2, 'show', NAME, '--csv', '--with-contacts'],
      [1, 'show', NAME, '1', '--xlsx', 'r.json'],
      [2, 'show', NAME, '1', '--transactions'],
      [2, 'show', NAME, '--csv', '--json'],
      [2, 'show', NAME, 'one'],
      [2, 'issue', NAME],
      [1, 'show', NAME, '--to', '2025-12'],
      [1, 'issue', NAME, '--to', '2026-04'],
    ] as const) {
      const outcome = await run(terminal, ...argv);
      assert.equal(outcome.exitCode, exitCode, argv.join(' ') + outcome.stderr);
    }
    assert.equal((await terminal.run(['check'])).exitCode, 0);
  });

  it('14 writes CSV whose transactions add up to the lines, and exports it', async (context) => {
    const terminal = await openGrant(context);
    await run(terminal, 'issue', NAME, '--to', '2026-01', '--without-reasons');
    const read = async (...argv: string[]) => {
      const { stdout } = await run(terminal, 'show', NAME, '1', '--csv', ...argv);
      return stdout.trimEnd().split('\r\n');
    };
    assert.deepEqual(await read(), [
      '\ufeffproject,statement,issue,status,kind,category,code,line,currency,budget,before,' +
        'period,changes,toDate,left,usedPercent,budgetToDate,reason',
      `${NAME},1,1,issued,income,,G,Grant,GBP,5000.00,0.00,5000.00,0.00,5000.00,0.00,100,5000.00,`,
      `${NAME},1,1,issued,expense,House,R,'=Rent,GBP,4000.00,0.00,4500.00,0.00,4500.00,-500.00,` +
        '113,4000.00,',
      `${NAME},1,1,issued,expense,,X,Extra,GBP,0.00,0.00,0.00,0.00,0.00,0.00,,0.00,`,
    ]);
    const items = await read('--transactions', '--with-contacts');
    assert.deepEqual(items, [
      '\ufeffcolumn,date,transactionId,provider,externalId,description,accountCode,kind,code,' +
        'line,currency,amount,contact',
      `period,2026-01-02,${txn(1)},api,g,'@x,,income,G,Grant,GBP,5000.00,Ann`,
      `period,2026-01-03,${txn(2)},api,r,'@x,,expense,R,'=Rent,GBP,4500.00,Ann`,
    ]);
    assert.doesNotMatch((await read('--transactions')).join(), /Ann|contact/);
    const { files } = membersOf(await terminal.json(['export', 'out']));
    const counts = (files as { file: string; entries: number }[]).filter(({ file }) => {
      return file.startsWith('statement');
    });
    assert.deepEqual(counts, [
      { file: 'statements.ndjson', entries: 1 },
      { file: 'statement-items.csv', entries: 2 },
    ]);
  });

  it('14 writes a workbook to a new file, of the draft too', async (context) => {
    const terminal = await openGrant(context);
    const show = (...argv: string[]) => run(terminal, 'show', NAME, ...argv);
    const draft = await show('--to', '2026-01', '--csv', '--transactions');
    assert.equal(draft.stdout.trimEnd().split('\r\n').length, 3);
    const file = ['--xlsx', 'draft.xlsx'];
    assert.equal((await show('--to', '2026-01', ...file)).stderr, 'Wrote draft.xlsx.\n');
    const before = readFileSync(join(terminal.folder, 'draft.xlsx'));
    assert.equal(before.toString('latin1', 0, 4), 'PK\x03\x04');
    const again = await show(...file);
    assert.equal(again.exitCode, 1);
    assert.match(again.stderr, /draft\.xlsx already exists\. Name a new file\./);
    assert.deepEqual(readFileSync(join(terminal.folder, 'draft.xlsx')), before);
  });

  it('14 shows no month that has not begun, nor a project without lines', async (context) => {
    const terminal = await openGrant(context);
    const days = { startDate: '2026-01-01', endDate: '2199-12-31' };
    const projects = [
      { name: 'Long', ...days, budgetLines: [{ name: 'Pay' }] },
      { name: 'Empty', ...days, budgetLines: [] },
    ];
    await terminal.run(['projects', 'import', '-'], { stdin: JSON.stringify(projects) });
    const unbegun = await run(terminal, 'show', 'Long', '--to', '2199-11');
    assert.equal(unbegun.exitCode, 1);
    assert.match(unbegun.stderr, /2199-11 has not begun, so it cannot be reported yet\./);
    assert.equal((await run(terminal, 'show', 'Long', '--to', '2199-12')).exitCode, 0);
    const empty = await run(terminal, 'show', 'Empty');
    assert.equal(empty.exitCode, 1);
    assert.match(empty.stderr, /"Empty" has no budget lines, so it has no statements\./);
    const { stdout } = await run(terminal, 'show', NAME, '--to', '2026-01');
    assert.match(stdout, /^Reasons missing: R =Rent\.$/m);
  });

  it('14 the library has them too', async (context) => {
    const terminal = await openGrant(context);
    const database = terminal.database;
    const clock = () => new Date('2026-02-10T12:00:00Z');
    await using service = await createService({ database, clock, create: false });
    const [org] = service.organisations.list();
    const [id, project] = [org?.id ?? '', 'prj_0000000001'];
    assert.equal(service.statements.show(id, project).to, '2026-01');
    const issued = service.statements.issue(id, project, {
      to: '2026-01',
      reasons: { R: 'A rise' },
    });
    assert.equal(issued.issuedBy?.name, 'library');
    const bytes = await service.statements.xlsx(id, project, { number: 1 });
    assert.equal(Buffer.from(bytes).toString('latin1', 0, 4), 'PK\x03\x04');
    const untold = {} as Parameters<typeof service.statements.issue>[2];
    assert.throws(() => service.statements.issue(id, project, untold), { code: 'invalid_input' });
    const unnumbered = () => service.statements.show(id, project, { issue: 1 });
    assert.throws(unnumbered, { code: 'invalid_input', message: /Add number/ });
    const dated = () => service.statements.show(id, project, { number: 1, to: '2026-01' });
    assert.throws(dated, { code: 'invalid_input', message: /only for the draft/ });
    assert.deepEqual(service.statements.show(id, project, { number: 1 }), issued);
    const gone = service.statements.withdraw(id, project, 1, { reason: 'Late' });
    assert.equal(gone.status, 'withdrawn');
    assert.deepEqual(
      service.statements.list(id, project).map(({ status, changed }) => [status, changed]),
      [['withdrawn', null]],
    );
  });
});
