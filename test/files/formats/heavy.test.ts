/**
 * Statements and workbooks that no bank writes: patterns, paths and lists in them would take time
 * with the square of their length, or worse, and memory for each of very many accounts.
 */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openTable } from '../../../src/files/formats/open-table.ts';
import { FileError } from '../../../src/files/problems.ts';
import { UNMEASURED, watchTurns } from '../../console/turns.ts';
import { repetitions } from '../../repetitions.ts';
import { fileOf, opened, storedIn } from './opened.ts';
import { rowsOf } from './workbooks.ts';
import { zipOf } from './zips.ts';

/** Each of them took more than twice as long; on a quiet machine none takes 50 ms. */
const MOST_MS = repetitions(400, 400, 100);
const MANY = 30_000;
/** What is read of a file at once, and a file of several times as much. */
const [MOST_READ, LARGE_BYTES] = [1024 * 1024, 4 * 1024 * 1024];
const DETAILS = repetitions(20_000, 20_000, 400_000);

const mt940 = (entries: string) => `:20:A\n:25:DE12\n:60F:C260101EUR0,00\n${entries}`;
const ENTRY = ':61:2601010101D1,00NTRFX\n';
const ofx = (inner: string) =>
  `OFXHEADER:100\n\n<OFX><STMTRS><CURDEF>EUR<BANKACCTFROM><ACCTID>1</BANKACCTFROM>${inner}</OFX>`;
const payment = (amount: string) =>
  `<STMTTRN><TRNAMT>${amount}<DTPOSTED>20260105<FITID>1<NAME>Ann</STMTTRN>`;
const camt = (inner: string) =>
  `<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02">
<BkToCstmrStmt><Stmt><Acct><Id><IBAN>DE1</IBAN></Id></Acct>${inner}
</Stmt></BkToCstmrStmt></Document>`;
const entry = (inner: string, amount = '1.00') =>
  `<Ntry><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>DBIT</CdtDbtInd><BookgDt><Dt>2026-01-05</Dt>
</BookgDt>${inner}</Ntry>`;

function workbook(format: string, styles: string): Buffer {
  const rows = rowsOf([
    ['Date', 'Text', 'Amount', 'Id'],
    ['2026-01-05', '<c s="0"><v>5</v></c>', -12.5, 'a'],
    ['2026-01-06', 'x', -1.5, 'b'],
  ]);
  return zipOf({
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
    'xl/workbook.xml': '<workbook><sheets><sheet name="A" r:id="r"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels':
      '<Relationships><Relationship Id="r" Target="worksheets/sheet1.xml"/></Relationships>',
    'xl/styles.xml': `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="${format}"/></numFmts>
<cellXfs>${styles}</cellXfs></styleSheet>`,
  });
}

const STYLE = '<xf numFmtId="164"/>';
const deep = (name: string, depth: number, inner: string) =>
  `<${name}>`.repeat(depth) + inner + `</${name}>`.repeat(depth);

