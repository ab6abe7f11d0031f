import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Inspection } from '../../../src/files/inspection/inspect.ts';
import { columnsOf } from '../../../src/files/mapping/mapping.ts';
import type { Entry } from '../../../src/files/reading/rows.ts';
import { repetitions } from '../../repetitions.ts';
import { DIALECTS } from './dialects/all.ts';
import { bytesOf, type Dialect } from './dialects/dialect.ts';
import { inspectBytes, readWith } from './dialects/reading.ts';
import { assertDryRun } from './dry-run.ts';

/** The result for a sample: a changed sample may ask more, but must not differ. */
interface Understood {
  readonly dialect: Dialect;
  readonly options: readonly string[];
  readonly inspection: Inspection;
  readonly rows: readonly Entry[];
}

function understand(dialect: Dialect): Promise<Understood> {
  const known = understood.get(dialect) ?? inspectPlain(dialect);
  understood.set(dialect, known);
  return known;
}

/** Each sample is changed in several ways, but read as it is only once. */
const understood = new Map<Dialect, Promise<Understood>>();

async function inspectPlain(dialect: Dialect): Promise<Understood> {
  const options = (dialect.asks ?? []).flatMap(([, ...answers]) => answers);
  const bytes = bytesOf(dialect);
  const inspection = await inspectBytes(bytes, options);
  const { entries } = await readWith(bytes, inspection);
  return { dialect, options, inspection, rows: entries.filter(({ row }) => row !== undefined) };
}

/** The findings by name; undefined if it is a question now. */
function answersOf({
  encoding,
  layout,
  date,
  dateFormat,
  amount,
  decimal,
  sign,
  contact,
  accountCode,
}: Inspection) {
  return {
    encoding: encoding?.value,
    delimiter: layout?.delimiter.value,
    names: layout?.names.join('|'),
    date: date?.value.title,
    dateFormat: dateFormat?.value.text,
    amount: titlesOf(amount),
    decimal: decimal?.value.decimal,
    sign: sign === undefined ? undefined : JSON.stringify(sign.value.shape),
    contact: titlesOf(contact),
    accountCode: titlesOf(accountCode),
  };
}

function titlesOf(columns: Inspection['amount']): string | undefined {
  return columns?.value.map(({ title }) => title).join('|');
}

/** Inspects a changed sample: what it says must be what a dry run does. */
async function look(bytes: Buffer, options: readonly string[]): Promise<Inspection> {
  const inspection = await inspectBytes(bytes, options);
  await assertDryRun(bytes, inspection);
  return inspection;
}

/** Every finding is the same as before, or is asked. */
function assertNoOther(before: Inspection, after: Inspection): void {
  const old = answersOf(before);
  for (const [name, value] of Object.entries(answersOf(after))) {
    if (value !== undefined) assert.equal(value, Reflect.get(old, name), name);
  }
}

/** The options except those that answer these questions. */
function withoutAnswers({ dialect, options }: Understood, ...ids: readonly string[]): string[] {
  const gone = (dialect.asks ?? []).flatMap(([id, ...own]) => (ids.includes(id) ? own : []));
  return options.filter((option, at) => {
    const pair = at % 2 === 0 ? [option, options[at + 1]] : [options[at - 1], option];
    return !gone.some((each, index) => each === pair[0] && gone[index + 1] === pair[1]);
  });
}

/** Whether lines that are not rows, and are unchanged, can prove what the rows do not. */
function hasOtherLines({ notRows = [], rejected = [] }: Dialect): boolean {
  return notRows.length + rejected.length > 0;
}

/** Whether another column can still prove the format. */
function hasOtherDates({ inspection }: Understood): boolean {
  return (inspection.facts?.columns.filter(({ dates }) => dates.readable > 0).length ?? 0) > 1;
}

/** Whether each row is one line of the sample, which can then be changed alone. */
function hasPlainRows({ dialect, rows }: Understood): boolean {
  if (rows.some(({ original }) => 'below' in original)) return false;
  const lines = rows.map(({ line }) => dialect.lines[line - 1] ?? '');
  return lines.every((line) => line.split('"').length % 2 === 1);
}

function changeRows({ dialect, rows }: Understood, change: (line: string, row: Entry) => string) {
  const lines = [...dialect.lines];
  for (const row of rows) lines[row.line - 1] = change(lines[row.line - 1] ?? '', row);
  return bytesOf({ ...dialect, lines });
}

