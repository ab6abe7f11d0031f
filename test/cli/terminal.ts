/**
 * Runs commands in a temporary folder and collects what they print: in-process, or by another
 * program in a process of its own (see `program.ts`), except what needs a terminal.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';

import type { Io } from '../../src/cli/command.ts';
import { main } from '../../src/cli/main.ts';
import type { Scope } from '../torture/trial.ts';
import { OTHER_PROGRAM, programWith } from './program.ts';

/** The result of a command. */
export interface Outcome {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** How a command is run. */
export interface RunOptions {
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The width of the terminal; without it the output is a pipe. */
  readonly columns?: number;
}

/** Keeps everything written to it. */
export class Sink extends Writable {
  text = '';
  isTTY?: boolean;
  columns?: number;
  #wake: (() => void)[] = [];

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString();
    for (const wake of this.#wake.splice(0)) wake();
    done();
  }

  /** Resolves once the text so far matches. */
  async until(pattern: RegExp): Promise<string> {
    while (!pattern.test(this.text)) await new Promise<void>((wake) => this.#wake.push(wake));
    return this.text;
  }
}

/** A running command. */
export interface Running {
  readonly stdout: Sink;
  readonly stderr: Sink;
  readonly exitCode: Promise<number>;
  /** Presses Ctrl-C. */
  interrupt(): void;
}

/** A temporary folder, and commands that run in it. */
export class Terminal {
  readonly folder = mkdtempSync(join(tmpdir(), 'budgetd-cli-'));
  readonly database = join(this.folder, 'budgetd.db');

  readonly #started: Running[] = [];

  constructor(context: Scope) {
    context.after(async () => {
      // A service that a failed test left running would keep the whole suite waiting.
      for (const running of this.#started) running.interrupt();
      await Promise.allSettled(this.#started.map(({ exitCode }) => exitCode));
      rmSync(this.folder, { recursive: true, force: true });
    });
  }

  /** Runs a command to its end. */
  async run(argv: readonly string[], options: RunOptions = {}): Promise<Outcome> {
    const { stdout, stderr, exitCode } = this.start(argv, options);
    return { exitCode: await exitCode, stdout: stdout.text, stderr: stderr.text };
  }

  /** Runs a command with `--json` and returns its document. Throws unless the exit code is 0. */
  async json(argv: readonly string[], options: RunOptions = {}): Promise<unknown> {
    const { exitCode, stdout, stderr } = await this.run([...argv, '--json'], options);
    if (exitCode !== 0) throw new Error(`${argv.join(' ')}: exit ${exitCode}: ${stderr}`);
    return JSON.parse(stdout);
  }

  /** Starts a command that keeps running until it is interrupted. */
  start(argv: readonly string[], options: RunOptions = {}): Running {
    const isOther = OTHER_PROGRAM !== undefined && options.columns === undefined;
    const running = isOther ? this.#spawn(argv, options) : this.#call(argv, options);
    this.#started.push(running);
    return running;
  }

  #spawn(argv: readonly string[], { stdin = '', env = {} }: RunOptions): Running {
    const child = spawn(...programWith(argv), { cwd: this.folder, env });
    child.stdin.on('error', () => {}).end(stdin);
    const exitCode = once(child, 'close').then(([code]) => Number(code));
    const [stdout, stderr] = [child.stdout.pipe(new Sink()), child.stderr.pipe(new Sink())];
    return { stdout, stderr, exitCode, interrupt: () => child.kill('SIGINT') };
  }

  #call(argv: readonly string[], { stdin = '', env = {}, columns }: RunOptions): Running {
    const [stdout, stderr] = [new Sink(), new Sink()];
    if (columns !== undefined) Object.assign(stdout, { isTTY: true, columns });
    const listeners = new Set<() => void>();
    const io: Io = {
      stdin: Readable.from([stdin]),
      stdout,
      stderr,
      env,
      cwd: this.folder,
      monotonicMs: () => performance.now(),
      onInterrupt: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    };
    return {
      stdout,
      stderr,
      exitCode: main([...argv], io),
      interrupt: () => {
        for (const listener of [...listeners]) listener();
      },
    };
  }
}

/** The members of a JSON value, for assertions. */
export function membersOf(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null) throw new Error(`not an object: ${value}`);
  return value as Record<string, unknown>;
}
