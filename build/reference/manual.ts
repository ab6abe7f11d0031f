/** The manual page, budgetd(1), made from the table of commands. */

import { GLOBAL_HELP } from '../../src/cli/arguments.ts';
import { type CommandEntry, EXIT, listForms } from '../../src/cli/command.ts';
import { listGroups } from '../../src/cli/entries.ts';
import { describe, EXIT_MEANINGS, sentenceOf } from './help.ts';

/** The page in the language of man(7). */
export function buildManual(version: string): string {
  const groups = listGroups().flatMap(({ title, commands }) => [
    `.SH ${roff(title.toUpperCase())}`,
    ...commands.flatMap(describeCommand),
  ]);
  const codes = Object.entries(EXIT).map(([name, code]) => {
    return `.TP\n.B ${code}\n${roff(EXIT_MEANINGS[name as keyof typeof EXIT])}`;
  });
  const lines = [
    `.TH BUDGETD 1 "" "budgetd ${version}" "budgetd"`,
    '.SH NAME',
    'budgetd \\- compare project budgets with actual cash',
    '.SH SYNOPSIS',
    '.B budgetd',
    '.I COMMAND',
    '[options]',
    '.SH DESCRIPTION',
    'A service, a command line and a library that keep project budgets in one SQLite file.',
    'Run',
    '.B budgetd demo',
    'to see it with data.',
    '.SH OPTIONS FOR EVERY COMMAND',
    ...format(GLOBAL_HELP.replace(/^.*\n/, '')),
    ...groups,
    '.SH EXIT STATUS',
    ...codes,
    '.SH ENVIRONMENT',
    'Each setting is a variable too, such as',
    '.B BUDGETD_DB\nfor\n.BR \\-\\-db ;',
    '.B budgetd config',
    'shows them all.',
    'Set',
    '.B BUDGETD_DEBUG=1',
    'to see where an error comes from.',
  ];
  return `${lines.join('\n')}\n`;
}

function describeCommand(command: CommandEntry): string[] {
  const forms = listForms(command).flatMap((form) => ['.br', `budgetd ${roff(form)}`]);
  return [
    `.SS ${roff(command.name)}`,
    ...forms.slice(1),
    '.PP',
    roff(sentenceOf(command)),
    ...format(describe(command).join('\n')),
  ];
}

/** Options and arguments of the help become lists, and text is filled again. */
function format(help: string): string[] {
  return help.split(/\n{2,}/).flatMap((block) => {
    if (block.trim() === '') return [];
    const lines = block.replace(/^\n/, '').split('\n');
    const isList = /^ {2}\S/.test(lines[0] ?? '') && !/^ {2}[A-Z_]+=/.test(lines[0] ?? '');
    if (isList) return lines.flatMap(formatItem);
    const isText = !/^Example/.test(block) && lines.every((line) => !line.startsWith(' '));
    if (isText) return ['.PP', ...lines.map(roff)];
    const [left, back] = lines.some((line) => line.length > ROOM) ? [['.in 0'], ['.in']] : [[], []];
    return ['.PP', ...left, '.nf', ...lines.map(roff), '.fi', ...back];
  });
}

/** The width of a terminal without the margin of a page. */
const ROOM = 73;

/** The least indentation of what is text of the item above. */
const TEXT_INDENT = 6;

function formatItem(line: string): string[] {
  const [, indent = '', text = ''] = /^( *)(.*)$/.exec(line) ?? [];
  if (indent.length > TEXT_INDENT)
    return text.startsWith('--') ? ['.br', roff(text)] : [roff(text)];
  const [head = '', ...rest] = text.split(/ {2,}/);
  const body = rest.length === 0 ? [] : [roff(rest.join('  '))];
  return ['.TP', `.B ${roff(head)}`, ...body];
}

function roff(text: string): string {
  return text.replaceAll('\\', '\\e').replaceAll('-', '\\-').replace(/^[.']/, '\\&$&');
}
