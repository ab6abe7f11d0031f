/** The child's side of the questions that the bench asks its processes. */

import { readMemory } from '../machine.ts';

/** A question as it comes over IPC. */
interface Question {
  readonly id: number;
  readonly name: string;
  readonly input: unknown;
}

/** What a child can be asked, by name. */
export type Answers = Readonly<Record<string, (input: never) => unknown>>;

/** CPU and memory of a process. */
export interface Usage {
  readonly cpuSeconds: number;
  readonly residentBytes: number;
  readonly peakBytes: number;
}

/** Answers questions from now on, `usage` too; they keep no process alive. */
export function answerQuestions(answers: Answers): void {
  const all: Answers = { usage: readUsage, ...answers };
  process.on('message', (question: Question) => {
    Promise.resolve()
      .then(() => all[question.name]?.(question.input as never))
      .then(
        (answer) => process.send?.({ id: question.id, answer: answer ?? null }),
        (error: Error) => process.send?.({ id: question.id, error: error.stack }),
      );
  });
  // Nobody is left to ask, or to end this process.
  process.once('disconnect', () => process.exit());
  process.channel?.unref();
}

/** CPU seconds of all threads so far, and memory. */
export function readUsage(): Usage {
  return { cpuSeconds: readCpuSeconds(), ...readMemory() };
}

export function readCpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
