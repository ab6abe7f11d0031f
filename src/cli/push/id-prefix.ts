/** `--id-prefix`: tells the rows of one system from those of another that uses the same ids. */

import type { PushRow } from '../../client/index.ts';
import { findTextProblems } from '../../core/text.ts';
import { type Call, UsageError } from '../command.ts';
import { optionText } from '../options.ts';
import type { Sender } from './runner.ts';

const PREFIX_CHARACTERS = 100;

/** The prefix that a call asks for; empty without one. Refuses one that no externalId can have. */
export function readIdPrefix(call: Call): string {
  const prefix = optionText(call, 'id-prefix');
  if (prefix === undefined) return '';
  const problems = findTextProblems(prefix, PREFIX_CHARACTERS).filter((each) => each !== 'blank');
  if (prefix !== '' && problems.length === 0) return prefix;
  throw new UsageError('--id-prefix has 1 to 100 characters and no control character.');
}

/** A sender that puts a prefix before each externalId that is a text and not blank. */
export function withIdPrefix(sender: Sender, prefix: string): Sender {
  if (prefix === '') return sender;
  return { push: (rows, options) => sender.push(prefixed(rows, prefix), options) };
}

async function* prefixed(rows: AsyncIterable<PushRow>, prefix: string): AsyncIterable<PushRow> {
  for await (const row of rows) {
    // The service says what is wrong with anything else.
    const externalId: unknown = Object.hasOwn(Object(row), 'externalId') ? row.externalId : null;
    const isText = typeof externalId === 'string' && externalId.trim() !== '';
    yield isText ? { ...row, externalId: prefix + externalId } : row;
  }
}
