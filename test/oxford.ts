/** The sample payments of a city council, as they were published (data/oxford-2015-16). */

import { fileURLToPath } from 'node:url';
import { PACKAGE_FOLDER } from '../src/package-folder.ts';

const FOLDER = fileURLToPath(new URL('data/oxford-2015-16/', PACKAGE_FOLDER));

/** The project file of the year. */
export const OXFORD_PROJECT = `${FOLDER}projects.json`;

/** The payments of the smaller projects of the demo. */
export const SMALLER_PAYMENTS = fileURLToPath(
  new URL('data/demo/smaller-projects.csv', PACKAGE_FOLDER),
);

/** The files of the quarters, first to last, each with the mapping file of its columns. */
export const OXFORD_PAYMENTS = [
  [`${FOLDER}2015-q2.csv`, `${FOLDER}columns-2015.json`],
  [`${FOLDER}2015-q3.csv`, `${FOLDER}columns-2015.json`],
  [`${FOLDER}2015-q4.csv`, `${FOLDER}columns-2015.json`],
  [`${FOLDER}2016-q1.csv`, `${FOLDER}columns-2016.json`],
] as const;
