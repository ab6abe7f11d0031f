/** The child's side of the questions that the bench asks its processes. */

import { readMemory, readWrittenBytes } from '../machine.ts';
import type { Sample } from '../statistics.ts';

/** A question that arrived over IPC. */
interface Question {
  readonly id: number;
  readonly name: string;
  readonly input: unknown;
}

/** The questions that a child answers, by name. */
export type Answers = Readonly<Record<string, (input: never) => unknown>>;

/** What a process has used. */
export interface Usage {
  readonly cpuSeconds: number;
  readonly residentBytes: number;
  readonly peakBytes: number;
  /** What the kernel was asked to write to disk; null on systems that do not count it. */
  readonly writtenBytes: number | null;
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

/** Answers questions until SIGTERM, then closes what is open. */
export function answerUntilStopped(answers: Answers, close: () => void): void {
  answerQuestions(answers);
  process.channel?.ref();
  process.once('SIGTERM', () => {
    close();
    process.exit(0);
  });
}

/** The time and CPU of some work. */
export function measureWork(work: () => void): Sample {
  const cpuSeconds = readCpuSeconds();
  const startMs = performance.now();
  work();
  const seconds = (performance.now() - startMs) / 1000;
  return { seconds, cpuSeconds: readCpuSeconds() - cpuSeconds };
}

/** The CPU seconds of all threads and the bytes written so far, and the memory. */
function readUsage(): Usage {
  return {
    cpuSeconds: readCpuSeconds(),
    ...readMemory(),
    writtenBytes: readWrittenBytes(),
  };
}

export function readCpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
