import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { openDesk } from '../client/desk.ts';
import { rowsOf, workbookOf } from '../files/formats/workbooks.ts';
import { membersOf, Terminal } from './terminal.ts';

/** A message of a bank with these entries. */
const camt = (number: '053' | '054', entries: string) => {
  const [outer, inner] = number === '053' ? ['Stmt', 'Stmt'] : ['DbtCdtNtfctn', 'Ntfctn'];
  return `<Document><BkToCstmr${outer}><${inner}>
<Acct><Id><IBAN>DE02</IBAN></Id><Ccy>GBP</Ccy></Acct>
${entries}</${inner}></BkToCstmr${outer}></Document>`;
};
const entry = (id: string, amount: string, parts: readonly string[] = [], text = '') =>
  `<Ntry><Amt Ccy="GBP">${amount}</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts>
<BookgDt><Dt>2026-01-05</Dt></BookgDt><AcctSvcrRef>${id}</AcctSvcrRef><NtryDtls>${parts
    .map(
      (part, at) => `<TxDtls><Refs><TxId>T${at}</TxId></Refs><Amt Ccy="GBP">${part}</Amt></TxDtls>`,
    )
    .join('')}</NtryDtls><AddtlNtryInf>${text}</AddtlNtryInf></Ntry>`;
const SUM = camt('053', entry('R1', '60') + entry('R2', '5'));
const PARTS = camt('054', entry('R1', '60', ['10', '20', '30']) + entry('R3', '7', ['3', '4']));
const TWO_SUMS = camt('053', entry('R1', '60', [], 'One') + entry('R1', '60', [], 'Two'));
const TWO_IN_PARTS = PARTS.replace('<Ntry>', `${entry('R1', '60', ['10', '20', '30'])}<Ntry>`);

const mt940 = (...entries: readonly string[]) =>
  `:20:1\n:25:7\n:28C:1\n${entries.map((each) => `:61:${each}\n:86:Rent\n`).join('')}-\n`;
const ofx = (...payments: readonly string[]) =>
  `<OFX><STMTRS><CURDEF>GBP<BANKACCTFROM><ACCTID>77</BANKACCTFROM>${payments
    .map((each) => `<STMTTRN>${each}</STMTTRN>`)
    .join('')}</STMTRS></OFX>`;
const payment = (day: string, amount: string, id: string, name: string) =>
  `<DTPOSTED>202601${day}<TRNAMT>${amount}<FITID>${id}<NAME>${name}`;
const sheet = (...amounts: readonly number[]) =>
  workbookOf({
    sheets: {
      One: rowsOf([
        ['Date', 'Details', 'Amount'],
        ...amounts.map((amount) => [`2026-01-0${Math.abs(amount)}`, `Rent ${amount}`, amount]),
      ]),
    },
  });

/** Files of three formats whose payments have one id, one day and one amount, and these texts. */
const WITH_ONE_ID: Readonly<Record<string, (texts: readonly string[]) => string>> = {
  OFX: (texts) => ofx(...texts.map((text) => payment('05', '-5', 'A', text))),
  CAMT: (texts) => camt('053', texts.map((text) => entry('A', '5', [], text)).join('')),
  MT940: (texts) =>
    mt940(...texts.map((text) => `2601050105D5,NTRFX//A\n:86:${text}`)).replaceAll(
      ':86:Rent\n',
      '',
    ),
};

function sameIds(): Record<string, readonly [string, string, number]> {
  const all: Record<string, readonly [string, string, number]> = {};
  for (const [what, write] of Object.entries(WITH_ONE_ID)) {
    const [one, four] = [write(['Ann']), write(['Bob', 'Ann', 'Cyd', 'Bob'])];
    all[`${what}, with an id that comes more often in the second`] = [one, four, 4];
    all[`${what}, with an id that comes more often in the first`] = [four, one, 4];
    const equal = [write(['Ann', 'Bob', 'Ann']), write(['Ann', 'Ann', 'Bob'])] as const;
    all[`${what}, with an id of equal payments and of another`] = [...equal, 3];
  }
  return all;
}

/** Two files of one account that overlap, and how many payments they have together. */
const OVERLAPS: Readonly<Record<string, readonly [string | Buffer, string | Buffer, number]>> = {
  'OFX, with an id that is used twice and in another order': [
    ofx(payment('05', '-5', 'A', 'Ann'), payment('05', '-5', 'A', 'Bob')),
    ofx(
      payment('05', '-5', 'A', 'Bob'),
      payment('06', '-5', 'A', 'Ann'),
      payment('05', '-5', 'A', 'Ann'),
    ),
    3,
  ],
  ...sameIds(),
  'OFX, without ids and with equal payments': [
    ofx(payment('05', '-5', '', 'Ann'), payment('05', '-5', '', 'Ann')),
    ofx(
      payment('05', '-5', '', 'Ann'),
      payment('05', '-5', '', 'Ann'),
      payment('06', '1', '', 'B'),
    ),
    3,
  ],
  CAMT: [
    camt('053', entry('A', '5') + entry('NONREF', '6') + entry('NONREF', '6')),
    camt('053', entry('NONREF', '6') + entry('NONREF', '6') + entry('B', '5')),
    4,
  ],
  MT940: [
    mt940('2601050105D5,NTRFX//B1', '2601060106D6,NTRFNONREF', '2601060106D6,NTRFNONREF'),
    mt940('2601060106D6,NTRFNONREF', '2601060106D6,NTRFNONREF', '2601070107D6,NTRFNONREF'),
    4,
  ],
  Excel: [sheet(-1, -2, -3), sheet(-2, -3, 4), 4],
};

