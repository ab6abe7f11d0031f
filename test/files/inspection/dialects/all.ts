/** Every dialect. */

import { AMOUNTS } from './amounts.ts';
import { BOOKS } from './books.ts';
import { BRACKETS } from './brackets.ts';
import { AMERICAN, BRITISH } from './british.ts';
import { BALTIC_AND_CZECH, DUTCH, FRENCH, SWISS } from './continental.ts';
import type { Dialect } from './dialect.ts';
import { DIRECTIONS } from './directions.ts';
import { DOUBTS } from './doubts.ts';
import { GERMAN } from './german.ts';
import { LARGE } from './large.ts';
import { LEDGERS } from './ledgers.ts';
import { EASTERN, LATIN, NORDIC } from './others.ts';
import { PLATFORMS } from './platforms.ts';
import { PROGRAMS } from './programs.ts';
import { COLUMNS, STATEMENTS } from './statements.ts';
import { TEXTS } from './texts.ts';
import { TRAPS } from './traps.ts';
import { TWO_DATES } from './two-dates.ts';
import { WALLETS } from './wallets.ts';

export const DIALECTS: readonly Dialect[] = [
  ...GERMAN,
  ...LEDGERS,
  ...BRITISH,
  ...AMERICAN,
  ...FRENCH,
  ...DUTCH,
  ...SWISS,
  ...BALTIC_AND_CZECH,
  ...NORDIC,
  ...LATIN,
  ...EASTERN,
  ...TEXTS,
  ...TRAPS,
  ...DOUBTS,
  ...PLATFORMS,
  ...PROGRAMS,
  ...BOOKS,
  ...STATEMENTS,
  ...COLUMNS,
  ...TWO_DATES,
  ...DIRECTIONS,
  ...AMOUNTS,
  ...LARGE,
  ...BRACKETS,
  ...WALLETS,
];
