/** Reads a new password: never from the command line, which other users of the machine can see. */

import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { Failure } from '../core/failures.ts';
import { type Io, UsageError } from './command.ts';
import { printNotes } from './output.ts';
import { decodeSecret, findSecret } from './secrets.ts';

/** More than any password that is accepted. */
const MAX_BYTES = 64 * 1024;

/**
 * The password from BUDGETD_PASSWORD, the file of BUDGETD_PASSWORD_FILE or standard input, without
 * the end of its line. On a terminal it is asked for twice and not shown; undefined after Ctrl-C.
 */
export async function readNewPassword(io: Io): Promise<string | undefined> {
  const secret = findSecret(io, 'BUDGETD_PASSWORD');
  if (secret !== undefined) return secret.text;
  const isTyped = 'isTTY' in io.stdin && io.stdin.isTTY === true;
  const password = isTyped ? await askTwice(io) : await readInput(io);
  if (password !== '') return password;
  const how =
    'Type it, write it to standard input, or set BUDGETD_PASSWORD or BUDGETD_PASSWORD_FILE.';
  throw new UsageError(`The password is missing. ${how}`);
}

async function readInput(io: Io): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of io.stdin) {
    chunks.push(Buffer.from(chunk));
    size += chunks.at(-1)?.length ?? 0;
    if (size > MAX_BYTES) break;
  }
  const text = decodeSecret(Buffer.concat(chunks));
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
