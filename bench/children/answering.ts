/** The child's side of the questions that the bench asks its processes. */

import { readMemory } from '../machine.ts';

/** A question that arrived over IPC. */
interface Question {
  readonly id: number;
  readonly name: string;
  readonly input: unknown;
}

/** The questions that a child answers, by name. */
export type Answers = Readonly<Record<string, (input: never) => unknown>>;

/** CPU and memory of a process. */
export interface Usage {
  readonly cpuSeconds: number;
  readonly residentBytes: number;
  readonly peakBytes: number;
}

/** Starts to answer questions, including `usage`. Does not keep the process alive. */
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
  // The bench has ended, so nobody can ask or stop this process.
  process.once('disconnect', () => process.exit());
  process.channel?.unref();
}

/** The CPU seconds of all threads so far, and the memory. */
export function readUsage(): Usage {
  return { cpuSeconds: readCpuSeconds(), ...readMemory() };
}

export function readCpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
