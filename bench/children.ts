/** The processes that the bench starts: servers, limits, the load generator. */

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, fstatSync, openSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Usage } from './children/answering.ts';

const HERE = new URL('./children/', import.meta.url);
const ROOT = new URL('../../', import.meta.url);

/** A clean environment, so that settings of the shell cannot change the figures. */
const ENVIRONMENT = { PATH: process.env['PATH'] };

/** Services log a line for each request, which nobody needs unless one of them fails. */
const LOG = join(tmpdir(), `budgetd-bench-${process.pid}.log`);
const LAST_BYTES = 4_096;
const log = openSync(LOG, 'w+');
process.once('exit', () => rmSync(LOG, { force: true }));

/** The end of what the children have written to standard error. */
function readLast(): Buffer {
  const from = Math.max(0, fstatSync(log).size - LAST_BYTES);
  const bytes = Buffer.alloc(LAST_BYTES);
  return bytes.subarray(0, readSync(log, bytes, 0, LAST_BYTES, from));
}

/** A child process that answers questions over IPC. */
export class Child {
  readonly process: ChildProcess;
  readonly #waiting = new Map<number, (reply: { answer?: unknown; error?: string }) => void>();
  #asked = 0;

  constructor(args: readonly string[]) {
    this.process = spawn(process.execPath, args, {
      stdio: ['ignore', 'pipe', log, 'ipc'],
      env: ENVIRONMENT,
    });
    this.process.on('message', (reply: { id: number; answer?: unknown; error?: string }) => {
      this.#waiting.get(reply.id)?.(reply);
      this.#waiting.delete(reply.id);
    });
    this.process.once('exit', (code, signal) => {
      if (code !== 0 && code !== null) process.stderr.write(readLast());
      for (const settle of this.#waiting.values()) settle({ error: `exit ${code ?? signal}` });
    });
  }

  /** Asks a question. Rejects with the error of the child. */
  ask<Result = unknown>(name: string, input: unknown = null): Promise<Result> {
    this.#asked += 1;
    const id = this.#asked;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, ({ answer, error }) => {
        if (error === undefined) resolve(answer as Result);
        else reject(new Error(`${name}: ${error}`));
      });
      this.process.send({ id, name, input });
    });
  }

  usage(): Promise<Usage> {
    return this.ask<Usage>('usage');
  }

  /** Stops it with SIGTERM and waits for its end. */
  async stop(): Promise<void> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    const exited = new Promise((resolve) => this.process.once('exit', resolve));
    this.process.kill('SIGTERM');
    await exited;
  }
}

/** A child process that listens. */
export class ServerChild extends Child {
  url = '';

  /** Waits for the line with its address. */
  async started(): Promise<this> {
    const { stdout } = this.process;
    if (stdout === null) throw new Error('the server has no standard output');
    for await (const line of createInterface({ input: stdout })) {
      this.url = (JSON.parse(line) as { url: string }).url;
      stdout.resume();
      return this;
    }
    throw new Error('the server ended before it listened');
  }

  /** How long a request blocks the event loop, in milliseconds. The probe has to be loaded. */
  async heldBy(request: () => Promise<unknown>): Promise<number> {
    await this.ask('watch');
    await request();
    return this.ask<number>('heldMs');
  }
}

/** Arguments of Node that run a script in `children/`. */
export function scriptArgs(name: string, ...args: string[]): string[] {
  return [fileURLToPath(new URL(`${name}.js`, HERE)), ...args];
}

/** Runs a script in `children/` to its end, and reads the JSON that it prints. */
export async function runScript<Result>(name: string, ...args: string[]): Promise<Result> {
  const { stdout } = await promisify(execFile)(process.execPath, scriptArgs(name, ...args), {
    env: ENVIRONMENT,
    maxBuffer: 64 * 1024 * 1024,
  });
  return JSON.parse(stdout) as Result;
}

/** Arguments of Node that run the service on a file: the real program if it can serve. */
export function serveArgs(file: string): string[] {
  if (!existsSync(new URL('dist/src/cli/commands/serve.js', ROOT)))
    return scriptArgs('serve', file);
  const program = fileURLToPath(new URL('bin/budgetd', ROOT));
  return [program, 'serve', '--db', file, '--port', '0', '--json'];
}

/** Starts the service on a file, with the probe in it. */
export function startServer(file: string, ...options: readonly string[]): Promise<ServerChild> {
  const probe = new URL('probe.js', HERE).href;
  return new ServerChild(['--import', probe, ...serveArgs(file), ...options]).started();
}

/** Starts a server that is only node:http. */
export function startBare(): Promise<ServerChild> {
  return new ServerChild(scriptArgs('bare')).started();
}

/** Starts the service on Fastify, on a lean file. */
export function startPeer(file: string): Promise<ServerChild> {
  return new ServerChild(scriptArgs('peer', file)).started();
}

/** Starts the limit of reads, in its own process. */
export function startLimit(file: string): Child {
  return new Child(scriptArgs('limit', file));
}

/** Starts the lean loop, in its own process. */
export function startLoop(file: string): Child {
  return new Child(scriptArgs('loop', file));
}
