import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inspectCsvWith, isCsvContradicted } from '../../../src/files/inspection/remembered.ts';
import type { Mapping } from '../../../src/files/mapping/mapping.ts';
import { readMapping } from '../../../src/files/mapping/mapping-file.ts';
import { DIALECTS } from './dialects/all.ts';
import { bytesOf } from './dialects/dialect.ts';
import { documentOf, inspectBytes } from './dialects/reading.ts';

interface Payment {
  readonly day: string;
  readonly month: string;
  readonly amount: number;
}

/** Payments of which every sixth is money in. */
const PAYMENTS: readonly Payment[] = Array.from({ length: 24 }, (_, at) => ({
  day: String(at + 1).padStart(2, '0'),
  month: '03',
  amount: at % 6 === 5 ? 1250.5 : -30 - at / 4,
}));

/** A file as a program writes it: its order of days, its decimal mark, its sign. */
function fileOf(
  payments: readonly Payment[],
  { monthFirst = false, comma = false, turned = false, decimals = 2 } = {},
): Buffer {
  const rows = payments.map(({ day, month, amount }, at) => {
    const date = monthFirst ? `${month}/${day}/2016` : `${day}/${month}/2016`;
    const written = (turned ? -amount : amount).toFixed(decimals);
    return `${date};Payment ${at} to a shop;${comma ? written.replace('.', ',') : written}`;
  });
  return Buffer.from(['Date;Details;Amount', ...rows, ''].join('\n'));
}

const sourceOf = (bytes: Buffer) => ({
  name: 'later.csv',
  async *open() {
    yield bytes;
  },
});

/** The mapping as it is read from its file. */
async function mappingOf(bytes: Buffer, ...options: string[]): Promise<Mapping> {
  return readMapping(documentOf(await inspectBytes(bytes, options)));
}

/** Whether a later file is read with the mapping. */
async function holds(bytes: Buffer, mapping: Mapping): Promise<boolean> {
  const inspection = await inspectCsvWith(sourceOf(bytes), mapping);
  const contradicted = await isCsvContradicted(sourceOf(bytes), mapping);
  if (inspection !== undefined) assert.ok(!contradicted);
  return inspection !== undefined;
}

