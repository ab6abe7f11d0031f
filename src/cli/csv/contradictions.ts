/** Asks about a file that leaves something open, or contradicts its mapping. */

import { statSync } from 'node:fs';
import { lastPaymentDay } from '../../core/calendar.ts';
import { Failure } from '../../core/failures.ts';
import type { Mapping, Question } from '../../files/index.ts';
import {
  completeMapping,
  FileError,
  inspectFile,
  isContradicted,
  storedFile,
} from '../../files/index.ts';
import type { Io } from '../command.ts';
import { printNotes } from '../output.ts';
import { formatQuestion, quoteArgument } from './page.ts';

/**
 * The mapping to read a file with: also with what a file that is not text states. Refuses a file
 * that leaves a question open, or whose days, decimals or signs contradict what its mapping rests
 * on, unless the file itself proves the same. Prints the questions, and throws Failure. What makes
 * a file unreadable is left to who reads it next, and says it with the name and the counts.
 */
export async function settleMapping(io: Io, path: string, mapping: Mapping): Promise<Mapping> {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return mapping;
  try {
    return await settle(io, path, mapping);
  } catch (error) {
    if (error instanceof FileError) return mapping;
    throw error;
  }
}

async function settle(io: Io, path: string, mapping: Mapping): Promise<Mapping> {
  const source = storedFile(path);
  const { name } = source;
  const refuse = (open: readonly Question[], what: string) => {
    printNotes(io, ...open.flatMap((each, at) => formatQuestion(each, at + 1)));
    const way = `budgetd csv inspect ${quoteArgument(path)} shows how it can be read`;
    return new Failure('conflict', `${what}. Nothing was sent. ${way}.`);
  };
  if (await isContradicted(source, mapping)) {
    const now = { answers: [], lastDay: lastPaymentDay(Date.now()) };
    const { questions, mapping: found } = await inspectFile(source, now);
    const what = `${name} contradicts the mapping, which was made for an earlier file`;
    if (found === undefined || !isSame(found, mapping)) throw refuse(questions, what);
  }
  const { mapping: complete, questions } = await completeMapping(source, mapping);
  if (questions.length > 0) throw refuse(questions, `${name} leaves a question open`);
  return complete;
}

function isSame(one: Mapping, other: Mapping): boolean {
  const [own, old] = [one, other].map(({ decimal = '.', fields: { date, amount } }) =>
    JSON.stringify([decimal, date, amount]),
  );
  return own === old;
}