const FILES: Readonly<Record<string, () => string | Buffer>> = {
  'line ends that could begin MT940': () => `:20:A${'\n'.repeat(27)}x`,
  'comments that could begin OFX': () => `<?xml version="1.0"?>${'<!---->'.repeat(25)}x`,
  'a long word in CSV': () => `Date,Text,Amount\n2026-01-05,${'a'.repeat(200_000)} \u00e9,1.00\n`,
  'digits before a separator of lines': () =>
    mt940(`:61:2601010101D${'1'.repeat(15_000)}\u2028x\n`.repeat(4)),
  'slashes in a purpose': () =>
    mt940(`${ENTRY}:86:/REMI/a${`${'/'.repeat(MANY / 2)}\n`.repeat(20)}b`),
  'slashes in a reference': () => mt940(`${ENTRY}:86:/EREF/a${'/'.repeat(MANY)}b`.repeat(4)),
  'spaces at the end of a message': () =>
    mt940(`${ENTRY}:86:x\n-}${' '.repeat(MANY)}\u2028x\n`.repeat(4)),
  'texts of one payment': () => mt940(ENTRY + ':86:abcdefgh\n'.repeat(300_000)),
  'zeros of an amount': () => ofx(payment(`-1.${'0'.repeat(MANY)}1`).repeat(4)),
  'tags that are never closed': () =>
    ofx('<PAYEE>'.repeat(150_000) + '</STATUS>'.repeat(150_000) + payment('-1.00')),
  'long names of tags': () => camt(entry(`<Addtl${'AddtlU'.repeat(9_000)}>x</a>`.repeat(4))),
  'deep tags with long names': () =>
    camt(entry(deep('a'.repeat(2_000), 50, '<b>x</b>'.repeat(9_000)))),
  'details of one entry': () =>
    camt(entry('<TxDtls><Amt Ccy="EUR">1</Amt></TxDtls>'.repeat(DETAILS), '2')),
  'brackets of a number format': () => workbook('['.repeat(3_000), STYLE),
  'styles with a long format': () => workbook('0'.repeat(MANY), STYLE.repeat(60_000)),
};

describe('a file that would take very long', { skip: UNMEASURED ?? false }, () => {
  for (const [what, make] of Object.entries(FILES)) {
    it(`holds nothing with ${what}`, async () => {
      const bytes = make();
      const read = async () => {
        // What runs at once is a turn of its own.
        await new Promise(setImmediate);
        try {
          await opened(bytes);
        } catch (error) {
          assert.ok(error instanceof FileError, String(error));
        }
        await new Promise(setImmediate);
      };
      const { longestMs } = await watchTurns(read);
      assert.ok(longestMs < MOST_MS, `${longestMs.toFixed(0)} ms`);
    });
  }
});

it('holds nothing of a large file', async () => {
  const archive = Buffer.concat([Buffer.from(zipOf({ a: 'x' })), Buffer.alloc(LARGE_BYTES)]);
  const statement = ofx('<BALLIST>'.repeat(LARGE_BYTES / 9));
  for (const bytes of [archive, Buffer.from(statement)]) {
    let most = 0;
    const { size, read } = storedIn(bytes);
    const stored = {
      size,
      read: (start: number, length: number) => {
        most = Math.max(most, length);
        return read(start, length);
      },
    };
    await assert.rejects(openTable({ ...fileOf(''), stored }, {}), FileError);
    assert.ok(most <= MOST_READ, `${most} bytes at once`);
  }
});

describe('a statement of very many accounts', () => {
  const accounts = (many: number) => {
    const one = (at: number) => `:20:A\n:25:DE${at}\n${ENTRY}`;
    return Array.from({ length: many }, (_, at) => one(at)).join('');
  };

  it('takes little memory for each, and is refused above 1,000', async () => {
    const before = process.resourceUsage().maxRSS;
    assert.equal((await opened(accounts(900))).rows.length, 900);
    const more = (process.resourceUsage().maxRSS - before) / 1024;
    assert.ok(more < 300, `${more.toFixed(0)} MB`);
    await assert.rejects(opened(accounts(1_001)), /more than 1,000 accounts/);
  });

  it('names the first that do not add up, and counts the others', async () => {
    const wrong = ':20:A\n:25:DE1\n:60F:C260101EUR1,00\n:62F:C260101EUR5,00\n'.repeat(9);
    const { notes } = await opened(wrong + mt940(ENTRY));
    assert.equal(notes.filter((note) => note.includes('a difference of 4.00')).length, 5);
    assert.ok(
      notes.includes('DE1 in EUR: the balances of 4 more do not hold either.'),
      notes.join('\n'),
    );
  });

  it('names some statuses of what is not booked', async () => {
    const left = Array.from({ length: 50 }, (_, at) => `<Ntry><Sts>S${at}</Sts></Ntry>`).join('');
    const { notes } = await opened(camt(left + entry('')));
    assert.equal(notes.length, 21);
    assert.equal(notes.at(-1), 'Left out: 30 entries not booked (another status).');
  });
});
