/** Finds the API key for a push. */

import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { BudgetdError } from '../../client/index.ts';
import { isKey } from '../../core/keys.ts';
import { decodeBytes, findMark } from '../../rows/encodings.ts';
import { type Call, UsageError } from '../command.ts';
import { optionText } from '../options.ts';

/**
 * The key from `--key-file` or `--key`, or else from BUDGETD_KEY. Throws `invalid_api_key` for a
 * text that cannot be a key, before anything is sent.
 */
export function readKey(call: Call): string {
  const { text, from } = findKey(call);
  const key = text.trim();
  if (isKey(key)) return key;
  const what =
    key === ''
      ? `${from} is empty`
      : `${from} does not contain an API key, or one of its characters is wrong`;
  const message = `${what}: a key is bdg_live_ followed by 48 characters`;
  throw new BudgetdError('invalid_api_key', message, { status: 401 });
}

function findKey(call: Call): { text: string; from: string } {
  const file = optionText(call, 'key-file');
  const written = optionText(call, 'key');
  if (file !== undefined && written !== undefined) {
    throw new UsageError('Use either --key-file or --key, not both.');
  }
  if (file !== undefined) return { text: readKeyFile(call, file), from: file };
  if (written !== undefined) return { text: written, from: '--key' };
  const text = call.io.env['BUDGETD_KEY'];
  if (text !== undefined) return { text, from: 'BUDGETD_KEY' };
  throw new UsageError('The key is missing: pass --key-file FILE or set BUDGETD_KEY.');
}

/** Also reads UTF-16 with a byte order mark, which `>` writes in Windows PowerShell. */
function readKeyFile({ io }: Call, name: string): string {
  const path = resolve(io.cwd, name);
  if (statSync(path).isDirectory()) throw new UsageError(`--key-file: ${path} is a folder.`);
  const bytes = readFileSync(path);
  const mark = findMark(bytes);
  return decodeBytes(bytes.subarray(mark?.length ?? 0), mark?.encoding ?? 'utf-8') ?? '';
}
