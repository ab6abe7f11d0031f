/** The sample data that comes with budgetd: a year of a city council's payments (data/). */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../core/failures.ts';
import { PACKAGE_FOLDER, readPackageFile } from '../package-folder.ts';

const FOLDER = new URL('data/oxford-2015-16/', PACKAGE_FOLDER);

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

/** Copies the files of payments into `folder`, first to last. Refuses if one is missing. */
export function copyPayments(folder: string): PaymentFile[] {
  return QUARTERS.map(([name, mapping]) => {
    return { name, path: copyFile(name, folder), mappingPath: copyFile(mapping, folder) };
  });
}

/** Copies the project file into `folder`, and returns its path. */
export function copyProjectFile(folder: string): string {
  return copyFile('projects.json', folder);
}

function copyFile(name: string, folder: string): string {
  const path = join(folder, name);
  writeFileSync(path, readSample(name));
  return path;
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
