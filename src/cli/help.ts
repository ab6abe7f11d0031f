/** Help: all commands, a group of commands, or one command in full. */

import { wrapText } from '../core/text-width.ts';
import type { Command } from './command.ts';

/** What each command does, by groups, in the order a newcomer needs them. */
const GROUPS = {
  Start: {
    demo: "runs the service on a year of a city council's payments",
    init: 'creates an organisation, and its database if needed',
    serve: 'runs the service until Ctrl-C or SIGTERM',
    config: 'shows the settings of serve, and where each comes from',
  },
  Access: {
    'users create': 'adds a user to the organisation',
    'users list': 'lists the users, their roles and last sign-ins',
    'users role': "changes a user's role",
    'users reset-password': 'makes a link with which a user sets a new password',
    'users remove': 'removes a user from the organisation',
    'set-up-link': 'makes a new link to set up the first user',
    'keys create': 'creates an API key and prints it once',
    'keys list': 'lists the API keys and their state, also revoked ones',
    'keys revoke': 'revokes a key; a running service refuses it from then on',
    'plan set': "sets the organisation's plan",
  },
  Budgets: {
    'projects import': 'creates or updates projects and their budget lines',
    'projects list': 'lists the projects',
    report: "compares a project's budget with its actuals",
  },
  Transactions: {
    'csv inspect': 'works out how to read a CSV file, for push',
    push: 'pushes a file of transactions to a service, over HTTP',
    import: 'imports a file of transactions into the database',
    'transactions list': 'lists transactions, all or those that match filters',
    allocate: 'allocates transactions to budget lines',
    exclude: 'excludes a transaction from budgets until you restore it',
    restore: 'restores an excluded transaction',
    review: 'settles a transaction whose amount has changed',
  },
  Maintenance: {
    backup: 'copies the database, also while the service runs',
    'restore-backup': 'puts a copy in the place of the database',
    check: 'checks the file and the consistency of its records',
    export: 'writes everything of the organisation as CSV and JSON',
    doctor: 'looks at all that could go wrong, and says what to do',
    audit: 'lists who changed what and when, oldest first',
    print: 'prints a systemd unit, a proxy configuration and so on',
  },
} as const;

type Groups = typeof GROUPS;

/** The words of a command. */
export type CommandName = { [Title in keyof Groups]: keyof Groups[Title] }[keyof Groups];

const SUMMARIES: Readonly<Record<string, string>> = Object.assign({}, ...Object.values(GROUPS));

const HELP_WIDTH = 80;

const GLOBAL_HELP = `Options for every command
  --db FILE    the database file (default BUDGETD_DB, else ./budgetd.db)
  --config F   a file of settings, such as BUDGETD_DB=/var/lib/budgetd.db
  --org ID     the organisation, if the database has several
  --json       print one JSON document on standard output
  --help       show help
  --version    show the version`;

/** What `budgetd help` prints. */
export function buildHelp(version: string): string {
  const lines = [
    `budgetd ${version}: compare project budgets with actual cash`,
    '',
    'Usage: budgetd COMMAND [options]',
  ];
  for (const [title, group] of Object.entries(GROUPS)) {
    lines.push('', title, ...listSummaries(Object.keys(group)));
  }
  const more = 'Run `budgetd COMMAND --help` for details. New here? Run `budgetd demo`.';
  return [...lines, '', GLOBAL_HELP, '', more].join('\n');
}

/** What `budgetd keys` prints: the commands that begin with this word. */
export function buildGroupHelp(group: string): string {
  const names = Object.keys(SUMMARIES).filter((name) => name.startsWith(`${group} `));
  const words = names.map((name) => name.slice(group.length + 1)).join('|');
  const usage = `Usage: budgetd ${group} ${words}`;
  const more = `Run \`budgetd ${names[0]} --help\` for details.`;
  return [usage, '', ...listSummaries(names), '', more].join('\n');
}

/** What `budgetd COMMAND --help` prints. */
export function buildCommandHelp(name: string, { usage, details }: Command): string {
  const summary = SUMMARIES[name] ?? '';
  const sentence = `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`;
  const rest = details === undefined ? [] : ['', details.replace(/^\n+|\s+$/g, '')];
  const more = 'Also: --db FILE, --config FILE, --org ID, --json (see `budgetd help`).';
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

function listSummaries(names: readonly string[]): string[] {
  const width = Math.max(...Object.keys(SUMMARIES).map((name) => name.length));
  return names.map((name) => `  ${name.padEnd(width)}  ${SUMMARIES[name]}`);
}
