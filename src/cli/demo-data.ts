/** The sample data that comes with budgetd: a year of a city council's payments (data/). */

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Failure } from '../core/failures.ts';
import { PACKAGE_FOLDER } from '../package-folder.ts';

const FOLDER = fileURLToPath(new URL('data/oxford-2015-16/', PACKAGE_FOLDER));

/** A file of payments, and the mapping file for its columns. */
export interface PaymentFile {
  readonly name: string;
  readonly path: string;
  readonly mappingPath: string;
}

/** The four quarters; the council renamed its columns in 2016. */
const QUARTERS = [
  ['2015-q2.csv', 'columns-2015.json'],
  ['2015-q3.csv', 'columns-2015.json'],
  ['2015-q4.csv', 'columns-2015.json'],
  ['2016-q1.csv', 'columns-2016.json'],
] as const;

/** The files of payments, first to last. Refuses if one is missing. */
export function findPayments(): PaymentFile[] {
  return QUARTERS.map(([name, mapping]) => {
    return { name, path: requireFile(name), mappingPath: requireFile(mapping) };
  });
}

/** The project file. */
export function findProjectFile(): string {
  return requireFile('projects.json');
}

function requireFile(name: string): string {
  const path = FOLDER + name;
  if (existsSync(path)) return path;
  const message = `The sample data is missing: ${path}. Reinstall budgetd, with its data folder.`;
  throw new Failure('not_found', message);
}
