/** Finds the API key for a push. */

import { resolve } from 'node:path';
import { BudgetdError } from '../../client/index.ts';
import { isKey } from '../../core/keys.ts';
import { type Call, UsageError } from '../command.ts';
import { optionText } from '../options.ts';
import { findSecret, readSecretFile, type Secret } from '../secrets.ts';

/**
 * The key from `--key-file` or `--key`, or else from BUDGETD_KEY or the file of BUDGETD_KEY_FILE.
 * Throws `invalid_api_key` for a text that cannot be a key, before anything is sent.
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

function findKey(call: Call): Secret {
  const file = optionText(call, 'key-file');
  const written = optionText(call, 'key');
  if (file !== undefined && written !== undefined) {
    throw new UsageError('Use either --key-file or --key, not both.');
  }
  if (file !== undefined) {
    const text = readSecretFile(resolve(call.io.cwd, file), '--key-file');
    return { text, from: file };
  }
  if (written !== undefined) return { text: written, from: '--key' };
  const secret = findSecret(call.io, 'BUDGETD_KEY');
  if (secret !== undefined) return secret;
  throw new UsageError('The key is missing: pass --key-file FILE or set BUDGETD_KEY.');
}
