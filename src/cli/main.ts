/**
 * The command line (contract 8): finds the command, loads only that one, runs it, and turns any
 * error into one line and an exit code.
 */

import { resolve } from 'node:path';
import { Failure } from '../core/failures.ts';
import { readVersion } from '../package-folder.ts';
import type { Service, ServiceOptions } from '../service.ts';
import { type Setting, type SettingName, valuesOf } from '../settings/settings.ts';
import {
  type CommandChoice,
  chooseCommand,
  readOptions,
  UnknownWordError,
  type Written,
} from './arguments.ts';
import { firstWordOf, listCommands } from './catalogue.ts';
import { type Call, type Command, EXIT, type Io, UsageError } from './command.ts';
import { reportError } from './errors.ts';
import { buildCommandHelp, buildGroupHelp, buildHelp } from './help.ts';
import { readPositionals } from './options.ts';
import { printLines, printNotes } from './output.ts';
import { processIo } from './process-io.ts';
import { loadSettings } from './settings.ts';

/** How long a command waits while another process writes. */
const BUSY_TIMEOUT_MS = 10_000;

/** Runs a command line. Resolves with the exit code and never rejects. */
export async function main(argv: string[], io: Partial<Io> = {}): Promise<number> {
  const world = { ...processIo(), ...io };
  const broken = watchOutput(world);
  let command: Command | undefined;
  let exitCode: number;
  try {
    const choice = await chooseCommand(argv, listCommands);
    const { name } = choice;
    command = (await listCommands(firstWordOf(choice))).find((each) => each.name === name);
    exitCode =
      command === undefined || choice.isHelp
        ? await help(world, choice, command)
        : await runCommand(world, choice, command);
  } catch (error) {
    const isDebugging = (world.env['BUDGETD_DEBUG'] ?? '') !== '';
    const report = reportError(error, command, isDebugging);
    printNotes(world, ...report.lines);
    exitCode = report.exitCode;
  }
  return (await broken()) ? EXIT.failed : exitCode;
}

async function help(io: Io, choice: CommandChoice, command?: Command): Promise<number> {
  const { name, rest } = choice;
  const isHelp = choice.isHelp || rest.includes('--help') || rest.includes('-h');
  if (!isHelp && rest.includes('--version')) printLines(io, `budgetd ${readVersion()}`);
  else if (command !== undefined) printLines(io, buildCommandHelp(command));
  else if (name === '') printLines(io, await buildHelp(readVersion()));
  else if (isHelp) printLines(io, await buildGroupHelp(name));
  else throw await missingWord(name);
  return EXIT.done;
}

async function missingWord(group: string): Promise<UsageError> {
  const commands = await listCommands(group);
  const words = commands.map(({ name }) => name.slice(group.length + 1)).join(', ');
  return new UnknownWordError(`"${group}" needs a subcommand: ${words}.`);
}

async function runCommand(io: Io, choice: CommandChoice, command: Command): Promise<number> {
  const written = readOptions(command, choice.rest);
  const { help: isHelp, version: isVersion } = written.values;
  if (isHelp === true || isVersion === true) {
    return help(io, { ...choice, isHelp: isHelp === true, rest: ['--version'] }, command);
  }
  const opened: Service[] = [];
  try {
    const names: SettingName[] = ['db', ...(command.settings ?? [])];
    const settings = await loadSettings(io, written.values, names);
    if (!/^[^[-]/.test(command.usage ?? '')) readPositionals(written);
    return (await command.run(buildCall(io, written, settings, opened))) ?? EXIT.done;
  } finally {
    for (const service of opened) await service.close();
  }
}

function buildCall(
  io: Io,
  { values, positionals, written }: Written,
  settings: readonly Setting[],
  opened: Service[],
): Call {
  const database = resolve(io.cwd, valuesOf(settings).db);
  const openService = async (options: Partial<ServiceOptions> = {}) => {
    const { createService } = await import('../service.ts');
    const own = {
      database,
      actor: 'command line',
      busyTimeoutMs: BUSY_TIMEOUT_MS,
      onUpgrade: (message: string) => printNotes(io, message),
    };
    const service = await openAnyway({ ...own, ...options }, createService);
    opened.push(service);
    return service;
  };
  return {
    positionals,
    values,
    written,
    json: values['json'] === true,
    io,
    database,
    settings,
    openService,
    openOrganisation: async () => {
      const service = await openService();
      return { service, access: service.access(chooseOrganisation(service, values['org'])) };
    },
  };
}

/** On a full disk SQLite cannot create the files that processes share: read without them. */
async function openAnyway(
  options: ServiceOptions,
  createService: (options: ServiceOptions) => Promise<Service>,
): Promise<Service> {
  try {
    return await createService(options);
  } catch (error) {
    const isFull = error instanceof Failure && error.code === 'storage_full';
    if (!isFull || options.unshared !== undefined) throw error;
    return createService({ ...options, unshared: true }).catch(() => {
      throw error;
    });
  }
}

/** The id of the organisation of `--org`, by id or exact name, or of the only organisation. */
function chooseOrganisation(service: Service, wanted: unknown): string {
  const all = service.organisations.list();
  const shown = all.map(({ id, name }) => `${id} (${name})`).join(', ');
  if (all.length === 0) {
    const message = 'The database has no organisation. Create one with `budgetd init`.';
    throw new Failure('not_found', message);
  }
  const found =
    wanted === undefined ? all : all.filter(({ id, name }) => id === wanted || name === wanted);
  const [organisation] = found;
  if (organisation === undefined) {
    throw new UsageError(`There is no organisation "${wanted}". Use one of ${shown}.`);
  }
  if (found.length > 1) {
    throw new UsageError(`The database has several organisations. Pass --org ID: ${shown}.`);
  }
  return organisation.id;
}

/**
 * Watches standard output for errors. A reader that stops early (`| head`) is fine. Any other error
 * is reported once everything is written, and fails the command.
 */
function watchOutput(io: Io): () => Promise<boolean> {
  let failure: NodeJS.ErrnoException | undefined;
  const hear = (error: NodeJS.ErrnoException) => {
    failure ??= error;
  };
  io.stdout.on('error', hear);
  io.stderr.on('error', () => {});
  return async () => {
    await new Promise<void>((written) => io.stdout.write('', () => written()));
    if (failure === undefined || failure.code === 'EPIPE') return false;
    printNotes(io, `budgetd: cannot write to standard output: ${failure.message}.`);
    return true;
  };
}