describe('17 a remembered mapping holds while the new file does not contradict it', () => {
  it('says what it rests on: what the file showed, not what a person answered', async () => {
    const own = fileOf(PAYMENTS);
    assert.deepEqual((await mappingOf(own)).rests, ['dates', 'decimal', 'sign', 'more money out']);
    const said = await mappingOf(own, '--money-out', 'positive', '--date-format', 'DD/MM/YYYY');
    assert.deepEqual(said.rests, ['decimal']);
    assert.deepEqual((await mappingOf(own, '--map', 'amount=Amount')).rests, ['dates', 'decimal']);
    assert.equal((await mappingOf(fileOf(PAYMENTS.slice(10, 15)))).rests?.at(-1), 'more money out');
  });

  it('the sign: more than nine tenths of 20 amounts on the other side contradict it', async () => {
    const mapping = await mappingOf(fileOf(PAYMENTS));
    assert.ok(await holds(fileOf(PAYMENTS), mapping));
    const out = PAYMENTS.filter(({ amount }) => amount < 0);
    const turned = (payments: readonly Payment[]) => fileOf(payments, { turned: true });
    assert.ok(!(await holds(turned(out), mapping)), 'all 20 on the other side');
    assert.ok(await holds(turned(out.slice(1)), mapping), 'only 19');
    const income = PAYMENTS.filter(({ amount }) => amount > 0);
    assert.ok(!(await holds(turned([...out, ...income.slice(2)]), mapping)), '20 of 22');
    assert.ok(await holds(turned([...out, ...income.slice(1)]), mapping), '20 of 23');
    assert.ok(await holds(turned(out), { ...mapping, rests: ['dates', 'decimal'] }), 'answered');
    assert.ok(await holds(turned(out), { ...mapping, rests: undefined }), 'an earlier version');
  });

  it('the other side: a file with more money in, and then nearly all money out', async () => {
    const income = PAYMENTS.map((each) => ({ ...each, amount: Math.abs(each.amount) }));
    const lines = fileOf(income.map((each, at) => (at < 5 ? { ...each, amount: -9 } : each)));
    const own = Buffer.from(
      String(lines)
        .replace('Date;', 'IBAN;Date;')
        .replace(/^(?=\d)/gm, 'GB00;'),
    );
    const mapping = await mappingOf(own);
    assert.equal(mapping.rests?.at(-1), 'more money in');
    const later = Buffer.from(String(own).replace(/;(\d+\.\d\d)$/gm, ';-$1'));
    assert.ok(!(await holds(later, mapping)));
  });

  it('the order of days: one day that only another order can read contradicts it', async () => {
    const mapping = await mappingOf(fileOf(PAYMENTS));
    const early = PAYMENTS.filter(({ day }) => Number(day) <= 12);
    const last = { day: '13', month: '03', amount: -5 };
    const many = [...early, ...early, ...early];
    const [right = '', wrong = ''] = [many, [last]].map((each) =>
      String(fileOf(each, { monthFirst: each.length === 1 })),
    );
    const one = Buffer.from(right + wrong.slice(wrong.indexOf('\n') + 1));
    assert.ok(!(await holds(one, mapping)));
    assert.ok(await holds(one, { ...mapping, rests: ['decimal'] }));
    const typo = Buffer.from(`${right}99/99/2016;A typing mistake;-5.00\n`);
    assert.ok(await holds(typo, mapping), 'no order reads it');
  });

  it('the decimal mark: one amount that only the other can read contradicts it', async () => {
    for (const comma of [false, true]) {
      const mapping = await mappingOf(fileOf(PAYMENTS, { comma }));
      const own = String(fileOf([...PAYMENTS, ...PAYMENTS], { comma }));
      const turned = String(fileOf(PAYMENTS.slice(0, 1), { comma: !comma }));
      const one = Buffer.from(own + turned.slice(turned.indexOf('\n') + 1));
      assert.ok(!(await holds(one, mapping)), String(comma));
      assert.ok(await holds(one, { ...mapping, rests: ['dates'] }));
      assert.ok(await holds(fileOf(PAYMENTS, { comma, decimals: 0 }), mapping));
    }
  });

  it('the accounts: one without cash contradicts a file in which all had some', async () => {
    const file = (...accounts: string[]) => {
      const rows = accounts.map((name, at) => `2016-03-0${at + 1};Rent ${at};${name};-12.50`);
      return Buffer.from(['Date;Details;Account;Amount', ...rows, ''].join('\n'));
    };
    const bank = Array<string>(4).fill('Assets:Bank');
    const mapping = await mappingOf(file(...bank));
    assert.deepEqual(mapping.rests, [
      'dates',
      'decimal',
      'cash accounts',
      'sign',
      'more money out',
    ]);
    assert.ok(await holds(file('Assets:Bank', 'Assets:Petty cash', 'Main'), mapping));
    assert.ok(!(await holds(file(...bank, 'Expenses:Rent'), mapping)), 'both sides of a journal');
    assert.ok(!(await holds(file('Expenses:Rent', 'Expenses:Post'), mapping)), 'the other side');
    const all = await mappingOf(file(...bank, 'Creditors'), '--row', 'Creditors');
    assert.ok(await holds(file('Creditors', 'Assets:Bank'), all), 'answered');
  });

  it('the mapping of every sample holds for the sample, and for later files like it', async () => {
    for (const dialect of DIALECTS) {
      const options = (dialect.asks ?? []).flatMap(([, ...own]) => own);
      const inspection = await inspectBytes(bytesOf(dialect), options);
      if (inspection.mapping === undefined) continue;
      const mapping = await readMapping(documentOf(inspection));
      const { lines } = dialect;
      const cut = { ...dialect, lines: lines.slice(0, -1) };
      const longer = { ...dialect, lines: [...lines, ...lines.slice(-2)] };
      // One that is cut inside a value cannot be read, and contradicts nothing.
      for (const each of [dialect, cut, longer]) {
        assert.ok(!(await isCsvContradicted(sourceOf(bytesOf(each)), mapping)), dialect.name);
      }
    }
  });
});
