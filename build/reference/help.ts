/** Help: all commands, a group of commands, or one command in full. */

import { GLOBAL_HELP } from '../../src/cli/arguments.ts';
import {
  type CommandEntry,
  EXIT,
  listForms,
  listShared,
  SHARED_OPTIONS,
} from '../../src/cli/command.ts';
import { listCommands, listGroups } from '../../src/cli/entries.ts';
import { wrapText } from '../../src/core/text-width.ts';
import { readBuild } from '../../src/package-folder.ts';

const HELP_WIDTH = 80;

/** What each exit code says. */
export const EXIT_MEANINGS: Readonly<Record<keyof typeof EXIT, string>> = {
  done: 'done',
  failed: 'failed',
  usage: 'wrong usage',
  someRejected: 'some rows rejected, the rest accepted',
  refused: 'key, plan or scope refused',
  allRejected: 'every row rejected',
  gaveUpWaiting: 'gave up waiting for the rate limit',
  interrupted: 'interrupted',
};

/** The help of each command and of each group such as `keys`, by name; of all commands, by ''. */
export function listHelp(): Readonly<Record<string, string>> {
  const helps = new Map([['', buildFullHelp()]]);
  for (const command of listCommands()) {
    const words = command.name.split(' ');
    for (const at of words.keys()) {
      const group = words.slice(0, at).join(' ');
      if (!helps.has(group)) helps.set(group, buildGroupHelp(group));
    }
    helps.set(command.name, buildCommandHelp(command));
  }
  return Object.fromEntries(helps);
}

/** What `budgetd help` prints. */
function buildFullHelp(): string {
  const lines = [
    `budgetd ${readBuild().version}: compare project budgets with actual cash`,
    '',
    'Usage: budgetd COMMAND [options]',
  ];
  for (const { title, commands } of listGroups()) {
    lines.push('', title, ...listSummaries(commands));
  }
  const codes = Object.entries(EXIT).map(([name, code]) => {
    return `  ${String(code).padEnd(5)}${EXIT_MEANINGS[name as keyof typeof EXIT]}`;
  });
  const more = 'Run `budgetd COMMAND --help` for details. New here? Run `budgetd demo`.';
  return [...lines, '', GLOBAL_HELP, '', 'Exit codes', ...codes, '', more].join('\n');
}

/** What `budgetd keys` prints: the commands that begin with this word. */
function buildGroupHelp(group: string): string {
  const own = listBelow(group);
  const words = own.map(({ name }) => name.slice(group.length + 1)).join('|');
  const usage = `Usage: budgetd ${group} ${words}`;
  const more = `Run \`budgetd ${own[0]?.name} --help\` for details.`;
  return [usage, '', ...listSummaries(own), '', more].join('\n');
}

function listBelow(group: string): CommandEntry[] {
  return listCommands().filter(({ name }) => name.startsWith(`${group} `));
}

/** What `budgetd COMMAND --help` prints. */
function buildCommandHelp(command: CommandEntry): string {
  const below = listBelow(command.name);
  const seeAlso = below.length === 0 ? [] : ['', 'See also', ...listSummaries(below)];
  const forms = listShared(command)
    .map((name) => SHARED_OPTIONS[name])
    .join(', ');
  const more = forms === '' ? [] : ['', `Also: ${forms} (see \`budgetd help\`).`];
  const parts = [...wrapUsage(command), '', sentenceOf(command), ...describe(command)];
  return [...parts, ...seeAlso, ...more].join('\n');
}

/** The summary of a command as a sentence. */
export function sentenceOf({ summary }: CommandEntry): string {
  return `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`;
}

/** The details of a command and its exit codes, after an empty line. */
export function describe({ details, exits }: CommandEntry): string[] {
  const rest = details === undefined ? [] : ['', details.replace(/^\n+|\s+$/g, '')];
  if (exits === undefined) return rest;
  const codes = exits.map((name) => `${EXIT[name]} ${EXIT_MEANINGS[name]}`).join('; ');
  return [...rest, '', ...wrapText(`Exit codes: ${codes}.`, HELP_WIDTH)];
}

/** The forms of a command, each wrapped to the width of a plain terminal. */
function wrapUsage(command: CommandEntry): string[] {
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
const NAME_WIDTH = 21;

function listSummaries(commands: readonly CommandEntry[]): string[] {
  const lengths = listCommands().map(({ name }) => name.length);
  const width = Math.max(...lengths.filter((length) => length <= NAME_WIDTH));
  return commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`);
}
