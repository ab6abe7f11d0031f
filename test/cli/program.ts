/** Runs the program in a separate process, as a shell or a scheduler does. */

import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync, readlinkSync, realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { hashForReal } from '../cheap-passwords.ts';
import type { Scope } from '../torture/trial.ts';
import { until } from '../upkeep/until.ts';

/** The path of another program to test than `bin/budgetd`: the executable. */
export const OTHER_PROGRAM = process.env['TESTED_PROGRAM'];
if (OTHER_PROGRAM !== undefined) hashForReal();

/** The file to run for the program, and its arguments. */
export function programWith(args: readonly string[]): [file: string, args: string[]] {
  if (OTHER_PROGRAM !== undefined) return [OTHER_PROGRAM, [...args]];
  return [process.execPath, [PROGRAM, ...args]];
}

const PROGRAM = fileURLToPath(new URL('../../../bin/budgetd', import.meta.url));

/** How a process ended, and what it wrote. */
export interface ProgramEnd {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A running process. */
export interface Program {
  readonly process: ChildProcess;
  readonly ended: Promise<ProgramEnd>;
}

/** Starts the program, and kills it when the test ends. `nodeOptions` are for Node itself. */
export function startProgram(
  t: Scope,
  args: readonly string[],
  options: { cwd: string; env?: Record<string, string>; nodeOptions?: string },
): Program {
  const { cwd, env = {}, nodeOptions } = options;
  const child = spawn(...programWith(args), {
    cwd,
    env: { ...process.env, ...env, ...(nodeOptions && { NODE_OPTIONS: nodeOptions }) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  t.after(() => child.kill('SIGKILL'));
  const written = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => {
    written.stdout += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    written.stderr += chunk.toString();
  });
  const ended = new Promise<ProgramEnd>((resolve) => {
    child.once('close', (exitCode, signal) => resolve({ exitCode, signal, ...written }));
  });
  return { process: child, ended };
}

/** Waits until all of these have opened a file, where Linux says so. */
export async function untilOpened(programs: readonly Program[], file: string): Promise<void> {
  const path = realpathSync(file);
  const hasOpened = ({ process: { pid } }: Program) => {
    const folder = `/proc/${pid}/fd`;
    return readdirSync(folder).some((each) => {
      return existsSync(`${folder}/${each}`) && readlinkSync(`${folder}/${each}`) === path;
    });
  };
  if (existsSync('/proc/self/fd')) await until(() => programs.every(hasOpened));
}
