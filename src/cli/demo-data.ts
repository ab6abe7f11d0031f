/**
 * The sample data that comes with budgetd (data/): a year of a city council's payments, and smaller
 * projects. Its dates are moved forward, so that today is in the last quarter of the year.
 */

import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Failure } from '../core/failures.ts';
import { dayIn } from '../core/time-zones.ts';
import { PACKAGE_FOLDER, readPackageFile } from '../package-folder.ts';

/** A file of payments, and the mapping file for its columns if they are not the fields. */
export interface PaymentFile {
  readonly name: string;
  readonly path: string;
  readonly mappingPath: string | undefined;
}

/** Copies of the sample data. */
interface DemoFiles {
  /** By how many months the dates are moved forward. */
  readonly months: number;
  /** The paths of the project files, the council's first. */
  readonly projects: readonly string[];
  /** The payments up to today: the newest ones, which are left to the visitor, and those before. */
  readonly newest: readonly PaymentFile[];
  readonly payments: readonly PaymentFile[];
  /** The path of a bank statement. */
  readonly statement: string;
}

const FOLDER = new URL('data/', PACKAGE_FOLDER);
const PROJECTS = ['oxford-2015-16/projects.json', 'demo/smaller-projects.json'];
const STATEMENT = 'demo/bank-statement.csv';

/** The council's four quarters, whose columns have new names in 2016; then the smaller projects. */
const PAYMENTS = [
  ['oxford-2015-16/2015-q2.csv', 'oxford-2015-16/columns-2015.json'],
  ['oxford-2015-16/2015-q3.csv', 'oxford-2015-16/columns-2015.json'],
  ['oxford-2015-16/2015-q4.csv', 'oxford-2015-16/columns-2015.json'],
  ['oxford-2015-16/2016-q1.csv', 'oxford-2015-16/columns-2016.json'],
  ['demo/smaller-projects.csv', undefined],
] as const;

/** The last month of the data, March 2016, in months since year 0. */
const LAST_MONTH = 2016 * 12 + 2;
/** How many payments are left to the visitor at least: all of the day of the last of them are. */
const NEWEST = 100;

/** Dates as the files write them: `31/01/2016`, `2016-01-31` and `2016-01`. */
const DATE = /(?<![\w-])(?:\d\d\/\d\d\/\d{4}|201[56]-\d\d(?:-\d\d)?)(?![\w-])/g;

/** Copies the sample data into `folder`, up to today. Refuses with `not_found` if it is missing. */
export function copyDemoFiles(folder: string, nowMs: number): DemoFiles {
  const today = dayIn('UTC', nowMs);
  const [year = 0, month = 0] = today.split('-').map(Number);
  const months = year * 12 + Math.ceil(month / 3) * 3 - 1 - LAST_MONTH;
  const read = (name: string) =>
    readSample(name)
      .toString()
      .split('\n')
      .map((line) => moveDates(line, months));
  const upToToday = (name: string) => read(name).filter(({ date = '' }) => date <= today);
  const write = (name: string, lines: readonly Moved[]) => {
    const path = join(folder, basename(name));
    writeFileSync(path, lines.map(({ line }) => line).join('\n'));
    return path;
  };
  const files = PAYMENTS.map(([name, mapping]) => {
    const mappingPath = mapping && write(mapping, read(mapping));
    return { name: basename(name), lines: upToToday(name), mappingPath };
  });
  const days = files.flatMap(({ lines }) => lines.flatMap(({ date }) => date ?? [])).sort();
  const firstNew = days.at(-NEWEST) ?? today;
  const copyPayments = (prefix: string, isKept: (date: string) => boolean) =>
    files.flatMap(({ name, lines, mappingPath }): PaymentFile[] => {
      const kept = lines.filter(({ date }) => date === undefined || isKept(date));
      if (kept.every(({ date }) => date === undefined)) return [];
      return [{ name: prefix + name, path: write(prefix + name, kept), mappingPath }];
    });
  return {
    months,
    projects: PROJECTS.map((name) => write(name, read(name))),
    payments: copyPayments('', (date) => date < firstNew),
    newest: copyPayments('newest-', (date) => date >= firstNew),
    statement: write(STATEMENT, upToToday(STATEMENT)),
  };
}

/** A line with its dates moved forward, and the last of them, if it has any. */
interface Moved {
  readonly line: string;
  readonly date: string | undefined;
}

function moveDates(line: string, months: number): Moved {
  let date: string | undefined;
  const moved = line.replace(DATE, (found) => {
    const isReversed = found.includes('/');
    const parts = found.split(/[/-]/).map(Number);
    const [year = 0, month = 0, day] = isReversed ? parts.reverse() : parts;
    const at = year * 12 + month - 1 + months;
    const [newYear, newMonth] = [Math.floor(at / 12), (at % 12) + 1];
    const lastDay = new Date(Date.UTC(newYear, newMonth, 0)).getUTCDate();
    const days = day === undefined ? [] : [Math.min(day, lastDay)];
    const texts = [newYear, newMonth, ...days].map((part) => String(part).padStart(2, '0'));
    date = texts.join('-');
    return isReversed ? texts.reverse().join('/') : date;
  });
  return { line: moved, date };
}

function readSample(name: string): Buffer {
  const file = new URL(name, FOLDER);
  try {
    return readPackageFile(file);
  } catch {
    const message = `The sample data is missing: ${file}. Reinstall budgetd, with its data folder.`;
    throw new Failure('not_found', message);
  }
}