async function openTerminal(test: ConstructorParameters<typeof Terminal>[0]) {
  const terminal = new Terminal(test);
  await terminal.run(['init', '--name', 'Org', '--currency', 'GBP']);
  const write = (name: string, bytes: string | Buffer) =>
    writeFileSync(join(terminal.folder, name), bytes);
  const amounts = async () => {
    const { data } = membersOf(await terminal.json(['transactions', 'list']));
    return (data as { amount: number }[]).map(({ amount }) => amount).sort();
  };
  return { terminal, write, amounts };
}

describe('18 overlapping files of an account create nothing twice', () => {
  for (const [what, [first, second, total]] of Object.entries(OVERLAPS)) {
    it(what, async (test) => {
      const { terminal, write, amounts } = await openTerminal(test);
      write('a', first);
      write('b', second);
      const options = what === 'Excel' ? ['--map', 'a.map.json'] : [];
      const inspect = ['csv', 'inspect', 'a', '--map', 'a.map.json', '--money-out', 'negative'];
      if (what === 'Excel') assert.equal((await terminal.run(inspect)).exitCode, 0);
      for (const name of ['a', 'b', 'a']) {
        const { exitCode, stderr } = await terminal.run(['import', name, ...options]);
        assert.equal(exitCode, 0, stderr);
        const isSaid = /^\S.*: \d payments?, out \d+\.00, in/m.test(stderr);
        assert.equal(isSaid, what !== 'Excel', stderr);
      }
      assert.equal((await amounts()).length, total);
    });
  }

  for (const [what, first, second, expected] of [
    ['the sum first', SUM, PARTS, [3, 4, 5, 60]],
    ['the parts first', PARTS, SUM, [10, 20, 3, 30, 4, 5]],
    ['two sums with one id first', TWO_SUMS, TWO_IN_PARTS, [3, 4, 60, 60]],
    ['the parts of two with one id first', TWO_IN_PARTS, TWO_SUMS, [10, 10, 20, 20, 3, 30, 30, 4]],
  ] as const) {
    it(`a camt.053 and a camt.054 of one entry, ${what}`, async (test) => {
      const { terminal, write, amounts } = await openTerminal(test);
      write('first', first);
      write('second', second);
      await terminal.run(['import', 'first']);
      const { stderr } = await terminal.run(['import', 'second']);
      assert.match(stderr, /Left out: [1236] payments? stored already from another message/);
      assert.deepEqual(await amounts(), expected);
      const again = await terminal.run(['import', 'second']);
      assert.match(again.stderr, /unchanged|no rows/);
      assert.deepEqual(await amounts(), expected);
    });
  }

  it('also over HTTP, with a prefix; a key that cannot read is told so', async (test) => {
    const { world, run, write } = await openDesk(test);
    write('sum', SUM);
    write('parts', PARTS);
    const push = (name: string, ...more: string[]) =>
      run([name, '--url', world.url, '--id-prefix', 'BANK/', ...more]);
    assert.equal((await push('sum')).exitCode, 0);
    const { stderr } = await push('parts');
    assert.match(stderr, /Left out: 3 payments stored already/);
    assert.match(stderr, /2 rows: 2 created/);
    const { service, organisationId } = world;
    const { key } = service.keys.create(organisationId, {
      name: 'writes',
      scopes: ['transactions:write'],
    });
    const unread = await run(['parts', '--url', world.url, '--key', key]);
    assert.match(unread.stderr, /The key cannot read transactions, so .* transactions:read\./s);
  });

  it('and a file in another currency is refused before a row is sent', async (test) => {
    const { world, run, write } = await openDesk(test);
    write('euros', SUM.replaceAll('GBP', 'EUR'));
    for (const more of [[], ['--complete', '2026-01-01..2026-01-31']]) {
      const refused = await run(['euros', '--url', world.url, ...more]);
      assert.equal(refused.exitCode, 1);
      assert.match(
        refused.stderr,
        /EUR, but this organisation's budgets are in GBP.*No rows were/s,
      );
    }
    // A sign can be that of several currencies, of which none or one is the organisation's.
    write('a.csv', 'externalId,date,description,amount\nA,2026-01-05,Tea,5\n');
    const push = (currency: string) => {
      const fields = { externalId: 'externalId', date: 'date', description: 'description' };
      const amount = { column: 'amount', currency };
      write('map.json', JSON.stringify({ fields: { ...fields, amount } }));
      return run(['a.csv', '--map', 'map.json', '--url', world.url]);
    };
    const dollars = await push('$');
    assert.deepEqual([dollars.exitCode, /currency is \$, but/.test(dollars.stderr)], [1, true]);
    assert.equal((await push('£')).exitCode, 0);
  });
});
