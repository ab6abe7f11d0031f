/**
 * Secrets from the environment (contract 11): in a variable such as BUDGETD_KEY, or in the file
 * that BUDGETD_KEY_FILE names, as systemd and containers hand them over.
 */

import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { Failure } from '../core/failures.ts';
import { decodeBytes, findMark } from '../files/index.ts';
import { SECRETS } from '../settings/settings.ts';
import { readAll, readNamed, SMALL_BYTES } from './bounded.ts';
import { type Io, UsageError } from './command.ts';
import { printNotes } from './output.ts';
import { isTerminal } from './paint.ts';

/**
 * The secret of a variable, or that of a file without the end of its last line; undefined if there
 * is none. An empty variable is as good as none. Refuses with a UsageError if both are set, and
 * with `invalid_input` a file that is empty or cannot be read.
 */
export function findSecret(
  { env, cwd }: Pick<Io, 'env' | 'cwd'>,
  name: (typeof SECRETS)[number],
): { readonly text: string; readonly from: string } | undefined {
  const variable = `${name}_FILE`;
  const { [name]: text = '', [variable]: file = '' } = env;
  if (text !== '' && file !== '')
    throw new UsageError(`Set either ${name} or ${variable}, not both.`);
  if (text !== '') return { text, from: name };
  if (file === '') return undefined;
  const path = resolve(cwd, file);
  const found = readSecretFile(path, variable);
  if (found !== '') return { text: found, from: path };
  throw new Failure('invalid_input', `${variable}: ${path} is empty.`);
}

/** The text of a file, for a secret that `named` names. Refuses with `invalid_input`. */
export function readSecretFile(path: string, named: string): string {
  const text = decodeSecret(readNamed(path, named));
  if (text !== undefined) return text;
  throw new Failure('invalid_input', `${named}: ${path} is not valid UTF-8.`);
}

/**
 * A secret without the end of its line; undefined if it is not valid UTF-8. Also reads UTF-16 with
 * a byte order mark, which Windows PowerShell writes.
 */
function decodeSecret(bytes: Buffer): string | undefined {
  const mark = findMark(bytes);
  const text = decodeBytes(bytes.subarray(mark?.length ?? 0), mark?.encoding ?? 'utf-8');
  return text?.replace(/\r?\n$/, '');
}

/** Where the secrets of the environment come from, for `config`; never their texts. */
export function listSecretOrigins({ env }: Pick<Io, 'env'>): { name: string; from: string }[] {
  return SECRETS.flatMap((secret) => {
    const name = secret.replace(/^BUDGETD_/, '').toLowerCase();
    const [variable, file] = [secret, `${secret}_FILE`];
    return [
      ...(env[variable] ? [{ name, from: variable }] : []),
      ...(env[file] ? [{ name, from: `${file}, ${env[file]}` }] : []),
    ];
  });
}

/**
 * The password from BUDGETD_PASSWORD, the file of BUDGETD_PASSWORD_FILE or standard input, without
 * the end of its line. On a terminal it is asked for twice and not shown; undefined after Ctrl-C.
 */
export async function readNewPassword(io: Io): Promise<string | undefined> {
  const secret = findSecret(io, 'BUDGETD_PASSWORD');
  if (secret !== undefined) return secret.text;
  const password = isTerminal(io.stdin) ? await askTwice(io) : await readInput(io);
  if (password !== '') return password;
  const how =
    'Type it, write it to standard input, or set BUDGETD_PASSWORD or BUDGETD_PASSWORD_FILE.';
  throw new UsageError(`The password is missing. ${how}`);
}

async function readInput(io: Io): Promise<string> {
  const text = decodeSecret(await readAll(io.stdin, 'The password', SMALL_BYTES));
  if (text === undefined) throw new Failure('invalid_input', 'The password is not valid UTF-8.');
  return text;
}

/** One reader for both lines, which can arrive together when they are pasted. */
async function askTwice(io: Io): Promise<string | undefined> {
  io.stderr.write('New password: ');
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input: io.stdin, output: silent, terminal: true });
  const lines: string[] = [];
  let isInterrupted = false;
  reader.on('line', (line) => {
    lines.push(line);
    if (lines.length === 1 && line !== '') io.stderr.write('\nThe same again: ');
    else reader.close();
  });
  reader.once('SIGINT', () => {
    isInterrupted = true;
    reader.close();
  });
  // Ctrl-D closes it too.
  await new Promise<void>((closed) => reader.once('close', closed));
  printNotes(io, '');
  if (isInterrupted) return undefined;
  const [first = '', second = ''] = lines;
  if (first === second) return first;
  throw new Failure('invalid_input', 'The two passwords are not the same. Nothing was changed.');
}
