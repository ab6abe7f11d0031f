import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { findRemembered } from '../../src/cli/remembered-mappings.ts';
import { storedFile } from '../../src/files/index.ts';
import { rowsOf, workbookOf } from '../files/formats/workbooks.ts';
import { Terminal } from './terminal.ts';

const payment = (day: string, amount: string, id: string) =>
  `<STMTTRN><DTPOSTED>202601${day}<TRNAMT>${amount}<FITID>${id}<NAME>Shop ${id}</STMTTRN>\n`;
const account = (number: string, currency: string, payments: string) =>
  `<STMTRS><CURDEF>${currency}<BANKACCTFROM><ACCTID>${number}</BANKACCTFROM>\n${payments}</STMTRS>`;
const [FIRST, SECOND, THIRD] = [
  payment('05', '-5.00', 'A'),
  payment('06', '-5.00', 'A'),
  payment('07', '9.00', 'B'),
];

const MT940 = ':61:260105D5,NTRFX//Y\n:86:Rent\n:62F:C260105EUR4,\n-\n';

describe('18 statements on the command line', () => {
  it('are imported by their contents, and overlapping files create nothing twice', async (test) => {
    const terminal = new Terminal(test);
    await terminal.run(['init', '--name', 'Org', '--currency', 'EUR']);
    const write = (name: string, text: string) => writeFileSync(join(terminal.folder, name), text);
    write('january.csv', `<OFX>${account('77', 'EUR', FIRST + SECOND)}</OFX>`);
    write('later.json', `<OFX>${account('77', 'EUR', SECOND + THIRD)}</OFX>`);
    const first = await terminal.run(['import', 'january.csv']);
    assert.match(first.stderr, /money out 10\.00, money in 0\.00\.\n.*2 created/s);
    const later = await terminal.run(['import', 'later.json']);
    assert.match(later.stderr, /1 created, 1 updated \(1 unchanged\)|1 created/);
    const listed = await terminal.run(['transactions', 'list', '--json']);
    assert.equal(JSON.parse(listed.stdout).data.length, 3);
  });

  it('are read once, however many mappings beside them are tried', async (test) => {
    const { folder } = new Terminal(test);
    const path = join(folder, 'january.ofx');
    writeFileSync(path, `<OFX>${account('77', 'EUR', FIRST)}</OFX>`);
    const count = async () => {
      const own = storedFile(path);
      assert.ok(own.stored);
      const { stored } = own;
      let pieces = 0;
      const read: typeof stored.read = (start, bytes) => {
        pieces += 1;
        return stored.read(start, bytes);
      };
      const source = { ...own, stored: { ...stored, read } };
      assert.equal(await findRemembered(path, { cwd: folder }, source), undefined);
      return pieces;
    };
    const write = (name: string) => {
      const fields = { externalId: 'No', date: 'Day', description: 'For', amount: name };
      const mapping = { header: Object.values(fields), fields };
      writeFileSync(join(folder, `${name}.map.json`), JSON.stringify(mapping));
    };
    write('Sum');
    const once = await count();
    for (const name of ['Paid', 'Value', 'Total']) write(name);
    assert.ok(once > 0);
    assert.equal(await count(), once);
  });

  it('in another currency are refused, and in several are a question', async (test) => {
    const terminal = new Terminal(test);
    await terminal.run(['init', '--name', 'Org', '--currency', 'EUR']);
    const pounds = account('88', 'GBP', THIRD);
    writeFileSync(join(terminal.folder, 'pounds.ofx'), `<OFX>${pounds}</OFX>`);
    const refused = await terminal.run(['import', 'pounds.ofx']);
    assert.equal(refused.exitCode, 1);
    assert.match(refused.stderr, /amounts are in GBP, but Org uses EUR/);
    writeFileSync(join(terminal.folder, 'marks.ofx'), `<OFX>${account('88', 'DEM', THIRD)}</OFX>`);
    const marks = await terminal.run(['import', 'marks.ofx']);
    assert.equal(marks.exitCode, 1);
    assert.match(marks.stderr, /amounts are in DEM, but Org uses EUR/);
    const both = `<OFX>${account('77', 'EUR', FIRST)}${pounds}</OFX>`;
    writeFileSync(join(terminal.folder, 'both.ofx'), both);
    const asked = await terminal.run(['import', 'both.ofx']);
    assert.equal(asked.exitCode, 1);
    assert.match(asked.stderr, /--account 77\n.*--account 88\n.*Nothing was sent/s);
    const inspected = await terminal.run(['csv', 'inspect', 'both.ofx', '--account', '77']);
    assert.match(inspected.stdout, /Left out: 88 in GBP.*push both\.ofx --map both\.map\.json/s);
    const mapping = JSON.parse(readFileSync(join(terminal.folder, 'both.map.json'), 'utf8'));
    assert.deepEqual(mapping.bankAccounts, ['77']);
    for (const options of [
      ['--account', '77'],
      ['--map', 'both.map.json'],
      ['--maps', '.'],
    ]) {
      const done = await terminal.run(['import', 'both.ofx', '--dry-run', ...options]);
      assert.deepEqual([done.exitCode, /1 row: 1 created/.test(done.stderr)], [0, true]);
    }
    const unknown = await terminal.run(['import', 'both.ofx', '--account', '9']);
    assert.match(unknown.stderr, /no account "9"\. Its accounts are: "77", "88"/);
  });

  it('of several accounts are read whole, each account with its sums', async (test) => {
    const terminal = new Terminal(test);
    await terminal.run(['init', '--name', 'Org', '--currency', 'EUR']);
    const both = `<OFX>${account('77', 'EUR', FIRST)}${account('88', 'EUR', THIRD)}</OFX>`;
    writeFileSync(join(terminal.folder, 'both.ofx'), both);
    const said = (result: { stderr: string }) => result.stderr.match(/^\d+ in EUR: .*$/gm);
    const all = await terminal.run(['import', 'both.ofx', '--dry-run']);
    assert.deepEqual(said(all), [
      '77 in EUR: 1 payment, out 5.00, in 0.00.',
      '88 in EUR: 1 payment, out 0.00, in 9.00.',
    ]);
    const one = await terminal.run(['import', 'both.ofx', '--dry-run', '--account', '77']);
    assert.deepEqual(said(one), ['77 in EUR: 1 payment, out 5.00, in 0.00.']);
  });

  it('and workbooks are pushed from an inbox, and --sheet chooses', async (test) => {
    const terminal = new Terminal(test);
    await terminal.run(['init', '--name', 'Org', '--currency', 'EUR']);
    const head = ['externalId', 'date', 'description', 'amount'];
    const sheet = (...amounts: number[]) =>
      rowsOf([head, ...amounts.map((amount) => [`X${amount}`, '2026-01-05', 'Rent', amount])]);
    const book = workbookOf({ sheets: { One: sheet(1, 2, 3), Two: sheet(4, 5, 6) } });
    writeFileSync(join(terminal.folder, 'book.bin'), book);
    const asked = await terminal.run(['import', 'book.bin']);
    assert.equal(asked.exitCode, 1);
    assert.match(asked.stderr, /Several sheets.*--sheet One\n.*--sheet Two\n.*Nothing was sent/s);
    const done = await terminal.run(['import', 'book.bin', '--sheet', 'Two']);
    assert.match(done.stderr, /money out 15\.00, .*3 created/s);
    const inspect = ['csv', 'inspect', 'book.bin', '--sheet', 'One', '--money-out', 'positive'];
    const inspected = await terminal.run([...inspect, '--json']);
    const { format, mapping } = JSON.parse(inspected.stdout);
    assert.deepEqual([format, mapping?.sheet], ['Excel, sheet "One"', 'One']);
    mkdirSync(join(terminal.folder, 'inbox'));
    writeFileSync(
      join(terminal.folder, 'inbox/a.sta'),
      `:20:1\n:25:7\n:60F:C260101EUR9,\n${MT940}`,
    );
    writeFileSync(join(terminal.folder, 'inbox/notes.txt'), 'notes');
    const dry = ['push', '--inbox', 'inbox', '--dry-run', '--currency', 'EUR', '--settle', '0'];
    const pushed = await terminal.run(dry);
    assert.match(pushed.stderr, /a\.sta.*1 row: 1 created/s);
    assert.match(pushed.stderr, /notes\.txt: skipped: push reads only .*statements/);
  });

  it('that are cut off in a payment are to be downloaded again', async (test) => {
    const terminal = new Terminal(test);
    await terminal.run(['init', '--name', 'Org', '--currency', 'EUR']);
    for (const text of [
      `<OFX>${account('77', 'EUR', FIRST + SECOND)}`.split('Shop A</STMTTRN>\n</S')[0],
      ':20:1\n:25:7\n:60F:C260105EUR9,\n:61:260105D5,NTRFX//Y\n:61:260106D1',
    ]) {
      writeFileSync(join(terminal.folder, 'cut'), text ?? '');
      const { exitCode, stderr } = await terminal.run(['import', 'cut', '--dry-run']);
      assert.equal(exitCode, 3, stderr);
      const cut =
        /rejected: amount: The file is cut off in this payment\. Download the file again\./;
      assert.match(stderr, cut);
    }
  });

  it('need no mapping, and one without payments is said to be that', async (test) => {
    const terminal = new Terminal(test);
    writeFileSync(join(terminal.folder, 'a.qfx'), `<OFX>${account('7', 'EUR', FIRST)}</OFX>`);
    const inspected = await terminal.run(['csv', 'inspect', 'a.qfx']);
    assert.match(inspected.stdout, /Format +OFX\n.*Next:\n {2}budgetd push a\.qfx --url …\n/s);
    assert.equal(existsSync(join(terminal.folder, 'a.map.json')), false);
    const answered = await terminal.run(['csv', 'inspect', 'a.qfx', '--money-out', 'positive']);
    assert.deepEqual(
      [answered.exitCode, /--money-out is not for this file: OFX/.test(answered.stderr)],
      [2, true],
    );
    writeFileSync(join(terminal.folder, 'b.ofx'), `<OFX>${account('7', 'EUR', '')}</OFX>`);
    for (const command of [
      ['csv', 'inspect'],
      ['push', '--dry-run', '--currency', 'EUR'],
    ]) {
      const done = await terminal.run([...command, 'b.ofx']);
      assert.deepEqual([done.exitCode, /without payments/.test(done.stderr)], [1, true]);
    }
  });
});
