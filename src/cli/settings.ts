/** Finds the settings of a command: its flags, the environment and the file of `--config`. */

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { wrapText } from '../core/text-width.ts';
import {
  describeSetting,
  readSettings,
  readSettingsFile,
  type Setting,
  type SettingName,
} from '../settings/settings.ts';
import type { Io, Values } from './command.ts';

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

/** The settings with their origins. Refuses with a SettingsError. */
export async function loadSettings(
  { env, cwd }: Pick<Io, 'env' | 'cwd'>,
  flags: Values,
  wanted?: readonly SettingName[],
): Promise<Setting[]> {
  const name = nameSettingsFile(env, flags);
  const file = name && readSettingsFile(name, readFileSync(resolve(cwd, name), 'utf8'));
  return readSettings({ flags, env, file: file || undefined }, wanted);
}

/** The path of the settings file; undefined if there is none. */
export function settingsFile(
  { env, cwd }: Pick<Io, 'env' | 'cwd'>,
  flags: Values,
): string | undefined {
  const name = nameSettingsFile(env, flags);
  return name ? resolve(cwd, name) : undefined;
}

function nameSettingsFile(env: Io['env'], { config }: Values): string | undefined {
  return typeof config === 'string' ? config : env['BUDGETD_CONFIG'];
}