/** The cells from which a field is read. */
function cellsOf({ inspection }: Understood, names: readonly string[], row: Entry): string[] {
  const all = inspection.layout?.names ?? [];
  const fields = 'fields' in row.original ? row.original.fields : [];
  return names.flatMap((name) => {
    const place = Number(/^#(\d+)$/.exec(name)?.[1] ?? 0) - 1;
    const index = all.includes(name) ? all.indexOf(name) : place;
    const cell = (fields[index] ?? '').trim();
    return cell === '' ? [] : [cell];
  });
}

describe('8 what a file no longer proves becomes a question, never another answer', () => {
  for (const dialect of DIALECTS) {
    it(`rows in another order: ${dialect.name}`, async (t) => {
      const known = await understand(dialect);
      if (!hasPlainRows(known)) return t.skip('rows of several lines');
      const own = known.rows.map(({ line }) => dialect.lines[line - 1] ?? '');
      const step = repetitions(Math.max(1, Math.floor(own.length / 2)), 1, 1);
      for (let turn = 1; turn < own.length; turn += step) {
        let at = turn;
        const bytes = changeRows(known, () => own[at++ % own.length] ?? '');
        assertNoOther(known.inspection, await look(bytes, known.options));
      }
      const turned = [...own].reverse();
      const bytes = changeRows(known, () => turned.shift() ?? '');
      assertNoOther(known.inspection, await look(bytes, known.options));
    });

    it(`dates all before the 13th: ${dialect.name}`, async (t) => {
      const known = await understand(dialect);
      const format = known.inspection.dateFormat?.value.text ?? '';
      if (!hasPlainRows(known)) return t.skip('rows of several lines');
      const { date: column } = known.inspection;
      const names = column === undefined ? [] : [column.value.title];
      const bytes = changeRows(known, (line, row) => {
        const date = String(Reflect.get(Object(row.row), 'date'));
        const day = (Number(date.slice(8)) % 12) + 1;
        const [cell = ''] = cellsOf(known, names, row);
        return line.replaceAll(cell, writeDay(format, date, day, cell));
      });
      const after = await look(bytes, withoutAnswers(known, 'dateFormat'));
      assertNoOther(known.inspection, after);
      if (hasOtherLines(dialect) || hasOtherDates(known)) return;
      // With dots, the day comes first, unless years of two digits may do.
      const isOpen = /^(?:DD?|MM?|YY)\b(?!YY)(?!\.)/.test(format) && !/MMM|@/.test(format);
      const isAsked = dialect.asks?.some(([id]) => id === 'dateFormat') === true;
      assert.equal(
        after.dateFormat === undefined,
        isOpen || (isAsked && /@|^YY\./.test(format)),
        format,
      );
    });

    it(`only whole amounts: ${dialect.name}`, async (t) => {
      const known = await understand(dialect);
      const { mapping, amount } = known.inspection;
      if (!hasPlainRows(known)) return t.skip('rows of several lines');
      const titles = amount?.value.map(({ title }) => title) ?? [];
      const columns = mapping === undefined ? titles : columnsOf(mapping, 'amount');
      for (const group of ['', mapping?.decimal === ',' ? '.' : ',']) {
        let isFitting = true;
        const bytes = changeRows(known, (line, row) => {
          let changed = line;
          for (const cell of cellsOf(known, columns, row)) {
            // A value that is unchanged, or also in another column, still proves something.
            if (!/[1-9]/.test(cell) || line.split(cell).length !== 2) isFitting = false;
            const whole = cell.replace(/\d[\d.,'\u2019 \u00a0\u2009\u202f]*\d|\d/, `7${group}000`);
            if (group === mapping?.delimiter && !line.includes(`"${cell}"`)) isFitting = false;
            changed = changed.replace(cell, whole);
          }
          return changed;
        });
        if (!isFitting) continue;
        const after = await look(bytes, withoutAnswers(known, 'decimal'));
        assertNoOther(known.inspection, after);
        // Only a currency without decimals shows that the mark separates thousands.
        const currencies = [after.cellCurrency?.value, after.currency?.value?.is].flat();
        const isWhole = currencies.some((each) => /^(?:JPY|ISK|\\)$/.test(each ?? ''));
        const isShown = isWhole && after.decimal?.value.decimal !== group;
        if (group !== '' && !hasOtherLines(dialect) && !isShown) {
          assert.ok(after.questions.some(({ kind }) => kind === 'decimal' || kind === 'amount'));
        }
      }
    });
  }
});

/** A date in the same month, in a format with every part. */
function writeDay(format: string, date: string, day: number, cell: string): string {
  const [year = '', month = ''] = date.split('-');
  const name = /\p{L}{3,}\.?/u.exec(cell)?.[0] ?? '';
  const parts: Record<string, string> = {
    YYYY: year,
    YY: year.slice(2),
    MMM: name.replace(/\.$/, ''),
    MM: month,
    M: String(Number(month)),
    DD: String(day).padStart(2, '0'),
    D: String(day),
  };
  const time = /[T ]H.*$/.exec(format)?.[0] ?? '';
  const own = format.slice(0, format.length - time.length).replace(/@\w+$/, '');
  const rest = time === '' ? '' : cell.slice(cell.search(/[T ]\d{1,2}:/));
  const dot = /\p{L}\./u.test(cell) ? '.' : '';
  const text = own.replace(/YYYY|YY|MMM|MM|M|DD|D/g, (part) => {
    return part === 'MMM' ? `${parts[part]}${dot}` : (parts[part] ?? '');
  });
  return text + rest;
}
