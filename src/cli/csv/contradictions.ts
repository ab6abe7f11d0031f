/** Asks about a file that contradicts the mapping that it would be read with. */

import { createReadStream, statSync } from 'node:fs';
import { basename } from 'node:path';
import { lastPaymentDay } from '../../core/calendar.ts';
import { Failure } from '../../core/failures.ts';
import { inspectCsv, isContradicted, type Mapping } from '../../files/index.ts';
import type { Io } from '../command.ts';
import { printNotes } from '../output.ts';
import { quoteArgument } from './options.ts';
import { formatQuestion } from './page.ts';

/**
 * Refuses a file whose days, decimals or signs contradict what its mapping rests on, unless the
 * file itself proves the same. Prints the question of `csv inspect`, and throws Failure.
 */
export async function refuseContradicted(io: Io, path: string, mapping: Mapping): Promise<void> {
  if (mapping.rests === undefined || !statSync(path).isFile()) return;
  const name = basename(path);
  const source = { name, open: () => createReadStream(path) };
  if (!(await isContradicted(source, mapping))) return;
  const now = { answers: [], lastDay: lastPaymentDay(Date.now()) };
  const { questions, mapping: found } = await inspectCsv(source, now);
  if (found !== undefined && isSame(found, mapping)) return;
  printNotes(io, ...questions.flatMap((each, at) => formatQuestion(each, at + 1)));
  const what = `${name} contradicts the mapping, which was made for an earlier file`;
  const way = `budgetd csv inspect ${quoteArgument(path)} shows how it can be read`;
  throw new Failure('conflict', `${what}. Nothing was sent. ${way}.`);
}

function isSame(one: Mapping, other: Mapping): boolean {
  const [own, old] = [one, other].map(({ decimal = '.', fields: { date, amount } }) =>
    JSON.stringify([decimal, date, amount]),
  );
  return own === old;
}
