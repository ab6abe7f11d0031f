/**
 * The command line (contract 8): finds the command, loads only that one, runs it, and turns any
 * error into one line and an exit code.
 */

import { resolve } from 'node:path';
import { Failure } from '../core/failures.ts';
import { buildText } from '../package-folder.ts';
import type { Service, ServiceOptions } from '../service.ts';
import { type SettingName, settingValues } from '../settings/settings.ts';
import { chooseCommand, readOptions } from './arguments.ts';
import { loadCommand } from './catalogue.ts';
import {
  type Call,
  type CommandEntry,
  EXIT,
  type Flags,
  type Io,
  listShared,
  UsageError,
} from './command.ts';
import { helpOf, listCommands } from './entries.ts';
import { reportError } from './errors.ts';
import { readPositionals } from './options.ts';
import { printLines, printNotes } from './output.ts';
import { processIo } from './process-io.ts';
import { loadSettings, loadUsableSettings } from './settings.ts';

/** How long a command waits while another process writes. */
const BUSY_TIMEOUT_MS = 10_000;

/** Runs a command line. Resolves with the exit code and never rejects. */
export async function main(argv: string[], io: Partial<Io> = {}): Promise<number> {
  const world = { ...processIo(), ...io };
  const broken = watchOutput(world);
  let entry: CommandEntry | undefined;
  let exitCode: number;
  try {
    const table = listCommands();
    const choice = chooseCommand(
      argv,
      table.map(({ name }) => name),
    );
    entry = table.find(({ name }) => name === choice.name);
    exitCode =
      entry === undefined || choice.isHelp
        ? help(world, choice)
        : await runCommand(world, choice, entry);
  } catch (error) {
    const isDebugging = (world.env['BUDGETD_DEBUG'] ?? '') !== '';
    const report = reportError(error, entry, isDebugging);
    printNotes(world, ...report.lines);
    exitCode = report.exitCode;
  }
  return (await broken()) ? EXIT.failed : exitCode;
}

function help(io: Io, { name, isHelp, rest }: ReturnType<typeof chooseCommand>): number {
  const asks = (long: string) =>
    rest.some((each) => each === `--${long}` || each === `-${long[0]}`);
  if (!isHelp && !asks('help') && asks('version')) printLines(io, `budgetd ${buildText()}`);
  else printLines(io, helpOf(name));
  return EXIT.done;
}

async function runCommand(io: Io, choice: ReturnType<typeof chooseCommand>, entry: CommandEntry) {
  const written = readOptions(entry, choice.rest);
  const { values } = written;
  const { help: isHelp, version: isVersion } = values;
  if (isHelp === true || isVersion === true) {
    return help(io, { ...choice, isHelp: isHelp === true, rest: ['--version'] });
  }
  const opened: Service[] = [];
  try {
    const command = await loadCommand(entry);
    const found = await findSettings(io, entry, values);
    if (!/^[^[-]/.test(entry.usage ?? '')) readPositionals(written);
    return (await command.run(buildCall(io, { ...written, ...found }, opened))) ?? EXIT.done;
  } finally {
    for (const service of opened) await service.close();
  }
}

/** The settings of a command, and what is wrong with variables or the settings file. */
async function findSettings(
  io: Io,
  entry: CommandEntry,
  values: Flags,
): Promise<Pick<Call, 'settings' | 'settingsProblem'>> {
  const names: SettingName[] = ['db', ...(entry.settings ?? [])];
  if (!listShared(entry).includes('config')) {
    const settings = await loadSettings({ cwd: io.cwd, env: {} }, {}, names);
    return { settings, settingsProblem: undefined };
  }
  try {
    return { settings: await loadSettings(io, values, names), settingsProblem: undefined };
  } catch (error) {
    if (entry.findsProblems !== true || !(error instanceof Error)) throw error;
    const settings = await loadUsableSettings(io, values, names);
    return { settings, settingsProblem: error.message };
  }
}

function buildCall(
  io: Io,
  given: Pick<Call, 'values' | 'positionals' | 'written' | 'settings' | 'settingsProblem'>,
  opened: Service[],
): Call {
  const { values, settings } = given;
  const database = resolve(io.cwd, settingValues(settings).db);
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
    ...given,
    json: values['json'] === true,
    io,
    database,
    openService,
    openOrganisation: async () => {
      const service = await openService();
      const access = service.access(chooseOrganisation(service, values['org']));
      return { service, access, actor: () => service.actor() };
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
