import { buildText, readBuild } from '../../package-folder.ts';
import type { Command } from '../command.ts';
import { printResult } from '../output.ts';

const version: Command = {
  name: 'version',
  summary: 'shows the version, its commit and its schema',
  details: '--version and -v show it too, also after a command.',
  shared: ['json'],
  async run(call) {
    printResult(call, readBuild(), `budgetd ${buildText()}`);
  },
};

export const commands = [version];
