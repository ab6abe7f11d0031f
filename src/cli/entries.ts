/** The table of commands and their help, which the build writes: these load no command. */

import { PACKAGE_FOLDER, readPackageFile } from '../package-folder.ts';
import type { CommandEntry } from './command.ts';

interface CommandGroup {
  readonly title: string;
  readonly commands: readonly CommandEntry[];
}

export function listGroups(): readonly CommandGroup[] {
  groups ??= read('commands.json') as CommandGroup[];
  return groups;
}

let groups: CommandGroup[] | undefined;

/** What the table says of each command. */
export function listCommands(): CommandEntry[] {
  return listGroups().flatMap(({ commands }) => commands);
}

/** The help of a command, of a group such as `keys`, or of all commands, whose name is empty. */
export function helpOf(name: string): string {
  return (read('help.json') as Readonly<Record<string, string>>)[name] ?? '';
}

function read(name: string): unknown {
  const file = new URL(`dist/src/cli/${name}`, PACKAGE_FOLDER);
  return JSON.parse(readPackageFile(file).toString());
}
