/** What a part of `npm run torture` is given, and what it says in the end. */

import { Random } from '../core/random.ts';

/** How much is tried: in `npm test`, by `npm run torture`, and in the run of the document. */
export const SIZES = ['short', 'usual', 'long'] as const;
export type Size = (typeof SIZES)[number];

/** Where to say what is to be done in the end: a trial, or a test of Node. */
export interface Scope {
  after(work: () => unknown): void;
}

/** What a part found. */
export interface Result {
  readonly part: string;
  readonly seed: number;
  readonly size: Size;
  readonly seconds: number;
  /** What was tried and how often, and what was measured. */
  readonly figures: Readonly<Record<string, number>>;
  /** What must not be, each as a sentence. */
  readonly problems: readonly string[];
}

/** Enough to see what is wrong. */
const PROBLEMS = 20;

/** Between two lines about what has been tried. */
const PROGRESS_MS = 10_000;

/** A run of one part. */
export class Trial implements Scope {
  readonly seed: number;
  readonly size: Size;
  readonly random: Random;
  readonly figures: Record<string, number> = {};
  readonly problems: string[] = [];
  readonly #endings: (() => unknown)[] = [];
  readonly #beganMs = performance.now();
  readonly #tell: (progress: string) => void;
  #toldMs = this.#beganMs;

  /** `tell` gets a line about what has been tried, every ten seconds. */
  constructor(seed: number, size: Size, tell: (progress: string) => void = () => {}) {
    this.seed = seed;
    this.size = size;
    this.random = new Random(seed);
    this.#tell = tell;
  }

  /** How often to try something. */
  times(short: number, usual: number, long: number): number {
    return { short, usual, long }[this.size];
  }

  after(work: () => unknown): void {
    this.#endings.push(work);
  }

  count(figure: string, by = 1): void {
    const count = (this.figures[figure] ?? 0) + by;
    this.figures[figure] = count;
    const nowMs = performance.now();
    // A figure such as "acts: push" is a part of another one.
    if (nowMs - this.#toldMs < PROGRESS_MS || figure.includes(': ')) return;
    this.#toldMs = nowMs;
    const seconds = Math.round((nowMs - this.#beganMs) / 1000);
    this.#tell(`${count.toLocaleString('en-GB')} ${figure} after ${seconds} s`);
  }

  /** Says what is wrong, at once and in the end, and counts it. */
  problem(text: string): void {
    this.count('problems');
    this.#tell(text);
    if (this.problems.length < PROBLEMS) this.problems.push(text);
  }

  /** Something that must be so. */
  hold(isSo: boolean, problem: string): void {
    if (!isSo) this.problem(problem);
  }

  /** Does what `after` was told, last first. */
  async end(): Promise<void> {
    for (const work of this.#endings.splice(0).reverse()) await work();
  }
}

/** Tries something, and reports what it finds to the trial. */
export type Part = (trial: Trial) => Promise<void>;

/** Runs a part from a seed. What it throws is a problem, too. */
export async function runPart(
  [name, part]: readonly [name: string, part: Part],
  { seed, size }: { readonly seed: number; readonly size: Size },
  tell?: (progress: string) => void,
): Promise<Result> {
  const trial = new Trial(seed, size, tell);
  const beganMs = performance.now();
  try {
    await part(trial);
  } catch (error) {
    trial.problem(error instanceof Error ? (error.stack ?? error.message) : String(error));
  } finally {
    await trial.end();
  }
  const seconds = Math.round((performance.now() - beganMs) / 100) / 10;
  const { figures, problems } = trial;
  return { part: name, seed, size, seconds, figures, problems };
}

/** A result as a few lines. */
export function describeResult({ part, seed, size, seconds, figures, problems }: Result): string {
  const verdict = problems.length === 0 ? 'ok' : 'FAILED';
  const lines = Object.entries(figures).map(([name, value]) => {
    return `  ${value.toLocaleString('en-GB').padStart(10)}  ${name}`;
  });
  const again = `npm run torture -- ${part} --seed ${seed} --${size}`;
  return [
    `${part}: ${verdict} (seed ${seed}, ${size}, ${seconds} s)`,
    ...lines,
    ...problems.map((problem) => `  ! ${problem}`),
    ...(problems.length === 0 ? [] : [`  To see it again: ${again}`]),
  ].join('\n');
}
