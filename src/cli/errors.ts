/** Turns an error into one clear line and an exit code (contract 8), with the stack on request. */

import { Failure } from '../core/failures.ts';
import { describeSystemError } from '../core/system.ts';
import { cleanText } from '../core/text-width.ts';
import { failureOf, isForeign } from '../database/sqlite-errors.ts';
import { SettingsError } from '../settings/settings.ts';
import { explain } from './advice.ts';
import { UnknownWordError } from './arguments.ts';
import { type CommandEntry, EXIT, isUsageError, listForms, UsageError } from './command.ts';
import { stackOf } from './stack.ts';

/** What to print, and the exit code; `command` is the one that failed, if it was known. */
export function reportError(
  error: unknown,
  command: CommandEntry | undefined,
  isDebugging: boolean,
): { lines: string[]; exitCode: number } {
  if (isUsageError(error)) {
    const isUnknownWord = error instanceof UnknownWordError || error instanceof SettingsError;
    const hint =
      isUnknownWord || command === undefined
        ? ''
        : ` Usage: budgetd ${listForms(command).join(' | ')}`;
    return { lines: [`budgetd: ${cleanText(explain(error))}${hint}`], exitCode: EXIT.usage };
  }
  const failure = failureOf(error);
  const known = failure === undefined ? explainSystemError(error) : explainFailure(failure);
  const stack = isDebugging && error instanceof Error ? [stackOf(error)] : [];
  const message = error instanceof Error ? error.message : String(error);
  const advice = 'This is a bug. Set BUDGETD_DEBUG=1 to see where, and report it.';
  const line = `budgetd: ${cleanText(known ?? `${message}. ${advice}`)}`;
  return { lines: [line, ...stack], exitCode: EXIT.failed };
}

/** Runs `work`, which depends only on the command line: its refusal is wrong usage. */
export function asUsage<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof Failure && USAGE_CODES.has(error.code)) {
      throw new UsageError(explainFailure(error));
    }
    throw error;
  }
}

const USAGE_CODES: ReadonlySet<string> = new Set([
  'invalid_input',
  'invalid_parameter',
  'invalid_cursor',
]);

function explainFailure(failure: Failure): string {
  if (failure.code !== 'invalid_parameter') return failure.message;
  // A parameter of the interface is an option on the command line.
  const parts = failure.details.map((each) => `--${toKebabCase(each.field ?? '')} ${each.message}`);
  return parts.join(' ');
}

/** `updatedSince` as an option: `updated-since`. */
export function toKebabCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Explains an error of the operating system or a damaged database; undefined for a bug. */
function explainSystemError(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  const code = String(error.code);
  const isDamaged = /^SQLITE_(CORRUPT|NOTADB|IOERR)/.test(code);
  if (isDamaged || isForeign(error as unknown)) {
    const problem = isDamaged
      ? 'The database is damaged, or its disk is failing'
      : 'The database is not as budgetd made it';
    const advice = 'restore a backup with `budgetd restore-backup FILE`';
    return `${problem} (${error.message}). Run \`budgetd check\`, and ${advice}.`;
  }
  return describeSystemError(error);
}
