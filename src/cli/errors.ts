/** An error as one clear line and an exit code (contract 8); a bug's stack only where asked for. */

import { Failure, type FailureDetail } from '../core/failures.ts';
import { storageFailure } from '../store/database.ts';
import { UnknownWordError } from './arguments.ts';
import { EXIT, UsageError } from './command.ts';
import { cleanText } from './text-width.ts';

/** What to tell and how to end. */
export interface ErrorReport {
  readonly lines: readonly string[];
  readonly exitCode: number;
}

/** What an error means; `usage` is the usage line of the command that it came from. */
export function reportError(
  error: unknown,
  usage: string | undefined,
  isDebugging: boolean,
): ErrorReport {
  if (error instanceof UnknownWordError) {
    return { lines: [`budgetd: ${cleanText(error.message)}`], exitCode: EXIT.usage };
  }
  if (error instanceof UsageError) {
    const hint = usage === undefined ? '' : ` Usage: budgetd ${usage}`;
    return { lines: [`budgetd: ${cleanText(error.message)}${hint}`], exitCode: EXIT.usage };
  }
  const failure = error instanceof Failure ? error : storageFailure(error);
  const known = failure === undefined ? explainSystemError(error) : explainFailure(failure);
  const stack = isDebugging && error instanceof Error ? [error.stack ?? ''] : [];
  if (known !== undefined) {
    return { lines: [`budgetd: ${cleanText(known)}`, ...stack], exitCode: EXIT.failed };
  }
  const message = error instanceof Error ? error.message : String(error);
  const advice = 'This is a bug: BUDGETD_DEBUG=1 shows where; please report it.';
  const line = `budgetd: ${cleanText(message)}. ${advice}`;
  return { lines: [line, ...stack], exitCode: EXIT.failed };
}

/** Runs what only the command line's own words can make wrong: a refusal is then wrong usage. */
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
  return failure.details.map(explainParameter).join(' ');
}

/** A parameter of the interface is an option here. */
function explainParameter({ field, message }: FailureDetail): string {
  return `--${toKebabCase(field ?? '')} ${message}`;
}

/** `updatedSince` as it is written here: `updated-since`. */
export function toKebabCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

const SYSTEM_ERRORS: Readonly<Record<string, string>> = {
  EACCES: 'permission is denied',
  EPERM: 'it is not permitted',
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of the path is no folder',
  ENOSPC: 'the disk is full',
  EFBIG: 'the file is larger than this process may write',
  EROFS: 'the disk is read-only',
  EMFILE: 'too many files are open',
  EIO: 'the disk reports an error',
  EDQUOT: 'the quota of the disk is used up',
  EEXIST: 'something else has that name',
  EXDEV: 'it cannot be moved to another disk',
  ELOOP: 'links lead in a circle',
  ENAMETOOLONG: 'the name is too long',
  EBUSY: 'another program holds it',
};

/** What the operating system or a damaged database refused; undefined for a bug. */
function explainSystemError(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  const code = String(error.code);
  if (/^SQLITE_(CORRUPT|NOTADB|IOERR)/.test(code)) {
    const problem = `The database is damaged or its disk fails (${error.message})`;
    return `${problem}: put a backup in its place.`;
  }
  const known = explainSystemCode(error);
  if (known === undefined) return undefined;
  const path = 'path' in error ? String(error.path) : '';
  return path === '' ? `${known}.` : `${path}: ${known}.`;
}

/** What the operating system refused, without the file's name; undefined for all else. */
export function explainSystemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? SYSTEM_ERRORS[String(error.code)] : undefined;
}
