import { buildText, readBuild } from '../../package-folder.ts';
import type { Command } from '../command.ts';
import { printResult } from '../output.ts';

const version: Command = {
  name: 'version',
  summary: 'shows the version, its commit and its schema',
  details: 'So do --version and -v, also after a command.',
  shared: ['json'],
  async run(call) {
    printResult(call, readBuild(), `budgetd ${buildText()}`);
  },
};

export const commands = [version];
