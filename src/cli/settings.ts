/** Finds the settings of a command: its flags, the environment and the file of `--config`. */

import { resolve } from 'node:path';
import { wrapText } from '../core/text-width.ts';
import {
  describeSetting,
  readSettings,
  readSettingsFile,
  type Setting,
  type SettingName,
  type SettingSources,
  type SettingsError,
} from '../settings/settings.ts';
import { readNamed } from './bounded.ts';
import type { Flags, Io } from './command.ts';

/** The settings of a command in its help, 80 columns wide. */
export function settingsHelp(names: readonly SettingName[]): string {
  return names
    .map((name) => {
      const { value, description, default: own } = describeSetting(name);
      const text = own === undefined ? description : `${description} (default ${own})`;
      const lines = wrapText(text, HELP_WIDTH - INDENT).map((line) => ' '.repeat(INDENT) + line);
      const begin = `  --${name} ${value}`;
      const isShort = begin.length < INDENT;
      return isShort
        ? [begin.padEnd(INDENT) + (lines[0] ?? '').trim(), ...lines.slice(1)].join('\n')
        : [begin, ...lines].join('\n');
    })
    .join('\n');
}

const HELP_WIDTH = 80;
const INDENT = 15;

/** The settings with their origins. Refuses with a SettingsError, or `invalid_input`. */
export async function loadSettings(
  io: Pick<Io, 'env' | 'cwd'>,
  flags: Flags,
  wanted?: readonly SettingName[],
): Promise<Setting[]> {
  return readSettings({ flags, env: io.env, file: readFile(io, flags) }, wanted);
}

/**
 * The settings, without those that are wrong in variables or the settings file: these have their
 * defaults. A wrong flag is refused.
 */
export async function loadUsableSettings(
  io: Pick<Io, 'env' | 'cwd'>,
  flags: Flags,
  wanted: readonly SettingName[],
): Promise<Setting[]> {
  let file: SettingSources['file'];
  try {
    file = readFile(io, flags, () => {});
  } catch {
    // Then none of it counts.
  }
  const sources: SettingSources = { flags, env: io.env, file };
  const usable: SettingName[] = [];
  for (const name of wanted) {
    try {
      await readSettings(sources, [name]);
      usable.push(name);
    } catch (error) {
      if (sources.flags[name] !== undefined) throw error;
    }
  }
  return readSettings(sources, usable);
}

function readFile(
  { env, cwd }: Pick<Io, 'env' | 'cwd'>,
  flags: Flags,
  refuse?: (error: SettingsError) => void,
) {
  const path = nameSettingsFile(env, flags);
  if (!path) return undefined;
  const named = typeof flags['config'] === 'string' ? '--config' : 'BUDGETD_CONFIG';
  return readSettingsFile(path, readNamed(resolve(cwd, path), named).toString(), refuse);
}

/** The path of the settings file; undefined if there is none. */
export function settingsFile(
  { env, cwd }: Pick<Io, 'env' | 'cwd'>,
  flags: Flags,
): string | undefined {
  const name = nameSettingsFile(env, flags);
  return name ? resolve(cwd, name) : undefined;
}

function nameSettingsFile(env: Io['env'], { config }: Flags): string | undefined {
  return typeof config === 'string' ? config : env['BUDGETD_CONFIG'];
}
