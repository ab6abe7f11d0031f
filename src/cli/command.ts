/**
 * What a command is: options in, an exit code out. Commands do not call each other, and reach the
 * process only through `Io`, so that tests can run them in-process.
 */

import type { ParseArgsConfig } from 'node:util';
import type { Access } from '../operations/access.ts';
import { MappingError } from '../rows/problems.ts';
import type { Service, ServiceOptions } from '../service.ts';

/** Exit codes (contract 8). */
export const EXIT = { done: 0, failed: 1, usage: 2, interrupted: 130 } as const;

/** The streams, environment and signals that a command uses. */
export interface Io {
  readonly stdin: NodeJS.ReadableStream;
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder that relative paths start from. */
  readonly cwd: string;
  /**
   * Calls `listener` at the first SIGINT or SIGTERM, instead of ending the process. The second one
   * calls `again`, or ends the process; a third always ends it. Returns a function that stops this.
   */
  onInterrupt(listener: () => void, again?: () => void): () => void;
}

/** The values of options by name, as `util.parseArgs` returns them. */
export type Values = Record<string, string | boolean | (string | boolean)[] | undefined>;

/** One option as written, for commands where the order matters. */
export interface WrittenOption {
  readonly name: string;
  readonly value: string | undefined;
}

/** An open database, and the data of the organisation that a command works for. */
export interface Opened {
  readonly service: Service;
  readonly access: Access;
}

/** One invocation of a command. */
export interface Call {
  readonly positionals: string[];
  readonly values: Values;
  /** The options in the order they were written, including global ones. */
  readonly written: readonly WrittenOption[];
  readonly json: boolean;
  readonly io: Io;
  /** The absolute path of the database: `--db`, else BUDGETD_DB, else budgetd.db. */
  readonly database: string;
  /**
   * Opens the database; it is closed when the command ends. On a full disk it is opened
   * `unshared`, unless the options set that.
   */
  openService(options?: Partial<ServiceOptions>): Promise<Service>;
  /** Opens the database and finds the organisation: `--org`, or the only one. */
  openOrganisation(): Promise<Opened>;
}

/** A command of the command line. */
export interface Command {
  /** What follows `budgetd`, such as `report PROJECT [--csv]`. */
  readonly usage: string;
  /** The rest of `--help`: options and examples. */
  readonly details?: string;
  readonly options: ParseArgsConfig['options'];
  /** Resolves with the exit code. */
  run(call: Call): Promise<number>;
}

/** Options that need a value. */
export function withValue(...names: readonly string[]): NonNullable<Command['options']> {
  return Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
}

/** Options that need a value and can be repeated. */
export function repeated(...names: readonly string[]): NonNullable<Command['options']> {
  return Object.fromEntries(names.map((name) => [name, { type: 'string', multiple: true }]));
}

/** Options without a value. */
export function flags(...names: readonly string[]): NonNullable<Command['options']> {
  return Object.fromEntries(names.map((name) => [name, { type: 'boolean' }]));
}

/** Wrong usage: exit 2, and the message comes with the usage line. */
export class UsageError extends Error {
  override readonly name: string = 'UsageError';
}

/** Whether the command line or a mapping that the user gave is at fault. */
export function isUsageError(error: unknown): error is Error {
  return error instanceof UsageError || error instanceof MappingError;
}

/** The value of an option. */
export function optionText(call: Pick<Call, 'values'>, name: string): string | undefined {
  const value = call.values[name];
  return typeof value === 'string' ? value : undefined;
}

/** The value of a required option. Refuses with a UsageError. */
export function requireText(call: Pick<Call, 'values'>, name: string): string {
  const text = optionText(call, name);
  if (text === undefined) throw new UsageError(`--${name} is missing.`);
  return text;
}

/** Whether a flag is set. */
export function hasFlag(call: Pick<Call, 'values'>, name: string): boolean {
  return call.values[name] === true;
}

/** The positional arguments, exactly one for each name. Refuses with a UsageError. */
export function readPositionals<const Names extends readonly string[]>(
  call: Pick<Call, 'positionals'>,
  ...names: Names
): { [Index in keyof Names]: string } {
  const { positionals } = call;
  const missing = names[positionals.length];
  if (missing !== undefined) throw new UsageError(`${missing} is missing.`);
  const extra = positionals[names.length];
  if (extra !== undefined) {
    const hint = /\s/.test(names.join(' ')) || names.length === 0 ? '' : QUOTES_HINT;
    throw new UsageError(`Unexpected argument "${extra}".${hint}`);
  }
  return positionals as unknown as { [Index in keyof Names]: string };
}

const QUOTES_HINT = ' Put quotation marks around a name with spaces.';

/** The whole number of an option. Refuses with a UsageError. */
export function readWhole(
  call: Pick<Call, 'values'>,
  name: string,
  range: { min: number; max: number },
): number | undefined {
  const text = optionText(call, name);
  if (text === undefined) return undefined;
  const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= range.min && number <= range.max) return number;
  const { min, max } = range;
  const limits = max === Number.MAX_SAFE_INTEGER ? `${min} or more` : `${min} to ${max}`;
  throw new UsageError(`--${name} must be a whole number, ${limits}, not "${text}".`);
}

/** One of the choices. Refuses with a UsageError. */
export function readChoice<const Choice extends string>(
  what: string,
  text: string,
  choices: readonly Choice[],
): Choice {
  const found = choices.find((each) => each === text);
  if (found !== undefined) return found;
  throw new UsageError(`${what} must be one of ${choices.join(', ')}, not "${text}".`);
}
