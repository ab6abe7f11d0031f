/** Help: all commands, a group of commands, or one command in full. */

import { wrapText } from '../core/text-width.ts';
import type { Command } from './command.ts';

/** Every command by name, with how to load it. */
export type Commands = Readonly<Record<string, () => Promise<Command>>>;

const HELP_WIDTH = 80;

const GLOBAL_HELP = `Options for every command
  --db FILE    the database file (default BUDGETD_DB, else ./budgetd.db)
  --org ID     the organisation, if the database has several
  --json       print one JSON document on standard output
  --help       show help
  --version    show the version`;

/** What `budgetd help` prints. */
export async function buildHelp(
  groups: Readonly<Record<string, Commands>>,
  version: string,
): Promise<string> {
  const lines = [
    `budgetd ${version}: compare project budgets with actual cash`,
    '',
    'Usage: budgetd COMMAND [options]',
  ];
  const commands: Commands = Object.assign({}, ...Object.values(groups));
  for (const [title, group] of Object.entries(groups)) {
    lines.push('', title, ...(await listSummaries(commands, Object.keys(group))));
  }
  const more = 'Run `budgetd COMMAND --help` for details. New here? Run `budgetd demo`.';
  return [...lines, '', GLOBAL_HELP, '', more].join('\n');
}

/** What `budgetd keys` prints: the commands that begin with this word. */
export async function buildGroupHelp(commands: Commands, group: string): Promise<string> {
  const names = Object.keys(commands).filter((name) => name.startsWith(`${group} `));
  const summaries = await listSummaries(commands, names);
  const words = names.map((name) => name.slice(group.length + 1)).join('|');
  const usage = `Usage: budgetd ${group} ${words}`;
  const more = `Run \`budgetd ${names[0]} --help\` for details.`;
  return [usage, '', ...summaries, '', more].join('\n');
}

/** What `budgetd COMMAND --help` prints. */
export function buildCommandHelp({ usage, summary, details }: Command): string {
  const sentence = `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`;
  const rest = details === undefined ? [] : ['', details.replace(/^\n+|\s+$/g, '')];
  const more = 'Also: --db FILE, --org ID, --json (see `budgetd help`).';
  return [...wrapUsage(usage), '', sentence, ...rest, '', more].join('\n');
}

/** The forms of a command, each wrapped to the width of a plain terminal. */
function wrapUsage(usage: string): string[] {
  const indent = ' '.repeat('Usage: budgetd '.length);
  return usage.split(' | ').flatMap((form, formIndex) => {
    const lead = formIndex === 0 ? 'Usage: budgetd ' : '       budgetd ';
    // Never break inside brackets.
    const text = form.replace(/\[[^\]]*\]/g, (option) => option.replaceAll(' ', '\u00a0'));
    return wrapText(text, HELP_WIDTH - lead.length).map((line, index) => {
      return (index === 0 ? lead : indent) + line.replaceAll('\u00a0', ' ');
    });
  });
}

async function listSummaries(commands: Commands, names: readonly string[]): Promise<string[]> {
  const width = Math.max(...Object.keys(commands).map((name) => name.length));
  const loaded = names.map(async (name) => {
    const command = await commands[name]?.();
    return `  ${name.padEnd(width)}  ${command?.summary ?? ''}`;
  });
  return Promise.all(loaded);
}
