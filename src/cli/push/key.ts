/** Where the key of a push comes from. */

import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { BudgetdError } from '../../client/index.ts';
import { isKey } from '../../core/keys.ts';
import { type Call, textOf, UsageError } from '../command.ts';
import { decodeBytes, findMark } from './encodings.ts';

/**
 * The key of `--key-file`, `--key` or BUDGETD_KEY; what is written goes before what is set. Throws
 * `invalid_api_key` for what cannot be one: nothing needs to be sent to know that.
 */
export function readKey(call: Call): string {
  const { text, from } = findKey(call);
  const key = text.trim();
  if (isKey(key)) return key;
  const what =
    key === ''
      ? `${from} is empty`
      : `${from} does not contain an API key, or a character of it is wrong`;
  const message = `${what}: a key is bdg_live_ and 48 characters`;
  throw new BudgetdError('invalid_api_key', message, { status: 401 });
}

function findKey(call: Call): { text: string; from: string } {
  const file = textOf(call, 'key-file');
  const written = textOf(call, 'key');
  if (file !== undefined && written !== undefined) {
    throw new UsageError('Use either --key-file or --key, not both.');
  }
  if (file !== undefined) return { text: readKeyFile(call, file), from: file };
  if (written !== undefined) return { text: written, from: '--key' };
  const text = call.io.env['BUDGETD_KEY'];
  if (text !== undefined) return { text, from: 'BUDGETD_KEY' };
  throw new UsageError('The key is missing: pass --key-file FILE or set BUDGETD_KEY.');
}

/** With a byte order mark in UTF-16 too: so Windows PowerShell writes what `>` is given. */
function readKeyFile({ io }: Call, name: string): string {
  const path = resolve(io.cwd, name);
  if (statSync(path).isDirectory()) throw new UsageError(`--key-file: ${path} is a folder.`);
  const bytes = readFileSync(path);
  const mark = findMark(bytes);
  return decodeBytes(bytes.subarray(mark?.length ?? 0), mark?.encoding ?? 'utf-8') ?? '';
}
