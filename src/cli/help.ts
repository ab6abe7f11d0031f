/** Help: all commands, a group of commands, or one command in full. */

import { wrapText } from '../core/text-width.ts';
import { GLOBAL_HELP } from './arguments.ts';
import { firstWordOf, GROUPS, listCommands } from './catalogue.ts';
import { type Command, listForms } from './command.ts';

const HELP_WIDTH = 80;

/** What `budgetd help` prints. */
export async function buildHelp(version: string): Promise<string> {
  const lines = [
    `budgetd ${version}: compare project budgets with actual cash`,
    '',
    'Usage: budgetd COMMAND [options]',
  ];
  const all = await listCommands();
  for (const [title, files] of Object.entries(GROUPS)) {
    const own = all.filter((command) => Object.hasOwn(files, firstWordOf(command)));
    lines.push('', title, ...listSummaries(own, all));
  }
  const more = 'Run `budgetd COMMAND --help` for details. New here? Run `budgetd demo`.';
  return [...lines, '', GLOBAL_HELP, '', more].join('\n');
}

/** What `budgetd keys` prints: the commands that begin with this word. */
export async function buildGroupHelp(group: string): Promise<string> {
  const all = await listCommands();
  const own = all.filter(({ name }) => name.startsWith(`${group} `));
  const words = own.map(({ name }) => name.slice(group.length + 1)).join('|');
  const usage = `Usage: budgetd ${group} ${words}`;
  const more = `Run \`budgetd ${own[0]?.name} --help\` for details.`;
  return [usage, '', ...listSummaries(own, all), '', more].join('\n');
}

/** What `budgetd COMMAND --help` prints. */
export function buildCommandHelp(command: Command): string {
  const { summary, details } = command;
  const sentence = `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`;
  const rest = details === undefined ? [] : ['', details.replace(/^\n+|\s+$/g, '')];
  const more = 'Also: --db FILE, --config FILE, --org ID, --json (see `budgetd help`).';
  return [...wrapUsage(command), '', sentence, ...rest, '', more].join('\n');
}

/** The forms of a command, each wrapped to the width of a plain terminal. */
function wrapUsage(command: Command): string[] {
  const indent = ' '.repeat('Usage: budgetd '.length);
  return listForms(command).flatMap((form, formIndex) => {
    const lead = formIndex === 0 ? 'Usage: budgetd ' : '       budgetd ';
    // Never break inside brackets.
    const text = form.replace(/\[[^\]]*\]/g, (option) => option.replaceAll(' ', '\u00a0'));
    return wrapText(text, HELP_WIDTH - lead.length).map((line, index) => {
      return (index === 0 ? lead : indent) + line.replaceAll('\u00a0', ' ');
    });
  });
}

/** A longer name pushes its summary to the right, or no summary would have room. */
const NAME_WIDTH = 20;

function listSummaries(commands: readonly Command[], all: readonly Command[]): string[] {
  const lengths = all.map(({ name }) => name.length);
  const width = Math.max(...lengths.filter((length) => length <= NAME_WIDTH));
  return commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`);
}
