/** Runs the console blocks of a document in one shell, as a newcomer would in a clone. */

import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { ROOT } from './repository.ts';

/** The address of the service in the document. */
const STATED_URL = 'http://127.0.0.1:8080';
const PARTS = ['bin', 'dist', 'examples', 'package.json'];

/** Runs all commands of the document, and returns it with their actual output. */
export async function walkThrough(t: TestContext, text: string): Promise<string> {
  const shell = new Shell(t);
  let result = '';
  for (const part of text.split(/^(```console\n[\s\S]*?^```\n)/m)) {
    result += part.startsWith('```console\n') ? await runBlock(shell, part) : part;
  }
  return result;
}

async function runBlock(shell: Shell, block: string): Promise<string> {
  let printed = '';
  // A command begins with `$ ` and continues after a backslash at the end of a line.
  for (const [command] of block.matchAll(/^\$ (?:.*\\\n)*.*\n/gm)) {
    printed += command + (await shell.run(command.slice(2)));
  }
  return `\`\`\`console\n${printed}\`\`\`\n`;
}

class Shell {
  readonly #folder = mkdtempSync(join(tmpdir(), 'budgetd-walk-'));
  readonly #process;
  #url = STATED_URL;
  #output = '';
  #wake = () => {};

  constructor(t: TestContext) {
    const clone = join(this.#folder, 'clone');
    mkdirSync(clone);
    for (const part of PARTS) symlinkSync(ROOT + part, join(clone, part));
    const { PATH = '' } = process.env;
    this.#process = spawn('bash', ['--noprofile', '--norc'], {
      cwd: clone,
      env: { PATH, HOME: this.#folder, LANG: 'C.UTF-8' },
      detached: true,
    });
    const { pid = 0, stdin, stdout } = this.#process;
    t.after(() => {
      // Kill the group, because the service is a child of the shell.
      process.kill(-pid, 'SIGKILL');
      rmSync(this.#folder, { recursive: true, force: true });
    });
    stdout.on('data', (chunk: Buffer) => {
      this.#output += chunk.toString();
      this.#wake();
    });
    stdin.write('exec 2>&1\n');
  }

  /** Returns the output of the command. Throws if its exit code is not 0. */
  async run(command: string): Promise<string> {
    if (command.startsWith('budgetd serve')) return this.#serve(command.trimEnd());
    this.#output = '';
    this.#process.stdin.write(`${command.replaceAll(STATED_URL, this.#url)}echo "@@$?"\n`);
    const end = /@@(\d+)\n$/;
    while (!end.test(this.#output)) await new Promise<void>((wake) => (this.#wake = wake));
    const printed = this.#output.replace(end, '');
    if (!this.#output.endsWith('@@0\n')) throw new Error(`${command}${printed}`);
    return this.#hide(printed);
  }

  /** Starts the service on a free port and keeps it running. */
  async #serve(command: string): Promise<string> {
    const log = join(this.#folder, 'serve.log');
    this.#process.stdin.write(`${command} --port 0 > ${log} 2> ${log}.lines &\n`);
    const read = () => (existsSync(log) ? readFileSync(log, 'utf8') : '');
    while (!read().endsWith('Ctrl-C to stop.\n')) await new Promise((wake) => setTimeout(wake, 20));
    this.#url = /http:\/\/127\.0\.0\.1:\d+/.exec(read())?.[0] ?? STATED_URL;
    return this.#hide(read());
  }

  /** Replaces what differs between runs. */
  #hide(printed: string): string {
    return printed
      .replaceAll(this.#url, STATED_URL)
      .replaceAll(this.#folder, '…')
      .replace(/(?<=token=)[\w-]+/g, '…')
      .replace(/bdg_live_[0-9a-f]{48}/g, 'bdg_live_…');
  }
}
