import { PACKAGE_FOLDER, readPackageFile } from '../../package-folder.ts';
import type { Command } from '../command.ts';
import { complete } from '../completion.ts';
import { readChoice, readPositionals } from '../options.ts';
import { printLines } from '../output.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;

/** What the scripts call, with the words of the command line. */
const QUESTION = 'words';

const completion: Command = {
  name: 'completion',
  summary: 'prints a script that completes commands in a shell',
  usage: SHELLS.join('|'),
  details: `
  bash   in ~/.bashrc:  source <(budgetd completion bash)
  zsh    in ~/.zshrc, after compinit:  source <(budgetd completion zsh)
  fish   in ~/.config/fish/config.fish:  budgetd completion fish | source

The Tab key then completes commands, options and their values, such as projects,
budget lines, keys and users of the database.`,
  shared: [],
  async run(call) {
    const [first, ...words] = call.positionals;
    if (first === QUESTION) {
      printLines(call.io, ...(await complete(call, words)));
      return;
    }
    const [wanted] = readPositionals(call, SHELLS.join('|'));
    const shell = readChoice('The shell', wanted, SHELLS);
    const script = new URL(`packaging/completion.${shell}`, PACKAGE_FOLDER);
    printLines(call.io, readPackageFile(script).toString().trimEnd());
  },
};

export const commands = [completion];
