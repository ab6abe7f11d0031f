/**
 * What a command is: options in, an exit code out. Commands do not call each other, and reach the
 * process only through `Io`, so that tests can run them in-process.
 */

import type { Actor } from '../core/audit.ts';
import type { Service, ServiceOptions } from '../service.ts';
import type { Setting, SettingName } from '../settings/settings.ts';
import type { Access } from '../store/access.ts';

/** Exit codes (contract 8). */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  someRejected: 3,
  refused: 4,
  allRejected: 5,
  gaveUpWaiting: 6,
  interrupted: 130,
} as const;

/** The streams, environment and signals that a command uses. */
export interface Io {
  readonly stdin: NodeJS.ReadableStream;
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder that relative paths start from. */
  readonly cwd: string;
  /** Milliseconds on a clock that never jumps. */
  readonly monotonicMs: () => number;
  /**
   * Calls `listener` at the first SIGINT or SIGTERM, instead of ending the process. The second one
   * calls `again`, or ends the process; a third always ends it. Returns a function that stops this.
   */
  onInterrupt(listener: () => void, again?: () => void): () => void;
}

/** The values of options by name, as `util.parseArgs` returns them. */
export type Flags = Record<string, string | boolean | (string | boolean)[] | undefined>;

/** One invocation of a command. */
export interface Call {
  readonly positionals: string[];
  readonly values: Flags;
  /** The options in the order they were written, including global ones. */
  readonly written: readonly { readonly name: string; readonly value: string | undefined }[];
  readonly json: boolean;
  readonly io: Io;
  /** The absolute path of the database, which is a setting. */
  readonly database: string;
  /** What is wrong with variables or the settings file: only if the command `findsProblems`. */
  readonly settingsProblem: string | undefined;
  /** Every setting; those that the command does not have, and `db`, have their defaults. */
  readonly settings: readonly Setting[];
  /**
   * Opens the database; it is closed when the command ends. On a full disk it is opened
   * `unshared`, unless the options set that.
   */
  openService(options?: Partial<ServiceOptions>): Promise<Service>;
  /** Opens the database and finds the organisation: `--org`, or the only one, and who acts now. */
  openOrganisation(): Promise<{ service: Service; access: Access; actor: () => Actor }>;
}

/**
 * What help, completion and the manual say of a command, and how its options are read. The build
 * writes the table of all into `commands.json`, and the help into `help.json`.
 */
export interface CommandEntry {
  /** The words that choose it, such as `keys create`. */
  readonly name: string;
  /** A line of `budgetd help`, without a subject. */
  readonly summary: string;
  /**
   * What follows the name, such as `PROJECT [--csv]`; ` | ` is between its forms. If it begins with
   * an option, or is absent, the command accepts no arguments.
   */
  readonly usage?: string;
  /**
   * The rest of `--help`. A line such as `  --name N   the name` declares an option: one with a
   * word after it needs a value.
   */
  readonly details?: string;
  /** Options that can be repeated. */
  readonly repeatable?: readonly string[];
  /** Options such as `--key K` that have no line of their own in the details. */
  readonly unlisted?: readonly string[];
  /** Its settings besides `db`: each is an option too. */
  readonly settings?: readonly SettingName[];
  /** Its exit codes, if it has others than every command. */
  readonly exits?: readonly (keyof typeof EXIT)[];
  /** Whether it says itself what is wrong with settings, and then runs without them. */
  readonly findsProblems?: true;
  /** The options for every command that it uses: all, if absent. */
  readonly shared?: readonly SharedOption[];
  /** What can be chosen, by option or by the word of an argument in `usage`. */
  readonly choices?: Readonly<Record<string, readonly string[]>>;
}

/** The options for every command that a command can do without. */
export const SHARED_OPTIONS = {
  db: '--db FILE',
  config: '--config FILE',
  org: '--org ID',
  json: '--json',
} as const;
type SharedOption = keyof typeof SHARED_OPTIONS;

/** A command of the command line. */
export interface Command extends CommandEntry {
  /** Resolves with the exit code; with nothing when all is done. */
  run(call: Call): Promise<number | undefined>;
}

/** The forms of a command, such as `allocate TXN --none`. */
export function listForms({ name, usage = '' }: CommandEntry): string[] {
  return usage.split(' | ').map((form) => `${name} ${form}`.trim());
}

/** The options for every command that a command uses. */
export function listShared({ shared }: CommandEntry): readonly SharedOption[] {
  return shared ?? (Object.keys(SHARED_OPTIONS) as SharedOption[]);
}

/** Wrong usage: exit 2, and the message comes with the usage line. */
export class UsageError extends Error {
  override readonly name: string = 'UsageError';
}

/** By their names: what reads files is loaded only by the commands that do. */
const USAGE_ERRORS = ['MappingError', 'SettingsError'];

/** Whether the command line, a mapping or a setting that the user gave is at fault. */
export function isUsageError(error: unknown): error is Error {
  if (error instanceof UsageError) return true;
  return error instanceof Error && USAGE_ERRORS.includes(error.name);
}
