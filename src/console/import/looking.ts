/** Looking at a file for a page: the same address is looked at once. */

import type { Subject } from '../../files/index.ts';
import {
  AnswerError,
  ReadingError,
  readAnswers,
  WrittenAnswerError,
  writeAnswer,
} from '../../files/index.ts';
import { Task } from '../session/task.ts';
import type { Visit } from '../session/visit.ts';
import { fileAddress, SUBJECTS, type Wish } from './answers.ts';
import type { HeldFile } from './held-files.ts';
import type { Looked } from './tally.ts';
import { look } from './work.ts';

/** How long a page waits for work before it shows how far it is. */
export const PATIENCE_MS = 2_000;
/** How far in the future a payment can be dated. */
const DAYS_AHEAD = 366;

/** Looks at a file with these answers: done, unless that takes longer than a page waits. */
export async function lookAt(
  { access, actor, nowMs }: Visit,
  file: HeldFile,
  { written, isAgain, fileId }: Wish,
): Promise<Task<Looked>> {
  const key = fileAddress({ fileId, written, isAgain, change: undefined });
  if (file.looked?.key !== key) {
    const answers = readAnswers(written);
    file.looked?.stop();
    const lastDay = new Date(nowMs + DAYS_AHEAD * 86_400_000).toISOString().slice(0, 10);
    file.looked = new Task(key, (task) =>
      look(file, { answers, isAgain, lastDay }, { access, actor, task }),
    );
  }
  const task = file.looked;
  await task.wait(PATIENCE_MS);
  return task;
}

/** What is wrong with a file or an answer, such as one about `subject`; undefined for the rest. */
export function problemOf(error: unknown, subject?: Subject): string | undefined {
  if (error instanceof WrittenAnswerError) return `${error.answer}${error.message}`;
  if (error instanceof ReadingError) return error.message;
  if (!(error instanceof AnswerError)) return undefined;
  const { answer, message } = error;
  if (answer === undefined) return message;
  return `${subject === undefined ? writeAnswer(answer).name : SUBJECTS[subject]}${message}`;
}
