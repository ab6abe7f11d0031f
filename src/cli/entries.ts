/** The table of commands, which the build writes: help and completion load no command. */

import { PACKAGE_FOLDER, readPackageFile } from '../package-folder.ts';
import type { CommandEntry } from './command.ts';

/** Commands with a title. */
interface CommandGroup {
  readonly title: string;
  readonly commands: readonly CommandEntry[];
}

/** The groups of all commands. */
export function listGroups(): readonly CommandGroup[] {
  const file = new URL('dist/src/cli/commands.json', PACKAGE_FOLDER);
  groups ??= JSON.parse(readPackageFile(file).toString()) as CommandGroup[];
  return groups;
}

let groups: CommandGroup[] | undefined;

/** What the table says of each command. */
export function listCommands(): CommandEntry[] {
  return listGroups().flatMap(({ commands }) => commands);
}
